"""A start of a new version on PostgreSQL, while others read and write the tables of the old one."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path

import pytest
import sqlalchemy
from sqlalchemy import text

from gipfbot.store import Store, database
from gipfbot.store.backends import postgres
from gipfbot.store.schema import known_revisions
from gipfbot.values import DatabaseTrouble, InUse, Trouble, Unusable
from tests.standin.interaction import eventually
from tests.store.helpers import current_trouble
from tests.support.migrations import NEXT, one_more_migration
from tests.support.postgres import Server
from tests.support.times import HANGS

OLD = known_revisions()[0]
run_missing = database._run_migrations


@pytest.fixture(autouse=True)
def _quick_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "MIGRATION_PATIENCE", "20ms")
    monkeypatch.setattr(database, "MIGRATION_PAUSE", 0.01)


@pytest.fixture
async def old(postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Store]:
    """Return a store on tables of an old version, as a process of that version has it. The new one changes them."""
    opened = await Store.open_database(postgres_url)
    monkeypatch.setitem(postgres.SERVER_SETTINGS, "lock_timeout", "1h")  # if a migration waited as others do
    with one_more_migration(tmp_path, "ALTER TABLE games ADD COLUMN mood TEXT"):
        yield opened
    await opened.close()


@asynccontextmanager
async def long_reading(url: str) -> AsyncIterator[None]:
    """Read the games, as `pg_dump` and `bot.py check` do, until the end of the `with` block."""
    store = Store.open_to_read(url)
    async with store.reading() as db:
        await store.backend.allow_long_work(db)
        await db.execute(text("SELECT count(*) FROM games"))
        yield
    await store.close()


async def test_a_migration_goes_on_when_a_long_reader_has_ended(
    old: Store, postgres_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Until then, others read and write as ever."""
    monkeypatch.setattr(database, "MIGRATION_TRIES", 10**6)
    caplog.set_level(logging.INFO)
    async with long_reading(postgres_url):
        start = asyncio.create_task(Store.open_database(postgres_url))
        await eventually(lambda: start.done() or "are in use, and are brought up to date" in caplog.text, "a try")
        async with old.reading() as db:
            assert await db.scalar(text("SELECT count(*) FROM games")) == 0
        async with old.transaction() as db:
            await db.execute(text("INSERT INTO meta VALUES ('a', 'b')"))
        assert await old.schema_version() == OLD
        assert not start.done()
    new = await asyncio.wait_for(start, HANGS)
    assert await new.schema_version() == NEXT
    await new.close()


@pytest.mark.parametrize("is_writer", [False, True])
async def test_what_never_ends_is_a_sentence(
    old: Store, postgres_url: str, monkeypatch: pytest.MonkeyPatch, is_writer: bool
) -> None:
    monkeypatch.setattr(database, "MIGRATION_TRIES", 3)
    async with old.transaction() if is_writer else long_reading(postgres_url):
        with pytest.raises(InUse) as refused:
            await asyncio.wait_for(Store.open_database(postgres_url), HANGS)
    assert str(refused.value).startswith(f"The tables of {old.name} cannot be brought up to date, because something ")
    assert str(refused.value).endswith(" such as a backup by pg_dump or `gipfbot check`: let it end, then start.")
    assert await old.schema_version() == OLD
    await (await Store.open_database(postgres_url)).close()


async def test_a_deadlock_lets_a_migration_begin_again(
    old: Store, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = list[int]()

    def end_first(connection: sqlalchemy.Connection) -> None:
        run_missing(connection)
        tries.append(1)
        if len(tries) == 1:
            said = "RAISE EXCEPTION 'deadlock detected' USING ERRCODE = 'deadlock_detected'"
            connection.exec_driver_sql(f"DO $$ BEGIN {said}; END $$")

    monkeypatch.setattr(database, "_run_migrations", end_first)
    new = await Store.open_database(postgres_url)
    assert len(tries) == 2
    assert await new.schema_version() == NEXT
    await new.close()


@pytest.mark.parametrize("in_snapshot", [False, True])
async def test_a_deadlock_with_a_migration_is_a_trouble_that_passes(
    postgres_store: Store, server: Server, in_snapshot: bool
) -> None:
    """The migration waits first, and never looks for a deadlock. So the reader does."""
    waiters = f"SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = {await oid(postgres_store, 'due')}"
    async with postgres_store.transaction() as migrating:
        await migrating.execute(text("SET LOCAL deadlock_timeout = '1h'"))
        await migrating.execute(text("LOCK TABLE outbox"))

        async def read() -> None:
            snapshot = postgres_store.snapshot() if in_snapshot else nullcontext()
            async with snapshot, postgres_store.reading() as db:
                await db.execute(text("SELECT count(*) FROM due"))
                waiting.append(asyncio.create_task(migrating.execute(text("LOCK TABLE due"))))
                await eventually(lambda: server.execute(waiters) == [(1,)], "the migration waits")
                await db.execute(text("SELECT count(*) FROM outbox"))

        waiting = list[asyncio.Task[object]]()
        with pytest.raises(DatabaseTrouble) as trouble:
            await read()
        await waiting[0]
    assert trouble.value.trouble is current_trouble(postgres_store) is Trouble.LOCKED
    async with postgres_store.transaction() as db:
        await db.execute(text("INSERT INTO meta VALUES ('a', 'b')"))
    assert not current_trouble(postgres_store)


async def oid(store: Store, table: str) -> int:
    async with store.reading() as db:
        return int(await db.scalar(text(f"SELECT '{table}'::regclass::oid::int")))


async def test_a_start_with_nothing_to_migrate_waits_for_no_writer(postgres_store: Store, postgres_url: str) -> None:
    async with postgres_store.transaction() as db:
        await db.execute(text("LOCK TABLE games IN SHARE ROW EXCLUSIVE MODE"))
        await (await Store.open_database(postgres_url)).close()


async def test_what_the_server_says_is_one_line(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(connection: sqlalchemy.Connection) -> None:
        connection.exec_driver_sql("DO $$ BEGIN RAISE EXCEPTION 'no' USING DETAIL = 'more', HINT = 'most'; END $$")

    monkeypatch.setattr(database, "_run_migrations", fail)
    with pytest.raises(Unusable) as refused:
        await Store.open_database(empty_url)
    assert str(refused.value).endswith(" cannot be opened (no): look at the log of the server.")
