"""The watch over all clocks: it flags players whose time is over, and credits time in which nobody could play."""

from collections.abc import Callable
from dataclasses import replace

from gipfbot import match
from gipfbot.match.clock import credit_clock
from gipfbot.service.competing.results import save_and_rate
from gipfbot.service.delivery.board_message import BOARD, new_board_message
from gipfbot.service.delivery.owed_boards import enqueue_board
from gipfbot.service.kit.batches import for_each, split_into_batches
from gipfbot.service.kit.loaded_games import require_game
from gipfbot.store import Connection, Store, clocks, games, meta, outbox

from . import digests, downtime, downtime_notice, reminders
from .vacations import PAUSING

CLOCK_JUMP = 300  # seconds; a smaller error of the host's clock between two passes is no jump
REPLAN_KEY = "replan"  # the key that is set while all reminders have to be planned anew
CREDIT_BATCH = 500  # clocks shifted in one go, before other tasks may run


class FlagWatch:
    """Watches all clocks, in passes.

    `now` returns UTC seconds. `ticks` returns seconds of a clock that cannot be set.
    """

    def __init__(self, store: Store, now: Callable[[], int], ticks: Callable[[], float]) -> None:
        self.store, self.now, self.ticks = store, now, ticks
        self._last_reading: tuple[int, float] | None = None

    async def check_flags(self) -> bool:
        """Make one pass over all clocks: credit downtime, then flag the players whose time is over.

        If the host's clock has jumped since the last pass, shift all clocks by the jump, flag nobody, and return False.

        Players are flagged in order, the longest overdue first, and the boards of their games are queued. A player
        whose grace is over loses the game. A game whose board is still to be posted is left for a later pass, and so is
        a game whose clock a vacation is about to pause.
        """
        first = self._last_reading is None
        jump = await self._clock_jump()
        await self._credit_downtime(self.now(), jump, first=first)
        await self._replan_reminders()
        if jump:
            return False
        async with self.store.reading() as db:
            overdue = await clocks.overdue_games(db, self.now(), unless_owed=BOARD, unless_due=PAUSING)
        await for_each(self.store, overdue, self._check_flag)
        return True

    async def note_heartbeat(self) -> None:
        """Record that the bot is alive, in the middle of a long pass.

        Does nothing after a downtime or a rollback of the host's clock, so that the next pass can credit it.
        """
        async with self.store.transaction() as db:
            await downtime.note_heartbeat(db, self.now())

    async def _clock_jump(self) -> int:
        """Return the seconds by which the host's clock has jumped since the last pass; negative for a jump back.

        In the first pass of a process, only a jump back can be seen. A jump forward looks like downtime.
        """
        last, self._last_reading = self._last_reading, (self.now(), self.ticks())
        if last is None:
            async with self.store.reading() as db:
                jump: float = -await downtime.rollback(db, self.now())
        else:
            jump = (self._last_reading[0] - last[0]) - (self._last_reading[1] - last[1])
        return round(jump) if abs(jump) > CLOCK_JUMP else 0

    async def _credit_downtime(self, now: int, jump: int, *, first: bool) -> None:
        """Record that the bot is alive. Credit all clocks for downtime, and shift them by any jump of the host's clock.

        This is one transaction, so that a crash neither loses a credit nor gives it twice. In the `first` pass a
        rollback also reduces the credit that boards show, because that credit was given while the clock was ahead.
        """
        async with self.store.transaction() as db:
            without_jump = now - jump
            last_alive = await downtime.since(db, without_jump)
            await downtime.note_alive(db, now)
            if last_alive is None and not jump:
                return
            since = without_jump if last_alive is None else last_alive
            shifted = await _shift_clocks(db, since, without_jump, now, jump_credited=first)
            if without_jump - since >= downtime_notice.MIN_NOTICED_DOWNTIME:
                await downtime_notice.owe_downtime_notices(db, since, without_jump - since, shifted, now)
            if since < now:  # untimed games and warnings are only ever given more time
                await downtime.when_downtime_credited.run(db, now - since, now)
                await clocks.credit_untimed_games(db, now - since, now)
            if jump:  # while the clock was wrong, messages may have been put off for days
                await outbox.retry_all_now(db, now)
            await meta.save_value(db, REPLAN_KEY, "1")

    async def _replan_reminders(self) -> None:
        """Plan all reminders anew, if clocks were credited. A crash repeats this, which does no harm."""
        async with self.store.reading() as db:
            if not await meta.load_value(db, REPLAN_KEY):
                return
            running = [game.id for game in await clocks.running_clocks(db)]
        await for_each(self.store, running, _plan_reminder_of_game)
        await digests.hasten_digests(self.store, self.now())
        async with self.store.transaction() as db:
            await meta.save_value(db, REPLAN_KEY, "")

    async def _check_flag(self, db: Connection, game_id: int) -> None:
        before = await require_game(db, game_id)
        now = self.now()
        after = match.apply_time(before.game, now)
        if after is before.game:
            return
        asked = before.game.seats[before.game.current.decider].user
        await save_and_rate(db, before, after, by=asked, now=now)
        await reminders.plan_reminder(db, after)
        await games.add_event(db, game_id, "flagged" if after.clock else "time", asked, now)
        board = replace(new_board_message(after), credited=before.game.clock.credited if before.game.clock else 0)
        await enqueue_board(db, before.with_game(after, now), board, now, reposted_at=now)


async def _shift_clocks(
    db: Connection, since: int, without_jump: int, now: int, *, jump_credited: bool
) -> list[clocks.RunningClock]:
    """Shift all running clocks as if they had been paused from `since` to `now`. Return the shifted clocks.

    `without_jump` is the time that the host's clock would show now without its jump. The bot was down from `since` to
    `without_jump`. Boards always show the downtime as credit. They show the jump as credit only if `jump_credited` is
    True.
    """
    shifted = list[clocks.RunningClock]()
    for batch in split_into_batches(await clocks.running_clocks(db), CREDIT_BATCH):
        credited = [_with_clock_shifted(game, since, without_jump) for game in batch]
        moved = [_with_clock_shifted(game, without_jump, now, credited=jump_credited) for game in credited]
        await clocks.save_running_clocks(db, moved)
        shifted += moved
    return shifted


def _with_clock_shifted(
    game: clocks.RunningClock, since: int, until: int, *, credited: bool = True
) -> clocks.RunningClock:
    """Return the game as if its clock had been paused from `since` to `until`.

    Boards show this pause as credit only if `credited` is True.
    """
    if since == until:
        return game
    clock = credit_clock(game.clock, game.mover, game.terms, since, until)
    return replace(game, clock=clock if credited else replace(clock, credited=game.clock.credited))


async def _plan_reminder_of_game(db: Connection, game_id: int) -> None:
    await reminders.plan_reminder(db, (await require_game(db, game_id)).game)
