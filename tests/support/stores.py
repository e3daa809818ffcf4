"""Stores for tests. Each is a copy of one empty database, because migrating takes longer than most tests.

In `make test` the SQL of SQLite runs in the thread of the test: a change of threads costs more than a statement. Nor
does a commit wait for the disk. In `make long` both are as in the bot.

With `--database postgres` each of these files stands for a database on a server of PostgreSQL.
"""

import asyncio
import shutil
import sqlite3
from asyncio import Future
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import aiosqlite
from sqlalchemy import Dialect, event, text

from gipfbot.store import Connection, Store
from gipfbot.store.backends import backend_of_url
from gipfbot.store.backends.sqlite import Sqlite
from gipfbot.store.database_file import LogFlush
from tests.support import postgres
from tests.support.effort import LONG

# Statements are compiled per dialect. All stores share one, so that each statement is compiled once per run.
_DIALECTS: list[Dialect] = []
_STATEMENTS: dict[Any, Any] = {}


POSTGRES = False  # set by the option `--database`


def database_url(path: Path) -> str:
    """Return the URL of a database file, or of the empty database on the server that stands for it."""
    if not POSTGRES:
        return f"sqlite+aiosqlite:///{path}"
    return postgres.server().url_for(path)


async def create_empty(path: Path) -> None:
    """Create a database with all tables and nothing in them."""
    await (await Store.open_database(database_url(path))).close()


def copy_empty(empty: Path, path: Path) -> str:
    """Make a database that is a copy of one with empty tables. Return its URL."""
    if POSTGRES:
        return postgres.server().copy_for(empty, path)
    shutil.copy(empty, path)
    return database_url(path)


async def open_copy(empty: Path, path: Path) -> Store:
    """Open a copy of an empty database. It is up to date, so nothing is migrated."""
    copy_empty(empty, path)
    return await open_store(path)


async def open_store(path: Path) -> Store:
    """Open a database that is up to date."""
    backend = backend_of_url(database_url(path))
    engine = backend.new_engine()
    if not LONG and not POSTGRES:
        assert isinstance(backend, Sqlite)
        backend._log = _NoFlush(path)
        event.listen(engine.sync_engine, "do_connect", _connect_without_thread)
    if not _DIALECTS:
        async with engine.connect():  # the dialect learns the database's version at the first connection
            _DIALECTS.append(engine.sync_engine.dialect)
    engine.sync_engine.dialect = _DIALECTS[0]
    return Store(engine.execution_options(compiled_cache=_STATEMENTS), backend)


async def back_up(path: Path, backup: Path) -> None:
    """Copy a database that is open to a new file, as hosts do."""
    if POSTGRES:
        await asyncio.to_thread(postgres.server().dump, path, backup)
        return
    with closing(sqlite3.connect(path)) as running, closing(sqlite3.connect(backup)) as copy:
        running.backup(copy)


async def put_back(backup: Path, path: Path) -> None:
    """Put a backup in the place of a database that nobody uses."""
    if POSTGRES:
        await asyncio.to_thread(postgres.server().restore, backup, path)
        return
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    shutil.copy(backup, path)


def run_statement(path: Path, statement: str, *values: object, only_read: bool = False) -> list[Any]:
    """Run a statement behind the bot's back. Return its rows; for a single column, its values.

    A connection that only reads leaves SQLite's log as the bot has left it.
    """
    if POSTGRES:
        found = postgres.server().execute_with(path, statement, values)
    else:
        address = f"file:{path}" + "?mode=ro" * only_read
        with closing(sqlite3.connect(address, uri=True, isolation_level=None, timeout=60)) as db:
            found = db.execute(statement, values).fetchall()
    return [row[0] if len(row) == 1 else row for row in found]


def find_faults(path: Path) -> list[str]:
    """Return what the database itself finds wrong. PostgreSQL has no such check: it looks at each page it reads."""
    return [] if POSTGRES else [said for said in run_statement(path, "PRAGMA integrity_check") if said != "ok"]


def wait_until_unused(path: Path) -> None:
    """Wait until nothing that a killed bot has begun goes on. A server may still be at its last statement."""
    if POSTGRES:
        postgres.server().wait_until_unused(path)


def keep_copy(path: Path, kept: Path) -> None:
    """Copy a database that nobody uses, for the rest of the run."""
    if POSTGRES:
        postgres.server().keep_copy(path, kept)
    else:
        shutil.copy(path, kept)


def use_copy(kept: Path, path: Path) -> None:
    """Make a database that is a copy of one that was kept."""
    if POSTGRES:
        postgres.server().use_copy(kept, path)
    else:
        shutil.copy(kept, path)


async def add_trigger(db: Connection, name: str, does: str, table: str, note: str) -> None:
    """Let the database run the statement `note` after each row that is written."""
    made = [f"CREATE TRIGGER {name} AFTER {does} ON {table} BEGIN {note}; END"]
    for statement in _trigger(name, f"AFTER {does}", table, note) if POSTGRES else made:
        await db.execute(text(statement))


def refusing(name: str, does: str, table: str, said: str, only: str = "true") -> list[str]:
    """Return statements that let the database refuse rows that are to be written, if `only` is true of them."""
    if not POSTGRES:
        body = f"BEGIN SELECT RAISE(FAIL, '{said}'); END"
        return [f"CREATE TRIGGER {name} BEFORE {does} ON {table} WHEN {only} {body}"]
    body = f"RAISE EXCEPTION '{said}' USING ERRCODE = 'check_violation'"
    return _trigger(name, f"BEFORE {does}", table, f"IF {only} THEN {body}; END IF")


def stalling(when: str) -> list[str]:
    """Return statements that let the database hang at what is to be written, such as `INSERT ON outbox`."""
    if not POSTGRES:
        return [f"CREATE TRIGGER stall BEFORE {when} BEGIN SELECT stall(); END"]
    does, _, table = when.partition(" ON ")
    return _trigger("stall", f"BEFORE {does}", table, "PERFORM pg_sleep(3600)")


def no_longer(name: str, table: str) -> str:
    """Return the statement that undoes one of these triggers."""
    return f"DROP TRIGGER {name} ON {table}" if POSTGRES else f"DROP TRIGGER {name}"


def _trigger(name: str, moment: str, table: str, body: str) -> list[str]:
    """Return statements that let PostgreSQL do something for each row."""
    function = f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN {body}; RETURN NEW; END$$"
    return [function, f"CREATE TRIGGER {name} {moment} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()"]


class _NoFlush(LogFlush):
    """Flushes nothing: what a test stores need not survive a power cut."""

    async def wait(self) -> None:
        """Let others go on, as during a flush."""
        await asyncio.sleep(0)


class _InlineQueue:
    """Runs at once what aiosqlite queues for its thread."""

    def put_nowait(self, item: tuple[Future[Any] | None, Callable[[], Any]]) -> None:
        future, function = item
        try:
            result = function()
        except BaseException as error:  # noqa: BLE001 - handed on, as aiosqlite's thread does
            if future:
                future.set_exception(error)
        else:
            if future:
                future.set_result(result)


class _NoThread:
    daemon = True

    def start(self) -> None:
        """There is nothing to start."""


def _connect_without_thread(dialect: object, record: object, arguments: object, options: dict[str, Any]) -> None:
    def connect(*args: Any, **kwargs: Any) -> aiosqlite.Connection:
        connection: Any = aiosqlite.connect(*args, **kwargs)
        connection._tx, connection._thread = _InlineQueue(), _NoThread()
        return connection  # type: ignore[no-any-return]

    options["async_creator_fn"] = connect
