"""Replays that people show: drawn beside the delivery, once, and once more after the end of the process."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

from gipfbot.service.delivery.showing import SHOWN
from gipfbot.store import tables
from gipfbot.ui.delivery.drawings import DRAW_SECONDS
from gipfbot.ui.showing import shown_games
from render.replay import GifPart

from .house import LONG, House, PowerCut
from .posts import show


class Gate:
    """Holds every replay before its first part, until the gate is opened. Counts the replays that began."""

    def __init__(self, house: House) -> None:
        self.open, self.begun, self._seen = asyncio.Event(), 0, list[object]()
        self._next = house.bot.painter.next_part
        house.bot.painter.next_part = self._wait  # type: ignore[method-assign, assignment]

    async def _wait(self, parts: Iterator[GifPart], person: int) -> GifPart | None:
        if parts not in self._seen:
            self._seen.append(parts)
            self.begun += 1
        await self.open.wait()
        return await self._next(parts, person)


async def begin(house: House) -> int:
    """Return a game with three turns, on a server that the bot knows."""
    await house.connect()
    await house.bot.wait_until_ready()
    game = await house.begin(thread=False)
    for _ in range(3):
        await house.play(game)
    return game


async def show_replay(house: House, game: int) -> None:
    """Let Ann show a replay of a game in its channel."""
    await show(house, "replay", game=game, wish="fast:small:1:3", games=[game])


async def drawn(house: House) -> None:
    """Wait until what is being drawn is drawn and posted."""
    await house.bot.delivery.finish_sweep()


async def shown_row(house: House) -> Any:
    """Return the row of what was shown."""
    async with house.store.reading() as db:
        return (await db.execute(select(tables.outbox).where(tables.outbox.c.kind == SHOWN))).one()


async def test_replay_is_drawn_beside_the_lane(house: House) -> None:
    """Meanwhile boards go to the same channel, the row keeps the wish alone, and it counts as never tried."""
    game = await begin(house)
    gate = Gate(house)
    await show_replay(house, game)
    assert await house.play(game)
    await house.sweep()
    row = await shown_row(house)
    assert (row.message, row.attempts, row.first_tried_at, row.leased_until) == (None, 0, None, None)
    assert row.payload["wish"] == "fast:small:1:3"
    assert len(str(row.payload)) < 500
    gate.open.set()
    await drawn(house)
    message = house.channel.last()
    assert [file.filename for file in message.attachments] == ["a1.gif"]
    assert (await shown_row(house)).message == message.id
    assert gate.begun == 1
    await house.assert_each_posted_once()


async def test_sweeps_draw_nothing_twice(house: House) -> None:
    """Not even if drawing takes longer than the row is put off."""
    game = await begin(house)
    gate = Gate(house)
    await show_replay(house, game)
    for _ in range(3):
        await asyncio.sleep(0)
        await house.sweep(DRAW_SECONDS + 1)
    gate.open.set()
    await drawn(house)
    assert gate.begun == 1
    await house.assert_each_posted_once()


async def test_replay_is_drawn_once_more_after_the_process_ended(house: House) -> None:
    game = await begin(house)
    Gate(house)
    await show_replay(house, game)
    await house.restart()
    gate = Gate(house)
    gate.open.set()
    await house.connect()
    await house.bot.wait_until_ready()
    await house.sweep(DRAW_SECONDS + 1)
    await drawn(house)
    assert gate.begun == 1
    assert [file.filename for file in house.channel.last().attachments] == ["a1.gif"]
    await house.assert_each_posted_once()


@pytest.mark.parametrize("seconds", [0, LONG])
async def test_posted_replay_is_found_after_the_process_ended(
    house: House, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    """Whether or not Discord has forgotten the nonce."""
    game = await begin(house)
    house.dies_at(monkeypatch, SHOWN)
    await show_replay(house, game)
    with pytest.raises(PowerCut):
        await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name() == "drawing"))
    assert house.channel.last().attachments
    await house.restart(seconds)
    await house.connect()
    await house.bot.wait_until_ready()
    await house.sweep(DRAW_SECONDS + 1)
    await drawn(house)
    await house.assert_each_posted_once()


async def test_replay_that_cannot_be_drawn_is_given_up(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("no room")

    game = await begin(house)
    monkeypatch.setattr(shown_games, "replay_parts", fail)
    await show_replay(house, game)
    await drawn(house)
    assert (await shown_row(house)).dropped
    assert "cannot be drawn" in caplog.text
    caplog.clear()


async def test_shown_replay_has_at_most_a_megabyte(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same limit, made small, makes the file smaller."""
    assert shown_games.LARGEST_SHOWN == 1_000_000
    monkeypatch.setattr(shown_games, "LARGEST_SHOWN", 12_000)
    await show_replay(house, await begin(house))
    await drawn(house)
    (file,) = house.channel.last().attachments
    assert 0 < len(file.data) <= 12_000
