"""Work in the background: it goes on while there is some, and begins again when it is woken."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from gipfbot.ui.background import WorkLoop
from gipfbot.values import DatabaseTrouble, Trouble
from tests.support.background_work import rest
from tests.ui.world import World


class Work:
    """Some pieces of work, of which each may fail first."""

    def __init__(self, pieces: int, *faults: Exception) -> None:
        self.left, self.faults = pieces, [*faults]

    async def do_next(self) -> bool:
        await asyncio.sleep(0)
        if self.faults:
            raise self.faults.pop(0)
        self.left -= 1
        return self.left > 0


def loop_over(work: Work, *, connected: bool = True) -> WorkLoop:
    bot: Any = SimpleNamespace(connected=connected)
    return WorkLoop(bot, "work", work.do_next)


async def test_work_goes_on_while_there_is_some() -> None:
    work = Work(5)
    loop = loop_over(work)
    loop.wake()
    loop.wake()
    await rest(loop)
    assert work.left <= 0


@pytest.mark.parametrize("fault", [DatabaseTrouble(Trouble.FULL), RuntimeError("no")])
async def test_failed_work_begins_again_when_it_is_woken(fault: Exception, caplog: pytest.LogCaptureFixture) -> None:
    work = Work(2, fault)
    loop = loop_over(work)
    loop.wake()
    await rest(loop)
    assert work.left == 2
    assert bool(caplog.records) is isinstance(fault, RuntimeError)
    caplog.clear()
    loop.wake()
    await rest(loop)
    assert work.left <= 0


async def test_nothing_is_done_while_discord_is_gone() -> None:
    work = Work(2)
    loop = loop_over(work, connected=False)
    loop.wake()
    await asyncio.sleep(0.01)
    assert work.left == 2


async def test_closed_loop_does_no_more() -> None:
    work = Work(10**9)
    loop = loop_over(work)
    loop.wake()
    await asyncio.sleep(0.01)
    await loop.close()
    left = work.left
    await asyncio.sleep(0.01)
    assert 0 < work.left == left < 10**9


async def test_sweep_wakes_the_work_on_puzzles(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    woken = list[str]()
    monkeypatch.setattr(world.bot.puzzle_loop, "wake", lambda: woken.append("puzzles"))
    await world.env.advance_time(30)
    assert woken
