"""How many presses a turn takes on a phone, from the public board to the end of the turn."""

import pytest
from playwright.sync_api import expect

from .driver import Visitor
from .table import challenge

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("rules", ["Basic", "Standard", "Tournament"])
def test_three_presses_play_a_plain_turn(visitor: Visitor, rules: str) -> None:
    """**Move**, the dot, the push. Each push from a chosen dot is a button, and another dot takes the piece back."""
    game = challenge(visitor, rules)
    visitor.look_as("Ann")
    before = visitor.presses
    visitor.press(visitor.public, "Move")
    desk = visitor.private(f"{game} vs Bob · your turn: 1. White")
    assert len([label for label in visitor.buttons(desk) if len(label) == 2]) == 24
    visitor.press(desk, "e1")
    visitor.press(desk, "→ e3" if rules != "Tournament" else "→ e2")
    assert visitor.presses - before == 3
    expect(visitor.private()).to_contain_text("Played ")
    expect(visitor.public).to_contain_text(f"@Bob your turn · {game} vs Ann · Ann played")


def test_four_presses_play_a_turn_that_asks_about_one_gipf_piece(visitor: Visitor) -> None:
    board = visitor.messages.filter(has_text="@Ann your turn").last
    for message, label in ((board, "Move"), (None, "f8"), (None, "→ f7 · row: 3 back"), (None, "Keep e8")):
        visitor.press(message or visitor.private(), label)
    assert visitor.presses == 4
    expect(visitor.private()).to_contain_text("Played f7;x")
