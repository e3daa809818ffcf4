"""No game is replayed on the event loop, where everybody would wait for it."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from gipfbot.match import game as match_game
from gipfbot.service.records import studies
from gipfbot.ui.records import study_texts
from gipfbot.ui.requests import request_texts
from tests.ui.table import Desk
from tests.ui.world import World, private

TURNS = ("c2", "g2", "d2", "f2")


def aside(work: Callable[..., Any], replayed: list[str]) -> Callable[..., Any]:
    """Return the function, which notes where it is called and fails on the event loop."""

    def called(*args: object) -> object:
        assert threading.current_thread() is not threading.main_thread(), f"{work.__name__} on the event loop"
        replayed.append(work.__name__)
        return work(*args)

    return called


@pytest.fixture
def replayed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let each replay fail that runs on the event loop. Return what was replayed."""
    found = list[str]()
    match_game._remembered_replay.cache_clear()
    for module, name in ((match_game, "_replay"), (studies, "_record_of_game")):
        monkeypatch.setattr(module, name, aside(getattr(module, name), found))
    return found


async def played(world: World) -> None:
    """Begin a game and play some turns."""
    await world.begin("basic")
    for turn in TURNS:
        await world.player(await world.game()).slash(world.channel, "move", notation=turn)


async def test_a_study_is_replayed_in_a_thread(world: World, replayed: list[str]) -> None:
    await played(world)
    board = Desk(world.ann, await world.ann.slash(world.channel, "gipf board", game="#a1", turn="1"))
    assert replayed == ["_record_of_game"]
    desk = Desk(world.ann, await world.ann.click(board.message, label="Study"))
    for label in (study_texts.PREVIOUS_TURN_LABEL, study_texts.FIRST_TURN_LABEL, study_texts.NEXT_TURN_LABEL):
        await desk.press(label)
    await desk.press(study_texts.TRY_TURN_LABEL)
    assert replayed.count("_replay") >= 4


async def test_a_takeback_and_a_record_are_replayed_in_a_thread(world: World, replayed: list[str]) -> None:
    await played(world)
    await world.ann.slash(world.channel, "gipf record", game="#a1")
    asked = await world.bob.slash(world.channel, "move", notation="undo", game="#a1")
    await world.bob.click(private(asked), label=request_texts.REQUEST_TAKEBACK_LABEL)
    await world.ann.click(world.public()[-1], label="Accept")
    assert (await world.game()).turn_number == len(TURNS) - 1
    assert replayed == ["_record_of_game", "_replay"]
