"""Pictures say what people read on them in the words that are handed in."""

import re

import pytest

from gipfbot.rules import ruleset_words
from gipfbot.ui.kit.picture_words import SaidWords
from render import ENGLISH, Picture, ResultCard, alt_text, png, text_board
from render.wording import ruleset_name
from tests.render.golden import ALL
from tests.support.marked_language import marked_language, read_marks

GIVEN = {
    "challenge",
    "seek",
    "leaderboard",
    "league",
    "swiss",
    "winner",
}  # cards whose orders bring their titles and terms already said
MARKED = SaidWords(marked_language(longer=True))


def unsaid(text: str) -> list[str]:
    """Return the words outside of the brackets. Names and letters of pieces are left out."""
    while (less := re.sub(r"[⟦⟨][^⟦⟧⟨⟩]*[⟧⟩]", "", text)) != text:
        text = less
    return [word for word in re.findall("[A-Za-z]{3,}", text) if word not in {"ann", "bob", "Ann", "Bob"}]


@pytest.mark.parametrize("name", sorted({*ALL} - GIVEN))
def test_each_word_of_an_alt_text_is_handed_in(name: str) -> None:
    described = ALL[name]
    said = alt_text(described, MARKED)
    assert not unsaid(said)
    assert not read_marks(said).nested
    if isinstance(described, Picture | ResultCard):
        assert not unsaid(text_board(described, MARKED))


def test_words_change_the_drawing() -> None:
    described = ALL["start"]
    english = png(described, size=300)
    assert png(described, size=300, words=ENGLISH) == english
    assert png(described, size=300, words=MARKED) != english


def test_the_name_of_a_rule_set_is_said() -> None:
    for name in ("basic", "tournament+Z6P6"):
        assert ruleset_name(name, ENGLISH) == ruleset_words(name)
    assert ruleset_name("basic", MARKED) == "⟨Basic⟩"
    assert ruleset_name("tournament+Z6P6", MARKED) == "⟨⦃⟨Tournament ë⟩⦄ with ⦃6 ZÈRTZ und 6 PÜNCT⦄⟩"
