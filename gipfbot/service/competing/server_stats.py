"""Figures of a server: its games, its turns by day, how often White wins, and which game is followed most."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from gipfbot.match.clock import DAY
from gipfbot.match.explorer import WinRate
from gipfbot.rules import Colour
from gipfbot.store import Store, servers
from gipfbot.values import FollowedGame, PoolResults

DAYS_SHOWN = 30  # today included
MOST_FOLLOWED = 50  # games among which one is looked for that the asker may see


@dataclass(frozen=True)
class ServerFigures:
    """The figures of a server. Does not check who asks: the caller that shows `followed` has to."""

    running: int
    results: tuple[PoolResults, ...]
    last_day: int  # today (UTC), counted from 1 January 1970
    turns: tuple[int, ...]  # of each of the last days, today last
    followed: tuple[FollowedGame, ...]  # running games, those with the most followers first

    @property
    def finished(self) -> int:
        """How many games have ended, without cancelled ones."""
        return sum(each.games for each in self.results if not each.cancelled)

    @property
    def cancelled(self) -> int:
        """How many games were cancelled."""
        return sum(each.games for each in self.results if each.cancelled)

    @property
    def is_empty(self) -> bool:
        """Whether there is no game, neither ended nor running."""
        return not self.results and not self.running

    def white_wins(self, pool: str) -> WinRate | None:
        """Return how often White won in a pool. Only games with a winner count; None if there is none."""
        won, lost = (self._won_by(colour, pool) for colour in Colour)
        return WinRate(won, won + lost) if won + lost else None

    def _won_by(self, winner: Colour, pool: str) -> int:
        return sum(each.games for each in self.results if each.pool == pool and each.winner is winner)


class ServerStats:
    """Operations on the figures of servers. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def figures(self, server: int, channels: Collection[int], user: int) -> ServerFigures:
        """Return the figures of a server. Followed games are those of `user`, and those in these channels."""
        today = self.now() // DAY
        days = range(today - DAYS_SHOWN + 1, today + 1)
        async with self.store.reading() as db:
            by_day = await servers.count_turns_by_day(db, server, days[0] * DAY)
            return ServerFigures(
                await servers.count_running_on_server(db, server),
                tuple(await servers.count_results(db, server)),
                today,
                tuple(by_day.get(day, 0) for day in days),
                tuple(await servers.most_followed_games(db, server, channels, user, MOST_FOLLOWED)),
            )
