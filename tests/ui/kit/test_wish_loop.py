"""Wishes of people are done side by side: one of each person in a queue, and no more than a number."""

import asyncio
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from gipfbot.service.house.house_player import WishKey
from gipfbot.ui import background
from gipfbot.ui.background import MOST_AT_ONCE, WishLoop
from gipfbot.values import DatabaseTrouble, Trouble
from tests.engines.processes import until


class Wished(NamedTuple):
    queue: str
    person: int
    what: str = ""


class Wishes(WishLoop[Wished]):
    """Some wishes, each of which is done when it may be, and fails if its text says so."""

    name = "wishes"

    def __init__(self, *wishes: Wished, connected: bool = True) -> None:
        bot: Any = SimpleNamespace(connected=connected)
        super().__init__(bot)
        self.open, self.begun, self.done = [*wishes], list[Wished](), list[Wished]()
        self.looks, self.faults = 0, dict[str, Exception]()
        self.may_end = asyncio.Event()

    async def find(self) -> Mapping[WishKey, Wished]:
        self.looks += 1
        found = dict[WishKey, Wished]()
        for wish in self.open:
            found.setdefault((wish.queue, wish.person), wish)
        return found

    async def do(self, wish: Wished) -> bool:
        self.begun.append(wish)
        await self.may_end.wait()
        if wish.what in self.faults:
            raise self.faults[wish.what]
        self.open.remove(wish)
        self.done.append(wish)
        return True


async def test_one_wish_of_a_person_in_each_queue_is_done_at_once() -> None:
    first, second, other, cara = Wished("a", 1), Wished("a", 1, "later"), Wished("b", 1), Wished("a", 3)
    loop = Wishes(first, second, other, cara)
    loop.wake()
    await until(lambda: len(loop.begun) == 3)
    loop.wake()
    await until(lambda: loop.looks == 2)
    assert loop.begun == [first, other, cara]
    loop.may_end.set()
    await until(lambda: not loop.open)
    assert loop.begun[-1] == second, "it looks again when one ends"


async def test_those_who_have_waited_longest_begin_and_each_queue_has_its_limit() -> None:
    crowd = [Wished("a", person) for person in range(MOST_AT_ONCE + 5)]
    other = Wished("b", 1)
    loop = Wishes(*crowd, other)
    loop.wake()
    await until(lambda: len(loop.begun) > MOST_AT_ONCE)
    assert loop.begun == [*crowd[:MOST_AT_ONCE], other]
    loop.may_end.set()
    await until(lambda: not loop.open)
    assert sorted(loop.done) == sorted([*crowd, other])


@pytest.mark.parametrize("fault", [DatabaseTrouble(Trouble.FULL), RuntimeError("no")])
async def test_wish_that_fails_is_done_when_the_loop_is_woken_again(
    fault: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """It is not tried again and again meanwhile."""
    loop = Wishes(Wished("a", 1, "hard"))
    loop.faults["hard"] = fault
    loop.may_end.set()
    loop.wake()
    await until(lambda: loop.has_failed)
    for _ in range(20):
        await asyncio.sleep(0)
    assert len(loop.begun) == 1
    assert bool(caplog.records) is isinstance(fault, RuntimeError)
    caplog.clear()
    loop.faults.clear()
    loop.wake()
    await until(lambda: loop.done)
    assert not loop.has_failed


async def test_nothing_is_begun_while_discord_is_gone() -> None:
    loop = Wishes(Wished("a", 1), connected=False)
    loop.wake()
    await asyncio.sleep(0.01)
    assert (loop.looks, loop.begun) == (0, [])


async def test_closed_loop_gives_up_what_runs() -> None:
    loop = Wishes(Wished("a", 1), Wished("a", 2))
    loop.wake()
    await until(lambda: len(loop.begun) == 2)
    await loop.close()
    loop.may_end.set()
    await asyncio.sleep(0.01)
    assert loop.done == []


async def test_more_people_than_places_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "MOST_AT_ONCE", 1)
    loop = Wishes(*(Wished("a", person, what) for person in (1, 2, 3) for what in ("first", "second")))
    loop.may_end.set()
    loop.wake()
    await until(lambda: not loop.open)
    assert [wish.person for wish in loop.begun] == [1, 2, 3, 1, 2, 3]
