"""What the queries read on PostgreSQL."""

from typing import Any

import pytest
from sqlalchemy import text

from gipfbot.store import Connection, Store, games, tables
from tests.support.times import NOW

from .acts import ACTS, Act
from .helpers import added
from .statements import statements_of


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
async def test_no_query_reads_a_whole_table(postgres_store: Store, act: Act) -> None:
    """Where PostgreSQL has no other way, it says so even if it may not."""
    await added(postgres_store)
    async with postgres_store.transaction() as db:
        asked = await statements_of(db, act)
        await db.execute(text("SET LOCAL enable_seqscan = off"))
        steps = await plans(db, asked)
    assert [step for step in steps if "Seq Scan" in step] == []


async def test_a_batch_of_the_retention_looks_up_the_games_of_its_rows_alone(postgres_store: Store) -> None:
    """However many rows are over: else all running games may be read before the first of them."""
    game = await added(postgres_store)
    async with postgres_store.transaction() as db:
        done = "SELECT i, 'key' || i, 'reminder', :at, 1, :game, :at FROM generate_series(1, 20000) AS i"
        insert = f'INSERT INTO due (id, key, kind, at, "user", game, done_at) {done}'
        await db.execute(text(insert), {"at": NOW, "game": game.id})
        asked = await statements_of(db, ACTS["what is over"])
        await db.execute(text("ANALYZE due"))
        steps = await plans(db, asked, "VERBOSE")
    assert [step for step in steps if "SubPlan" in step]
    assert [step for step in steps if "hashed SubPlan" in step] == []


async def test_versions_of_many_games_look_up_their_requests_alone(postgres_store: Store) -> None:
    """They are asked every second while people wait for the bot: else all open requests may be read each time."""
    await added(postgres_store)
    many = range(1000, 11_000)

    async def ask(db: Connection) -> None:
        await games.versions(db, many[:500])

    async with postgres_store.transaction() as db:
        names = tables.games.c.keys()
        named, copied = (", ".join(own if name == "id" else f'"{name}"' for name in names) for own in ("id", "i"))
        each = f"generate_series({many[0]}, {many[-1]}) AS i"
        await db.execute(text(f"INSERT INTO games ({named}) SELECT {copied} FROM games, {each}"))
        asks = "SELECT i, i, 'draw', 1, 1, '', i, 'open', :at"
        columns = 'id, game, kind, "by", turn_number, turns, turn_serial, state, created_at'
        await db.execute(text(f"INSERT INTO requests ({columns}) {asks} FROM {each}"), {"at": NOW})
        asked = await statements_of(db, ask)
        await db.execute(text("ANALYZE games, requests"))
        steps = await plans(db, asked, "VERBOSE")
    assert [step for step in steps if "SubPlan" in step]
    assert [step for step in steps if "hashed SubPlan" in step] == []


async def plans(db: Connection, asked: list[tuple[str, Any]], *options: str) -> list[str]:
    """Return the steps of PostgreSQL's plans for statements."""
    steps = list[str]()
    for statement, parameters in asked:
        explain = " ".join(("EXPLAIN", *options, statement))
        steps += [row[0] for row in await db.exec_driver_sql(explain, parameters)]
    return steps
