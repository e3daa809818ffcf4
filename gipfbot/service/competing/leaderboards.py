"""Leaderboards: their pages, who has left them, and who is no longer on a server."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from gipfbot.match import DAY, Refused, Why
from gipfbot.match.ratings import POOLS, MonthRating, standing_now
from gipfbot.service.kit.batches import for_each
from gipfbot.store import Connection, Store, ratings, standings, users
from gipfbot.store.rating_tables import EVERYWHERE
from gipfbot.values import ListedStanding, is_former_player

from .results import list_players, relist_player

ON_PAGE = 10  # lines
ASK_AFTER = 7 * DAY  # until Discord is asked again whether a player is still on a server
_MOST_RELISTED = 500  # standings changed by the passing of time in one pass


@dataclass(frozen=True)
class LeaderboardPage:
    """A page of a leaderboard. `server` is None for all servers. `lines` is empty without players."""

    pool: str
    server: int | None
    page: int  # from 1
    players: int  # on all pages
    lines: tuple[ListedStanding, ...]

    @property
    def pages(self) -> int:
        """How many pages the leaderboard has: at least one."""
        return max(1, -(-self.players // ON_PAGE))

    def with_names(self, names: Mapping[int, str]) -> "LeaderboardPage":
        """Return the page with other names, by the players' ids. Who is not among them keeps theirs."""
        return replace(self, lines=tuple(replace(line, name=names.get(line.user, line.name)) for line in self.lines))


@dataclass(frozen=True)
class OwnPlace:
    """A player's place in a leaderboard, or why they have none.

    Players who are shown as equal share a place; `line` is that of this player, from 1. `known` is their newest month
    rating, None if no game of theirs in this pool counts. `is_old` says whether their last game is too long ago.
    """

    place: int | None
    line: int = 0
    unlisted: bool = False
    known: MonthRating | None = None
    is_old: bool = False

    @property
    def page(self) -> int | None:
        """The page that lists the player; None if no page does."""
        return None if self.place is None else (self.line - 1) // ON_PAGE + 1


class Leaderboards:
    """Operations on leaderboards. `now` returns UTC seconds. A server of None stands for all servers."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def page(self, pool: str, server: int | None, number: int) -> LeaderboardPage:
        """Return a page of a leaderboard. Raises Refused if there is no such pool or page."""
        if pool not in POOLS:
            raise Refused(Why.NOT_OFFERED, option="pool", value=pool)
        where = pool, server or EVERYWHERE
        async with self.store.reading() as db:
            players = await standings.count_standings(db, *where)
            shown = LeaderboardPage(pool, server, number, players, ())
            if not 1 <= number <= shown.pages:
                raise Refused(Why.NO_PAGE, pages=shown.pages)
            lines = await standings.standings_page(db, *where, (number - 1) * ON_PAGE, ON_PAGE, self.now())
        return LeaderboardPage(pool, server, number, players, tuple(lines))

    async def nearest_page(self, pool: str, server: int | None, number: int) -> LeaderboardPage:
        """Return a page of a leaderboard, or the last one if there are fewer. Raises Refused for an unknown pool."""
        try:
            return await self.page(pool, server, max(1, number))
        except Refused as refusal:
            if refusal.why is not Why.NO_PAGE:
                raise
            return await self.page(pool, server, refusal.facts["pages"])

    async def own_place(self, pool: str, server: int | None, user: int) -> OwnPlace:
        """Return a player's place in a leaderboard, or why they have none."""
        async with self.store.reading() as db:
            found = await standings.place_of(db, pool, server or EVERYWHERE, user, self.now())
            if found is not None:
                return OwnPlace(*found)
            known = (await ratings.newest_months(db, user)).get(pool)
            is_old = known is not None and standing_now(known, EVERYWHERE, self.now()) is None
            return OwnPlace(None, 0, await standings.is_unlisted(db, user), known, is_old)

    async def busiest_pool(self, user: int) -> str | None:
        """Return the pool in which a player's last game counted; None without one."""
        async with self.store.reading() as db:
            known = await ratings.newest_months(db, user)
        return max(known, key=lambda pool: known[pool].last_at, default=None)

    async def set_listed(self, user: int, listed: bool) -> None:
        """Let a person leave all leaderboards, or come back. Their ratings go on either way."""
        async with self.store.transaction() as db:
            await users.set_settings(db, user, {standings.LISTED_SETTING: listed}, self.now())
            await relist_player(db, user, self.now())

    async def people_to_ask_about(self, server: int, people: Sequence[int]) -> list[int]:
        """Return the people about whose membership Discord must be asked again. Leaves out former players."""
        known = [user for user in people if not is_former_player(user)]
        async with self.store.reading() as db:
            return await standings.ask_again(db, server, known, self.now() - ASK_AFTER)

    async def note_members(self, server: int, members: dict[int, bool]) -> None:
        """Store who is on a server. People who are not leave its leaderboards; people who returned come back."""
        async with self.store.transaction() as db:
            for user, is_member in members.items():
                was_gone = await standings.is_gone(db, server, user)
                await standings.save_membership(db, server, user, is_member, self.now())
                if was_gone == is_member:
                    await relist_player(db, user, self.now())

    async def is_gone(self, server: int, user: int) -> bool:
        """Return whether Discord said last that a person is not on a server."""
        async with self.store.reading() as db:
            return await standings.is_gone(db, server, user)

    async def relist_changed(self) -> None:
        """Update the standings that change with time: they become provisional, or leave after 90 days."""
        async with self.store.reading() as db:
            changed = await standings.changing_standings(db, self.now(), _MOST_RELISTED)
        await for_each(self.store, list(dict.fromkeys(changed)), self._relist)

    async def _relist(self, db: Connection, changed: tuple[int, str]) -> None:
        user, pool = changed
        known = (await ratings.newest_months(db, user)).get(pool)
        await list_players(db, pool, {user: known}, self.now())
