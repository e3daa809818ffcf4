"""The turns of shards to identify, and their connections: many processes on a gateway and a clock of the test."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Self, cast
from unittest.mock import AsyncMock, Mock

import pytest
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.shard import EventItem, EventType, Shard

from gipfbot.service.app import create_app
from gipfbot.service.settings.gateway import IDENTIFY_SECONDS, IdentifyTurns
from gipfbot.store import Store, meta
from gipfbot.ui.sharded_bot import AGAIN_SECONDS, EARLY_SECONDS, ShardedBot
from gipfbot.values import DatabaseTrouble, Shards, Trouble
from tests.support.times import HANGS, NOW
from tests.support.virtual_loop import loop_time, run_at_once

PROCESSES, OWN = 13, 4  # shards of each process
ALL = PROCESSES * OWN
CONNECTING = 0.25  # seconds
LONGEST_UNREAD = 40  # seconds that a connection may wait before discord.py reads it


class Meta:
    """The values that all processes share."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.values, self.troubles = dict[str, str](), 0
        patch.setattr(meta, "load_value", self.load)
        patch.setattr(meta, "save_value", self.save)

    async def load(self, _: Self, key: str) -> str | None:
        """Return a value. Fails as often as it should."""
        if self.troubles:
            self.troubles -= 1
            raise DatabaseTrouble(Trouble.UNREACHABLE)
        return self.values.get(key)

    async def save(self, _: Self, key: str, value: str) -> None:
        """Store a value."""
        self.values[key] = value

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Self]:
        """Return what is both the store and its connection."""
        yield self


class Socket:
    """A connection to the gateway. It lasts until a test ends it."""

    session_id, sequence, gateway = "a session", 1, None

    def __init__(self, shard: int) -> None:
        self.shard_id, self.ended = shard, asyncio.get_running_loop().create_future()

    async def poll_event(self) -> None:
        """Wait for the end."""
        await self.ended

    async def close(self, code: int = 4000) -> None:
        """Do nothing."""


class Gateway:
    """Discord's gateway: who identified or resumed when, by the clock of the loop."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.identified, self.resumed = list[tuple[float, int]](), list[tuple[float, int]]()
        self.sockets, self.longest_unread, self.delay = dict[int, Socket](), 0.0, CONNECTING
        patch.setattr(DiscordWebSocket, "from_client", self.connect)

    async def connect(self, client: ShardedBot, *, shard_id: int, resume: bool = False, **_: object) -> Socket:
        """Connect a shard, and let it begin a session or resume one."""
        await asyncio.sleep(self.delay)
        opened = loop_time()
        if not resume:
            await client.before_identify_hook(shard_id)
        self.longest_unread = max(self.longest_unread, loop_time() - opened)
        (self.resumed if resume else self.identified).append((loop_time(), shard_id))
        self.sockets[shard_id] = Socket(shard_id)
        return self.sockets[shard_id]

    def end(self, shard: int, *, resume: bool) -> None:
        """End the connection of a shard, and perhaps its session."""
        self.sockets[shard].ended.set_exception(ReconnectWebSocket(shard, resume=resume))


class Fleet:
    """Processes that have all shards between them."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.meta, self.gateway = Meta(patch), Gateway(patch)
        self.running, self.bots = list[asyncio.Task[None]](), list[ShardedBot]()

    async def start(self, processes: int = PROCESSES) -> None:
        """Start so many processes at once."""
        for number in range(processes):
            turns = IdentifyTurns(cast(Store, self.meta), lambda: NOW + int(loop_time()))
            app = replace(create_app(Mock(), lambda: NOW, lambda: True), identify_turns=turns)
            bot = ShardedBot(app, Shards(number * OWN, number * OWN + OWN - 1, ALL))
            bot.http.ws_connect = AsyncMock()  # type: ignore[method-assign]
            await bot._async_setup_hook()
            self.bots.append(bot)
            self.running.append(asyncio.create_task(bot.connect()))

    async def stop(self) -> None:
        """End all processes."""
        for bot in self.bots:
            bot._reconnects.stop()
        for task in self.running:
            task.cancel()
        await asyncio.wait(self.running)


def gaps(moments: list[tuple[float, int]]) -> list[float]:
    """Return the seconds between each two."""
    return [after[0] - before[0] for before, after in pairwise(moments)]


def test_processes_that_start_at_once_lose_no_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """No connection stands open unread for long, as discord.py would close it."""
    fleet = Fleet(monkeypatch)

    async def start() -> None:
        await fleet.start()
        await asyncio.sleep((ALL + 1) * IDENTIFY_SECONDS)
        await fleet.stop()

    run_at_once(start())
    found = fleet.gateway.identified
    assert sorted(shard for _, shard in found) == [*range(ALL)]
    assert gaps(found)[1:] == pytest.approx([IDENTIFY_SECONDS] * (ALL - 2), abs=1)
    assert fleet.gateway.longest_unread < LONGEST_UNREAD


def test_shards_that_lose_their_sessions_at_once_lose_no_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one resumes its session meanwhile, and waits for nobody."""
    fleet = Fleet(monkeypatch)
    gateway = fleet.gateway

    async def begin_again() -> float:
        await fleet.start()
        await asyncio.sleep((ALL + 1) * IDENTIFY_SECONDS)
        for shard in range(1, ALL):
            gateway.end(shard, resume=False)
        gateway.end(0, resume=True)
        cut = loop_time()
        await asyncio.sleep((ALL + 1) * IDENTIFY_SECONDS)
        await fleet.stop()
        return cut

    cut = run_at_once(begin_again())
    found = gateway.identified[ALL:]
    assert sorted(shard for _, shard in found) == [*range(1, ALL)]
    assert gaps(found)[1:] == pytest.approx([IDENTIFY_SECONDS] * (ALL - 3), abs=1)
    assert gateway.longest_unread < LONGEST_UNREAD
    ((moment, shard),) = gateway.resumed
    assert (moment - cut, shard) == pytest.approx((CONNECTING, 0))


def test_shard_that_connects_too_slowly_keeps_its_next_turn(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Others have many turns before. So it ends its connection, and connects again in time."""
    fleet, others = Fleet(monkeypatch), 10

    async def start() -> None:
        fleet.gateway.delay = 2
        await fleet.start(1)
        await asyncio.sleep(1)
        for turn in range(others):
            await IdentifyTurns(cast(Store, fleet.meta), lambda: NOW + 1).reserve(ALL - 1 - turn)
        await asyncio.sleep(2)
        fleet.gateway.delay = CONNECTING
        await asyncio.sleep((others + 1) * IDENTIFY_SECONDS)
        await fleet.stop()

    run_at_once(start())
    assert fleet.gateway.identified[0] == pytest.approx(((others + 1) * IDENTIFY_SECONDS, 0))
    assert fleet.gateway.longest_unread <= EARLY_SECONDS
    assert "may identify in" in caplog.text
    caplog.clear()


def test_a_shard_asks_again_while_the_database_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    fleet = Fleet(monkeypatch)

    async def start() -> None:
        fleet.meta.troubles = 2
        await fleet.start(1)
        await asyncio.sleep(2 * AGAIN_SECONDS + 1)
        await fleet.stop()

    run_at_once(start())
    assert fleet.gateway.identified == [pytest.approx((2 * AGAIN_SECONDS + CONNECTING, 0))]


async def test_a_bot_that_closes_lets_no_shard_wait(store: Store) -> None:
    bot = ShardedBot(create_app(store, lambda: NOW, lambda: True), Shards(0, 1, 2))
    await bot._async_setup_hook()
    bot._reconnects.put_nowait(EventItem(EventType.identify, cast(Shard, SimpleNamespace(id=1)), None))
    (waiting,) = bot._reconnects._waiting
    await bot.close()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_a_fault_in_the_wait_for_a_turn_loses_no_shard(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = ShardedBot(create_app(store, lambda: NOW, lambda: True), Shards(0, 1, 2))
    await bot._async_setup_hook()
    monkeypatch.setattr(meta, "load_value", AsyncMock(side_effect=RuntimeError))
    item = EventItem(EventType.identify, cast(Shard, SimpleNamespace(id=1)), None)
    bot._reconnects.put_nowait(item)
    async with asyncio.timeout(HANGS):
        assert await bot._reconnects.get() is item
    with pytest.raises(RuntimeError):
        await bot.before_identify_hook(1)
    await bot.close()
