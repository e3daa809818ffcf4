"""`python -m tests.process.shared_growth`: whether turns and sweeps stay as fast on PostgreSQL with 1,000,000 games.

There is a database for each size. Its games have two turns each and are written by SQL: one in a hundred runs, on
thousands of channels, and the others have ended. What they owed is posted, and has lost its payload. Then a turn is
played in each database by turns, and its board is noted as posted. After each ten of them come the steps of a sweep.
What is printed: the medians, and how PostgreSQL answers the ten most frequent queries in the largest database.
"""

import asyncio
import json
import re
import sys
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from os import getloadavg
from random import Random
from statistics import median
from time import perf_counter, time
from typing import Any

from sqlalchemy import JSON, BigInteger, Table, Text, case, cast, event, func, literal, select

from gipfbot.match import Seat, Terms, days_per_turn
from gipfbot.notation import turn_text
from gipfbot.rules import STANDARD, Colour
from gipfbot.service.app import App, create_app
from gipfbot.service.clock import downtime
from gipfbot.store import Connection, Store, games, outbox, tables
from gipfbot.store.backends import backend_of
from gipfbot.values import NO_LIMITS, Venue
from tests.bench.many_games import ANYBODY, copy_rows, number_rows
from tests.bench.samples import random_match
from tests.support import postgres
from tests.support.halves import HALF

from .load import say

SIZES = 1_000, 100_000, 1_000_000
TURNS, SWEEP_AFTER, MOST_QUERIES = 100, 10, 10
AT_ONCE = 50_000  # games written in one transaction
SERVERS, CHANNELS = 1_000, 5_000
GAMES_EACH = 10  # in a row have the same players
SERVER = {"shared_buffers": "256MB", "max_wal_size": "2GB", "maintenance_work_mem": "256MB"}
LARGE = "games", "seats", "turns", "outbox", "due"


@dataclass
class Size:
    """A database with so many games, and what was measured there. Times are in seconds."""

    number: int
    store: Store
    app: App
    waiting: list[int]  # running games whose next turn is `text`
    text: str
    turns: list[float] = field(default_factory=list)
    sweeps: list[float] = field(default_factory=list)
    queries: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    asked: dict[str, Any] = field(default_factory=dict)  # the last parameters of each query


async def make_size(server: postgres.Server, number: int) -> Size:
    """Return a database with so many games."""
    name = f"size{number}"
    server.execute(f"CREATE DATABASE {name}")
    store = await Store.open_database(server.url(name), shards=HALF)
    now = int(time())
    app = create_app(store, lambda: int(time()), lambda: True, limits=NO_LIMITS)
    played = [game.last for game in islice(random_match(Random(1)), 3) if game.last]
    texts = [turn_text(last.before, last.actions) for last in played]
    running = await _play_sample(app, texts[:2], now)
    ended = await _play_sample(app, texts[:2], now)
    await app.games.resign(ended, ANYBODY)
    await _post_rest(app)
    runs = max(TURNS, number // 100)
    await _copy_games(store, ended, ended, number - runs)
    await _copy_games(store, running, ended + number - runs, runs)
    server.execute("ANALYZE", database=name)
    first = ended + number - runs + 1
    step = max(1, runs // TURNS)
    return Size(number, store, app, [*range(first, first + TURNS * step, step)], texts[2])


async def _play_sample(app: App, texts: Sequence[str], now: int) -> int:
    """Return a new game with these turns, whose boards are posted."""
    async with app.games.store.transaction() as db:
        seats = Seat(ANYBODY, "ann"), Seat(ANYBODY + 1, "bob")
        terms = Terms(days_per_turn(3), rated=True)
        stored = await games.add_game(db, STANDARD, seats, Venue(1 << 22, 1 << 30), now, terms)
    for number, typed in enumerate(texts):
        await _play(app, stored.game.id, ANYBODY + number % 2, typed)
    return stored.game.id


async def _play(app: App, game: int, user: int, typed: str) -> None:
    for row in (await app.games.play_typed(game, user, typed)).owed:
        await app.outbox.note_delivered(row, 10**12 + row.id)


async def _post_rest(app: App) -> None:
    """Note all that is owed as posted, also what a caller has leased and left."""
    await app.outbox.release_leases()
    while rows := await _owed_rows(app):
        for row in rows:
            leased = await app.outbox.lease_row(row)
            assert leased, "nobody else posts"
            await app.outbox.note_delivered(leased, 10**12 + row)


async def _owed_rows(app: App) -> list[int]:
    async with app.games.store.reading() as db:
        return await outbox.deliverable_rows(db, int(time()), 100)


async def _copy_games(store: Store, sample: int, after: int, number: int) -> None:
    """Copy a game so often, with its seats, turns, messages and reminders."""
    for first in range(1, number + 1, AT_ONCE):
        span = after + first, after + min(first + AT_ONCE - 1, number)
        async with store.transaction() as db:
            await _copy_span(db, sample, span)
            for table, last in (("games", span[1]), ("outbox", 10 * span[1] + 10), ("due", 10 * span[1] + 10)):
                await backend_of(db).set_last_id(db, table, last)


async def _copy_span(db: Connection, sample: int, span: tuple[int, int]) -> None:
    """Copy a game to each id of a span. Ten games in a row have the same players."""
    numbers = number_rows(*span)
    n, game, row, task = numbers.c.n, tables.games.c, tables.outbox.c, tables.due.c
    white = ANYBODY + 2 * func.floor(n / GAMES_EACH).cast(BigInteger)

    def player(column: Any) -> Any:
        return case((column == Colour.WHITE, white), else_=white + 1)

    def unique(column: Any) -> Any:
        return column + literal(":") + cast(n, Text)

    place, server = (1 << 30) + n % CHANNELS, (1 << 22) * (1 + n % SERVERS)
    waiting = case((game.waiting_user.is_not(None), player(game.waiting_seat)))
    venue = {"server": server, "channel": place, "board_channel": place, "waiting_user": waiting}
    posted = {"channel": place, "message": 10**13 + 10 * n + row.id, "payload": literal({}, JSON)}
    named = {"id": 10 * n + row.id, "key": unique(row.key), "mark": unique(row.mark), "emptied_at": row.done_at}
    reminder = {"id": 10 * n + task.id, "key": unique(task.key), "user": white + 1}
    copies: dict[Table, dict[str, Any]] = {
        tables.games: {"id": n, **venue},
        tables.seats: {"game": n, "user": player(tables.seats.c.colour)},
        tables.turns: {"game": n, "by": player(tables.turns.c.colour)},
        tables.outbox: {"game": n, **posted, **named},
        tables.due: {"game": n, **reminder},
    }
    for table, changed in copies.items():
        column = table.c.id if table is tables.games else table.c.game
        await copy_rows(db, table, column == sample, numbers, changed)


# ── What is measured ──


async def measure_turn(size: Size) -> None:
    """Play the next turn, and note its board as posted."""
    game = size.waiting.pop()
    async with size.store.reading() as db:
        user = await db.scalar(select(tables.games.c.waiting_user).where(tables.games.c.id == game))
    assert user is not None
    size.turns.append(await _time(size, lambda: _play(size.app, game, user, size.text)))


async def measure_sweep(size: Size) -> None:
    """Do the steps of a sweep that look at games, messages and tasks."""
    app = size.app

    async def sweep() -> None:
        await app.vacations.finish_vacation_work()
        await app.flag_watch.check_flags()
        await app.win_claims.settle_due_win_claims()
        await app.undeliverable.retry_due_boards()
        await app.reminders.owe_due_reminders()
        await app.digests.owe_due_digests()
        await app.what_is_due(int(time()))
        await app.retention.delete_old()
        async with size.store.reading() as db:
            await outbox.rows_by_channel(db, int(time()), 10)

    size.sweeps.append(await _time(size, sweep))


async def _time(size: Size, work: Callable[[], Awaitable[None]]) -> float:
    """Return how long something takes, and note its queries."""
    engine, begun_at = size.store._engine.sync_engine, dict[Any, float]()

    def begin(_: object, cursor: object, statement: str, parameters: Any, context: Any, many: bool) -> None:
        begun_at[context] = perf_counter()
        if not many:
            size.asked[statement] = parameters

    def end(_: object, cursor: object, statement: str, parameters: Any, context: Any, many: bool) -> None:
        size.queries[statement].append(perf_counter() - begun_at.pop(context))

    event.listen(engine, "before_cursor_execute", begin)
    event.listen(engine, "after_cursor_execute", end)
    begun = perf_counter()
    try:
        await work()
    finally:
        event.remove(engine, "before_cursor_execute", begin)
        event.remove(engine, "after_cursor_execute", end)
    return perf_counter() - begun


def frequent_queries(size: Size) -> list[str]:
    """Return the queries that were asked most often, of those that read or change the large tables."""
    large = re.compile(rf"\b({'|'.join(LARGE)})\b")
    asked = [statement for statement in size.asked if large.search(statement)]
    return sorted(asked, key=lambda statement: -len(size.queries[statement]))[:MOST_QUERIES]


async def explain(size: Size, statement: str) -> list[str]:
    """Return how PostgreSQL would answer a query, with the parameters that it last had."""
    async with size.store.reading() as db:
        rows = await db.exec_driver_sql(f"EXPLAIN (COSTS OFF) {statement}", size.asked[statement])
        return [row[0] for row in rows]


async def scans(size: Size) -> list[str]:
    """Return the queries, of all that were asked, that read one of the large tables from its beginning."""
    found = list[str]()
    for statement in size.asked:
        if statement.split(None, 1)[0] in {"SELECT", "UPDATE", "DELETE", "INSERT", "WITH"}:
            steps = await explain(size, statement)
            if any(f"Seq Scan on {name}" in step for step in steps for name in LARGE):
                found.append(statement)
    return found


async def measure(sizes: Sequence[int], turns: int) -> dict[str, Any]:
    """Measure, print the plans, and return the medians in ms by size."""
    server = postgres.server()
    made = list[Size]()
    for number in sizes:
        begun = perf_counter()
        made.append(await make_size(server, number))
        say(f"{number} games written in {perf_counter() - begun:.0f} s; load {getloadavg()[0]:.1f}")
    for size in made:  # to write them took longer than a process may be silent
        async with size.store.transaction() as db:
            await downtime.note_alive(db, int(time()))
    for number in range(turns):
        for size in made:
            await measure_turn(size)
            if number % SWEEP_AFTER == 0:
                await measure_sweep(size)
    found = {size.number: {"turn": _ms(size.turns), "sweep": _ms(size.sweeps)} for size in made}
    largest = made[-1]
    for number, statement in enumerate(frequent_queries(largest), 1):
        times = ", ".join(f"{_ms(size.queries[statement])} ms of {size.number}" for size in made)
        say(f"\n{number}. {len(largest.queries[statement])} times; {times}\n{statement}")
        say(*(f"    {step}" for step in await explain(largest, statement)))
    seen = await scans(largest)
    for statement in seen:
        say(f"\nREADS A WHOLE TABLE: {statement}", *(f"    {step}" for step in await explain(largest, statement)))
    megabytes = server.execute("SELECT pg_database_size(current_database()) / 1000000", database=f"size{sizes[-1]}")
    for size in made:
        await size.store.close()
    return {"ms": found, "whole tables read by": len(seen), "MB": megabytes[0][0]}


def _ms(seconds: Sequence[float]) -> float | None:
    return round(1000 * median(seconds), 2) if seconds else None


def main() -> int:
    """Measure, and print the figures as JSON."""
    parser = ArgumentParser("python -m tests.process.shared_growth", description="Compare sizes of the database.")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="how many games")
    parser.add_argument("--turns", type=int, default=TURNS, help="that are played in each size")
    options = parser.parse_args()
    postgres.use_server(**SERVER)
    sys.stdout.write(f"{json.dumps(asyncio.run(measure(options.sizes, options.turns)))}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
