"""Time in all games together: flags that fall, and time in which nobody could play."""

from collections.abc import Callable
from dataclasses import replace

from gipfbot import match
from gipfbot.match.clock import credit_clock
from gipfbot.store import Connection, Store, clocks, due, games, meta, outbox

from . import absence, digests, excuses, reminders
from .absence import ALIVE
from .batches import batches, each
from .boards import KIND, board_of
from .claims import CLAIM
from .service import game_of, write_board

JUMP = 300  # seconds by which the host's clock may go wrong between two looks
REPLAN = "replan"  # set while the reminders of all games wait to be planned anew
AT_ONCE = 500  # clocks that are given their time back before others are let in


class Timekeeper:
    """Looks at all clocks. `now` tells UTC seconds, `ticks` seconds that nobody can set; nothing waits in memory."""

    def __init__(self, store: Store, now: Callable[[], int], ticks: Callable[[], float]) -> None:
        self.store, self.now, self.ticks = store, now, ticks
        self._seen: tuple[int, float] | None = None

    async def look(self) -> bool:
        """Let the flags fall whose time is over, the longest first, and owe the boards that tell it.

        Time since the last look in which the bot was away is given back first, and all clocks go along with the host's
        where that has jumped. No flag falls in such a look: the next one has to confirm it. Return whether it is none.
        """
        first = self._seen is None
        jump = await self._jump()
        await self._give_back(self.now(), jump, first=first)
        await self._replan()
        if not jump:
            async with self.store.reading() as db:
                late = await clocks.overdue(db, self.now(), unless_owed=KIND)
            await each(self.store, late, self._look_at)
        return not jump

    async def beat(self) -> None:
        """Note that the bot is alive, in the middle of a long look; what is amiss is for the next look to notice."""
        async with self.store.transaction() as db:
            await absence.beat(db, self.now())

    async def _jump(self) -> int:
        """Return by how many seconds the host's clock has jumped since the last look; forward if there are any.

        Between two processes only that it was set back can be told from time in which there was none.
        """
        seen, self._seen = self._seen, (self.now(), self.ticks())
        if seen is None:
            async with self.store.reading() as db:
                jump: float = -await absence.set_back(db, self.now())
        else:
            jump = (self._seen[0] - seen[0]) - (self._seen[1] - seen[1])
        return round(jump) if abs(jump) > JUMP else 0

    async def _give_back(self, now: int, jump: int, *, first: bool) -> None:
        """Note that the bot is alive; let all clocks have stood still while it was not, and while the host's jumped.

        All in one transaction, so that a crash neither loses nor doubles any of it. That the clock was set back before
        the first look takes back what an absence seemed to be, when it was ahead.
        """
        async with self.store.transaction() as db:
            last = await absence.since(db, now - jump)
            await absence.note_alive(db, now)
            if last is None and not jump:
                return
            before = now - jump
            since = before if last is None else last
            shifted = list[clocks.Ticking]()
            for some in batches(await clocks.ticking(db), AT_ONCE):
                there = [_shifted(game, since, before) for game in some]
                shifted += (new := [_shifted(game, before, now, noted=first) for game in there])
                await clocks.save_running(db, new)
            if last is not None and (away := now - jump - last) >= excuses.LONG:
                await excuses.owe(db, last, away, shifted, now)
            if since < now:  # a week of warning and a month of silence only ever grow longer
                await due.give_back(db, CLAIM, now - since)
                await clocks.give_back_untimed(db, now - since, now)
            if jump:  # by a clock that was wrong it may have been put off for days
                await outbox.hurry(db, now)
            await meta.put(db, REPLAN, "1")

    async def _replan(self) -> None:
        """Plan the reminders anew where time has been given back; after a crash once more, which does no harm."""
        async with self.store.reading() as db:
            if not await meta.get(db, REPLAN):
                return
            ticking = [game.id for game in await clocks.ticking(db)]
        await each(self.store, ticking, _plan)
        await digests.come_no_later(self.store, self.now())
        async with self.store.transaction() as db:
            await meta.put(db, REPLAN, "")

    async def _look_at(self, db: Connection, id: int) -> None:
        before = await game_of(db, id)
        now = self.now()
        after = match.apply_time(before.game, now)
        if after is before.game:
            return
        asked = before.game.seats[before.game.current.decider].user
        await games.save_game(db, before.game, after, by=asked, now=now)
        await reminders.plan(db, after)
        await games.add_event(db, id, "flag" if after.clock else "time", asked, now)
        board = replace(board_of(after), given=before.game.clock.credited if before.game.clock else 0)
        await write_board(db, before.become(after, now), board, now, again=now)


def _shifted(game: clocks.Ticking, since: int, until: int, *, noted: bool = True) -> clocks.Ticking:
    """Return a game whose clock has stood still between two moments, what it gains by that `noted` as given back."""
    if since == until:
        return game
    clock = credit_clock(game.clock, game.mover, game.terms, since, until)
    return replace(game, clock=clock if noted else replace(clock, credited=game.clock.credited))


async def _plan(db: Connection, id: int) -> None:
    await reminders.plan(db, (await game_of(db, id)).game)


__all__ = ["ALIVE", "JUMP", "Timekeeper"]
