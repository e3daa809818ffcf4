"""The one way to the database: `Store.transaction()` to write, `Store.reading()` to read."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from contextvars import ContextVar
from functools import partial, wraps
from pathlib import Path
from sqlite3 import DatabaseError
from typing import Any, ParamSpec, TypeAlias, TypeVar

from alembic import command
from alembic.util import CommandError
from sqlalchemy import URL, Connection as PlainConnection, Row, inspect, text
from sqlalchemy.exc import DBAPIError, TimeoutError as NoConnectionFree
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from gipfbot.installation import started_as
from gipfbot.values import Conflict, DatabaseTrouble, InUse, Shards, Trouble, Unusable

from .backends import Backend, backend_of_url
from .database_file import file_url
from .schema import VERSION_QUERY, SchemaAge, age_of_version, migration_config, require_released
from .troubles import opening, troubles_of

P = ParamSpec("P")
T = TypeVar("T")
TRIES_BESIDE_OTHERS = 3  # after these, a transaction gets the database for itself
_ALONE = ContextVar("alone", default=False)
_BESIDE = ContextVar("beside", default=False)

log = logging.getLogger(__name__)
Connection: TypeAlias = AsyncConnection
MIGRATION_TRIES, MIGRATION_PAUSE = 20, 2.0  # while others are in the way: tries, seconds between them
SHARDS_OPTION = "gipfbot_shards"  # the execution option of connections that holds the shards of the process

# The errors that reading a broken value raises.
READ_ERRORS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
_LOGGED = set[tuple[str, str]]()  # the database and the thing


def tried_again(work: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Run a function again if its transaction conflicted with another. People never see that.

    Whatever the function does besides one `game_transaction` must be safe to do twice.
    """

    @wraps(work)
    async def until_done(*args: P.args, **kwargs: P.kwargs) -> T:
        for _ in range(TRIES_BESIDE_OTHERS):
            try:
                return await work(*args, **kwargs)
            except Conflict as conflict:
                if conflict.alone:
                    break
        with _set(_ALONE):
            return await work(*args, **kwargs)

    return until_done


def must_be_alone() -> bool:
    """Return whether the next transaction of this task must have the database for itself."""
    return _ALONE.get()


def require_alone() -> None:
    """Raise Conflict if others may run beside this transaction, so that it begins again alone.

    Call this before a transaction on one game touches what belongs to people, such as their ratings.
    """
    if _BESIDE.get():
        raise Conflict(alone=True)


def beside_others() -> AbstractContextManager[None]:
    """Note that the transaction of this task runs beside others, until the end of the `with` block."""
    return _set(_BESIDE)


@contextmanager
def _set(variable: ContextVar[bool]) -> Iterator[None]:
    token = variable.set(True)
    try:
        yield
    finally:
        variable.reset(token)


class Store:
    """An open database, made by `open_database`. Open one per process and URL: its writers share one lock.

    `shards` are those of this process, if several processes share the database.
    """

    def __init__(self, engine: AsyncEngine, backend: Backend, shards: Shards | None = None) -> None:
        self._engine, self.backend, self.shards = engine, backend, shards
        self.troubles = troubles_of(backend.name)
        marks = {SHARDS_OPTION: shards} if shards else {}
        self._reader = engine.execution_options(**backend.reading, **marks) if backend.reading or marks else engine
        self._writer = engine.execution_options(**backend.writing, **marks) if backend.writing or marks else engine
        self._writing = asyncio.Lock()
        # Told of each transaction how many seconds it has taken, without the wait for other writers.
        self.note_seconds: Callable[[float], None] = lambda _: None

    @classmethod
    async def open_database(cls, url: str, *signs: Path, shards: Shards | None = None) -> "Store":
        """Open the database at an SQLAlchemy URL and bring its tables up to date.

        Leaves tables of a later version as they are, if this one may run on them: see `oldest_version_on`.
        Raises Unusable if the folder is missing, the file cannot be opened, the server cannot be reached or used, or a
        newer or development version of the bot wrote the database. Only the file's owner may read it and the files
        beside it. `signs` are files that show that the database was in use: see `refuse_lost_games`.
        """
        backend = backend_of_url(url)
        engine = backend.new_engine()
        backend.prepare_files(*signs)
        store = cls(engine, backend, shards)
        try:
            with opening(backend.name):
                await store._migrate()
        except BaseException:
            await store.close()
            raise
        return store

    @classmethod
    def open_to_read(cls, url: str | URL) -> "Store":
        """Return a store that can only read. It never creates a file.

        Does not check that the tables are up to date: see `schema`.
        """
        backend = backend_of_url(url)
        return cls(backend.new_reading_engine(), backend)

    @classmethod
    def open_as_text(cls, url: str | URL) -> "Store":
        """Return a store that reads JSON as the stored text. Does not check that the tables are up to date."""
        backend = backend_of_url(url)
        return cls(backend.new_engine(json_serializer=str, json_deserializer=str), backend)

    async def _migrate(self) -> None:
        """Bring the tables up to date. If other transactions are in the way, pause and try again for a while."""
        try:
            if await self._is_up_to_date():
                return
            for tried in range(MIGRATION_TRIES):
                if tried:
                    await asyncio.sleep(MIGRATION_PAUSE)
                if await self._try_to_migrate():
                    return
                if not tried:
                    log.info("the tables of %s are in use, and are brought up to date as soon as possible", self.name)
        except CommandError as error:
            newer = f"{self.name} was written by a newer version of the bot ({error})"
            raise Unusable(f"{newer}: update the bot, or restore a backup from before.") from error
        except (DatabaseTrouble, DBAPIError, DatabaseError) as error:
            raise self.backend.opening_fault(error) from error
        holds = f"something reads or writes them without a pause, such as a backup by pg_dump or `{started_as()} check`"
        raise InUse(f"The tables of {self.name} cannot be brought up to date, because {holds}: let it end, then start.")

    async def _is_up_to_date(self) -> bool:
        """Return whether the tables are up to date. Waits for no other transaction.

        Always False for a file, because only trying to migrate shows whether the file can be written.
        """
        if not self.backend.has_row_locks:
            return False
        async with self.reading() as db:
            await self.backend.check_server(db)
            return age_of_version(await db.run_sync(_version_of)) in (SchemaAge.SAME, SchemaAge.LATER)

    async def _try_to_migrate(self) -> bool:
        """Run the missing migrations. Return False, and change nothing, if other transactions were in the way."""
        try:
            async with self._writing, self._begun(self.backend.begin_migrating) as db:
                await self.backend.check_server(db)
                version = await db.run_sync(_version_of)
                require_released(self.name, version)
                if age_of_version(version) is not SchemaAge.LATER:
                    await db.run_sync(_run_migrations)
            await self.backend.reach_disk()
        except (DatabaseTrouble, DBAPIError) as error:
            if not self.backend.is_wait_in_vain(error):
                raise
            return False
        return True

    @property
    def name(self) -> str:
        """The database's name in messages."""
        return self.backend.name

    @property
    def url(self) -> str:
        """The database's URL for another process, with its password."""
        file = self.backend.file
        return (file_url(file) if file else self.backend.url).render_as_string(hide_password=False)

    @property
    def path(self) -> Path:
        """The database file. There must be one."""
        assert self.backend.file, "a database on a server has no file"
        return self.backend.file

    @property
    def own_processes(self) -> range | None:
        """The numbers that this process may have had in earlier runs; None for all."""
        return self.shards.ids if self.shards else None

    async def schema_version(self) -> str:
        """Return the number of the newest migration that was applied, such as `0.2_0001`."""
        async with self.reading() as db:
            return await db.run_sync(_version_of)

    async def found_version(self) -> str | None:
        """Return what `schema_version` does, or None if the database holds no games of this bot.

        For a command: raises Unusable if the database cannot be reached, and logs nothing.
        """
        try:
            with opening(self.name):
                async with self.reading() as db:
                    if not await db.run_sync(_has_games):
                        return None
                return await self.schema_version()
        except (DatabaseTrouble, DBAPIError) as error:
            raise self.backend.opening_fault(error) from error

    async def identity(self) -> str | None:
        """Return a mark that only this database has, whatever its address; None if only its name identifies it.

        For a command: see `found_version`.
        """
        try:
            with opening(self.name):
                async with self.reading() as db:
                    return await self.backend.identity(db)
        except (DatabaseTrouble, DBAPIError) as error:
            raise self.backend.opening_fault(error) from error

    async def close(self) -> None:
        """Close the database after the current write transaction. Does not wait for readers."""
        async with self._writing:
            await self._engine.dispose()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """Open a write transaction: committed and on the disk at the end, rolled back on any exception or cancellation.

        Raises DatabaseTrouble if the disk or the file fails; then nothing is saved. A cancellation during the commit
        may come too late to undo it. Writers wait for each other: a transaction inside another one of the same task
        would wait for ever.
        """
        await end_snapshot()  # a snapshot would not see what is written now
        async with self._writing, self._begun(self.backend.begin_writing) as db:
            yield db
        await self.backend.reach_disk()  # others may write meanwhile

    @asynccontextmanager
    async def game_transaction(self, game: int | None) -> AsyncIterator[Connection]:
        """Open a write transaction on one game; None for rows that belong to no game or are locked later.

        On PostgreSQL it runs beside transactions on other games, and locks the game's row. On SQLite it is like any
        other. It must not touch what belongs to people: see `require_alone`. Raises Conflict if another transaction was
        in the way: see `tried_again`.
        """
        if must_be_alone() or not self.backend.has_row_locks:
            async with self.transaction() as db:
                yield db
            return
        await end_snapshot()
        begin = partial(self.backend.begin_in_game, game=game)
        try:
            with beside_others():
                async with self._begun(begin) as db:
                    yield db
        except DBAPIError as error:
            if self.is_conflict(error):
                raise Conflict from error
            raise

    async def write(self, game: int | None, work: Callable[[Connection], Coroutine[Any, Any, T]]) -> T:
        """Do `work` in a `game_transaction`, with all its statements at once: see `Backend.at_once`."""
        async with self.game_transaction(game) as db:
            return await self.backend.at_once(db, work)

    def is_conflict(self, error: Exception) -> bool:
        """Return whether an error says that another transaction was in the way, or may have been."""
        return isinstance(error, Conflict) or (isinstance(error, DBAPIError) and self.backend.is_conflict(error))

    @asynccontextmanager
    async def _begun(self, begin: Callable[[Connection], Awaitable[None]]) -> AsyncIterator[Connection]:
        """Begin a write transaction. During a trouble, note if the transaction saves something."""
        begun = time.perf_counter()
        with self._busy_as_trouble():
            async with self._writer.begin() as db:
                await begin(db)
                changes = await self.backend.count_changes(db) if self.troubles.current else None
                yield db
                saves = changes is not None and await self.backend.count_changes(db) > changes
        if saves:
            self.troubles.note_saved()
        self.note_seconds(time.perf_counter() - begun)

    @contextmanager
    def _busy_as_trouble(self) -> Iterator[None]:
        """Raise DatabaseTrouble if no connection becomes free for long."""
        try:
            yield
        except NoConnectionFree as error:
            self.troubles.note(Trouble.BUSY, error)
            raise DatabaseTrouble(Trouble.BUSY, self.name) from error

    @contextmanager
    def _deadlock_as_trouble(self) -> Iterator[None]:
        """Raise DatabaseTrouble if the database ends a reading because of a deadlock."""
        try:
            yield
        except DBAPIError as error:
            if not self.backend.is_wait_in_vain(error):
                raise
            self.troubles.note(Trouble.LOCKED, error.orig or error)
            raise DatabaseTrouble(Trouble.LOCKED, self.name) from error

    @asynccontextmanager
    async def doing_alone(self, work: str) -> AsyncIterator[bool]:
        """Yield whether this process may do work that only one process may do at a time.

        Until the `with` block ends, all other processes get False. If this process dies, another one may work at once.
        """
        if self.shards is None:
            yield True
            return
        with self._busy_as_trouble():
            async with self._engine.connect() as db:
                await db.execution_options(isolation_level="AUTOCOMMIT")
                async with self.backend.doing_alone(db, work) as is_alone:
                    yield is_alone

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        """Open a connection that sees one state of the database throughout. Whatever it writes is lost.

        Inside `snapshot` it sees the state of the snapshot. Raises DatabaseTrouble if a migration is in the way.
        """
        with self._busy_as_trouble(), self._deadlock_as_trouble():
            if snapshot := _current_snapshot():
                yield await snapshot.connection(self._reader)
                return
            async with self._reader.connect() as db:
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


def process_of(db: Connection) -> int | None:
    """Return the number of the process that opened a connection: its first shard. None if it runs all shards."""
    shards = shards_of(db)
    return shards.first if shards else None


def shards_of(db: Connection) -> Shards | None:
    """Return the shards of the process that opened a connection. None if it runs all shards."""
    assert db.sync_connection, "the connection is open"
    shards: Shards | None = db.sync_connection.get_execution_options().get(SHARDS_OPTION)
    return shards


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


def _run_migrations(connection: PlainConnection) -> None:
    config = migration_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _version_of(connection: PlainConnection) -> str:
    """Return the number of the newest migration that was applied; empty if there was none."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return str(connection.scalar(text(VERSION_QUERY)) or "")


def _has_games(connection: PlainConnection) -> bool:
    schema = inspect(connection)
    return all(schema.has_table(name) for name in ("alembic_version", "games", "turns"))


def log_once(db: Connection, what: str, error: Exception) -> None:
    """Log once per process why something cannot be read."""
    known = str(db.engine.url), what
    if known not in _LOGGED:
        _LOGGED.add(known)
        log.error("%s cannot be read and is left as it is", what, exc_info=error, extra={"fold": what})


def read_each(db: Connection, rows: Iterable[Any], what: str, read: Callable[[Row[Any]], T]) -> list[T]:
    """Return the values that `read` returns for the readable rows. Log each unreadable row as `what` and its id."""
    found = list[T]()
    for row in rows:
        try:
            found.append(read(row))
        except READ_ERRORS as error:
            log_once(db, f"{what} {row.id}", error)
    return found
