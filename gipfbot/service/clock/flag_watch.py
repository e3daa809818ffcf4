"""All clocks together: flags that fall, and credit for time in which nobody could play."""

from collections.abc import Callable
from dataclasses import replace

from gipfbot import match
from gipfbot.match.clock import credit_clock
from gipfbot.service.delivery.board_message import BOARD, new_board_message
from gipfbot.service.delivery.owed_boards import enqueue_board
from gipfbot.service.kit.batches import for_each, split_into_batches
from gipfbot.service.kit.loaded_games import require_game
from gipfbot.store import Connection, Store, clocks, games, meta, outbox

from . import digests, downtime, downtime_notice, reminders

CLOCK_JUMP = 300  # seconds between two passes by which the host's clock may be wrong without having jumped
REPLAN_KEY = "replan"  # set while the reminders of all games have to be planned anew
CREDIT_BATCH = 500  # clocks that are shifted before other tasks run


class FlagWatch:
    """Watches all clocks, in passes. `now` returns UTC seconds, `ticks` seconds of a clock that nobody can set."""

    def __init__(self, store: Store, now: Callable[[], int], ticks: Callable[[], float]) -> None:
        self.store, self.now, self.ticks = store, now, ticks
        self._last_reading: tuple[int, float] | None = None

    async def check_flags(self) -> bool:
        """Let the flags fall whose time is over, the longest overdue first, and owe the boards that tell it.

        Before that, credit all clocks with downtime since the last pass, and move them along with a jump of the
        host's clock. Return False after a clock jump; no flag falls in that pass.
        """
        first = self._last_reading is None
        jump = await self._clock_jump()
        await self._credit_downtime(self.now(), jump, first=first)
        await self._replan_reminders()
        if jump:
            return False
        async with self.store.reading() as db:
            overdue = await clocks.overdue_games(db, self.now(), unless_owed=BOARD)
        await for_each(self.store, overdue, self._check_flag)
        return True

    async def note_heartbeat(self) -> None:
        """Note that the bot is alive, in the middle of a long pass. A downtime or a jump is left to the next pass."""
        async with self.store.transaction() as db:
            await downtime.note_heartbeat(db, self.now())

    async def _clock_jump(self) -> int:
        """Return the seconds by which the host's clock has jumped forward since the last pass; negative for back.

        In the first pass of a process only a rollback shows: a jump forward looks like downtime.
        """
        last, self._last_reading = self._last_reading, (self.now(), self.ticks())
        if last is None:
            async with self.store.reading() as db:
                jump: float = -await downtime.rollback(db, self.now())
        else:
            jump = (self._last_reading[0] - last[0]) - (self._last_reading[1] - last[1])
        return round(jump) if abs(jump) > CLOCK_JUMP else 0

    async def _credit_downtime(self, now: int, jump: int, *, first: bool) -> None:
        """Note that the bot is alive, and credit all clocks with downtime and with a jump of the host's clock.

        One transaction does it all, so that a crash neither loses nor doubles a credit. In the `first` pass a
        rollback takes back the downtime that was credited while the clock was ahead.
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
            if since < now:  # the times of untimed games and of warnings only ever grow longer
                await downtime.when_downtime_credited.run(db, now - since, now)
                await clocks.credit_untimed_games(db, now - since, now)
            if jump:  # a wrong clock may have put messages off for days
                await outbox.retry_all_now(db, now)
            await meta.save_value(db, REPLAN_KEY, "1")

    async def _replan_reminders(self) -> None:
        """Plan all reminders anew after clocks were credited. A crash repeats it, which does no harm."""
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
        await games.save_game(db, before.game, after, by=asked, now=now)
        await reminders.plan_reminder(db, after)
        await games.add_event(db, game_id, "flagged" if after.clock else "time", asked, now)
        board = replace(new_board_message(after), credited=before.game.clock.credited if before.game.clock else 0)
        await enqueue_board(db, before.with_game(after, now), board, now, reposted_at=now)


async def _shift_clocks(
    db: Connection, since: int, without_jump: int, now: int, *, jump_credited: bool
) -> list[clocks.RunningClock]:
    """Treat all running clocks as paused from `since` through downtime and then the jump until now; return them."""
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
    """Return the game as if its clock had been paused between two moments. Boards tell it if it is `credited`."""
    if since == until:
        return game
    clock = credit_clock(game.clock, game.mover, game.terms, since, until)
    return replace(game, clock=clock if credited else replace(clock, credited=game.clock.credited))


async def _plan_reminder_of_game(db: Connection, game_id: int) -> None:
    await reminders.plan_reminder(db, (await require_game(db, game_id)).game)
