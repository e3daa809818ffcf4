"""A league on the page: opened and joined by presses alone. The page's people take part in it."""

import pytest
from playwright.sync_api import expect

from .driver import Visitor

pytestmark = pytest.mark.browser


def test_a_league_is_opened_and_begins(visitor: Visitor) -> None:
    """Nobody is asked for anything but the command and a press."""
    visitor.look_as("Ann")
    visitor.slash("gipf-tournament new")
    expect(visitor.public).to_contain_text("Ann opens a tournament: GIPF club (League)")
    visitor.press(visitor.private(), "Join")
    expect(visitor.private()).to_contain_text("You have joined GIPF club.")
    begun = visitor.messages.filter(has_text="Season 1 of GIPF club has begun.")
    expect(begun).to_be_visible()
    visitor.press(begun, "Standings")
    assert ". Ann (you): points 0, games 0" in visitor.picture(visitor.private())
    visitor.press(visitor.private(), "My games")
    for name in ("Dan", "Eve", "Gus"):
        expect(visitor.private()).to_contain_text(name)
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
