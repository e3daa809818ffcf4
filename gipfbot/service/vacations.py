"""Vacations: so many days a year on which a person's clocks stand still, announced where he plays."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from gipfbot.match import Refused, Why
from gipfbot.match.clock import DAY
from gipfbot.store import Brief, Connection, Due, Owed, Store, Stored, Vacation, due, games, outbox, vacations
from gipfbot.store.outbox import LEASE

from . import clockwork, stranded
from .batches import each
from .playing import game_of
from .servers import MOST_VACATION, allowances, away, holds, settings_of

VACATION = "vacation"


@dataclass(frozen=True)
class Leave:
    """The vacation a person is on, if any, the days he has used this year, and what his servers allow, least first.

    It does not hold in games in which his flag had fallen, nor in those of servers for which it was too long.
    """

    current: Vacation | None
    used: int
    allowed: tuple[int, ...]
    fallen: tuple[int, ...] = ()
    too_long: tuple[int, ...] = ()

    @property
    def days_left(self) -> int:
        """How many days he may still be on vacation this year, in some of his games at least."""
        return max(0, self.allowed[-1] - self.used)


class Vacations:
    """Everybody's vacations. `now` tells UTC seconds. Raises Refused, and changes nothing then, where one may not."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def leave(self, user: int) -> Leave:
        """Return how it stands with a person."""
        async with self.store.reading() as db:
            return await self._leave(db, user)

    async def absent(self, briefs: Collection[Brief], user: int) -> dict[int, int]:
        """Return in which of these games of a person the other is on vacation, where it holds, and until when."""
        others = {brief.id: _other(brief, user) for brief in briefs if not _runs(brief, _other(brief, user))}
        async with self.store.reading() as db:
            found = {vacation.user: vacation for vacation in await vacations.among(db, {*others.values()})}
        absent = [(brief, found[others[brief.id]]) for brief in briefs if others.get(brief.id) in found]
        return {brief.id: vacation.until for brief, vacation in absent if holds(vacation, brief.home.server)}

    async def holds_up(self, stored: Stored) -> int | None:
        """Return until when the player to move is on vacation, None where he is not, or his clock runs all the same."""
        game = stored.game
        if game.asked is None or (game.clock and game.clock.deadline is not None):
            return None
        user = game.seats[game.asked].user
        async with self.store.reading() as db:
            return (await away(db, [user], stored.home.server)).get(user)

    async def start(self, user: int, days: int) -> tuple[Leave, tuple[Owed, ...]]:
        """Stop a person's clocks for so many days, save where the vacation does not hold.

        Return how it stands with him, and what is to be delivered.
        """
        async with self.store.transaction() as db:
            leave = await self._leave(db, user)
            used = self._would_use(leave, days)
            new = await vacations.add(db, user, self.now(), self.now() + days * DAY, used, await allowances(db))
            await due.put(db, _key(new), VACATION, new.until, user)
            there = [brief for brief in await games.running_games(db, user) if holds(new, brief.home.server)]
            stopped = [brief for brief in there if await self._stop(db, brief, user)]
            runs = [brief for brief in there if brief not in stopped]
            owed = await self._claimed(db, await self._announce(db, new, stopped, runs, over=False))
            return await self._leave(db, user), owed

    def _would_use(self, leave: Leave, days: int) -> int:
        """Return the days of this year or, if those are more, of the next that are used by then.

        Raises Refused where he may not go on vacation for so long.
        """
        now = self.now()
        if leave.current:
            raise Refused(Why.ON_VACATION, until=leave.current.until)
        this = _days(now, now + days * DAY, _year(now))
        if not 1 <= days <= leave.allowed[-1] or this > leave.days_left:
            raise Refused(Why.VACATION_TOO_LONG, left=leave.days_left)
        return max(leave.used + this, _days(now, now + days * DAY, _year(now) + 1))

    async def end(self, user: int) -> tuple[Leave, tuple[Owed, ...]]:
        """Let a person's clocks run again; return how it stands with him, and what is to be delivered."""
        async with self.store.transaction() as db:
            current = await vacations.current(db, user)
            if current is None:
                raise Refused(Why.NO_VACATION)
            owed = await self._claimed(db, await self._end(db, current))
            return await self._leave(db, user), owed

    async def end_due(self) -> None:
        """End the vacations whose days are over."""
        async with self.store.reading() as db:
            late = await due.ready(db, VACATION, self.now())
        await each(self.store, late, self._end_if_current)

    async def _end_if_current(self, db: Connection, row: Due) -> None:
        current = await vacations.current(db, row.user)
        if current and _key(current) == row.key:
            await self._end(db, current)

    async def _end(self, db: Connection, current: Vacation) -> list[int]:
        await vacations.end(db, current.id, min(self.now(), current.until))
        await due.cancel(db, _key(current))
        waiting = await games.waiting_games(db, current.user)
        goes_on = {brief.id for brief in waiting if await self._go_on(db, brief)}
        running = [brief for brief in await games.waiting_games(db, current.user) if brief.id in goes_on]
        return await self._announce(db, current, running, over=True)

    async def _stop(self, db: Connection, brief: Brief, user: int) -> bool:
        """Stop the clock of a game if it is this person's; return whether the vacation holds in it."""
        before = (await game_of(db, brief.id)).game
        if brief.users[brief.asked] != user or before.clock is None:
            return True
        stopped = await clockwork.stop(db, before, self.now())
        return stopped.clock is not None and stopped.clock.deadline is None

    async def _go_on(self, db: Connection, brief: Brief) -> bool:
        """Let the clock of a game run again that this alone has stopped; return whether it does."""
        before = (await game_of(db, brief.id)).game
        if before.clock is None or before.clock.paused_left is None or await stranded.is_untold(db, brief.id):
            return False
        await clockwork.go_on(db, before, self.now())
        return True

    async def _announce(
        self, db: Connection, vacation: Vacation, briefs: Iterable[Brief], runs: Collection[Brief] = (), *, over: bool
    ) -> list[int]:
        """Owe one message to each channel in which these games are played; return the rows of the outbox.

        It also names the games there in which the clock `runs` all the same.
        """
        there: dict[int, list[Brief]] = {}
        for brief in briefs:
            if not brief.homeless:
                there.setdefault(brief.home.channel, []).append(brief)
        rows = list[int]()
        for channel, played in there.items():
            run_there = [brief for brief in runs if brief.home.channel == channel]
            rows.append(await self._owe(db, vacation, channel, played, run_there, over))
        return rows

    async def _claimed(self, db: Connection, rows: Iterable[int]) -> tuple[Owed, ...]:
        claimed = [await outbox.claim(db, row, self.now(), LEASE) for row in rows]
        return tuple(owed for owed in claimed if owed)

    async def _owe(
        self, db: Connection, vacation: Vacation, channel: int, played: list[Brief], runs: list[Brief], over: bool
    ) -> int:
        def named(brief: Brief) -> tuple[object, ...]:
            return brief.id, brief.names[1 - brief.users.index(vacation.user)], *([brief.deadline] if over else [])

        payload = {
            "name": played[0].names[played[0].users.index(vacation.user)],
            "until": vacation.until,
            "over": over,
            "games": [named(brief) for brief in played if brief.timed],
            "untimed": [named(brief) for brief in played if not brief.timed],
            "runs": [named(brief) for brief in runs],
        }
        key = f"{_key(vacation)}:{channel}:{'over' if over else 'begun'}"
        return await outbox.owe(db, key, VACATION, channel, payload, self.now())

    async def _leave(self, db: Connection, user: int) -> Leave:
        year = _year(self.now())
        recent = await vacations.since(db, user, _new_year(year) - MOST_VACATION * DAY)
        used = sum(_days(each.since, each.over_at, year) for each in recent)
        current, running = await vacations.current(db, user), await games.running_games(db, user)
        allowed = await _allowed(db, running)
        if current is None:
            return Leave(None, used, allowed)
        there = [brief for brief in running if holds(current, brief.home.server)]
        fallen = [brief.id for brief in there if _runs(brief, user)]
        return Leave(current, used, allowed, tuple(fallen), tuple(b.id for b in running if b not in there))


async def _allowed(db: Connection, briefs: Iterable[Brief]) -> tuple[int, ...]:
    """Return how many days the servers of these games allow, each number once, the least first."""
    there = {brief.home.server for brief in briefs}
    return tuple(sorted({(await settings_of(db, server)).vacation for server in there or {None}}))


def _other(brief: Brief, user: int) -> int:
    return brief.users[1 - brief.users.index(user)]


def _runs(brief: Brief, user: int) -> bool:
    """Return whether this player's clock runs: on vacation that is where his time was over before."""
    return brief.users[brief.asked] == user and brief.deadline is not None


def _key(vacation: Vacation) -> str:
    return f"{VACATION}:{vacation.id}"


def _days(since: int, until: int, year: int) -> int:
    """Return how many days of a vacation fall into a year (UTC); a day that is begun counts."""
    first, last = max(since, _new_year(year)), min(until, _new_year(year + 1))
    if first > last or (first == last and since != until):
        return 0
    return max(1, -((first - last) // DAY))


def _year(moment: int) -> int:
    return datetime.fromtimestamp(moment, UTC).year


def _new_year(year: int) -> int:
    return int(datetime(year, 1, 1, tzinfo=UTC).timestamp())
