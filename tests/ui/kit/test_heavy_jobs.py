"""One heavy job a person at a time, and everybody served in rotation. Desks and lists go on meanwhile."""

import asyncio
from collections.abc import Awaitable, Iterator
from threading import Event
from typing import Any

import pytest

from gipfbot.match import Refused, Why
from gipfbot.ui.kit.refusal_texts import refusal_text
from gipfbot.ui.records import record_texts
from tests.support.games import PLAYED
from tests.ui.studying import playing
from tests.ui.world import World, labels, private, told

BUSY = refusal_text(Refused(Why.JOB_RUNNING))


class HeldReplay:
    """Hold up all replays before their first part, until `open` is set."""

    def __init__(self, world: World) -> None:
        self.open, self._world, self._next = asyncio.Event(), world, world.bot.painter.next_part
        world.bot.painter.next_part = self._wait  # type: ignore[method-assign, assignment]

    async def _wait(self, parts: Iterator[object], person: int) -> object:
        if not self.open.is_set():
            await self._world.env.external_wait(self.open.wait(), reason="the replay is held up")
        return await self._next(parts, person)


async def test_second_job_is_refused_while_a_replay_is_made(world: World) -> None:
    """Other people's jobs and the person's own desk are not. When the replay is there, all works again."""
    await playing(world, *PLAYED[:2])
    held = HeldReplay(world)
    replay = await world.ann.slash(world.channel, "gipf replay", size="small")
    form = await world.ann.slash(world.channel, "gipf import")
    assert told(await world.ann.slash(world.channel, "gipf record")) == BUSY
    assert private(await world.bob.slash(world.channel, "gipf record")).attachments
    assert private(await world.ann.slash(world.channel, "move")).attachments, "the desk"
    refused = private(await world.ann.submit_modal(form, {"text": "1. c2"}))
    assert refused.content.splitlines()[0] == BUSY
    assert labels(refused) == [record_texts.TRY_AGAIN_LABEL]
    assert await refused.attachments[0].read() == b"1. c2"
    held.open.set()
    await world.env.settle()
    assert private(replay).attachments[0].filename == "a1.gif"
    assert private(await world.ann.slash(world.channel, "gipf record")).attachments[0].filename == "a1.gipf"


async def test_new_replay_takes_the_place_of_the_first(world: World) -> None:
    await playing(world, *PLAYED[:1])
    held = HeldReplay(world)
    first = await world.ann.slash(world.channel, "gipf replay", size="small")
    second = await world.ann.slash(world.channel, "gipf replay", size="small")
    held.open.set()
    await world.env.settle()
    assert told(first) == record_texts.REPLAY_CANCELLED
    assert private(second).attachments


async def test_replaced_replay_that_still_waits_is_never_begun(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await playing(world, *PLAYED[:1])
    opened, run, results = asyncio.Event(), world.bot.app.aside.run, list[object]()

    async def wait(person: int, work: Any, *args: Any) -> Any:
        if work.__name__ != "describe":
            return await run(person, work, *args)
        await world.env.external_wait(opened.wait(), reason="others are served")
        results.append(await run(person, work, *args))
        return results[-1]

    monkeypatch.setattr(world.bot.app.aside, "run", wait)
    answers = [await world.ann.slash(world.channel, "gipf replay", size="small") for _ in range(3)]
    opened.set()
    await world.env.settle()
    assert [result is None for result in results] == [True, True, False]
    assert [told(answer) for answer in answers[:2]] == [record_texts.REPLAY_CANCELLED] * 2
    assert private(answers[2]).attachments


async def test_replay_and_record_are_refused_while_a_record_is_made(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job that fails holds up nothing."""
    await playing(world, *PLAYED[:1])
    opened, run = asyncio.Event(), world.bot.app.aside.run

    async def wait(person: int, *work: Any) -> Any:
        assert person == world.ann.id
        await world.env.external_wait(opened.wait(), reason="the record is held up")
        return await run(person, *work)

    monkeypatch.setattr(world.bot.app.aside, "run", wait)
    first = await world.ann.slash(world.channel, "gipf record")
    assert told(await world.ann.slash(world.channel, "gipf record")) == BUSY
    assert told(await world.ann.slash(world.channel, "gipf replay", size="small")) == BUSY
    opened.set()
    await world.env.settle()
    assert private(first).attachments
    assert told(await world.ann.slash(world.channel, "gipf record", game="#b1")) != BUSY
    assert private(await world.ann.slash(world.channel, "gipf record")).attachments
    assert world.bot.jobs == set()


async def test_pictures_and_slow_functions_serve_everybody_in_rotation(world: World) -> None:
    """Two hundred jobs of Ann delay Bob's by one."""
    done, free = list[str](), Event()

    def part(name: str) -> Iterator[str]:
        free.wait(60)
        done.append(name)
        yield name

    def draw(name: str, person: int) -> Awaitable[str | None]:
        return world.bot.painter.next_part(part(name), person)

    def work(name: str, person: int) -> Awaitable[str | None]:
        return world.bot.app.aside.run(person, next, part(name))

    for begin in (draw, work):
        anns = [asyncio.ensure_future(begin("Ann", world.ann.id)) for _ in range(200)]
        await asyncio.sleep(0)
        bobs = asyncio.ensure_future(begin("Bob", world.bob.id))
        await asyncio.sleep(0)
        free.set()
        await asyncio.gather(bobs, *anns)
        assert done.index("Bob") == 1
        done.clear()
        free.clear()


async def test_pictures_are_drawn_in_the_name_of_the_person_who_waits(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A public board is drawn for nobody in particular."""
    await world.begin()
    people, draw = [], world.bot.painter.png

    async def noted(picture: Any, theme: Any, person: int | None = None) -> bytes:
        people.append(person)
        return await draw(picture, theme, person=person)

    monkeypatch.setattr(world.bot.painter, "png", noted)
    await world.bob.slash(world.channel, "gipf board")
    await world.ann.slash(world.channel, "move", notation="c2")
    assert people == [world.bob.id, None]
