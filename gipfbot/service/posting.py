"""What is owed on its way out: claimed, then posted, put off or given up, each together with what follows from it."""

from collections.abc import Callable

from gipfbot import match
from gipfbot.match import RequestState
from gipfbot.store import Connection, Owed, Store, challenges, due, games, outbox, users
from gipfbot.store.outbox import LEASE

from . import boards, reminders, stranded, threads
from .claims import CLAIM, LETTER, owe_letter, warned
from .playing import claimed, game_of, write_board
from .reminders import CALL, REMINDER
from .service import CHALLENGE
from .stranded import STRANDED
from .threads import CLOSED, THREAD, Trouble
from .unsaid import owe_again

FIRST_WAIT, LONGEST_WAIT = 5, 3600  # seconds


class Posting:
    """The outbox, as whoever delivers it needs it. `now` tells UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def due(self, limit: int = 100, game: int | None = None) -> list[int]:
        """Return the outbox rows to be delivered now, of one game or of all, oldest first."""
        async with self.store.reading() as db:
            return await outbox.due(db, self.now(), limit, game)

    async def release(self) -> None:
        """Give back what a process that is no more had claimed; there is one per database. The nonce makes it safe."""
        async with self.store.transaction() as db:
            await outbox.release(db)

    async def claim(self, id: int) -> Owed | None:
        """Return a row that is now the caller's to deliver, None when it is done, claimed, or not yet due."""
        async with self.store.transaction() as db:
            return await outbox.claim(db, id, self.now(), LEASE)

    async def delivered(self, owed: Owed, message: int | None) -> tuple[int, int] | None:
        """Note that a row was posted, or the thread `message` made for it.

        Return channel and message of the game's older board, if it had one.
        """
        async with self.store.transaction() as db:
            await outbox.done(db, owed.id, message, self.now())
            if owed.kind == THREAD:
                await threads.opened(db, owed, message, self.now())
            elif message is None:
                await self._needless(db, owed)
            elif owed.kind == CHALLENGE:
                await challenges.set_challenge_message(db, owed.payload["challenge"], message)
            elif owed.kind == STRANDED:
                await stranded.told(db, owed, self.now())
            elif owed.kind in (CLAIM, LETTER):
                await warned(db, owed, self.now())
            elif owed.kind == boards.KIND:
                return await self._taken(db, owed, message)
        return None

    async def _needless(self, db: Connection, owed: Owed) -> None:
        """Forget what was needless when it was to be posted, if it may be needed once more."""
        if owed.kind in (REMINDER, CALL, STRANDED):
            await outbox.forget(db, owed.id)
        if owed.kind in (REMINDER, CALL):
            await due.cancel(db, owed.payload["key"])

    async def _taken(self, db: Connection, owed: Owed, message: int) -> tuple[int, int] | None:
        assert owed.game is not None
        await stranded.taken(db, owed, self.now())
        older = await games.newest_board(db, owed.game)
        await games.set_board(db, owed.game, boards.serial_of(owed.payload), owed.channel, message)
        return older if older and older[1] != message else None

    async def retry(self, owed: Owed) -> None:
        """Put a row off, longer each time."""
        async with self.store.transaction() as db:
            await outbox.retry(db, owed.id, self.now() + min(FIRST_WAIT << owed.attempts, LONGEST_WAIT))

    async def unreachable(self, owed: Owed, reason: str, trouble: Trouble = Trouble.OTHER) -> tuple[Owed, ...]:
        """Note that a channel does not take what is owed to it; return what is now the caller's to deliver instead.

        What is owed to a thread that is closed to the bot goes to its channel. Elsewhere it is given up: its game waits
        until it is re-homed or its board is taken after all, a challenge that nobody can see is closed.
        """
        async with self.store.transaction() as db:
            if not await outbox.owed_to(db, owed.id, owed.channel):
                return ()
            if owed.kind == THREAD:
                await threads.forgo(db, owed, reason, trouble, self.now())
                first = await outbox.due(db, self.now(), 1, owed.game)
                return await claimed(db, first[0], self.now()) if first else ()
            if trouble in CLOSED and await self._leave_thread(db, owed.channel, trouble, owed.game):
                return await claimed(db, owed.id, self.now())
            if owed.game is not None:
                await games.set_homeless(db, owed.game, reason)
            await self._give_up(db, owed, reason)
            return ()

    async def refused(self, owed: Owed, reason: str, *, shut: bool) -> None:
        """Note that somebody does not take a direct message, and that his messages are `shut`.

        For a reminder owe a word in the channel. A letter is written again when its board is refused again.
        """
        async with self.store.transaction() as db:
            await outbox.drop(db, owed.id, reason, self.now())
            if shut:
                await users.set_dms_shut(db, owed.channel, True)
            if owed.kind == REMINDER:
                await reminders.call_instead(db, owed, self.now())
            if owed.kind == STRANDED:
                await outbox.forget(db, owed.id)

    async def give_up(self, owed: Owed, reason: str) -> None:
        """Note that a row cannot be posted, though its channel takes others."""
        async with self.store.transaction() as db:
            await self._give_up(db, owed, reason)

    async def leave_thread(self, id: int) -> None:
        """Let a game whose thread is gone go on in its channel, where its board is owed."""
        async with self.store.transaction() as db:
            await self._leave_thread(db, (await game_of(db, id)).home.channel, Trouble.GONE, id)

    async def _leave_thread(self, db: Connection, thread: int, trouble: Trouble, game: int | None) -> bool:
        """Let the games of a thread go on in its channel, where each owes its board; return whether there are any."""
        running = await threads.leave(db, thread, trouble, self.now(), game)
        for id in running or ():
            stored = await game_of(db, id)
            if not await outbox.owes(db, id, boards.KIND):
                await write_board(db, stored, boards.board_of(stored.game), self.now(), self.now())
            await owe_again(db, stored, self.now())
        return running is not None

    async def _give_up(self, db: Connection, owed: Owed, reason: str) -> None:
        await outbox.drop(db, owed.id, reason, self.now())
        if owed.kind == CHALLENGE:
            stored = await challenges.load_challenge(db, owed.payload["challenge"])
            if stored and stored.challenge.state is RequestState.OPEN:
                await challenges.save_challenge(db, match.expire_challenge(stored.challenge))
        if owed.kind == CLAIM:
            await owe_letter(db, owed, self.now())
        if owed.kind == boards.KIND:
            await stranded.strand(db, owed, self.now())
