"""Vacations: so many days a year on which a person's clocks stand still, announced where he plays."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from gipfbot import match
from gipfbot.match import Game, Refused, Why
from gipfbot.match.clock import DAY
from gipfbot.store import Brief, Connection, Owed, Store, Vacation, due, games, outbox, vacations
from gipfbot.store.outbox import LEASE

from . import reminders
from .service import game_of

ALLOWANCE = 30  # days a year
VACATION = "vacation"


@dataclass(frozen=True)
class Leave:
    """The vacation a person is on, if any, and how many days are left to him this year."""

    current: Vacation | None
    days_left: int


@dataclass(frozen=True)
class Begun:
    """A vacation that has begun, the games in which it does not hold, and what is now the caller's to deliver."""

    leave: Leave
    not_in: tuple[int, ...]
    owed: tuple[Owed, ...]


class Vacations:
    """Everybody's vacations. `now` tells UTC seconds. Raises Refused, and changes nothing then, where one may not."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def leave(self, user: int) -> Leave:
        """Return how it stands with a person."""
        async with self.store.reading() as db:
            return await self._leave(db, user)

    async def away(self, people: Collection[int]) -> dict[int, int]:
        """Return who of these people is on vacation, and until when."""
        async with self.store.reading() as db:
            return await vacations.away(db, people)

    async def start(self, user: int, days: int) -> Begun:
        """Stop a person's clocks for so many days, save those of games in which his flag has fallen."""
        now = self.now()
        async with self.store.transaction() as db:
            leave = await self._leave(db, user)
            if leave.current:
                raise Refused(Why.ON_VACATION, until=leave.current.until)
            if not 1 <= days <= ALLOWANCE or _days(now, now + days * DAY, now) > leave.days_left:
                raise Refused(Why.VACATION_TOO_LONG, left=leave.days_left)
            new = await vacations.add(db, user, now, now + days * DAY)
            await due.put(db, _key(new), VACATION, new.until, user)
            running = await games.running_games(db, user)
            not_in = [brief.id for brief in running if not await self._stop(db, brief, user)]
            owed = await self._announce(db, new, [brief for brief in running if brief.id not in not_in], over=False)
            return Begun(await self._leave(db, user), tuple(not_in), owed)

    async def end(self, user: int) -> tuple[Leave, tuple[Owed, ...]]:
        """Let a person's clocks run again; return how it stands with him, and what is to be delivered."""
        async with self.store.transaction() as db:
            current = await vacations.current(db, user)
            if current is None:
                raise Refused(Why.NO_VACATION)
            owed = await self._end(db, current)
            return await self._leave(db, user), owed

    async def end_due(self, limit: int = 100) -> None:
        """End the vacations whose days are over."""
        async with self.store.reading() as db:
            late = await due.ready(db, VACATION, self.now(), limit)
        for row in late:
            async with self.store.transaction() as db:
                current = await vacations.current(db, row.user)
                if current and _key(current) == row.key:
                    await self._end(db, current)

    async def _end(self, db: Connection, current: Vacation) -> tuple[Owed, ...]:
        await vacations.end(db, current.id, min(self.now(), current.until))
        await due.cancel(db, _key(current))
        waiting = await games.waiting_games(db, current.user)
        goes_on = [brief for brief in waiting if await self._go_on(db, brief)]
        return await self._announce(db, current, goes_on, over=True)

    async def _stop(self, db: Connection, brief: Brief, user: int) -> bool:
        """Stop the clock of a game if it is this person's; return whether the vacation holds in it."""
        before = (await game_of(db, brief.id)).game
        if brief.users[brief.asked] != user or before.clock is None:
            return True
        return await self._save(db, match.paused(before, self.now()))

    async def _go_on(self, db: Connection, brief: Brief) -> bool:
        """Let the clock of a game run again; return whether it stood."""
        before = (await game_of(db, brief.id)).game
        if before.clock is None or before.clock.left is None:
            return False
        await self._save(db, match.resumed(before, self.now()))
        return True

    async def _save(self, db: Connection, game: Game) -> bool:
        """Save a game whose clock was stopped or started; return whether it stands."""
        assert game.clock
        await games.save_clock(db, game)
        await reminders.plan(db, game)
        return game.clock.deadline is None

    async def _announce(
        self, db: Connection, vacation: Vacation, briefs: Iterable[Brief], *, over: bool
    ) -> tuple[Owed, ...]:
        """Owe one message to each channel in which these games are played; return them claimed."""
        there: dict[int, list[Brief]] = {}
        for brief in briefs:
            if not brief.homeless:
                there.setdefault(brief.home.channel, []).append(brief)
        rows = [await self._owe(db, vacation, channel, played, over) for channel, played in there.items()]
        claimed = [await outbox.claim(db, row, self.now(), LEASE) for row in rows]
        return tuple(owed for owed in claimed if owed)

    async def _owe(self, db: Connection, vacation: Vacation, channel: int, played: list[Brief], over: bool) -> int:
        own = played[0].users.index(vacation.user)
        payload = {
            "name": played[0].names[own],
            "until": vacation.until,
            "over": over,
            "games": [(brief.id, _opponent(brief, vacation.user)) for brief in played],
        }
        key = f"{_key(vacation)}:{channel}:{'over' if over else 'begun'}"
        return await outbox.owe(db, key, VACATION, channel, payload, self.now())

    async def _leave(self, db: Connection, user: int) -> Leave:
        now = self.now()
        recent = await vacations.since(db, user, _new_year(_year(now)) - ALLOWANCE * DAY)
        used = sum(_days(each.since, each.ended_at or each.until, now) for each in recent)
        return Leave(await vacations.current(db, user), max(0, ALLOWANCE - used))


def _opponent(brief: Brief, user: int) -> str:
    return brief.names[1 - brief.users.index(user)]


def _key(vacation: Vacation) -> str:
    return f"{VACATION}:{vacation.id}"


def _days(since: int, until: int, now: int) -> int:
    """Return how many days of a vacation fall into the year (UTC) of `now`; a day that is begun counts."""
    year = _year(now)
    first, last = max(since, _new_year(year)), min(until, _new_year(year + 1))
    if first > last or (first == last and since != until):
        return 0
    return max(1, -((first - last) // DAY))


def _year(moment: int) -> int:
    return datetime.fromtimestamp(moment, UTC).year


def _new_year(year: int) -> int:
    return int(datetime(year, 1, 1, tzinfo=UTC).timestamp())
