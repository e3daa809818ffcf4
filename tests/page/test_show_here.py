"""**Show here** on a phone: a spectator shows a replay and a board to everybody, and somebody else looks."""

import pytest
from playwright.sync_api import expect

from .driver import Visitor

pytestmark = pytest.mark.browser


def test_spectator_shows_a_replay_and_a_board(visitor: Visitor) -> None:
    """Three presses from the newest board to the replay that everybody sees."""
    visitor.look_as("Cara")
    visitor.press(
        visitor.messages.filter(has=visitor.page.get_by_role("button", name="Move", exact=True)).last, "More…"
    )
    visitor.press(visitor.private(), "Show here")
    expect(visitor.public).to_contain_text("@Cara shows a board: #")
    assert visitor.buttons(visitor.public) == ["Look"]
    visitor.press(visitor.private("waiting for"), "Replay")
    visitor.press(visitor.private("Your replay of"), "Show here")
    expect(visitor.public).to_contain_text("@Cara shows a replay: #")
    assert "Replay of #" in visitor.picture(visitor.public)
    visitor.look_as("Bob")
    visitor.press(visitor.public, "Look")
    expect(visitor.private()).to_contain_text("only you see it")
    assert "Replay of #" in visitor.picture(visitor.private())
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
