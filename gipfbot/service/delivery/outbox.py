"""Delivery of the outbox. Its rows are leased, then marked as posted, retried later, or dropped."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial

from gipfbot.service.kit.batches import BATCH_SIZE, BatchWork
from gipfbot.service.kit.loaded_games import readable_game
from gipfbot.service.kit.message_kinds import LEASE_SECONDS, MessageKinds, lease_for_caller
from gipfbot.store import Connection, Store, games, outbox, tried_again, users
from gipfbot.values import THREAD, DueMessage, DueRow, OutboxRow

from . import venues
from .board_message import BOARD, OwedBoard, new_board_message
from .venues import LEAVING_TROUBLES, LEFT_THREAD, ThreadTrouble, enqueue_board

FIRST_WAIT, LONGEST_WAIT = 5, 3600  # seconds


class Outbox:
    """Outbox operations for the code that delivers messages. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int], kinds: MessageKinds) -> None:
        self.store, self.now, self.kinds = store, now, kinds
        self._reposts = BatchWork(store, LEFT_THREAD, self._repost_batch)

    async def deliverable_rows(self, limit: int = 100, game: int | None = None) -> list[int]:
        """Return the ids of the outbox rows that can be leased now, the longest due first, at most `limit`.

        With `game`, return only the rows of that game.
        """
        async with self.store.reading() as db:
            return await outbox.deliverable_rows(db, self.now(), limit, game)

    async def rows_by_lane(self, most: int) -> dict[int, list[DueMessage]]:
        """Return the outbox rows that can be leased now, by channel or person: see `outbox.rows_by_channel`."""
        async with self.store.reading() as db:
            return await outbox.rows_by_channel(db, self.now(), most)

    async def release_leases(self) -> None:
        """End the leases of outbox rows that earlier runs of this process have left.

        This is safe, because only one process runs these shards, and Discord makes no second post with the same nonce.
        """
        async with self.store.transaction() as db:
            await outbox.release_leases(db, self.store.own_processes)

    @tried_again
    async def lease_row(self, row_id: int, *, in_lane: bool = False) -> OutboxRow | None:
        """Lease an outbox row for the caller, who then has to deliver it. Return the row.

        Return None if the row is done, leased or not yet due, or if an earlier row of its game waits. With `in_lane`,
        also return None if another process is posting to the same channel or person.
        """
        lease = outbox.lease_in_lane if in_lane else outbox.lease
        async with self.store.game_transaction(None) as db:
            return await lease(db, row_id, self.now(), LEASE_SECONDS)

    @tried_again
    async def note_delivered(self, owed: OutboxRow, message: int | None) -> tuple[int, int] | None:
        """Store that an outbox row was posted as `message`, and run the followups of its kind.

        For a row of the kind THREAD, `message` is the id of the thread. If `message` is None, the row turned out to be
        needless. If the row's message is known already, nothing changes.

        If the row is a board, return the channel and message ids of the game's previous board. Return None if the row
        is no board, or if there is no previous one. Raises MessageTaken if another row was posted as this message.
        """
        async with self._about(owed) as db:
            return await self.store.backend.at_once(db, partial(self._note_delivered, owed=owed, message=message))

    def _about(self, owed: OutboxRow) -> AbstractAsyncContextManager[Connection]:
        """Open a transaction on the game of a row. Without a game, exclude all other writers."""
        return self.store.transaction() if owed.game is None else self.store.game_transaction(owed.game)

    async def confirm(self, mark: str, channel: int, message: int) -> tuple[int, int] | None:
        """Store that the outbox row with this mark was posted as `message` in `channel`.

        A mark is the random text that a message carries to identify its outbox row. Do nothing if the row's message is
        known already. Return what `note_delivered` returns. Raises MessageTaken if another row was posted as this
        message.
        """
        async with self.store.reading() as db:
            owed = await outbox.find_by_mark(db, mark, channel)
        return await self.note_delivered(owed, message) if owed else None

    async def message_with_mark(self, mark: str) -> int | None:
        """Return the id of the message posted for the outbox row with this mark, or None if no message is known."""
        async with self.store.reading() as db:
            return await outbox.message_with_mark(db, mark)

    async def _note_delivered(self, db: Connection, owed: OutboxRow, message: int | None) -> tuple[int, int] | None:
        if not await outbox.mark_posted(db, owed.id, message, self.now()):
            return None
        if message is None:
            await self.kinds[owed.kind].when_needless.run(db, owed, self.now())
            return None
        older = await _older_board(db, owed)
        await self.kinds[owed.kind].when_delivered.run(db, owed, message, self.now())
        return older if older and older[1] != message else None

    @tried_again
    async def retry_later(self, owed: OutboxRow) -> int:
        """Put off the delivery of an outbox row, for longer after each attempt. Return for how many seconds."""
        wait = min(FIRST_WAIT << owed.attempts, LONGEST_WAIT)
        async with self.store.game_transaction(None) as db:
            await outbox.retry_later(db, owed.id, self.now() + wait)
        return wait

    @tried_again
    async def put_back(self, owed: OutboxRow, wait: int | None = None) -> None:
        """Release a leased outbox row, as if it had not been leased, because nothing was sent.

        With `wait`, it is due again in so many seconds, or after `make_due`.
        """
        async with self.store.game_transaction(None) as db:
            await outbox.put_back(db, owed, LEASE_SECONDS, None if wait is None else self.now() + wait)

    @tried_again
    async def make_due(self, owed: OutboxRow) -> None:
        """Make a row that was put back due now."""
        async with self.store.game_transaction(None) as db:
            await outbox.make_due(db, owed.id, self.now())

    async def note_channel_refusal(
        self, owed: OutboxRow, reason: str, trouble: ThreadTrouble = ThreadTrouble.OTHER
    ) -> tuple[OutboxRow, ...]:
        """Store that a channel refuses an outbox row. Return the rows that the caller has to deliver instead.

        If the row asks for a thread, its game goes on without a thread. If the channel is a thread that no longer
        accepts the bot's messages, all its games are moved to the parent channel. In all other cases, the row is
        dropped, and its game is unreachable until the game is relocated or a board is accepted. Nothing changes if the
        row is no longer queued for this channel.
        """
        owed_instead = await self._note_channel_refusal(owed, reason, trouble)
        await self.finish_reposts()
        return owed_instead

    async def _note_channel_refusal(
        self, owed: OutboxRow, reason: str, trouble: ThreadTrouble
    ) -> tuple[OutboxRow, ...]:
        async with self.store.transaction() as db:
            if not await outbox.is_owed_to(db, owed.id, owed.channel):
                return ()
            if owed.kind == THREAD:
                return await self._forgo_thread(db, owed, reason, trouble)
            if trouble in LEAVING_TROUBLES and await self._leave_thread(db, owed.channel, trouble, owed.game):
                return await lease_for_caller(db, owed.id, self.now())
            if owed.game is not None:
                await games.set_unreachable(db, owed.game, reason)
            await self._drop_row(db, owed, reason)
            return ()

    async def note_dm_refusal(self, owed: OutboxRow, reason: str, *, shut: bool) -> None:
        """Drop a direct message that a person does not accept.

        `shut` says whether the person accepts no direct messages at all.
        """
        async with self.store.transaction() as db:
            await outbox.drop_row(db, owed.id, reason, self.now())
            if shut:
                await users.set_dms_shut(db, owed.channel, self.now())
            await self.kinds[owed.kind].when_dm_refused.run(db, owed, self.now())

    async def give_up(self, owed: OutboxRow, reason: str) -> None:
        """Drop an outbox row that cannot be posted, though its channel accepts other messages."""
        async with self.store.transaction() as db:
            await self._drop_row(db, owed, reason)

    async def _drop_row(self, db: Connection, owed: OutboxRow, reason: str) -> None:
        await outbox.drop_row(db, owed.id, reason, self.now())
        await self.kinds[owed.kind].when_dropped.run(db, owed, self.now())

    async def leave_thread(self, game_id: int) -> None:
        """Move a game whose thread is gone to the parent channel, and queue its board there.

        Other games in the same thread are moved, too.
        """
        async with self.store.transaction() as db:
            await self._leave_thread(db, (await games.load_venue(db, game_id)).channel, ThreadTrouble.GONE, game_id)
        await self.finish_reposts()

    async def _forgo_thread(
        self, db: Connection, owed: OutboxRow, reason: str, trouble: ThreadTrouble
    ) -> tuple[OutboxRow, ...]:
        await venues.forgo_thread(db, owed, reason, trouble, self.now())
        first = await outbox.deliverable_rows(db, self.now(), 1, owed.game)
        return await lease_for_caller(db, first[0], self.now()) if first else ()

    async def _leave_thread(self, db: Connection, thread: int, trouble: ThreadTrouble, game: int | None) -> bool:
        """Move the games of a thread to its parent channel. Their boards are queued there afterwards, in batches.

        Return False if no game was played in this thread.
        """
        running = await venues.leave_thread(db, thread, trouble, self.now(), game)
        if running:
            await self._reposts.begin(db, venues.leaving_key(thread, self.now()), self.now(), user=0)
        return running is not None

    async def finish_reposts(self) -> None:
        """Queue the boards of games that have left their thread, unless they are queued already."""
        await self._reposts.go_on_with_all(self.now())

    async def _repost_batch(self, db: Connection, row: DueRow) -> int | None:
        """Queue the next boards of games that have left a thread. Return the last of these games if others follow."""
        left = [game for game in (await outbox.payload_of(db, row.key))["games"] if game > (row.game or 0)]
        for game_id in left[:BATCH_SIZE]:
            await self._repost_board(db, game_id)
        return left[BATCH_SIZE - 1] if len(left) > BATCH_SIZE else None

    async def _repost_board(self, db: Connection, game_id: int) -> None:
        stored = await readable_game(db, game_id)
        if stored is None or stored.game.asked is None:
            return
        if not await outbox.is_owed_for(db, game_id, BOARD):
            by = stored.game.seats[stored.game.asked].user
            await enqueue_board(db, stored, new_board_message(stored.game), self.now(), self.now(), by=by)
        await self.kinds.requeue(db, stored, self.now())


async def _older_board(db: Connection, owed: OutboxRow) -> tuple[int, int] | None:
    if isinstance(owed, OwedBoard) or owed.kind != BOARD:
        return owed.older if isinstance(owed, OwedBoard) else None
    assert owed.game is not None
    return await games.newest_board_message(db, owed.game)
