"""A newcomer alone on the demo's page: loses to the bot, reads where, and beats it at its first level."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from gipfbot.match import LEVEL_NAMES
from gipfbot.notation import turn_text
from gipfbot.rules import BASIC, PUSHES, Action, Colour, Kind, Position, legal, play, start
from gipfbot.search import Request, best_turn
from gipfbot.ui.kit.texts import MORE_LABEL, turn_place
from gipfbot.ui.play import game_texts
from gipfbot.ui.records.analysis_texts import LOOK_AGAIN_LABEL, OPEN_STUDY_LABEL

from .driver import Visitor

pytestmark = pytest.mark.browser
Chooser = Callable[[Position, tuple[Position, ...]], tuple[Action, ...]]
LOOKS, BETWEEN_LOOKS = 120, 10_000  # how often a visitor looks for the analysis, and the milliseconds between


@pytest.mark.slow
def test_a_newcomer_loses_reads_where_and_beats_the_first_level(visitor: Visitor) -> None:
    visitor.look_as("Cara")
    assert play_the_bot(visitor, "3", play_anything) is Colour.BLACK
    visitor.press(visitor.public, "Analyse")
    for _ in range(LOOKS):
        if LOOK_AGAIN_LABEL not in visitor.buttons(visitor.private()):
            break
        visitor.page.wait_for_timeout(BETWEEN_LOOKS)
        visitor.press(visitor.private(), LOOK_AGAIN_LABEL)
    expect(visitor.private()).to_contain_text("White, Cara:")
    assert "balance" in visitor.picture(visitor.private()).lower()
    visitor.press(visitor.private(), OPEN_STUDY_LABEL)
    assert play_the_bot(visitor, "1", search) is Colour.WHITE


def play_anything(position: Position, before: tuple[Position, ...]) -> tuple[Action, ...]:
    """Return a turn of somebody who does not look: the first legal one."""
    played, mover = [legal(position)[0]], position.mover
    while (position := play(position, played[-1])).mover is mover and position.result is None:
        played.append(legal(position)[0])
    return tuple(played)


def search(position: Position, before: tuple[Position, ...]) -> tuple[Action, ...]:
    """Return the turn that a short search finds."""
    return best_turn(Request(position, before, 2000, 1)).turns[0].actions


def play_the_bot(visitor: Visitor, level: str, choose: Chooser) -> Colour | None:
    """Play a Basic game as White against the bot, by typed turns. Return who wins."""
    visitor.slash("gipf challenge", opponent="GIPF", rules="Basic", colour="White for me")
    visitor.press(visitor.private("Play the bot"), f"{level} · {LEVEL_NAMES[int(level)]}")
    for label in (MORE_LABEL, game_texts.PLAY_IN_CHANNEL_LABEL, game_texts.MOVE_TO_CHANNEL_LABEL):
        visitor.press(visitor.private(), label)
    position, before = start(BASIC), tuple[Position, ...]()
    while position.result is None:
        place = turn_place(len(before) + 1)
        if position.mover is Colour.WHITE:
            actions = choose(position, before)
            visitor.slash("move", notation=turn_text(position, actions))
        else:
            expect(visitor.public).to_contain_text(f"{place}: ")
            actions = read_turn(visitor, place, position)
        before += (position,)
        for action in actions:
            position = play(position, action)
    expect(visitor.public).to_contain_text(" wins #")
    return position.result.winner


def read_turn(visitor: Visitor, place: str, position: Position) -> tuple[Action, ...]:
    """Return the turn that the newest board tells by its push. Rows come off as the first legal removal takes them."""
    found = re.search(rf"{re.escape(place)}: (\S+) → (\S+)", visitor.public.inner_text())
    assert found
    push, played, mover = PUSHES[found[1], found[2], Kind.BASIC], list[Action](), position.mover
    while position.mover is mover and position.result is None:
        options = legal(position)
        played.append(push if push in options else options[0])
        position = play(position, played[-1])
    return tuple(played)
