"""Settings on the page: five are changed by presses and choices alone, and each control then shows what is set."""

import pytest
from playwright.sync_api import Locator, expect

from .driver import Visitor

pytestmark = pytest.mark.browser


def select(message: Locator, number: int) -> Locator:
    """Return one of the selects of a message, counted from 0."""
    return message.locator(".preview-select").nth(number)


def test_five_settings_are_changed_without_typing_an_option(visitor: Visitor) -> None:
    visitor.look_as("Ann")
    visitor.slash("gipf-me settings")
    visitor.choose(select(visitor.private(), 2), "Night")
    expect(visitor.private()).to_contain_text("Theme: Wood → Night.")
    assert visitor.picture(visitor.private()) == "A board in the theme Night, from White's side"
    visitor.press(visitor.private(), "Flip boards as Black: off")
    assert "Black's side" in visitor.picture(visitor.private())
    visitor.press(visitor.private(), "Daily digest: off…")
    expect(select(visitor.private(), 1)).to_contain_text("Daily digest: off")
    visitor.choose(select(visitor.private(), 0), "Reminders: 2 hours left")
    expect(visitor.private()).to_contain_text("Reminders: 25 % of time left → 2 hours left.")
    visitor.slash("gipf-server settings")
    visitor.choose(select(visitor.private(), 4), "7 days for each turn")
    visitor.press(visitor.private(), "Clocks run at weekends (UTC): on")
    visitor.press(visitor.private(), "Appearance")
    expect(select(visitor.private(), 0)).to_contain_text("Theme: Wood")
    visitor.press(visitor.private(), "Terms")
    expect(select(visitor.private(), 4)).to_contain_text("Pace: 7 days for each turn")
    assert "Clocks run at weekends (UTC): off" in visitor.buttons(visitor.private())
