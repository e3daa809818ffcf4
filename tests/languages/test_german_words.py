"""One German word for one thing: that of the rulebook, and of the German page on GIPF."""

import re
from collections.abc import Iterator, Sequence

import pytest

from gipfbot.languages import read_catalogue

# English words of the rules, and how each begins in German.
WORDS = {
    r"dots?": "Randpunkt",
    r"spots?": "Feld",
    r"rows?": "Reihe",
    r"reserves?": "Vorr[aä]t",
    r"basic pieces?": "Grundstein",
    r"GIPF-pieces?": "GIPF-Stein",
    r"potentials?": "Potenzial",
    r"loaded": "geladen",
    r"void": "ungültig",
    r"stud(?:y|ies)": "Probebrett",
}
OTHERWISE = re.compile(r"dots behind the number|in a row(?! of)|rows=")  # the same words for other things
# What stands for the same things elsewhere.
WRONG = re.compile(r"\b(?:Spielstein|Studien?\b|Gegenüber|Spielzug|Spielfeld|Kreuzungspunkt|Potential(?!s\b))")
NOT_WORDS = re.compile(r"\{\w+\}|`[^`]*`|/gipf[\w-]*(?: [a-z]+)*|\b[a-z_]+:")  # facts, code, commands and options


def sentences() -> Iterator[tuple[str, str]]:
    """Yield each sentence in English and in German, all of its forms."""
    for message in read_catalogue("de"):
        if message.id:
            yield _whole(message.id), _whole(message.string)


def _whole(forms: str | Sequence[str] | None) -> str:
    return forms if isinstance(forms, str) else " ".join(forms or ())


@pytest.mark.parametrize(("word", "german"), WORDS.items())
def test_each_thing_has_one_german_word(word: str, german: str) -> None:
    told = [(english, text) for english, text in sentences() if _names(word, english)]
    assert told
    wrong = [english for english, text in told if not re.search(german, text, re.IGNORECASE)]
    assert not wrong, f"in German, {word} is {german}"


def _names(word: str, english: str) -> bool:
    said = OTHERWISE.sub("", NOT_WORDS.sub("", english))
    return re.search(rf"\b{word}\b(?!-)", said) is not None


def test_nothing_has_another_german_word() -> None:
    assert [text for _, text in sentences() if WRONG.search(NOT_WORDS.sub("", text))] == []


def test_no_sign_follows_the_dots_of_a_label() -> None:
    """„Mehr …“. would have four dots: a word stands between."""
    assert [text for _, text in sentences() if re.search(r"…\*\*[.:]", text)] == []
