"""All terms of a challenge on one screen of a phone, and the games that have ended."""

import pytest
from playwright.sync_api import expect

from gipfbot.ui.lobby import lobby_texts
from gipfbot.ui.play.game_list import ENDED_GAMES_LABEL

from .driver import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.shares_demo]


def test_all_terms_are_chosen_on_one_screen(visitor: Visitor) -> None:
    visitor.look_as("Ann")
    visitor.slash("gipf challenge", opponent="Bob", other_terms="True")
    page = visitor.private("The terms of your challenge to @Bob")
    expect(page).to_be_in_viewport(ratio=0.99)
    visitor.choose(page, "5 each", of="PÜNCT-potentials")
    visitor.press(page, "Thread of its own: off")
    assert visitor.buttons(page)[-2:] == ["Thread of its own: on", lobby_texts.CHALLENGE_LABEL]
    visitor.press(page, lobby_texts.CHALLENGE_LABEL)
    expect(visitor.private()).to_contain_text("Bob has been asked.")
    expect(visitor.public).to_contain_text("Standard with 5 PÜNCT")


def test_an_ended_game_is_found_in_two_presses(visitor: Visitor) -> None:
    visitor.look_as("Ann")
    visitor.slash("gipf games")
    visitor.press(visitor.private(), ENDED_GAMES_LABEL)
    expect(visitor.private()).to_be_in_viewport(ratio=0.99)
    board, *_ = (label for label in visitor.buttons(visitor.private()) if label.startswith("Board"))
    visitor.press(visitor.private(), board)
    assert {"Rematch", "Private note"} <= {*visitor.buttons(visitor.private())}
