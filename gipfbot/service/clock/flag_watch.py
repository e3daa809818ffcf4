"""Time in all games together: flags that fall, and time in which nobody could play."""

from collections.abc import Callable
from dataclasses import replace

from gipfbot import match
from gipfbot.match.clock import credit_clock
from gipfbot.service.kit.batches import for_each, split_into_batches
from gipfbot.service.play.board_message import BOARD, new_board_message
from gipfbot.service.requests.claim_win import CLAIM_WIN
from gipfbot.service.service import enqueue_board, require_game
from gipfbot.store import Connection, Store, clocks, due, games, meta, outbox

from . import digests, downtime, downtime_notice, reminders
from .downtime import LAST_ALIVE_KEY

CLOCK_JUMP = 300  # seconds by which the host's clock may go wrong between two looks
REPLAN_KEY = "replan"  # set while the reminders of all games wait to be planned anew
CREDIT_BATCH = 500  # clocks that are given their time back before others are let in


class FlagWatch:
    """Looks at all clocks. `now` tells UTC seconds, `ticks` seconds that nobody can set; nothing waits in memory."""

    def __init__(self, store: Store, now: Callable[[], int], ticks: Callable[[], float]) -> None:
        self.store, self.now, self.ticks = store, now, ticks
        self._last_reading: tuple[int, float] | None = None

    async def check_flags(self) -> bool:
        """Let the flags fall whose time is over, the longest first, and owe the boards that tell it.

        Time since the last look in which the bot was away is given back first, and all clocks go along with the host's
        where that has jumped. No flag falls in such a look: the next one has to confirm it. Return whether it is none.
        """
        first = self._last_reading is None
        jump = await self._clock_jump()
        await self._credit_downtime(self.now(), jump, first=first)
        await self._replan_reminders()
        if not jump:
            async with self.store.reading() as db:
                late = await clocks.overdue_games(db, self.now(), unless_owed=BOARD)
            await for_each(self.store, late, self._check_flag)
        return not jump

    async def note_heartbeat(self) -> None:
        """Note that the bot is alive, in the middle of a long look; what is amiss is for the next look to notice."""
        async with self.store.transaction() as db:
            await downtime.note_heartbeat(db, self.now())

    async def _clock_jump(self) -> int:
        """Return by how many seconds the host's clock has jumped since the last look; forward if there are any.

        Between two processes only that it was set back can be told from time in which there was none.
        """
        seen, self._last_reading = self._last_reading, (self.now(), self.ticks())
        if seen is None:
            async with self.store.reading() as db:
                jump: float = -await downtime.rollback(db, self.now())
        else:
            jump = (self._last_reading[0] - seen[0]) - (self._last_reading[1] - seen[1])
        return round(jump) if abs(jump) > CLOCK_JUMP else 0

    async def _credit_downtime(self, now: int, jump: int, *, first: bool) -> None:
        """Note that the bot is alive; let all clocks have stood still while it was not, and while the host's jumped.

        All in one transaction, so that a crash neither loses nor doubles any of it. That the clock was set back before
        the first look takes back what an absence seemed to be, when it was ahead.
        """
        async with self.store.transaction() as db:
            last = await downtime.since(db, now - jump)
            await downtime.note_alive(db, now)
            if last is None and not jump:
                return
            before = now - jump
            since = before if last is None else last
            shifted = list[clocks.RunningClock]()
            for some in split_into_batches(await clocks.running_clocks(db), CREDIT_BATCH):
                there = [_with_clock_shifted(game, since, before) for game in some]
                shifted += (new := [_with_clock_shifted(game, before, now, credited=first) for game in there])
                await clocks.save_running_clocks(db, new)
            if last is not None and (away := now - jump - last) >= downtime_notice.MIN_NOTICED_DOWNTIME:
                await downtime_notice.owe_downtime_notices(db, last, away, shifted, now)
            if since < now:  # a week of warning and a month of silence only ever grow longer
                await due.postpone_kind(db, CLAIM_WIN, now - since)
                await clocks.credit_untimed_games(db, now - since, now)
            if jump:  # by a clock that was wrong it may have been put off for days
                await outbox.retry_all_now(db, now)
            await meta.save_value(db, REPLAN_KEY, "1")

    async def _replan_reminders(self) -> None:
        """Plan the reminders anew where time has been given back; after a crash once more, which does no harm."""
        async with self.store.reading() as db:
            if not await meta.load_value(db, REPLAN_KEY):
                return
            ticking = [game.id for game in await clocks.running_clocks(db)]
        await for_each(self.store, ticking, _plan_reminder_of_game)
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


def _with_clock_shifted(
    game: clocks.RunningClock, since: int, until: int, *, credited: bool = True
) -> clocks.RunningClock:
    """Return a game whose clock has stood still between two moments, what it gains by that `noted` as given back."""
    if since == until:
        return game
    clock = credit_clock(game.clock, game.mover, game.terms, since, until)
    return replace(game, clock=clock if credited else replace(clock, credited=game.clock.credited))


async def _plan_reminder_of_game(db: Connection, game_id: int) -> None:
    await reminders.plan_reminder(db, (await require_game(db, game_id)).game)


__all__ = ["CLOCK_JUMP", "LAST_ALIVE_KEY", "FlagWatch"]
