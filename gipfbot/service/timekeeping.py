"""Time in all games together: flags that fall, and time in which nobody could play."""

from collections.abc import Callable
from dataclasses import replace

from gipfbot import match
from gipfbot.store import Store, games, meta

from . import reminders
from .boards import board_of
from .service import game_of, write_board

ALIVE = "last_alive"
AWAY = 120
JUMP = 300  # seconds by which the host's clock may go wrong between two looks


class Timekeeper:
    """Looks at all clocks. `now` tells UTC seconds, `ticks` seconds that nobody can set; nothing waits in memory.

    After `away` seconds without a look the bot counts as having been away.
    """

    def __init__(self, store: Store, now: Callable[[], int], ticks: Callable[[], float], away: int = AWAY) -> None:
        self.store, self.now, self.ticks, self.away = store, now, ticks, away
        self._seen: tuple[int, float] | None = None

    async def look(self, limit: int = 100) -> bool:
        """Let the flags fall whose time is over, the longest first, and owe the boards that tell it.

        Time since the last look in which the bot was away is given back first. No flag falls in a look before which
        the host's clock has jumped: the next one has to confirm it. Return whether it has not.
        """
        now, jumped = self.now(), self._jumped()
        await self._give_back(now, jumped)
        if not jumped:
            async with self.store.reading() as db:
                late = await games.overdue_games(db, now, limit)
            for id in late:
                await self._look_at(id)
        return not jumped

    def _jumped(self) -> bool:
        """Return whether more or less time has passed since the last look than the host's clock says."""
        seen, self._seen = self._seen, (self.now(), self.ticks())
        return seen is not None and abs((self._seen[0] - seen[0]) - (self._seen[1] - seen[1])) > JUMP

    async def _give_back(self, now: int, jumped: bool) -> None:
        """Note that the bot is alive; let all clocks have stood still while it was not."""
        async with self.store.transaction() as db:
            last = int(await meta.get(db, ALIVE) or now)
            await meta.put(db, ALIVE, str(now))
            if jumped or now - last <= self.away:
                return
            for id in await games.ticking_games(db):
                game = (await game_of(db, id)).game
                shifted = match.given_back(game, last, now)
                await games.save_clock(db, shifted)
                await reminders.plan(db, shifted)

    async def _look_at(self, id: int) -> None:
        async with self.store.transaction() as db:
            before = await game_of(db, id)
            now = self.now()
            after = match.looked_at(before.game, now)
            if after is not before.game:
                asked = before.game.seats[before.game.current.decider].user
                await games.save_game(db, before.game, after, None, by=asked, how="time", now=now)
                await reminders.plan(db, after)
                await games.add_event(db, id, "flag" if after.clock else "time", asked, now)
                await write_board(db, replace(before, game=after), board_of(after), now, again=now)
