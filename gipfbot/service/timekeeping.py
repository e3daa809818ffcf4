"""Time in all games together: flags that fall, and time in which nobody could play."""

from collections.abc import Callable
from dataclasses import replace

from gipfbot import match
from gipfbot.match.clock import given_back
from gipfbot.store import Connection, Store, clocks, due, games, meta

from . import absence, reminders
from .absence import ALIVE, AWAY
from .batches import batches, each
from .boards import board_of
from .claims import CLAIM
from .service import game_of, write_board

JUMP = 300  # seconds by which the host's clock may go wrong between two looks
REPLAN = "replan"  # set while the reminders of all games wait to be planned anew
AT_ONCE = 500  # clocks that are given their time back before others are let in


class Timekeeper:
    """Looks at all clocks. `now` tells UTC seconds, `ticks` seconds that nobody can set; nothing waits in memory.

    After `away` seconds without a look the bot counts as having been away.
    """

    def __init__(self, store: Store, now: Callable[[], int], ticks: Callable[[], float], away: int = AWAY) -> None:
        self.store, self.now, self.ticks, self.away = store, now, ticks, away
        self._seen: tuple[int, float] | None = None

    async def look(self) -> bool:
        """Let the flags fall whose time is over, the longest first, and owe the boards that tell it.

        Time since the last look in which the bot was away is given back first. No flag falls in a look before which
        the host's clock has jumped: the next one has to confirm it. Return whether it has not.
        """
        jumped = self._jumped()
        await self._give_back(self.now(), jumped)
        await self._replan()
        if not jumped:
            async with self.store.reading() as db:
                late = await clocks.overdue(db, self.now())
            await each(self.store, late, self._look_at)
        return not jumped

    def _jumped(self) -> bool:
        """Return whether more or less time has passed since the last look than the host's clock says."""
        seen, self._seen = self._seen, (self.now(), self.ticks())
        return seen is not None and abs((self._seen[0] - seen[0]) - (self._seen[1] - seen[1])) > JUMP

    async def _give_back(self, now: int, jumped: bool) -> None:
        """Note that the bot is alive; let all clocks have stood still while it was not.

        All in one transaction, so that a crash neither loses nor doubles any of it.
        """
        async with self.store.transaction() as db:
            last = await absence.since(db, now, self.away)
            await absence.note_alive(db, now)
            if jumped or last is None:
                return
            for some in batches(await clocks.ticking(db), AT_ONCE):
                shifted = [replace(g, clock=given_back(g.clock, g.mover, g.terms, last, now)) for g in some]
                await clocks.save_running(db, shifted)
            await due.give_back(db, CLAIM, now - last)
            await meta.put(db, REPLAN, "1")

    async def _replan(self) -> None:
        """Plan the reminders anew where time has been given back; after a crash once more, which does no harm."""
        async with self.store.reading() as db:
            if not await meta.get(db, REPLAN):
                return
            ticking = [game.id for game in await clocks.ticking(db)]
        await each(self.store, ticking, _plan)
        async with self.store.transaction() as db:
            await meta.put(db, REPLAN, "")

    async def _look_at(self, db: Connection, id: int) -> None:
        before = await game_of(db, id)
        now = self.now()
        after = match.looked_at(before.game, now)
        if after is before.game:
            return
        asked = before.game.seats[before.game.current.decider].user
        await games.save_game(db, before.game, after, None, by=asked, how="time", now=now)
        await reminders.plan(db, after)
        await games.add_event(db, id, "flag" if after.clock else "time", asked, now)
        await write_board(db, replace(before, game=after), board_of(after), now, again=now)


async def _plan(db: Connection, id: int) -> None:
    await reminders.plan(db, (await game_of(db, id)).game)


__all__ = ["ALIVE", "AWAY", "JUMP", "Timekeeper"]
