"""A whole Tournament game on the demo's page, on a phone, by /move alone."""

import pytest
from playwright.sync_api import expect

from gipfbot.rules import Colour

from .driver import Visitor
from .table import CROSSING, PLAYERS, challenge, sees_the_board, steps, was_played

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_a_tournament_game_by_move_alone(visitor: Visitor) -> None:
    """Another game waits for Ann too, so she takes a suggestion or names the game. Bob only types."""
    game = challenge(visitor)
    for step in steps("tournament-22.txt"):
        visitor.look_as(PLAYERS[step.before.mover])
        if step.turn_number == 7:
            visitor.slash("move", notation="i5-e5", game=game)
            is_asked(visitor, "Your row h2–h5 comes off: 2 back to you")
            visitor.slash("move", notation="xh4,h5", taking=game)
        elif step.turn_number == 22:
            visitor.slash("move", notation="b5")
            is_asked(visitor, CROSSING)
            assert [label[:7] for label in visitor.buttons(visitor.private())[:2]] == ["A e4–e7", "B b4–e7"]
            visitor.slash("move", notation="xe4,e6,e7")
            is_asked(visitor, "Choose the dot for the new piece")
            visitor.slash("move", notation="b5")
            is_asked(
                visitor, "Your row b5–e5 comes off, and so do the basic pieces that follow it without a gap: 3 back"
            )
            visitor.slash("move", notation="xb5,c5,d5,Ge5,f4*,Gg3*,Gh2*")
        else:
            visitor.slash("move", notation=step.text, taking=game if step.before.mover is Colour.WHITE else "")
        was_played(visitor, step)
        sees_the_board(visitor, game, step)
    visitor.look_as("Ann")
    expect(visitor.public).to_contain_text("@Ann @Bob Bob (Black) wins")


def is_asked(visitor: Visitor, what: str) -> None:
    """Check that the desk asks what the typed text leaves open, and that nothing is public yet."""
    expect(visitor.private()).to_contain_text(what)
    visitor.picture(visitor.private())
    expect(visitor.public).to_contain_text("your turn")
