"""Typed texts are read in a thread: on a crowded board one takes up to a second, and everybody else would wait."""

import threading
from collections.abc import Callable

import pytest

from gipfbot.match import game as match_game
from gipfbot.notation import conditional_text
from gipfbot.ui.desk.screens import TYPE_IT_LABEL
from gipfbot.ui.play import move
from gipfbot.ui.records import study_texts
from tests.support.games import PLAYED
from tests.ui.studying import fill, playing, studied
from tests.ui.table import Desk
from tests.ui.world import World, told


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Return for each text that is really read whether the event loop waits for it."""
    on_loop = list[bool]()

    def noted(work: Callable[..., object]) -> Callable[..., object]:
        def note(*args: object, **options: object) -> object:
            on_loop.append(threading.current_thread() is threading.main_thread())
            return work(*args, **options)

        return note

    for module, name in (
        (match_game, "read_turn_part"),
        (conditional_text, "read_turn_part"),
        (move, "completions"),
    ):
        monkeypatch.setattr(module, name, noted(getattr(module, name)))
    return on_loop


def spaced(turn: str) -> str:
    """Return a turn as no other test types it: what was read before would be remembered."""
    return f"{turn[0]}  {turn[1:]}"


async def test_turns_are_read_and_suggested_aside(world: World, read: list[bool]) -> None:
    await world.begin("basic")
    await world.ann.autocomplete(world.channel, "move", "notation", "c")
    assert told(await world.ann.slash(world.channel, "move", notation="b1 - c2")).startswith("Played")
    assert len(read) == 2
    assert not any(read)


async def test_conditional_turns_are_read_aside(world: World, read: list[bool]) -> None:
    await playing(world, PLAYED[0])
    read.clear()
    await world.ann.slash(world.channel, "gipf if", game="#a1", turns=f"if {PLAYED[1]}, then {PLAYED[2]} (just once)")
    assert len(read) >= 2
    assert not any(read)


async def test_tried_turns_are_read_aside(world: World, read: list[bool]) -> None:
    await playing(world, *PLAYED[:2])
    study = await studied(world)
    await study.press(study_texts.TRY_TURN_LABEL)
    read.clear()
    await fill(study, study_texts.TYPE_TURN_LABEL, spaced(PLAYED[2]))
    assert len(read) == 1
    assert not any(read)


async def test_guesses_are_read_aside(world: World, read: list[bool]) -> None:
    await playing(world, *PLAYED[:2])
    shown = Desk(world.cara, await world.cara.slash(world.channel, "gipf board", game="#a1"))
    read.clear()
    desk = Desk(world.cara, await world.cara.click(shown.message, label="Guess"))
    read.clear()
    await fill(desk, TYPE_IT_LABEL, spaced(PLAYED[2]))
    assert len(read) == 1
    assert not any(read)
