"""The one way to the database: `Store.transaction()` to write, `Store.reading()` to read."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from pathlib import Path
from sqlite3 import DatabaseError, OperationalError
from typing import Any, TypeAlias
from urllib.parse import parse_qsl

import sqlalchemy
from alembic import command
from alembic.util import CommandError
from sqlalchemy import URL, event, make_url, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from gipfbot.values import DatabaseTrouble, Unusable

from .backup import PATIENCE, read_only_uri
from .file_faults import opening_fault, refuse_lost_games
from .file_lock import database_path, make_private
from .one_trip import OneTripDriver
from .schema_age import migration_config
from .troubles import noted_trouble, trouble_from_error, troubles_of

Connection: TypeAlias = AsyncConnection

# Set on each new SQLite connection. With WAL, readers and the writer never wait for each other.
PRAGMAS = {"busy_timeout": 10_000, "journal_mode": "WAL", "synchronous": "NORMAL", "foreign_keys": "ON"}
WAL_WAITS = (0.01, 0.02, 0.05, 0.1, 0.2)  # seconds between the tries to make a new file a WAL file


class Store:
    """An open database, made by `open_database`. Open one per process and URL: its writers share one lock."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self.troubles = troubles_of(engine.url)
        self._writer = engine.execution_options(begin="BEGIN IMMEDIATE")
        self._writing = asyncio.Lock()
        self.commits = 0  # transactions since the start

    @classmethod
    async def open_database(cls, url: str, *signs: Path) -> "Store":
        """Open the database at an SQLAlchemy URL and bring its tables up to date.

        Raises Unusable if the folder is missing or the file cannot be opened. Also raises Unusable if the file was
        written by a newer version of the bot, or by one from before the first release. Only the file's owner may read
        it and the files beside it. `signs` are files that show that the database was in use: see `refuse_lost_games`.
        """
        engine = new_engine(make_url(url))
        refuse_lost_games(database_path(url), *signs)
        make_private(database_path(url))
        store = cls(engine)
        store.troubles.is_opening = True
        try:
            await store._migrate()
        except BaseException:
            await store.close()
            raise
        finally:
            store.troubles.is_opening = False
        return store

    @classmethod
    def open_to_read(cls, database: Path) -> "Store":
        """Return a store that can only read, of a file whose tables are up to date. It never makes or changes a file.

        Does not check the tables: see `schema_age`.
        """
        name, _, query = read_only_uri(database).partition("?")
        url = URL.create("sqlite+aiosqlite", database=name, query={"uri": "true", **dict(parse_qsl(query))})
        options = {"isolation_level": None, "timeout": PATIENCE}
        engine = create_async_engine(url, json_deserializer=_read_json, connect_args=options)
        event.listen(engine.sync_engine, "begin", _begin_transaction)
        return cls(engine)

    async def _migrate(self) -> None:
        try:
            async with self.transaction() as db:
                if await db.run_sync(_is_outdated):
                    raise Unusable(f"{self.path} was written before version 0.1.0: move it away or name another file.")
                await db.run_sync(_run_migrations)
        except CommandError as error:
            newer = f"{self.path} was written by a newer version of the bot ({error})"
            raise Unusable(f"{newer}: update the bot, or restore a backup from before.") from error
        except (DatabaseTrouble, DBAPIError, DatabaseError) as error:
            raise opening_fault(self.path, error) from error

    @property
    def path(self) -> Path:
        """The database file."""
        return self.troubles.database

    async def schema_version(self) -> str:
        """Return the number of the newest migration that the database has had, such as `0014`."""
        async with self.reading() as db:
            return str(await db.scalar(text("SELECT version_num FROM alembic_version")))

    async def close(self) -> None:
        """Close the database after the current write transaction. Does not wait for readers."""
        async with self._writing:
            await self._engine.dispose()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """Open a write transaction: committed at the end, rolled back on any exception or cancellation.

        Raises DatabaseTrouble if the disk or the file fails; then nothing is saved.
        A cancellation during the commit itself may come too late to undo it. Writers wait for each other, so a
        transaction inside another one of the same task would wait for ever.
        """
        await end_snapshot()  # it would not see what is written now
        async with self._writing:
            async with self._writer.begin() as db:
                changes = await _count_changes(db) if self.troubles.current else None
                yield db
                saves = changes is not None and await _count_changes(db) > changes
            if saves:
                self.troubles.note_saved()
        self.commits += 1

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        """Open a connection that sees one state of the database throughout. Whatever it writes is lost.

        Inside `snapshot` it sees the state of the snapshot, until that ends.
        """
        if snapshot := _current_snapshot():
            yield await snapshot.connection(self._engine)
            return
        async with self._engine.connect() as db:
            yield db

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[None]:
        """Let all readings of this task see one state of the database, until it writes or calls `end_snapshot`.

        From then on each reading sees the newest state, and nothing holds a connection between two readings.
        """
        snapshot = _Snapshot()
        token = _SNAPSHOT.set(snapshot)
        try:
            yield
        finally:
            _SNAPSHOT.reset(token)
            await snapshot.end()


async def end_snapshot() -> None:
    """End this task's snapshot, so that others can have its connection. Call it before a long wait."""
    if snapshot := _current_snapshot():
        await snapshot.end()


class _Snapshot:
    """A reading connection that all readings of one task share. The first of them opens it."""

    def __init__(self) -> None:
        self._db: Connection | None = None
        self._opening = asyncio.Lock()
        self.ended = False

    async def connection(self, engine: AsyncEngine) -> Connection:
        async with self._opening:
            if self._db is None:
                self._db = await engine.connect()
            return self._db

    async def end(self) -> None:
        async with self._opening:
            self.ended = True
            if self._db is not None:
                db, self._db = self._db, None
                await db.close()


_SNAPSHOT: ContextVar[_Snapshot | None] = ContextVar("snapshot", default=None)


def _current_snapshot() -> _Snapshot | None:
    """Return the snapshot of this task, or None if there is none or it has ended."""
    snapshot = _SNAPSHOT.get()
    return None if snapshot is None or snapshot.ended else snapshot


def new_engine(url: URL) -> AsyncEngine:
    """Return an engine for a database URL, without opening the database.

    Raises Unusable if the URL names no file, or a file in a missing folder.
    """
    folder = database_path(url).parent
    if not folder.is_dir():
        raise Unusable(f"The folder {folder} of the database does not exist: create it or name another.")
    # By default the driver begins a transaction late, and not before every statement.
    engine = create_async_engine(
        url,
        module=OneTripDriver(),
        json_deserializer=_read_json,
        connect_args={"isolation_level": None},
        hide_parameters=True,  # errors are logged, and the values would be notes and turns
    )
    event.listen(engine.sync_engine, "connect", _set_pragmas)
    event.listen(engine.sync_engine, "begin", _begin_transaction)
    event.listen(engine.sync_engine, "handle_error", trouble_from_error)
    return engine


async def _count_changes(db: Connection) -> int:
    """Return how many rows this connection has changed so far."""
    raw: Any = (await db.get_raw_connection()).driver_connection
    changed: int = raw.total_changes
    return changed


def _read_json(text: str) -> Any:
    """Return a JSON value, or None if the text is no JSON: one broken row must not spoil a whole query."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _set_pragmas(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    try:
        for name, value in PRAGMAS.items():
            _set_pragma(cursor, f"PRAGMA {name} = {value}")
        cursor.close()
    except BaseException:
        connection.close()  # nobody else would
        raise


def _set_pragma(cursor: Any, statement: str) -> None:
    """Set one pragma. If the file is locked, try again after each of WAL_WAITS.

    SQLite itself does not wait when two processes switch the same new file to WAL. Where it has waited, that is enough.
    """
    begun = time.monotonic()
    for wait in WAL_WAITS:
        try:
            cursor.execute(statement)
            return
        except OperationalError as error:
            if "locked" not in str(error) or time.monotonic() - begun > sum(WAL_WAITS):
                raise
            time.sleep(wait)
    cursor.execute(statement)


def _begin_transaction(connection: sqlalchemy.Connection) -> None:
    try:
        cursor = connection.connection.cursor()
        cursor.execute(connection.get_execution_options().get("begin", "BEGIN"))
        cursor.close()
    except DatabaseError as error:  # SQLAlchemy does not see it
        if trouble := noted_trouble(connection.engine.url, error):
            raise trouble from error
        raise


def _run_migrations(connection: sqlalchemy.Connection) -> None:
    config = migration_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _is_outdated(connection: sqlalchemy.Connection) -> bool:
    """Return whether a version from before the first release made the tables."""
    schema = sqlalchemy.inspect(connection)
    known = {column["name"] for column in schema.get_columns("games")} if schema.has_table("games") else set[str]()
    return bool(known) and "turn_number" not in known
