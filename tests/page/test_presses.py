"""How many presses a turn takes on a phone, from the public board to the end of the turn."""

import pytest
from playwright.sync_api import expect

from gipfbot.ui.kit import texts

from .driver import Visitor
from .table import challenge

pytestmark = pytest.mark.browser
TOPS = "buttons => buttons.map(button => Math.round(button.getBoundingClientRect().top))"


@pytest.mark.shares_demo
@pytest.mark.parametrize("rules", ["Basic", "Standard", "Tournament"])
def test_three_presses_play_a_plain_turn(visitor: Visitor, rules: str) -> None:
    """**Move**, the dot, the push. Each push from a chosen dot is a button, and another dot takes the piece back."""
    game = challenge(visitor, rules)
    visitor.look_as("Ann")
    before = visitor.presses
    visitor.press(visitor.public, "Move")
    desk = visitor.private(f"{game} vs Bob · your turn 1 as White")
    assert len([label for label in visitor.buttons(desk) if len(label) == 2]) == 24
    visitor.press(desk, "e1")
    visitor.press(desk, "→ e2")
    assert visitor.presses - before == 3
    expect(visitor.private()).to_contain_text("Played ")
    expect(visitor.public).to_contain_text(f"@Bob your turn · game {game} vs Ann · Ann played")


def test_four_presses_play_a_turn_that_asks_about_one_gipf_piece(visitor: Visitor) -> None:
    board = visitor.messages.filter(has_text="@Ann your turn").last
    for message, label in (
        (board, "Move"),
        (None, "f8"),
        (None, "→ f7 · row: 3 or 5 back"),
        (None, "Leave e8 on the board"),
    ):
        visitor.press(message or visitor.private(), label)
    assert visitor.presses == 4
    expect(visitor.private()).to_contain_text("Played f8 → f7 in game #")


def test_more_takes_few_lines_of_a_phone(visitor: Visitor) -> None:
    """For the player to move, the other player, and a spectator."""
    board = visitor.messages.filter(has_text="@Ann your turn").last
    for name, most in (("Ann", 5), ("Bob", 5), ("Cara", 3)):
        visitor.look_as(name)
        visitor.press(board, texts.MORE_LABEL)
        expect(visitor.private()).to_contain_text(texts.SHOW_HERE_LABEL)
        tops = visitor.private().locator("button.component-button").evaluate_all(TOPS)
        assert len({*tops}) <= most


# A ZÈRTZ behind a GIPF-piece of Black's, and another one, so that the piece is asked for.
BEFORE_THE_USE = (("a1", "→ b2"), ("e9", "→ e8"), ("i5", "→ h5"), ("i1", "→ h2"))


@pytest.mark.shares_demo
def test_four_presses_use_a_potential(visitor: Visitor) -> None:
    """**Move**, **Use**, the piece, its destination. A push of a loaded piece keeps its three presses."""
    game = challenge(visitor, "Standard", ZÈRTZ=3)
    for number, (dot, push) in enumerate(BEFORE_THE_USE):
        visitor.look_as("Bob" if number % 2 else "Ann")
        before = visitor.presses
        visitor.press(visitor.public, "Move")
        for label in (dot, push):
            visitor.press(visitor.private(f"{game} vs"), label)
        assert visitor.presses - before == 3
        expect(visitor.private()).to_contain_text("with a ZÈRTZ-piece")
    visitor.look_as("Ann")
    before = visitor.presses
    visitor.press(visitor.public, "Move")
    for label in ("Use a potential…", "b2 ZÈRTZ", "→ d4"):
        visitor.press(visitor.private(f"{game} vs"), label)
    assert visitor.presses - before == 4
    expect(visitor.private()).to_contain_text("Played ZÈRTZ b2 → d4")
    expect(visitor.public).to_contain_text("Ann played ZÈRTZ b2 → d4")
