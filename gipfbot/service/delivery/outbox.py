"""The outbox on its way out: rows are leased, then posted, put off or dropped, with all that follows from it."""

from collections.abc import Callable

from gipfbot.service.kit.loaded_games import readable_game
from gipfbot.store import Connection, Store, games, outbox, users
from gipfbot.values import THREAD, OutboxRow

from . import threads
from .board_message import BOARD, new_board_message
from .leases import lease_for_caller
from .outcomes import when_delivered, when_dm_refused, when_dropped, when_needless
from .owed_boards import enqueue_board
from .requeue import requeue_messages
from .threads import LEAVING_TROUBLES, ThreadTrouble

FIRST_WAIT, LONGEST_WAIT = 5, 3600  # seconds


class Outbox:
    """The outbox, as whoever delivers it needs it. `now` tells UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def deliverable_rows(self, limit: int = 100, game: int | None = None) -> list[int]:
        """Return the outbox rows that can be delivered now, of one game or of all, oldest first."""
        async with self.store.reading() as db:
            return await outbox.deliverable_rows(db, self.now(), limit, game)

    async def release_leases(self) -> None:
        """End all leases at a start: one process has the database, and nonces prevent a second post."""
        async with self.store.transaction() as db:
            await outbox.release_leases(db)

    async def lease_row(self, row_id: int) -> OutboxRow | None:
        """Return a row that the caller now has to deliver; None if it is done, leased or not yet due."""
        async with self.store.transaction() as db:
            return next(iter(await lease_for_caller(db, row_id, self.now())), None)

    async def note_delivered(self, owed: OutboxRow, message: int | None) -> tuple[int, int] | None:
        """Note that a row was posted as `message`, or its thread made; None if there was nothing to say.

        Once that is noted, change nothing.

        Return channel and message of the game's older board, if it had one. Raises MessageTaken.
        """
        async with self.store.transaction() as db:
            posted = await outbox.mark_posted(db, owed.id, message, self.now())
            return await self._note_delivered(db, owed, message) if posted else None

    async def confirm(self, mark: str, channel: int, message: int) -> tuple[int, int] | None:
        """Note that a message with this mark was seen, as `note_delivered` does; only read where that is known."""
        async with self.store.reading() as db:
            owed = await outbox.find_by_mark(db, mark, channel)
        return await self.note_delivered(owed, message) if owed else None

    async def message_with_mark(self, mark: str) -> int | None:
        """Return the message that the row with this mark was posted as, None where that is not known."""
        async with self.store.reading() as db:
            return await outbox.message_with_mark(db, mark)

    async def _note_delivered(self, db: Connection, owed: OutboxRow, message: int | None) -> tuple[int, int] | None:
        if message is None:
            await when_needless.run(owed.kind, db, owed, self.now())
            return None
        older = await _older_board(db, owed)
        await when_delivered.run(owed.kind, db, owed, message, self.now())
        return older if older and older[1] != message else None

    async def retry_later(self, owed: OutboxRow) -> None:
        """Put a row off, longer each time."""
        async with self.store.transaction() as db:
            await outbox.retry_later(db, owed.id, self.now() + min(FIRST_WAIT << owed.attempts, LONGEST_WAIT))

    async def note_channel_refusal(
        self, owed: OutboxRow, reason: str, trouble: ThreadTrouble = ThreadTrouble.OTHER
    ) -> tuple[OutboxRow, ...]:
        """Note that a channel refuses a row; return what the caller has to deliver instead.

        If the channel is a thread that is closed to the bot, its messages go to the parent channel. Otherwise the row
        is dropped, and its game is unreachable until it is relocated or a board is accepted after all.
        """
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
        """Note that somebody does not accept a direct message, and whether they have `shut` them all off."""
        async with self.store.transaction() as db:
            await outbox.drop_row(db, owed.id, reason, self.now())
            if shut:
                await users.set_dms_shut(db, owed.channel, True)
            await when_dm_refused.run(owed.kind, db, owed, self.now())

    async def give_up(self, owed: OutboxRow, reason: str) -> None:
        """Drop a row that cannot be posted, though its channel accepts others."""
        async with self.store.transaction() as db:
            await self._drop_row(db, owed, reason)

    async def _drop_row(self, db: Connection, owed: OutboxRow, reason: str) -> None:
        await outbox.drop_row(db, owed.id, reason, self.now())
        await when_dropped.run(owed.kind, db, owed, self.now())

    async def leave_thread(self, game_id: int) -> None:
        """Let a game whose thread is gone go on in its channel, where its board is owed."""
        async with self.store.transaction() as db:
            await self._leave_thread(db, (await games.load_venue(db, game_id)).channel, ThreadTrouble.GONE, game_id)

    async def _forgo_thread(
        self, db: Connection, owed: OutboxRow, reason: str, trouble: ThreadTrouble
    ) -> tuple[OutboxRow, ...]:
        await threads.forgo_thread(db, owed, reason, trouble, self.now())
        first = await outbox.deliverable_rows(db, self.now(), 1, owed.game)
        return await lease_for_caller(db, first[0], self.now()) if first else ()

    async def _leave_thread(self, db: Connection, thread: int, trouble: ThreadTrouble, game: int | None) -> bool:
        """Let the games of a thread go on in its channel, and owe their boards there; return whether there are any."""
        running = await threads.leave_thread(db, thread, trouble, self.now(), game)
        for game_id in running or ():
            stored = await readable_game(db, game_id)
            if stored is None:
                continue
            if not await outbox.is_owed_for(db, game_id, BOARD):
                await enqueue_board(db, stored, new_board_message(stored.game), self.now(), self.now())
            await requeue_messages.run(db, stored, self.now())
        return running is not None


async def _older_board(db: Connection, owed: OutboxRow) -> tuple[int, int] | None:
    if owed.kind != BOARD:
        return None
    assert owed.game is not None
    return await games.newest_board_message(db, owed.game)
