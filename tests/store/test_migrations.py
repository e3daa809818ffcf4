"""The migrations make the tables, and `Store.open_database` runs the missing ones."""

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Index, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

import gipfbot
from gipfbot.installation import VERSION, oldest_version_on
from gipfbot.store import Store, meta, schema, tables
from gipfbot.store.schema import SchemaAge, age_of_version, known_revisions
from gipfbot.values import Unusable
from tests.support.migrations import LATER, MADE_LATER, NEXT, one_more_migration


async def version(store: Store) -> str | None:
    async with store.reading() as db:
        found: str | None = await db.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def is_for_sqlite(thing: object, *_: object) -> bool:
    """Return whether a thing of `tables` belongs into a database of SQLite."""
    return not (isinstance(thing, Index) and thing.name == "ix_outbox_channel")


def differences(connection: Connection) -> list[object]:
    options = {"compare_type": True, "compare_server_default": True, "include_object": is_for_sqlite}
    context = MigrationContext.configure(connection, opts=options)
    return list(compare_metadata(context, tables.metadata))


def indexes(connection: Connection) -> list[str]:
    """Return the SQL that makes each index."""
    made = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    return sorted(row.sql for row in made)


def table_options(connection: Connection) -> dict[str, list[str]]:
    """Return what is special about the tables, by their names."""
    made = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL")
    return {row.name: [option for option in ("AUTOINCREMENT", "WITHOUT ROWID") if option in row.sql] for row in made}


@pytest.mark.sqlite
async def test_migrations_make_the_tables_in_tables_py(store: Store) -> None:
    async with store.reading() as db:
        assert await db.run_sync(differences) == []


@pytest.mark.sqlite
async def test_migrations_make_partial_indexes_with_their_conditions(store: Store) -> None:
    """Alembic does not compare the conditions of partial indexes."""
    async with store.reading() as db:
        migrated = await db.run_sync(indexes)
        await db.run_sync(tables.metadata.drop_all)
        await db.run_sync(tables.metadata.create_all)
        assert migrated == await db.run_sync(indexes)


@pytest.mark.sqlite
async def test_migrations_make_tables_with_their_options(store: Store) -> None:
    """Alembic does not compare those of SQLite: whether ids are never used again, and whether rows have any."""
    async with store.reading() as db:
        migrated = await db.run_sync(table_options)
        await db.run_sync(tables.metadata.drop_all)
        await db.run_sync(tables.metadata.create_all)
        assert migrated == {**await db.run_sync(table_options), "alembic_version": []}


def test_tables_and_indexes_compile_for_postgresql() -> None:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    for table in tables.metadata.sorted_tables:
        assert str(CreateTable(table).compile(dialect=dialect))
    made = [str(CreateIndex(index).compile(dialect=dialect)) for index in tables.outbox.indexes]
    assert all(" WHERE " in index for index in made)


async def test_reopening_changes_nothing(store: Store, url: str) -> None:
    async with store.transaction() as db:
        await meta.save_value(db, "a", "1")
    before = await version(store)
    again = await Store.open_database(url)
    async with again.reading() as db:
        assert await meta.load_value(db, "a") == "1"
    assert await version(again) == before
    await again.close()


async def test_two_stores_can_open_a_new_database_at_once(url: str) -> None:
    stores = await asyncio.gather(Store.open_database(url), Store.open_database(url))
    for store in stores:
        assert await version(store)
        await store.close()


async def test_an_older_database_is_brought_up_to_date(store: Store, url: str, tmp_path: Path) -> None:
    async with store.transaction() as db:
        await meta.save_value(db, "a", "1")
    await store.close()
    with one_more_migration(tmp_path, "ALTER TABLE meta ADD COLUMN mood TEXT"):
        newer = await Store.open_database(url)
        async with newer.reading() as db:
            assert (await db.execute(text("SELECT * FROM meta"))).all() == [("a", "1", None)]
        assert await version(newer) == NEXT
        await newer.close()


async def test_an_older_database_can_be_opened_twice_at_once(store: Store, url: str, tmp_path: Path) -> None:
    await store.close()
    with one_more_migration(tmp_path, "ALTER TABLE meta ADD COLUMN mood TEXT"):
        for opened in await asyncio.gather(Store.open_database(url), Store.open_database(url)):
            assert await version(opened) == NEXT
            await opened.close()


async def test_tables_that_no_old_version_made_are_not_taken_for_old(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite3"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        db.execute("INSERT INTO alembic_version VALUES ('9999')")
        db.execute("CREATE TABLE games (id INTEGER PRIMARY KEY)")
        db.execute("CREATE TABLE outbox (id INTEGER PRIMARY KEY)")
        db.commit()
    with pytest.raises(Unusable, match="newer version of the bot"):
        await Store.open_database(f"sqlite+aiosqlite:///{path}")


async def test_a_database_of_a_newer_version_stays_unchanged(store: Store, url: str) -> None:
    async with store.transaction() as db:
        await db.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(Unusable, match="newer version of the bot"):
        await Store.open_database(url)
    assert await version(store) == "9999"


async def test_tables_of_a_later_version_are_used_if_it_allows_that(store: Store, url: str) -> None:
    """Its migrations stay, so that it finds its own tables again."""
    async with store.transaction() as db:
        for statement in MADE_LATER:
            await db.execute(text(statement))
    opened = await Store.open_database(url)
    async with opened.transaction() as db:
        await meta.save_value(db, "a", "1")
    async with opened.reading() as db:
        assert await meta.load_value(db, "a") == "1"
        assert (await db.execute(text("SELECT mood FROM moods"))).all() == []
    assert await version(opened) == LATER
    await opened.close()


@pytest.mark.parametrize(
    ("number", "age"),
    [
        ("0.2_9999", SchemaAge.LATER),
        ("0.1_9999", SchemaAge.LATER),
        ("0.2.0_9999", SchemaAge.LATER),
        ("0.2.1_9999", SchemaAge.NEWER),
        ("0.3_0001", SchemaAge.NEWER),
        ("0.10_0001", SchemaAge.NEWER),
        ("9999", SchemaAge.NEWER),
        ("0.2_", SchemaAge.NEWER),
        ("0.x_1", SchemaAge.NEWER),
        ("_1", SchemaAge.NEWER),
        ("", SchemaAge.OLDER),
        (known_revisions()[0], SchemaAge.SAME),
        (known_revisions()[-1], SchemaAge.OLDER),
    ],
)
def test_the_number_of_a_migration_says_which_versions_may_run_on_it(
    number: str, age: SchemaAge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "VERSION", "0.2.0")
    assert age_of_version(number) is age


def test_each_migration_says_the_oldest_version_that_may_run_on_it() -> None:
    """No later one lets an older version in again, and all of them let this one in."""
    oldest = [oldest_version_on(number) for number in reversed(known_revisions())]
    assert all(oldest)
    assert oldest == sorted(oldest)
    assert oldest[-1] <= tuple(map(int, VERSION.split(".")))


def test_migrations_run_wherever_the_package_is_installed(tmp_path: Path) -> None:
    """The name of the folder looks like a placeholder of Alembic's settings, and is not the working directory."""
    place = tmp_path / "100 %(here)s"
    shutil.copytree(Path(gipfbot.__path__[0]), place / "gipfbot", ignore=shutil.ignore_patterns("__pycache__"))
    run = "import asyncio; from gipfbot.store import Store; asyncio.run((asyncio.run(Store.open_database(%r))).close())"
    url = f"sqlite+aiosqlite:///{tmp_path}/gipf.sqlite3"
    command = [sys.executable, "-c", run % url]
    subprocess.run(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(place)}, check=True)
    assert (tmp_path / "gipf.sqlite3").is_file()
