"""Long work in small transactions, so that other people's commands are not held up."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TypeAlias, TypeVar
from weakref import WeakValueDictionary

from gipfbot.store import Connection, Store, due
from gipfbot.values import DatabaseTrouble, DueRow, UnreadableGame

log = logging.getLogger(__name__)
BATCH_SIZE = 20  # items in one transaction; other writers wait for at most one transaction
MOST_BATCHES = 15  # batches of one person's work in one sweep, so that the sweep comes to everybody else's in time
Item = TypeVar("Item")
# Locks and returns the items that are still to be done and that no other transaction has locked.
Lock: TypeAlias = Callable[[Connection, Sequence[Item]], Awaitable[Sequence[Item]]]


def split_into_batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Return an iterator over the items in order, in batches of `size` items."""
    return (items[first : first + size] for first in range(0, len(items), size))


async def for_each(
    store: Store,
    items: Sequence[Item],
    do: Callable[[Connection, Item], Awaitable[None]],
    lock: Lock[Item] | None = None,
) -> None:
    """Call `do` with each item, in transactions of BATCH_SIZE items.

    If `do` fails for an item, that item alone is rolled back and logged. An item whose game is unreadable is rolled
    back without a log entry.

    Without `lock`, nobody else writes meanwhile. With `lock`, the batches run beside other transactions. Items that
    `lock` does not return are left out: another process is doing them. Items that need the database for themselves
    come at the end of their batch. See `game_transaction`.
    """
    for some in split_into_batches(items, BATCH_SIZE):
        left = some
        if lock and store.backend.has_row_locks:
            async with store.game_transaction(None) as db:
                left = await _do_each(store, db, await lock(db, some), do)
        if left:
            async with store.transaction() as db:
                for item in await _do_each(store, db, left, do):
                    log.error("%s failed: another transaction was in the way", item)


async def _do_each(
    store: Store, db: Connection, items: Sequence[Item], do: Callable[[Connection, Item], Awaitable[None]]
) -> list[Item]:
    """Call `do` with each item. Return the items that were rolled back because another transaction was in the way."""
    conflicting = list[Item]()
    for item in items:
        try:
            async with db.begin_nested():
                await do(db, item)
        except UnreadableGame:
            pass  # an unreadable game is logged when it is first met
        except Exception as error:
            if trouble := store.troubles.current:  # SQLite may have rolled back all: write nothing more
                raise DatabaseTrouble(trouble) from error
            if store.is_conflict(error):
                conflicting.append(item)
            else:
                log.exception("%s failed", item)
    return conflicting


class BatchWork:
    """Work of one kind on many games, in batches: each is a transaction of its own, so others write in between.

    A due row holds what is left of the work, so that a crash loses nothing. Its `game` is the last game that is done.
    `do_batch` is called with this row. It does at most BATCH_SIZE games that follow, and returns the last of them. It
    returns None if no others follow.
    """

    def __init__(
        self, store: Store, kind: str, do_batch: Callable[[Connection, DueRow], Awaitable[int | None]]
    ) -> None:
        self.store, self.kind, self._do_batch = store, kind, do_batch
        self._busy = WeakValueDictionary[str, asyncio.Lock]()

    async def begin(self, db: Connection, key: str, now: int, user: int) -> None:
        """Note that the work with this key has to be done, from its beginning. Does none of it yet."""
        await due.unschedule(db, key)
        await due.schedule(db, key, self.kind, now, user)

    async def finish(self, key: str) -> None:
        """Do what is left of the work with this key. If another task is doing it, wait for that task first."""
        while await self._do_some(key):
            pass

    async def _do_some(self, key: str) -> bool:
        """Do at most MOST_BATCHES of the work with this key. Return False if nothing is left to do."""
        lock = self._busy.setdefault(key, asyncio.Lock())
        async with lock:
            for _ in range(MOST_BATCHES):
                if not await self._step(key):
                    return False
        return True

    async def _step(self, key: str) -> bool:
        """Do one batch. Return False if there was nothing left to do."""
        async with self.store.transaction() as db:
            row = await due.unfinished_row(db, key)
            if row is None:
                return False
            last = await self._do_batch(db, row)
            if last is None:
                await due.unschedule(db, key)
            else:
                await due.set_game(db, key, last)
            return last is not None

    async def go_on_with_all(self, now: int) -> list[DueRow]:
        """Continue work that was left undone, for example by a crash. Return the rows of that work.

        Each row gets at most MOST_BATCHES; the next sweep does the rest. Work that another task is doing is left to
        that task.
        """
        async with self.store.reading() as db:
            left = [row for row in await due.ready_rows(db, self.kind, now) if row.key not in self._busy]
        for row in left:
            try:
                await self._do_some(row.key)
            except DatabaseTrouble:
                raise  # the others would meet it, too
            except Exception:
                log.exception("%s failed", row)
        return left
