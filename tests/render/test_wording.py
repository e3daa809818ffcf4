"""Pictures say what people read on them in the words that are handed in."""

import re
from collections.abc import Sequence

import pytest

from gipfbot.rules import ruleset_words
from render import ENGLISH, Picture, ResultCard, Words, alt_text, png, text_board
from render.wording import ruleset_name
from tests.render.golden import ALL

GIVEN = {"challenge", "seek", "leaderboard"}  # cards whose orders bring their titles and terms already said


class Bracketed(Words):
    """Words in brackets. Equal ones are drawn equally."""

    def say(self, sentence: str, /, **facts: str | float) -> str:
        """Return a sentence in brackets."""
        return f"⟦{super().say(sentence, **facts)}⟧"

    def say_list(self, items: Sequence[str]) -> str:
        """Return items without a word between them."""
        return ", ".join(items)


def unsaid(text: str) -> list[str]:
    """Return the words outside of the brackets. Names and letters of pieces are left out."""
    while (less := re.sub(r"⟦[^⟦⟧]*⟧", "", text)) != text:
        text = less
    return [word for word in re.findall("[A-Za-z]{3,}", text) if word not in {"ann", "bob", "Ann", "Bob"}]


@pytest.mark.parametrize("name", sorted({*ALL} - GIVEN))
def test_each_word_of_an_alt_text_is_handed_in(name: str) -> None:
    described = ALL[name]
    assert not unsaid(alt_text(described, Bracketed()))
    if isinstance(described, Picture | ResultCard):
        assert not unsaid(text_board(described, Bracketed()))


def test_words_change_the_drawing() -> None:
    described = ALL["start"]
    english = png(described, size=300)
    assert png(described, size=300, words=ENGLISH) == english
    assert png(described, size=300, words=Bracketed()) != english


def test_the_name_of_a_rule_set_is_said() -> None:
    for name in ("basic", "tournament+Z6P6"):
        assert ruleset_name(name, ENGLISH) == ruleset_words(name)
    assert ruleset_name("basic", Bracketed()) == "⟦Basic⟧"
    assert ruleset_name("tournament+Z6P6", Bracketed()) == "⟦⟦Tournament⟧ with 6 ZÈRTZ, 6 PÜNCT⟧"
