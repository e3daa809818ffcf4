"""A short game is over, and its player asks what was good in it."""

import pytest
from playwright.sync_api import expect

from gipfbot.ui.kit import texts
from gipfbot.ui.play import game_texts
from gipfbot.ui.records.analysis_texts import LOOK_AGAIN_LABEL, OPEN_STUDY_LABEL
from gipfbot.ui.records.study_texts import NEXT_TURN_LABEL

from .driver import Visitor
from .table import challenge

pytestmark = [pytest.mark.browser, pytest.mark.shares_demo]
LOOKS, BETWEEN_LOOKS = 1_000, 300  # how often a visitor looks for the analysis, and the milliseconds between


def test_a_finished_game_is_analysed_and_opened_as_a_study(visitor: Visitor) -> None:
    game = challenge(visitor, "Basic")
    for name, turn in (("Ann", "c2"), ("Bob", "g2")):
        visitor.look_as(name)
        visitor.slash("move", notation=turn, game=game)
    visitor.look_as("Ann")
    visitor.slash("gipf resign", game=game)
    visitor.press(visitor.private(), game_texts.RESIGN_LABEL)
    visitor.press(visitor.public, texts.ANALYSE_LABEL)
    expect(visitor.private()).to_contain_text(f"Analysing {game}")
    for _ in range(LOOKS):
        if LOOK_AGAIN_LABEL not in visitor.buttons(visitor.private()):
            break
        visitor.page.wait_for_timeout(BETWEEN_LOOKS)
        visitor.press(visitor.private(), LOOK_AGAIN_LABEL)
    expect(visitor.private()).to_contain_text(f"Analysis of {game} · Ann vs Bob · Basic")
    assert visitor.picture(visitor.private()).startswith(f"Analysis of {game}: Ann is White, Bob is Black.")
    visitor.press(visitor.private(), OPEN_STUDY_LABEL)  # it has no turning point, so it opens at its start
    visitor.press(visitor.private(), NEXT_TURN_LABEL)
    expect(visitor.private()).to_contain_text("Balance:")
    assert "Ann" in visitor.picture(visitor.private())
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
