"""SQLite: a file, which one process at a time writes."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar, TypeVar
from urllib.parse import parse_qsl

from sqlalchemy import URL, Connection, event, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from gipfbot.store.backup import PATIENCE, read_only_uri
from gipfbot.store.database_file import (
    LogFlush,
    database_path,
    hold_file_lock,
    is_locked,
    make_private,
    set_foreign_log_aside,
    writing_fault,
)
from gipfbot.store.schema import TABLES_OF_FILE, require_own_file, require_own_tables
from gipfbot.store.troubles import opening_fault, refuse_lost_games, trouble_of
from gipfbot.values import Shards, Trouble, Unusable, WrongShards

from .backend import Backend, read_json
from .sqlite_driver import OneTripDriver, in_one_visit

T = TypeVar("T")
# Set on each new SQLite connection. With WAL, readers and the writer never wait for each other. NORMAL does not flush
# each commit to the disk; `LogFlush` does.
PRAGMAS = {"busy_timeout": 10_000, "journal_mode": "WAL", "synchronous": "NORMAL", "foreign_keys": "ON"}
WAL_WAITS = (0.01, 0.02, 0.05, 0.1, 0.2)  # seconds between the tries to make a new file a WAL file


class Sqlite(Backend):
    """A file."""

    writing: ClassVar[Mapping[str, Any]] = {"begin": "BEGIN IMMEDIATE"}

    def __init__(self, url: URL) -> None:
        super().__init__(url)
        self._log = LogFlush(self.file)

    @property
    def name(self) -> str:
        """The path in the URL."""
        return str(self.url.database)

    @property
    def file(self) -> Path:
        """The file, without symbolic links."""
        return database_path(self.url)

    def prepare_files(self, *signs: Path) -> None:
        """Refuse an emptied file, and one of another program. Let only their owner read the files.

        Sets the log of a replaced file aside.
        """
        try:
            set_foreign_log_aside(self.file)
            refuse_lost_games(self.file, *signs)
            require_own_file(self.file)
            make_private(self.file)
        except OSError as error:
            raise writing_fault(Path(error.filename or self.file), error) from error

    def new_engine(self, **options: Any) -> AsyncEngine:
        """Return an engine. Raises Unusable if the URL names no file, or a file in a missing folder."""
        folder = self.file.parent
        if not folder.is_dir():
            raise Unusable(f"The folder {folder} of the database does not exist: create it or name another.")
        # By default the driver begins a transaction late, and not for every statement.
        engine = create_async_engine(
            self.url,
            module=OneTripDriver(),
            connect_args={"isolation_level": None},
            hide_parameters=True,  # the log has the errors, and must not hold notes and turns
            **{"json_deserializer": read_json, **options},
        )
        event.listen(engine.sync_engine, "connect", _set_pragmas)
        event.listen(engine.sync_engine, "begin", _begin_transaction)
        event.listen(engine.sync_engine, "handle_error", self.trouble_from_error)
        return engine

    def new_reading_engine(self) -> AsyncEngine:
        """Return an engine that never makes or changes a file."""
        name, _, query = read_only_uri(self.file).partition("?")
        url = URL.create("sqlite+aiosqlite", database=name, query={"uri": "true", **dict(parse_qsl(query))})
        patient = {"isolation_level": None, "timeout": PATIENCE}
        engine = create_async_engine(url, connect_args=patient, json_deserializer=read_json)
        event.listen(engine.sync_engine, "begin", _begin_transaction)
        return engine

    def check_shards(self, shards: Shards | None) -> None:
        """Raise WrongShards unless one process runs all shards."""
        super().check_shards(shards)
        if shards and shards.share < 1:
            right = "write auto, or keep the games on PostgreSQL, see docs/hosting.md"
            raise WrongShards(f"GIPFBOT_SHARDS is {shards}, but on SQLite one process runs all shards: {right}.")

    @asynccontextmanager
    async def hold(self, shards: Shards | None = None) -> AsyncIterator[asyncio.Future[Unusable]]:
        """Hold the lock of the file, for all shards."""
        self.check_shards(shards)
        with hold_file_lock(self.file):
            yield asyncio.get_running_loop().create_future()

    async def is_held(self, db: AsyncConnection) -> bool:
        """Look at the lock of the file."""
        return is_locked(self.file)

    async def check_server(self, db: AsyncConnection) -> None:
        """Check whose tables there are, also in a file that was locked at first."""
        require_own_tables(self.file, [*await db.scalars(text(TABLES_OF_FILE))])

    async def begin_writing(self, db: AsyncConnection) -> None:
        """Do nothing: `BEGIN IMMEDIATE` has waited."""

    async def lock_channel(self, db: AsyncConnection, row: int) -> None:
        """Do nothing: no other transaction writes."""

    async def reach_disk(self) -> None:
        """Flush SQLite's log."""
        await self._log.wait()

    def trouble_of(self, error: BaseException) -> Trouble | None:
        """Read the trouble from SQLite's codes."""
        return trouble_of(self.file, error)

    def opening_fault(self, error: BaseException) -> Unusable:
        """Name the file."""
        return opening_fault(self.file, error)

    async def allow_long_work(self, db: AsyncConnection) -> None:
        """Do nothing: nobody ends a transaction on a file."""

    async def count_changes(self, db: AsyncConnection) -> int:
        """Return how many rows this connection has changed so far."""
        raw: Any = (await db.get_raw_connection()).driver_connection
        changed: int = raw.total_changes
        return changed

    async def at_once(self, db: AsyncConnection, work: Callable[[AsyncConnection], Coroutine[Any, Any, T]]) -> T:
        """Run `work` in the connection's thread. Raises RuntimeError if it waits."""
        return await in_one_visit(db, work)

    async def last_ids(self, db: AsyncConnection) -> dict[str, int]:
        """Read SQLite's own table."""
        return {row.name: row.seq for row in await db.execute(text("SELECT name, seq FROM sqlite_sequence"))}

    async def set_last_id(self, db: AsyncConnection, table: str, last: int) -> None:
        """Write SQLite's own table, which has no row for a table that never had one."""
        given = {"name": table, "last": last}
        changed = await db.execute(text("UPDATE sqlite_sequence SET seq = :last WHERE name = :name"), given)
        if not changed.rowcount:
            await db.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)"), given)

    async def count_bytes(self, db: AsyncConnection) -> int:
        """Leave out changes that SQLite has not yet moved out of its log."""
        pages = (await db.exec_driver_sql("PRAGMA page_count")).scalar_one()
        return int(pages * (await db.exec_driver_sql("PRAGMA page_size")).scalar_one())


def _set_pragmas(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    try:
        for name, value in PRAGMAS.items():
            _set_pragma(cursor, f"PRAGMA {name} = {value}")
        cursor.close()
    except BaseException:
        connection.close()  # nothing else closes it
        raise


def _set_pragma(cursor: Any, statement: str) -> None:
    """Set one pragma. If the file is locked, try again after each of WAL_WAITS.

    SQLite itself does not wait when two processes switch the same new file to WAL. After a wait by SQLite, does not try
    again.
    """
    begun = time.monotonic()
    for wait in WAL_WAITS:
        try:
            cursor.execute(statement)
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() - begun > sum(WAL_WAITS):
                raise
            time.sleep(wait)
    cursor.execute(statement)


def _begin_transaction(connection: Connection) -> None:
    """Begin a transaction of SQLite. This is an event of SQLAlchemy."""
    try:
        cursor = connection.connection.cursor()
        cursor.execute(connection.get_execution_options().get("begin", "BEGIN"))
        cursor.close()
    except sqlite3.DatabaseError as error:  # SQLAlchemy does not see this error
        if trouble := Sqlite(connection.engine.url).noted_trouble(error):
            raise trouble from error
        raise
