"""What the queries read on PostgreSQL."""

from typing import Any

import pytest
from sqlalchemy import text

from gipfbot.store import Connection, Store
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


async def plans(db: Connection, asked: list[tuple[str, Any]], *options: str) -> list[str]:
    """Return the steps of PostgreSQL's plans for statements."""
    steps = list[str]()
    for statement, parameters in asked:
        explain = " ".join(("EXPLAIN", *options, statement))
        steps += [row[0] for row in await db.exec_driver_sql(explain, parameters)]
    return steps
