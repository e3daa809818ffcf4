"""The locks of a running process on PostgreSQL: the whole database for one process, or the shards of each of several.

They are advisory locks of a connection of their own, so they end with the process.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from gipfbot.store.troubles import opening
from gipfbot.values import DatabaseTrouble, InUse, Shards, ShardsTaken, Unusable

from .backend import Backend
from .postgres_types import CLIENT_GONE_SECONDS

log = logging.getLogger(__name__)
HOLDER_TRIES, HOLDER_WAIT = 15, 0.2  # to take the locks: tries, and seconds between them
HOLDER_LOOKS = 5.0  # seconds between two checks that the locks are still held
ANSWER_SECONDS = CLIENT_GONE_SECONDS  # after which a server that does not answer such a check counts as gone
# Advisory locks have two numbers. Each database has its own. The first number is one of these.
LOCKS, SHARD_LOCKS, COUNT_LOCKS, WORK_LOCKS = 0x47495046, 0x47495053, 0x47495043, 0x47495057
WRITER, PROCESS = 1, 2  # the second number, if the first is LOCKS
TRY_LOCK = text("SELECT pg_try_advisory_lock(:ours, :which)")
_TRY_SHARE = text("SELECT pg_try_advisory_lock_shared(:ours, :which)")
_UNLOCK_ALL = text("SELECT pg_advisory_unlock_all()")
# Connections with the same count never wait for this lock, because they share it.
_SHARE_COUNT = text("SELECT pg_advisory_lock_shared(:ours, :which)")
_HELD_HERE = (
    "FROM pg_locks WHERE locktype = 'advisory' AND classid = :ours AND granted "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_OTHER_COUNTS = text(f"SELECT DISTINCT objid {_HELD_HERE} AND objid <> :which")
IS_HELD = text(f"SELECT EXISTS (SELECT 1 {_HELD_HERE} AND objid = :which)")


class ProcessLocks:
    """The locks of one process. `shards` are those that it runs; None if it runs all, and no other process may run."""

    def __init__(self, backend: Backend, shards: Shards | None) -> None:
        self._backend, self._shards = backend, shards

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[asyncio.Future[Unusable]]:
        """Hold the locks, with a connection of their own. A connection that is cut is replaced.

        If the locks cannot be taken again, the future gets the reason. Raises Unusable.
        """
        engine = self._backend.new_engine(pool_size=1, max_overflow=0)
        lost = asyncio.get_running_loop().create_future()
        try:
            async with AsyncExitStack() as held:
                with opening(self._backend.name):
                    db = await held.enter_async_context(self._connection_with_locks(engine))
                keeping = asyncio.create_task(self._keep(engine, db, lost))
                try:
                    yield lost
                finally:
                    keeping.cancel()
                    await asyncio.wait({keeping})
        finally:
            await engine.dispose()

    @asynccontextmanager
    async def _connection_with_locks(self, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        """Open a connection that holds the locks. Tries for a while: the server notices a gone holder late."""
        async with AsyncExitStack() as open_until_end:
            try:
                db = await open_until_end.enter_async_context(engine.connect())
                await db.execution_options(isolation_level="AUTOCOMMIT")
                fault = await self._take(db)
                for _ in range(HOLDER_TRIES - 1):
                    if fault is None:
                        break
                    await asyncio.sleep(HOLDER_WAIT)
                    fault = await self._take(db)
            except (DatabaseTrouble, DBAPIError) as error:
                raise self._backend.opening_fault(error) from error
            if fault:
                raise fault
            yield db

    async def _take(self, db: AsyncConnection) -> Unusable | None:
        """Take all locks, or none. Return why they cannot be taken."""
        if self._shards is None:
            return None if await db.scalar(TRY_LOCK, {"ours": LOCKS, "which": PROCESS}) else self._in_use()
        fault = await self._take_shards(db, self._shards)
        if fault:
            await db.execute(_UNLOCK_ALL)
        return fault

    async def _take_shards(self, db: AsyncConnection, shards: Shards) -> Unusable | None:
        if not await db.scalar(_TRY_SHARE, {"ours": LOCKS, "which": PROCESS}):
            return self._in_use()
        count = {"ours": COUNT_LOCKS, "which": shards.count}
        await db.execute(_SHARE_COUNT, count)
        others = [*await db.scalars(_OTHER_COUNTS, count)]
        if others:
            return self._other_count(shards, others[0])
        tried = {shard: await db.scalar(TRY_LOCK, {"ours": SHARD_LOCKS, "which": shard}) for shard in shards.ids}
        taken = [shard for shard, done in tried.items() if not done]
        return self._taken(shards, taken) if taken else None

    def _in_use(self) -> InUse:
        return InUse(f"{self._backend.name} is in use by another process, perhaps a running bot: stop that first.")

    def _other_count(self, shards: Shards, found: int) -> ShardsTaken:
        others = f"other processes on {self._backend.name} divide the servers into {found} shards"
        return ShardsTaken(f"GIPFBOT_SHARDS is {shards}, but {others}: all need the same number after the slash.")

    def _taken(self, shards: Shards, taken: list[int]) -> ShardsTaken:
        which = ", ".join(map(str, taken))
        by = f"another process on {self._backend.name} runs {'shard' if len(taken) == 1 else 'shards'} {which}"
        return ShardsTaken(f"GIPFBOT_SHARDS is {shards}, but {by}: give each process shards of its own.")

    async def _keep(self, engine: AsyncEngine, db: AsyncConnection, lost: asyncio.Future[Unusable]) -> None:
        """Take the locks again whenever their connection was cut. End if another process has one: `lost` says which.

        Waits while the server does not let the bot in, for whatever reason.
        """
        await _wait_for_cut(db)
        while True:
            try:
                async with self._connection_with_locks(engine) as again:
                    await _wait_for_cut(again)
            except InUse as error:
                log.error("%s", error)
                lost.set_result(error)
                return
            except Unusable as error:
                log.debug("%s", error)  # code that uses the database logs its trouble
                await asyncio.sleep(HOLDER_WAIT)


async def _wait_for_cut(db: AsyncConnection) -> None:
    """Wait until a connection has ended, or its server has not answered for long."""
    while True:
        await asyncio.sleep(HOLDER_LOOKS)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await db.scalar(text("SELECT 1"))
        except (DatabaseTrouble, DBAPIError, TimeoutError):
            return
