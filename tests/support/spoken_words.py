"""The languages that a text is in, by the words that only the sentences of one language have."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from gipfbot.languages import read_catalogue

LOCALES = "en-US", "de", "fr"  # of Discord; the bot knows no French
FACT = re.compile(r"(?<!\{)\{\w[^{}]*\}")
# Code, mentions and times, links, games, and what somebody has typed.
UNSAID = re.compile(r"`[^`\n]*`|</?[^>\s]*[^>]*>|https?://[^\s)>]+|#[a-z]+[0-9]+|[„“][^“”\n]*[“”]")
WORD = re.compile(r"(?<!\w)[^\W\d_]{2,}(?!\w)")


@cache
def own_words() -> Mapping[str, frozenset[str]]:
    """Return the words of English sentences that no German one has, and those of German ones, by language."""
    messages = [message for message in read_catalogue("de") if message.id]
    english, german = _words(each.id for each in messages), _words(each.string for each in messages)
    return {"en": english - german, "de": german - english}


def _words(sentences: Iterable[Any]) -> frozenset[str]:
    texts = (text for each in sentences for text in ((each,) if isinstance(each, str) else each))
    return frozenset(word for text in texts for word in WORD.findall(FACT.sub(" ", text)))


def languages_of(*texts: str) -> frozenset[str]:
    """Return the codes of the languages that these texts show: English, German, both, or none."""
    found = {word for text in texts for word in WORD.findall(UNSAID.sub(" ", text))}
    return frozenset(code for code, words in own_words().items() if not words.isdisjoint(found))


def mixed_texts(messages: Iterable[Iterable[str]]) -> list[str]:
    """Return the messages that are in two languages. Each message is all its texts."""
    return [" | ".join(texts) for texts in map(tuple, messages) if len(languages_of(*texts)) > 1]
