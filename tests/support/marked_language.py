"""A language of tests in which each sentence stands in ⟦ ⟧, each fact in it in ⦃ ⦄, and each name of a thing in ⟨ ⟩.

So a text shows which of its words no sentence has said, and which facts are sentences or parts of sentences. Only names
of things and amounts may be facts: what `say_name` and `say_amount` say. If it is `longer`, each sentence has 40 % more
letters than in English, as real languages have; its facts do not count.
"""

import re
import sys
from collections.abc import Iterator
from functools import cache
from gettext import NullTranslations
from typing import NamedTuple

from babel import Locale

from gipfbot import languages
from gipfbot.languages import Language
from gipfbot.tools.languages import english_sentences

SENTENCE, NAME, FACT = ("⟦", "⟧"), ("⟨", "⟩"), ("⦃", "⦄")
CLOSING = dict((SENTENCE, NAME, FACT))
FILLING = " ëëëë ëëëëëë"
FACT_IN_TEMPLATE = re.compile(r"(?<!\{)\{\w[^{}]*\}")
MAY_BE_FACTS = {each.__code__ for each in (languages.say_name, languages.say_amount)}  # what they say
BRACKET = re.compile(f"([{''.join(map(''.join, (SENTENCE, NAME, FACT)))}])")


class Marks(NullTranslations):
    """Translate each English sentence of the program into itself in brackets. Other texts stay as they are.

    If it is `strict`, there are no other texts.
    """

    def __init__(self, *, strict: bool, longer: bool) -> None:
        super().__init__()
        self._keys, self._strict, self._longer = known_keys(), strict, longer

    def gettext(self, message: str) -> str:
        """Return a sentence in brackets."""
        return self._marked(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the form of a sentence that fits a number, in brackets."""
        return self._marked(msgid1 if n == 1 else msgid2)

    def _marked(self, message: str) -> str:
        if message not in self._keys:
            assert not self._strict, message
            return message
        callers = sys._getframe(2).f_code, sys._getframe(3).f_code
        opening, closing = SENTENCE if MAY_BE_FACTS.isdisjoint(callers) else NAME
        more = filling(message) if self._longer else ""
        return f"{opening}{mark_facts(message)}{more}{closing}"


@cache
def known_keys() -> frozenset[str]:
    """Return the sentences of the sources, both forms of those with a number."""
    ids = [message.id for message in english_sentences()]
    return frozenset(text for each in ids for text in ([each] if isinstance(each, str) else each))


def mark_facts(template: str) -> str:
    """Return a template with each of its facts in ⦃ ⦄."""
    opening, closing = FACT
    return FACT_IN_TEMPLATE.sub(lambda fact: f"{opening}{fact[0]}{closing}", template)


def filling(template: str) -> str:
    """Return what makes a template 40 % longer, with all its brackets: words, so that it can be wrapped."""
    own, facts = FACT_IN_TEMPLATE.subn("", template)
    most = len(own) * 2 // 5 - 2 * (1 + facts)
    return (FILLING * (most // len(FILLING) + 1))[:most].rstrip() if most > 1 else ""


def marked_language(*, strict: bool = False, longer: bool = False) -> Language:
    """Return the language, which goes by the code of German. If it is `strict`, it has no other texts."""
    return Language("de", Locale("de"), Marks(strict=strict, longer=longer))


class Found(NamedTuple):
    """What brackets show of a text."""

    bare: str  # what is in no sentence, and what stands in for a fact
    nested: bool  # whether a sentence is a fact of another
    cut: bool  # whether a bracket is missing


def read_marks(text: str) -> Found:
    """Return what the brackets of a text show. Where a bracket is missing, the text was cut within the brackets."""
    bare, open_brackets, is_nested, is_cut = [], list[str](), False, False
    for part in _parts(text):
        if part in CLOSING:
            is_nested = is_nested or (part == SENTENCE[0] and any(each != FACT[0] for each in open_brackets))
            open_brackets.append(part)
        elif part in CLOSING.values():
            is_cut = not _close(open_brackets, part) or is_cut
        else:
            is_bare = not open_brackets or open_brackets[-1] == FACT[0]
            bare.append(part if is_bare else re.sub(r"\w", " ", part))
    return Found("".join(bare), is_nested, is_cut or bool(open_brackets))


def _close(open_brackets: list[str], closing: str) -> bool:
    """Close the last bracket that fits, and those within it. Return whether it is the last one of all."""
    fitting = [at for at, opening in enumerate(open_brackets) if CLOSING[opening] == closing]
    is_last = fitting[-1:] == [len(open_brackets) - 1]
    del open_brackets[fitting[-1] if fitting else len(open_brackets) :]
    return is_last


def _parts(text: str) -> Iterator[str]:
    return (part for part in BRACKET.split(text) if part)
