"""What is owed on its way out: claimed, then posted, put off or given up, each together with what follows from it."""

from collections.abc import Callable

from gipfbot import match
from gipfbot.match import RequestState
from gipfbot.service.clock import reminders
from gipfbot.service.clock.reminders import CHANNEL_REMINDER, REMINDER
from gipfbot.service.lobby.lobby import CHALLENGE
from gipfbot.service.play import board_message
from gipfbot.service.play.turn import enqueue_board, lease_for_caller, readable_game
from gipfbot.service.requests.claim_win import CLAIM_WIN, CLAIM_WIN_DM, owe_claim_win_dm, start_warning_period
from gipfbot.store import Connection, OutboxRow, Store, challenges, due, games, outbox, users
from gipfbot.store.outbox import LEASE_SECONDS
from gipfbot.values.outbox import THREAD

from . import threads, undeliverable
from .requeue import requeue_requests
from .threads import LEAVING_TROUBLES, ThreadTrouble
from .undeliverable import UNDELIVERABLE

FIRST_WAIT, LONGEST_WAIT = 5, 3600  # seconds


class Outbox:
    """The outbox, as whoever delivers it needs it. `now` tells UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def deliverable_rows(self, limit: int = 100, game: int | None = None) -> list[int]:
        """Return the outbox rows to be delivered now, of one game or of all, oldest first."""
        async with self.store.reading() as db:
            return await outbox.deliverable_rows(db, self.now(), limit, game)

    async def release_leases(self) -> None:
        """Give back what a process that is no more had claimed; there is one per database. The nonce makes it safe."""
        async with self.store.transaction() as db:
            await outbox.release_leases(db)

    async def lease_row(self, row_id: int) -> OutboxRow | None:
        """Return a row that is now the caller's to deliver, None when it is done, claimed, or not yet due."""
        async with self.store.transaction() as db:
            return await outbox.lease(db, row_id, self.now(), LEASE_SECONDS)

    async def note_delivered(self, owed: OutboxRow, message: int | None) -> tuple[int, int] | None:
        """Note that a row was posted, or the thread `message` made for it. Once that is noted, change nothing.

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
        if owed.kind == THREAD:
            await threads.move_into_thread(db, owed, message, self.now())
        elif message is None:
            await self._forget_needless(db, owed)
        elif owed.kind == CHALLENGE:
            await challenges.set_challenge_message(db, owed.payload["challenge"], message)
        elif owed.kind == UNDELIVERABLE:
            await undeliverable.note_fallback_dm_delivered(db, owed, self.now())
        elif owed.kind in (CLAIM_WIN, CLAIM_WIN_DM):
            await start_warning_period(db, owed, self.now())
        elif owed.kind == board_message.BOARD:
            return await self._note_board_posted(db, owed, message)
        return None

    async def _forget_needless(self, db: Connection, owed: OutboxRow) -> None:
        """Forget what was needless when it was to be posted, if it may be needed once more."""
        if owed.kind in (REMINDER, CHANNEL_REMINDER, UNDELIVERABLE):
            await outbox.delete_row(db, owed.id)
        if owed.kind in (REMINDER, CHANNEL_REMINDER):
            await due.unschedule(db, owed.payload["key"])

    async def _note_board_posted(self, db: Connection, owed: OutboxRow, message: int) -> tuple[int, int] | None:
        assert owed.game is not None
        await undeliverable.note_board_delivered(db, owed, self.now())
        older = await games.newest_board_message(db, owed.game)
        await games.set_board_message(
            db, owed.game, board_message.packed_turn_serial(owed.payload), owed.channel, message
        )
        return older if older and older[1] != message else None

    async def retry_later(self, owed: OutboxRow) -> None:
        """Put a row off, longer each time."""
        async with self.store.transaction() as db:
            await outbox.retry_later(db, owed.id, self.now() + min(FIRST_WAIT << owed.attempts, LONGEST_WAIT))

    async def note_channel_refusal(
        self, owed: OutboxRow, reason: str, trouble: ThreadTrouble = ThreadTrouble.OTHER
    ) -> tuple[OutboxRow, ...]:
        """Note that a channel does not take what is owed to it; return what is now the caller's to deliver instead.

        What is owed to a thread that is closed to the bot goes to its channel. Elsewhere it is given up: its game waits
        until it is re-homed or its board is taken after all, a challenge that nobody can see is closed.
        """
        async with self.store.transaction() as db:
            if not await outbox.is_owed_to(db, owed.id, owed.channel):
                return ()
            if owed.kind == THREAD:
                await threads.forgo_thread(db, owed, reason, trouble, self.now())
                first = await outbox.deliverable_rows(db, self.now(), 1, owed.game)
                return await lease_for_caller(db, first[0], self.now()) if first else ()
            if trouble in LEAVING_TROUBLES and await self._leave_thread(db, owed.channel, trouble, owed.game):
                return await lease_for_caller(db, owed.id, self.now())
            if owed.game is not None:
                await games.set_unreachable(db, owed.game, reason)
            await self._give_up(db, owed, reason)
            return ()

    async def note_dm_refusal(self, owed: OutboxRow, reason: str, *, shut: bool) -> None:
        """Note that somebody does not take a direct message, and that his messages are `shut`.

        For a reminder owe a word in the channel. A letter is written again when its board is refused again.
        """
        async with self.store.transaction() as db:
            await outbox.drop_row(db, owed.id, reason, self.now())
            if shut:
                await users.set_dms_shut(db, owed.channel, True)
            if owed.kind == REMINDER:
                await reminders.remind_in_channel(db, owed, self.now())
            if owed.kind == UNDELIVERABLE:
                await outbox.delete_row(db, owed.id)

    async def give_up(self, owed: OutboxRow, reason: str) -> None:
        """Note that a row cannot be posted, though its channel takes others."""
        async with self.store.transaction() as db:
            await self._give_up(db, owed, reason)

    async def leave_thread(self, game_id: int) -> None:
        """Let a game whose thread is gone go on in its channel, where its board is owed."""
        async with self.store.transaction() as db:
            await self._leave_thread(db, (await games.load_venue(db, game_id)).channel, ThreadTrouble.GONE, game_id)

    async def _leave_thread(self, db: Connection, thread: int, trouble: ThreadTrouble, game: int | None) -> bool:
        """Let the games of a thread go on in its channel, where each owes its board; return whether there are any."""
        running = await threads.leave_thread(db, thread, trouble, self.now(), game)
        for id in running or ():
            stored = await readable_game(db, id)
            if stored is None:
                continue
            if not await outbox.is_owed_for(db, id, board_message.BOARD):
                await enqueue_board(db, stored, board_message.new_board_message(stored.game), self.now(), self.now())
            await requeue_requests(db, stored, self.now())
        return running is not None

    async def _give_up(self, db: Connection, owed: OutboxRow, reason: str) -> None:
        await outbox.drop_row(db, owed.id, reason, self.now())
        if owed.kind == CHALLENGE:
            stored = await challenges.load_challenge(db, owed.payload["challenge"])
            if stored and stored.challenge.state is RequestState.OPEN:
                await challenges.save_challenge(db, match.expire_challenge(stored.challenge))
        if owed.kind == CLAIM_WIN:
            await owe_claim_win_dm(db, owed, self.now())
        if owed.kind == board_message.BOARD:
            await undeliverable.note_undeliverable(db, owed, self.now())
