"""In a language with longer sentences no text of a picture is cut, leaves the picture, or lies on another one."""

import sys
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import pytest

from gipfbot.languages import speaking
from gipfbot.match import TIME_CONTROLS, Challenge, Seat, Side, Terms
from gipfbot.rules import STANDARD, start
from gipfbot.ui.kit.picture_words import SaidWords
from gipfbot.ui.lobby.lobby_texts import challenge_card_terms
from render import ChallengeCard, png, text
from render.sprites import Canvas
from render.text import CAPITAL, Face, text_width
from tests.render.golden import ALL, BALANCE
from tests.support.marked_language import BRACKET, marked_language

LANGUAGE = marked_language(longer=True)
SAID = "ë"  # stands for a bracket, which the fonts lack, so it is in each sentence and in no name


class LongerWords(SaidWords):
    """The words of the longer language, with letters as brackets."""

    def say(self, sentence: str, /, **facts: str | float) -> str:
        return BRACKET.sub(SAID, super().say(sentence, **facts))

    def say_number(self, one: str, many: str, number: int, /, **facts: str | float) -> str:
        return BRACKET.sub(SAID, super().say_number(one, many, number, **facts))


WORDS = LongerWords(LANGUAGE)


class Drawn(NamedTuple):
    """A text that was drawn, and its place."""

    text: str
    canvas: Canvas
    left: int
    top: int
    right: int
    bottom: int

    @property
    def is_inside(self) -> bool:
        """Whether no part of it is outside of the picture."""
        width, height = self.canvas.image.size
        return 0 <= self.left <= self.right <= width and 0 <= self.top <= self.bottom <= height

    def is_on(self, other: "Drawn") -> bool:
        """Whether it lies on another text."""
        across = self.left < other.right and other.left < self.right
        return self.canvas is other.canvas and across and self.top < other.bottom and other.top < self.bottom


class Noted(NamedTuple):
    """What was drawn and what was shortened since the start of the test."""

    drawn: list[Drawn]
    cut: list[str]

    def check(self) -> None:
        """Assert that all texts are whole and in places of their own."""
        assert self.drawn
        assert not [each.text for each in self.drawn if not each.is_inside]
        assert not [(one.text, other.text) for one, other in combinations(self.drawn, 2) if one.is_on(other)]
        assert not [each for each in self.cut if SAID in each]


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> Noted:
    """Return the notes about all texts that are drawn in the test."""
    notes, draw, shorten = Noted([], []), text.draw_text, text.shorten_to_width

    def drawing(canvas: Canvas, said: str, face: Face, size: int, colour: str, left: int, middle: int) -> None:
        half = round(CAPITAL * size / 2)
        right = left + text_width(said, face, size)
        notes.drawn.append(Drawn(said, canvas, left, middle - half, right, middle + half))
        draw(canvas, said, face, size, colour, left, middle)

    def shortening(said: str, *args: Any) -> str:
        short = shorten(said, *args)
        notes.cut.extend([said] * (short != said))
        return short

    for module in [module for name, module in sys.modules.items() if name.startswith("render.")]:
        for old, new in ((draw, drawing), (shorten, shortening)):
            if vars(module).get(old.__name__) is old:
                monkeypatch.setattr(module, old.__name__, new)
    return notes


@pytest.mark.parametrize("name", sorted(ALL))
def test_no_text_is_cut_or_lies_on_another(name: str, noted: Noted) -> None:
    """Names may be shortened."""
    png(ALL[name], size=704, words=WORDS)
    noted.check()


@pytest.mark.parametrize("pace", TIME_CONTROLS)
def test_a_card_has_room_for_all_terms(pace: str, noted: Noted) -> None:
    terms = Terms(TIME_CONTROLS[pace], weekends=False, rated_if_finished=True)
    challenge = Challenge(1, Seat(1, "Ann"), None, STANDARD, Side.LOT, 0, terms=terms)
    with speaking(LANGUAGE):
        said = [(BRACKET.sub(SAID, name), BRACKET.sub(SAID, value)) for name, value in challenge_card_terms(challenge)]
    png(ChallengeCard("Challenge", "Ann", "", None, start(STANDARD), tuple(said)), size=704, words=WORDS)
    noted.check()


def test_a_balance_says_whose_colour_is_which_beside_long_names(noted: Noted) -> None:
    plot = replace(BALANCE, names=("Bartholomew the Very Impatient", "Bartholomew"))
    png(plot, size=704, words=WORDS)
    noted.check()
