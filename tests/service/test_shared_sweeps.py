"""Two processes on one PostgreSQL share the work of a sweep row by row: neither waits, and nothing is done twice."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from sqlalchemy import select

from gipfbot.match.ratings import FEWEST_TURNS
from gipfbot.rules import BASIC
from gipfbot.service.app import App, create_app
from gipfbot.service.clock.digests import DIGEST
from gipfbot.service.clock.reminders import REMINDER
from gipfbot.service.delivery.board_message import BOARD
from gipfbot.service.kit import batches
from gipfbot.store import Store, retention, shard_heartbeats, tables
from gipfbot.store.database import require_alone
from gipfbot.store.rating_tables import rated_results
from gipfbot.values import NO_LIMITS
from tests.service.helpers import Host, begun, lives_on, play_texts, posted
from tests.support.games import TURNS
from tests.support.halves import HALF, REST
from tests.support.people import ANN, BOB
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, HANGS, HOUR

GAMES = 4
Do = Callable[..., Awaitable[Any]]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BATCH_SIZE", 2)


@pytest.fixture
async def pair(postgres_url: str, host: Host) -> AsyncIterator[tuple[App, App]]:
    stores = [await Store.open_database(postgres_url, shards=shards) for shards in (HALF, REST)]
    first, second = (
        create_app(store, lambda: host.now, lambda: True, lambda: host.ticks, limits=NO_LIMITS) for store in stores
    )
    yield first, second
    for store in stores:
        await store.close()


class Held:
    """Work that stops within its first batch, after the first item is done and before it is committed."""

    def __init__(self, work: Do) -> None:
        self._work, self.has_begun, self.may_end = work, asyncio.Event(), asyncio.Event()

    async def __call__(self, *arguments: Any) -> Any:
        done = await self._work(*arguments)
        self.has_begun.set()
        await self.may_end.wait()
        return done

    @classmethod
    def at(cls, monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> "Held":
        """Hold the work of a method."""
        held = cls(getattr(owner, name))
        monkeypatch.setattr(owner, name, held)
        return held


@asynccontextmanager
async def holding(held: Held, sweep: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """Hold a batch of one process open. Then let it finish."""
    working = asyncio.ensure_future(sweep())
    await asyncio.wait({working, asyncio.ensure_future(held.has_begun.wait())}, return_when=asyncio.FIRST_COMPLETED)
    assert held.has_begun.is_set(), working.result()
    try:
        async with asyncio.timeout(HANGS):
            yield
    finally:
        held.may_end.set()
        await working


async def count_kinds(app: App) -> Counter[str]:
    async with app.games.store.reading() as db:
        return Counter(await db.scalars(select(tables.outbox.c.kind)))


async def new_games(app: App, turns: int = 0) -> list[int]:
    """Return games of Ann and Bob whose boards are posted."""
    ids = []
    for _ in range(GAMES):
        ids.append(await begun(app, replace(THREE_DAYS, rated=True), BASIC))
        await play_texts(app, ids[-1], TURNS[:turns])
    await posted(app.games.store)
    return ids


async def both_live_on(pair: tuple[App, App], host: Host, seconds: int) -> None:
    """Let time pass in which both processes run."""
    await lives_on(pair[0], host, seconds)
    for app in pair:
        async with app.games.store.transaction() as db:
            await shard_heartbeats.note_alive(db, host.now, 0)


async def flagged_games(app: App, games: list[int]) -> set[int]:
    return {game for game in games if (clock := (await app.games.game(game)).game.clock) and clock.flagged}


async def test_flags_are_shared_row_by_row(pair: tuple[App, App], host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    games = await new_games(pair[0], turns=2)
    for app in pair:
        await app.flag_watch.check_flags()
    await both_live_on(pair, host, 3 * DAY + HOUR)
    held = Held.at(monkeypatch, pair[0].flag_watch, "_check_flag")
    async with holding(held, pair[0].flag_watch.check_flags):
        assert await pair[1].flag_watch.check_flags()
        assert await flagged_games(pair[1], games) == {*games[2:]}
    assert await flagged_games(pair[1], games) == {*games}
    await pair[1].flag_watch.check_flags()
    async with pair[0].games.store.reading() as db:
        events = Counter(await db.scalars(select(tables.events.c.game).where(tables.events.c.kind == "flagged")))
    assert events == dict.fromkeys(games, 1)


async def test_reminders_are_shared_row_by_row(
    pair: tuple[App, App], host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    await new_games(pair[0])
    await both_live_on(pair, host, 3 * DAY - HOUR)
    held = Held.at(monkeypatch, pair[0].reminders, "_owe_reminder")
    async with holding(held, pair[0].reminders.owe_due_reminders):
        await pair[1].reminders.owe_due_reminders()
        assert (await count_kinds(pair[1]))[REMINDER] == GAMES - 2
    assert (await count_kinds(pair[1]))[REMINDER] == GAMES


async def test_digests_are_shared_row_by_row(
    pair: tuple[App, App], host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "BATCH_SIZE", 1)
    await new_games(pair[0])
    await play_texts(pair[0], 1, TURNS[:1])  # now games wait for both
    for user in (ANN.user, BOB.user):
        await pair[0].digests.set_plan(user, hour=9, zone="UTC")
    await both_live_on(pair, host, DAY)
    held = Held.at(monkeypatch, pair[0].digests, "_owe_digest")
    async with holding(held, pair[0].digests.owe_due_digests):
        await pair[1].digests.owe_due_digests()
        assert (await count_kinds(pair[1]))[DIGEST] == 1
    assert (await count_kinds(pair[1]))[DIGEST] == 2


async def test_retention_is_shared_row_by_row(
    pair: tuple[App, App], host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    await new_games(pair[0])
    await both_live_on(pair, host, 8 * DAY)

    async def empty_of(app: App) -> int:
        async with app.games.store.reading() as db:
            emptied = select(tables.outbox.c.id).where(tables.outbox.c.kind == BOARD, tables.outbox.c.emptied_at > 0)
            return len([*await db.scalars(emptied)])

    monkeypatch.setattr(retention, "Batch", partial(retention.Batch, limit=2))
    (seconds, work), *others = pair[0].retention._steps
    held = Held(work)
    monkeypatch.setattr(pair[0].retention, "_steps", ((seconds, held), *others))
    async with holding(held, pair[0].retention.finish_pass):
        await pair[1].retention.finish_pass()
        assert 0 < await empty_of(pair[1]) < GAMES
    assert await empty_of(pair[1]) == GAMES


async def test_what_needs_the_database_alone_is_done_at_the_end_of_its_batch(pair: tuple[App, App], host: Host) -> None:
    """The ratings of both players change when a flag ends a game."""
    games = await new_games(pair[0], turns=FEWEST_TURNS)
    for app in pair:
        await app.flag_watch.check_flags()
    for days in (3, 1):
        await both_live_on(pair, host, days * DAY + HOUR)
        await asyncio.gather(*(app.flag_watch.check_flags() for app in pair))
        await posted(pair[0].games.store)
    ended = [(await pair[0].games.game(game)).game.asked is None for game in games]
    assert ended == [True] * GAMES
    async with pair[0].games.store.reading() as db:
        results = Counter(await db.scalars(select(rated_results.c.game)))
    assert results == dict.fromkeys(games, 2)


async def test_nobody_is_flagged_while_another_process_credits_clocks(pair: tuple[App, App], host: Host) -> None:
    games = await new_games(pair[0], turns=2)
    for app in pair:
        await app.flag_watch.check_flags()
    host.passes(3 * DAY + HOUR)
    async with pair[0].games.store.doing_alone("crediting clocks") as is_alone:
        assert is_alone
        assert not await pair[1].flag_watch.check_flags()
    assert not await flagged_games(pair[0], games)


async def test_an_item_in_the_way_of_another_is_done_alone(
    pair: tuple[App, App], caplog: pytest.LogCaptureFixture
) -> None:
    """The first try of each item runs beside others, which it cannot."""
    store, done = pair[0].games.store, list[int]()

    async def do(_: object, item: int) -> None:
        require_alone()
        done.append(item)

    async def lock(_: object, items: Sequence[int]) -> Sequence[int]:
        return items

    await batches.for_each(store, [1, 2, 3], do, lock)
    assert done == [1, 2, 3]
    assert not caplog.records
