"""A whole game of Overboard on the demo's page, on a phone, by buttons alone."""

from typing import TypeAlias

import pytest
from playwright.sync_api import Locator, expect

from gipfbot.notation import RecordedTurn
from gipfbot.rules import Action, Position, Push, Remove, Stage, play
from gipfbot.rules.pending import question
from gipfbot.ui.kit import texts
from gipfbot.ui.play import game_texts
from gipfbot.ui.requests import request_texts

from .driver import Visitor
from .table import PLAYERS, challenge, sees_the_board, steps, turn_heading, was_played

pytestmark = pytest.mark.browser

Asked: TypeAlias = str


@pytest.mark.slow
def test_an_overboard_game_by_buttons_alone_until_a_draw(visitor: Visitor) -> None:
    """Rows of both colours come off, and a run at the end of one goes home. Then the players agree on a draw."""
    game = challenge(visitor, "Overboard")
    asked = [one for step in steps("overboard-12.txt", "overboard") for one in play_overboard(visitor, game, step)]
    assert asked == ["no choice", "no choice", "sent home"]
    agree_on_a_draw(visitor, game)


def play_overboard(visitor: Visitor, game: str, step: RecordedTurn) -> list[Asked]:
    """Play a turn by buttons, and check its board; return what was asked about its rows."""
    visitor.look_as(PLAYERS[step.before.mover])
    visitor.press(visitor.public, texts.MOVE_LABEL)
    desk = visitor.private(f"{game} vs {PLAYERS[step.before.mover.other]} · your turn")
    expect(desk).to_contain_text(turn_heading(step))
    position, asked = step.before, list[Asked]()
    for action in step.actions:
        asked += press_overboard(visitor, desk, position, action)
        position = play(position, action)
    was_played(visitor, step)
    sees_the_board(visitor, game, step)
    return asked


def press_overboard(visitor: Visitor, desk: Locator, position: Position, action: Action) -> list[Asked]:
    """Press what plays an action; return what was asked about a row."""
    if isinstance(action, Push):
        visitor.press(desk, action.dot)
        visitor.picture(desk)
        visitor.press(desk, next(one for one in visitor.buttons(desk) if one.split(" · ")[0] == f"→ {action.spot}"))
        return []
    found = question(position)
    assert found
    if found.forced == action:
        return ["no choice"]
    assert isinstance(action, Remove)
    assert found.stage is Stage.ENDS
    expect(desk).to_contain_text("go home, too?")
    visitor.picture(desk)
    visitor.press(desk, f"Send {' '.join(action.spots)} home")
    return ["sent home"]


def agree_on_a_draw(visitor: Visitor, game: str) -> None:
    """Let Ann offer a draw and Bob accept it."""
    visitor.look_as("Ann")
    visitor.press(visitor.public, texts.MORE_LABEL)
    visitor.press(visitor.private(), game_texts.ASK_DRAW_LABEL)
    expect(visitor.private()).to_contain_text(f"Offer Bob a draw in {game}?")
    visitor.press(visitor.private(), request_texts.OFFER_DRAW_LABEL)
    expect(visitor.public).to_contain_text(f"@Bob Ann offers a draw · {game}")
    visitor.look_as("Bob")
    visitor.press(visitor.public, texts.ACCEPT_LABEL)
    expect(visitor.public).to_contain_text(f"@Ann @Bob game {game} is a draw: you both agreed.")
    assert visitor.buttons(visitor.public) == ["Rematch", "Replay", "Analyse", "Record", "Explorer"]
