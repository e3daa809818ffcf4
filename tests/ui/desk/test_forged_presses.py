"""Presses on a desk that it does not offer: each plays something legal, or shows the desk."""

import pytest

from gipfbot.match import Game, Refused, perform
from gipfbot.rules import OVERBOARD, TOURNAMENT, start
from gipfbot.rules.pending import question
from gipfbot.ui.desk.screens import desk_actions, desk_focus, desk_screen
from tests.notation.helpers import at
from tests.rules import boards_of_overboard
from tests.ui.shown_screens import game_at

POSITIONS = {
    "push": start(TOURNAMENT),
    "row": at("standard w W=b2,b3,b4,b5,g2,g3,g4,Gg5 B=Ge8,Gh2"),
    "offer": at("tournament w W=Ge2,Ge3,Ge4,Ge5 B=Ge8"),
    "overboard": start(OVERBOARD),
    "answer": boards_of_overboard.ASKS,
}
VERBS = "pass play anyway done push more kind dot use piece take row flip over odd".split()
ODD_PARTS = ("", "-", ":", "::", "a", "K", "Z:e2", "G:zz", "e", "²", "b:e8f8", "g:e8f8", "g:g", "g:zz", ";;", "\x00")


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("name", POSITIONS)
def test_a_forged_press_is_handled(name: str, verb: str) -> None:
    game = game_at(POSITIONS[name])
    asked = question(game.current)
    assert asked
    for odd in (*ODD_PARTS, *(f"{row.line.code}:e8f8" for row in asked.rows)):
        press(game, verb, odd)


def press(game: Game, verb: str, what: str) -> None:
    """Press a button of a desk, as its handler does."""
    asked = question(game.current)
    assert asked
    assert game.asked is not None
    if actions := desk_actions(game, asked, verb, what):
        try:
            perform(game, game.seats[game.asked].user, actions)
        except Refused:
            return
    else:
        assert desk_screen(game, desk_focus(verb, what)).rows
