"""PostgreSQL: a server that runs transactions on different games beside each other."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar
from zlib import crc32

from sqlalchemy import event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from gipfbot.installation import install_command
from gipfbot.store.schema import OWN_TABLES, foreign_database
from gipfbot.values import (
    DatabaseTrouble,
    ForeignDatabase,
    InUse,
    NoRoom,
    NoWrites,
    Shards,
    TooOld,
    Trouble,
    Unreachable,
    Unusable,
)

from .backend import Backend, BrokenPart, driver_error, first_line, read_json, without_nul
from .postgres_types import SERVER_SIDE
from .process_locks import IS_HELD, LOCKS, PROCESS, TRY_LOCK, WORK_LOCKS, WRITER, ProcessLocks

OLDEST_POSTGRES = 14
CONNECT_SECONDS = 10
CONNECTIONS, MORE_CONNECTIONS = 5, 10  # of one process: those kept open, and those opened when these are busy
# The server ends a transaction that a hanging process has left open, notices a machine that is gone, and gives up
# waiting for a lock. It gives up last: else processes that wait for a hanging one would fail.
SERVER_SETTINGS = {
    "application_name": "gipfbot",
    "idle_in_transaction_session_timeout": "10s",
    "lock_timeout": "20s",
    **SERVER_SIDE,
}
MIGRATION_PATIENCE = "1s"  # for a lock: later transactions have to wait while a migration waits
# Troubles by the codes of PostgreSQL's errors, or by the beginnings of codes.
POSTGRES_TROUBLES = {
    "53100": Trouble.FULL,
    **dict.fromkeys(("25006", "42501"), Trouble.NO_WRITES),
    "55P03": Trouble.LOCKED,
    "XX001": Trouble.DAMAGED,
    "XX002": Trouble.DAMAGED,
    **dict.fromkeys(("08", "28", "3D000", "53300", "55000"), Trouble.UNREACHABLE),
    **dict.fromkeys(("25P03", "57P01", "57P02", "57P03", "57P05"), Trouble.UNREACHABLE),
    **dict.fromkeys(("53200", "58"), Trouble.FAILING),
}
_POOL = {
    "pool_size": CONNECTIONS,
    "max_overflow": MORE_CONNECTIONS,
    "pool_pre_ping": True,  # a restarted server has closed the kept connections
}
_ABOUT_SERVER = f"""
SELECT current_setting('server_version_num')::int AS version,
       pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool AS read_only,
       current_setting('server_encoding') AS encoding,
       count(c.oid) AS tables,
       count(c.oid) FILTER (WHERE c.relname IN {OWN_TABLES}) = {len(OWN_TABLES)} AS ours,
       has_schema_privilege(current_schema(), 'CREATE') AS may_create
FROM (SELECT 1) AS here LEFT JOIN pg_class AS c
     ON c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
"""
_MAY_IDENTIFY = "SELECT has_function_privilege('pg_control_system()', 'EXECUTE')"
_IDENTITY = """
SELECT system_identifier || '/' || oid FROM pg_control_system(), pg_database WHERE datname = current_database()
"""
_SEQUENCES = """
SELECT sequencename, last_value FROM pg_sequences
WHERE schemaname = current_schema() AND last_value IS NOT NULL AND sequencename LIKE '%\\_id\\_seq'
"""
_BROKEN_PARTS = """
SELECT 'the index ' || indexrelid::regclass || ' is not valid', 'REINDEX INDEX ' || indexrelid::regclass
FROM pg_index WHERE NOT indisvalid
UNION ALL
SELECT 'the constraint ' || conname || ' was not checked',
       'ALTER TABLE ' || conrelid::regclass || ' VALIDATE CONSTRAINT ' || quote_ident(conname)
FROM pg_constraint WHERE NOT convalidated LIMIT 10
"""
_LOCK = text("SELECT pg_advisory_xact_lock(:ours, :which)")
_LOCK_CHANNEL = text("SELECT pg_advisory_xact_lock(channel) FROM outbox WHERE id = :row")
_UNLOCK = text("SELECT pg_advisory_unlock(:ours, :which)")
_SHARE = text("SELECT pg_advisory_xact_lock_shared(:ours, :which)")
# A game that is gone locks nothing.
_SHARE_AND_LOCK = text(
    "SELECT pg_advisory_xact_lock_shared(:ours, :which), (SELECT id FROM games WHERE id = :game FOR UPDATE)"
)
NO_SUCH_SERVER = "TargetServerAttributeNotMatched"  # the driver's error if no server accepts writes, as the URL demands
# Words of errors without a code on a cut connection. The second is a state of the driver: the server has announced the
# end of the connection, but the driver has not yet seen it closed.
_CUT = "connection", "another operation (2) is in progress"
DEADLOCK = "40P01"
CONFLICTS = {"40001", DEADLOCK, "23505"}  # serialization failure, deadlock, and a key that is taken


class Postgres(Backend):
    """A database on a server."""

    has_row_locks = True
    takes_any_value = False
    reading: ClassVar[Mapping[str, Any]] = {"isolation_level": "REPEATABLE READ"}

    @property
    def name(self) -> str:
        """The address, without its secret parts."""
        host, port = self.url.host or self.url.query.get("host", ""), self.url.query.get("port") or self.url.port
        return f"postgresql://{host}{f':{port}' if port else ''}/{self.url.database or ''}"

    def prepare_files(self, *signs: Path) -> None:
        """Do nothing: the server has the files."""

    def new_engine(self, **options: Any) -> AsyncEngine:
        """Return an engine. Raises Unusable if the driver is not installed."""
        try:
            from .postgres_types import DRIVER  # most hosts do not need it, nor the memory of it

            engine = create_async_engine(
                self.url.set(drivername=f"postgresql+{DRIVER}"),
                connect_args={"timeout": CONNECT_SECONDS, "server_settings": SERVER_SETTINGS},
                hide_parameters=True,
                **{"json_deserializer": read_json, **_POOL, **options},
            )
        except ModuleNotFoundError as error:
            container = "build the container with --build-arg REQUIREMENTS=requirements/postgres.txt"
            install = f"run `{install_command('postgres')}`, or {container}"
            raise Unusable(f"{error.name} is not installed, which PostgreSQL needs: {install}.") from error
        event.listen(engine.sync_engine, "handle_error", self.trouble_from_error)
        return engine

    def new_reading_engine(self) -> AsyncEngine:
        """Return an engine for which the server refuses statements that write."""
        return self.new_engine().execution_options(postgresql_readonly=True)

    def hold(self, shards: Shards | None = None) -> AbstractAsyncContextManager[asyncio.Future[Unusable]]:
        """Hold advisory locks: the lock of the whole database, or those of some shards."""
        return ProcessLocks(self, shards).hold()

    async def is_held(self, db: AsyncConnection) -> bool:
        """Look for the advisory lock that each process has."""
        return bool(await db.scalar(IS_HELD, {"ours": LOCKS, "which": PROCESS}))

    async def check_server(self, db: AsyncConnection) -> None:
        """Check the version, whether the server accepts writes, and whose tables there are."""
        server = (await db.execute(text(_ABOUT_SERVER))).one()
        if server.version < OLDEST_POSTGRES * 10_000:
            found = f"{self.name} is on PostgreSQL {server.version // 10_000}"
            raise TooOld(f"{found}: version {OLDEST_POSTGRES} or newer is needed.")
        if server.read_only:
            raise NoWrites(f"{self.name} takes no writes: name the server that does, not a copy of it.")
        if server.encoding != "UTF8":
            found = f"{self.name} holds text as {server.encoding}"
            raise ForeignDatabase(f"{found}: create the database with ENCODING 'UTF8', and name that.")
        if server.tables and not server.ours:
            raise foreign_database(self.name, "create an empty database, and name that")
        if not server.tables and not server.may_create:
            right = "let the user who owns it be named in GIPFBOT_DATABASE_URL"
            raise NoWrites(f"{self.name} lets this user make no tables: {right}.")

    async def identity(self, db: AsyncConnection) -> str | None:
        """Return the ids of the server and of the database. A server can hide its id from its users."""
        return await db.scalar(text(_IDENTITY)) if await db.scalar(text(_MAY_IDENTIFY)) else None

    async def broken_parts(self, db: AsyncConnection) -> list[BrokenPart]:
        """Return unfinished indexes, and references that were never checked."""
        return [BrokenPart(*row) for row in await db.execute(text(_BROKEN_PARTS))]

    async def begin_writing(self, db: AsyncConnection) -> None:
        """Wait for the advisory lock of writers. It ends with the transaction."""
        await db.execute(_LOCK, _lock(WRITER))

    async def begin_migrating(self, db: AsyncConnection) -> None:
        """Wait for each lock, including those of tables, for a shorter time than others do."""
        await db.execute(text(f"SET LOCAL lock_timeout = '{MIGRATION_PATIENCE}'"))
        await self.begin_writing(db)

    async def reach_disk(self) -> None:
        """Do nothing: the server has waited for its disk within the commit."""

    async def begin_in_game(self, db: AsyncConnection, game: int | None) -> None:
        """Share the writers' lock with other transactions on games, and lock the row of the game."""
        if game is None:
            await db.execute(_SHARE, _lock(WRITER))
        else:
            await db.execute(_SHARE_AND_LOCK, {**_lock(WRITER), "game": game})

    @asynccontextmanager
    async def doing_alone(self, db: AsyncConnection, work: str) -> AsyncIterator[bool]:
        """Try an advisory lock of the connection."""
        lock = {"ours": WORK_LOCKS, "which": crc32(work.encode()) >> 1}
        taken = bool(await db.scalar(TRY_LOCK, lock))
        try:
            yield taken
        finally:
            if taken:
                await db.execute(_UNLOCK, lock)

    async def allow_long_work(self, db: AsyncConnection) -> None:
        """Keep the server from ending the transaction as one of a hanging process."""
        await db.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))

    async def lock_channel(self, db: AsyncConnection, row: int) -> None:
        """Take an advisory lock that ends with the transaction. All other locks have two numbers; this one has one."""
        await db.execute(_LOCK_CHANNEL, {"row": row})

    def is_conflict(self, error: DBAPIError) -> bool:
        """Return whether two transactions waited for each other, or added a row with the same key."""
        return getattr(_cause(error), "sqlstate", None) in CONFLICTS

    def is_wait_in_vain(self, error: Exception) -> bool:
        """Return whether a lock was not free in time, or there was a deadlock."""
        return getattr(_cause(error), "sqlstate", None) in {"55P03", DEADLOCK}

    def trouble_of(self, error: BaseException) -> Trouble | None:
        """Read the trouble from PostgreSQL's codes. An error of a broken or failed connection has no code."""
        if isinstance(error, DatabaseTrouble):
            return error.trouble
        cause = _cause(error)
        if type(cause).__name__ == NO_SUCH_SERVER:
            return Trouble.NO_WRITES
        code = str(getattr(cause, "sqlstate", None) or "")
        found = POSTGRES_TROUBLES.get(code) or POSTGRES_TROUBLES.get(code[:2])
        return found or (Trouble.UNREACHABLE if not code and _is_cut(cause) else None)

    def opening_fault(self, error: BaseException) -> Unusable:
        """Name the server."""
        trouble, why = self.trouble_of(error), _why(_cause(error))
        if trouble in (Trouble.UNREACHABLE, Trouble.FAILING):
            right = "look at GIPFBOT_DATABASE_URL, and whether the server runs"
            return Unreachable(f"{self.name} cannot be reached ({why}): {right}.")
        if trouble is Trouble.NO_WRITES:
            return NoWrites(f"{self.name} cannot be written ({why}): name a user and a server that can.")
        if trouble is Trouble.LOCKED:
            return InUse(f"{self.name} is locked ({why}): end what holds it, then start again.")
        if trouble is Trouble.FULL:
            return NoRoom(f"The disk of {self.name} is full ({why}): make room, then start again. Nothing is lost.")
        return Unusable(f"{self.name} cannot be opened ({why}): look at the log of the server.")

    async def count_changes(self, db: AsyncConnection) -> int:
        """Return 1 if this transaction has changed anything."""
        return int(await db.scalar(text("SELECT pg_current_xact_id_if_assigned() IS NOT NULL")) or 0)

    async def last_ids(self, db: AsyncConnection) -> dict[str, int]:
        """Read the sequences that have given out an id."""
        rows = await db.execute(text(_SEQUENCES))
        return {row.sequencename.removesuffix("_id_seq"): row.last_value for row in rows}

    async def set_last_id(self, db: AsyncConnection, table: str, last: int) -> None:
        """Set the sequence. Rolling back the transaction does not undo this."""
        if last:
            query = text("SELECT setval(CAST(CAST(:name AS text) AS regclass), :last)")
            await db.execute(query, {"name": f"{table}_id_seq", "last": last})

    def stored_text(self, value: str) -> str:
        """Leave out the character that PostgreSQL cannot store."""
        return without_nul(value)

    async def count_bytes(self, db: AsyncConnection) -> int:
        """Ask the server."""
        return int(await db.scalar(text("SELECT pg_database_size(current_database())")) or 0)


def _lock(which: int) -> dict[str, int]:
    return {"ours": LOCKS, "which": which}


def _cause(error: BaseException) -> BaseException:
    """Return the driver's own error behind one of SQLAlchemy's or of ours."""
    if isinstance(error, DatabaseTrouble):
        return _cause(error.__cause__) if error.__cause__ else error
    return driver_error(error)


def _why(cause: BaseException) -> str:
    """Return an error's message. A timeout has none, so it gets one here."""
    silence = f"no answer in {CONNECT_SECONDS} s" if isinstance(cause, TimeoutError) else type(cause).__name__
    return first_line(cause) or silence


def _is_cut(cause: BaseException) -> bool:
    """Return whether an error without a code says that there is no connection."""
    return isinstance(cause, OSError) or any(words in str(cause).lower() for words in _CUT)
