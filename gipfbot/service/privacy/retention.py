"""Delete old data that nothing needs any more: settled messages, closed requests, settings of servers left.

A pass goes through all such data, in small batches. The next pass begins an hour after the last one ended.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from time import perf_counter
from typing import TypeAlias

from gipfbot.match import HOUR
from gipfbot.service.kit.message_kinds import MessageKinds
from gipfbot.store import Connection, Store, deletions, retention, tables, tried_again
from gipfbot.store.column_info import info_of, table_info
from gipfbot.values import SettledRow

PAYLOAD_SECONDS = info_of(tables.outbox.c.payload).kept_for  # for which a settled message keeps its payload
ROW_SECONDS = table_info(tables.outbox).kept_for  # for which its row is kept
MOST_BATCHES = 20  # of one sweep; other writers wait for at most one
MOST_SECONDS = 0.5  # of one sweep; the batch that exceeds them is its last
REST_SECONDS = HOUR  # between two passes
# Deletes the rows of a batch. Returns the place after which the next batch begins; None at the end.
Delete: TypeAlias = Callable[[Connection, retention.Batch], Awaitable[retention.RowPlace | None]]


class Retention:
    """Deletes what is no longer needed. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int], kinds: MessageKinds) -> None:
        self.store, self.now, self.kinds, self.seconds = store, now, kinds, MOST_SECONDS
        self._steps = self._all_steps()
        self._step, self._place = 0, retention.RowPlace()
        self._ended_at: int | None = None  # the end of the last pass, while the next has not begun

    def _all_steps(self) -> Sequence[tuple[int, Delete]]:
        """Return the steps of a pass: the seconds for which data is kept, and the function that deletes it."""
        return (
            (PAYLOAD_SECONDS, self._empty_messages),
            (ROW_SECONDS, self._delete_messages),
            *((table_info(aging.table).kept_for, partial(retention.delete_aged, aging)) for aging in retention.AGING),
            (table_info(tables.arrivals).kept_for, retention.forget_left_servers),
        )

    async def delete_old(self) -> None:
        """Continue the current pass, within MOST_BATCHES and MOST_SECONDS.

        A new pass begins an hour after the last one ended.
        """
        if self._ended_at is not None and abs(self.now() - self._ended_at) < REST_SECONDS:
            return
        self._ended_at = None
        if (self._step, self._place) == (0, retention.RowPlace()) and not await self._has_work():
            self._ended_at = self.now()
            return
        begun = perf_counter()
        for _ in range(MOST_BATCHES):
            await self._delete_batch()
            if self._step == len(self._steps):
                self._step, self._ended_at = 0, self.now()
                return
            if perf_counter() - begun > self.seconds:
                return

    async def _has_work(self) -> bool:
        async with self.store.reading() as db:
            return await retention.has_old_rows(db, self.now())

    async def finish_pass(self) -> None:
        """Finish the current pass, or make a whole one, without a time limit."""
        self._ended_at = None
        while self._ended_at is None:
            await self.delete_old()

    @tried_again
    async def _delete_batch(self) -> None:
        seconds, delete = self._steps[self._step]
        async with self.store.game_transaction(None) as db:
            last = await delete(db, retention.Batch(self.now() - seconds, self._place))
        self._place = last or retention.RowPlace()
        self._step += last is None

    async def _empty_messages(self, db: Connection, batch: retention.Batch) -> retention.RowPlace | None:
        """Delete the payloads of settled messages that nothing needs, or the whole rows if they are old enough."""
        rows = await retention.full_messages(db, batch)
        old = [row for row in rows if row.done_at <= self.now() - ROW_SECONDS]
        await deletions.delete_messages(db, await self._unneeded(db, old))
        await retention.empty_messages(db, await self._unneeded(db, rows[len(old) :]), self.now())
        return _last_place(rows, batch)

    async def _delete_messages(self, db: Connection, batch: retention.Batch) -> retention.RowPlace | None:
        rows = await retention.emptied_messages(db, batch)
        await deletions.delete_messages(db, await self._unneeded(db, rows))
        return _last_place(rows, batch)

    async def _unneeded(self, db: Connection, rows: Sequence[SettledRow]) -> list[int]:
        needed = await self.kinds.needed(db, rows)
        return [row.id for row in rows if row.id not in needed]


def _last_place(rows: Sequence[SettledRow], batch: retention.Batch) -> retention.RowPlace | None:
    return retention.RowPlace(rows[-1].done_at, rows[-1].id) if len(rows) == batch.limit else None
