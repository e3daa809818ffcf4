"""Vacations: days on which a person's clocks are paused. The channels of their games are told."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from gipfbot.match import Refused, Why
from gipfbot.match.clock import DAY
from gipfbot.service.delivery.leases import lease_for_caller
from gipfbot.service.kit.batches import for_each
from gipfbot.service.kit.loaded_games import require_game
from gipfbot.service.settings.servers import (
    MOST_VACATION_DAYS,
    load_server_settings,
    vacation_allowances,
    vacation_ends,
    vacation_holds,
)
from gipfbot.store import Connection, Store, due, game_lists, outbox, vacations
from gipfbot.values import DueRow, GameBrief, OutboxRow, StoredGame, Vacation

from . import pause, undeliverable

VACATION = "vacation"
NEVER_BEGUN_WITHIN = 3600  # seconds after which a vacation that ends has used days and given time


@dataclass(frozen=True)
class VacationStatus:
    """A person's current vacation, and the vacation days that they have used and may use this year.

    `current` is None if they are not on vacation.
    """

    current: Vacation | None
    used: int  # vacation days used this year
    allowed: tuple[int, ...]  # the days a year that their servers allow, least first
    flagged: tuple[int, ...] = ()  # games whose clock runs on, because their time was over before the vacation
    too_long: tuple[int, ...] = ()  # games whose clock runs on, because their server allows fewer days

    @property
    def days_left(self) -> int:
        """The vacation days that the person may still use this year, on the server that allows the most."""
        return max(0, self.allowed[-1] - self.used)


class Vacations:
    """Operations on vacations. `now` returns UTC seconds.

    Each method raises Refused, and changes nothing, if the person is not allowed to do it.
    """

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def vacation_status(self, user: int) -> VacationStatus:
        """Return a person's current vacation and their vacation days."""
        async with self.store.reading() as db:
            return await self._vacation_status(db, user)

    async def opponents_on_vacation(self, briefs: Collection[GameBrief], user: int) -> dict[int, int]:
        """Return a table that maps game ids to the ends of the opponents' vacations, in UTC seconds.

        `briefs` are games of the person `user`. A game is left out if the opponent is not on vacation, if the vacation
        does not pause clocks on the game's server, or if the opponent's clock runs in spite of the vacation.
        """
        others = {
            brief.id: _other_user(brief, user) for brief in briefs if not _clock_runs(brief, _other_user(brief, user))
        }
        async with self.store.reading() as db:
            known = {vacation.user: vacation for vacation in await vacations.vacations_of(db, {*others.values()})}
        absent = [(brief, known[others[brief.id]]) for brief in briefs if others.get(brief.id) in known]
        return {brief.id: vacation.until for brief, vacation in absent if vacation_holds(vacation, brief.venue.server)}

    async def waits_for_vacation_until(self, stored: StoredGame) -> int | None:
        """Return the end of the vacation of the player to move, in UTC seconds.

        Return None if they are not on vacation, if their clock runs, or if the vacation does not pause clocks on the
        game's server.
        """
        game = stored.game
        if game.asked is None or (game.clock and game.clock.deadline is not None):
            return None
        user = game.seats[game.asked].user
        async with self.store.reading() as db:
            return (await vacation_ends(db, [user], stored.venue.server)).get(user)

    async def start_vacation(self, user: int, days: int) -> tuple[VacationStatus, tuple[OutboxRow, ...]]:
        """Start a vacation of this number of days, and pause the person's clocks.

        Return their vacation status, and the outbox rows that the caller has to deliver. A clock runs on if its
        player's time is already over, or if the game's server allows fewer vacation days.
        """
        async with self.store.transaction() as db:
            used = self._days_used_after(await self._vacation_status(db, user), days)
            until = self.now() + days * DAY
            new = await vacations.add_vacation(db, user, self.now(), until, used, await vacation_allowances(db))
            await due.schedule(db, _vacation_key(new), VACATION, new.until, user)
            held = [
                brief for brief in await game_lists.running_games(db, user) if vacation_holds(new, brief.venue.server)
            ]
            paused = [brief for brief in held if await self._pause_clock(db, brief, user)]
            runs = [brief for brief in held if brief not in paused]
            owed = await self._lease_rows(db, await self._announce(db, new, paused, runs, over=False))
            return await self._vacation_status(db, user), owed

    def _days_used_after(self, status: VacationStatus, days: int) -> int:
        """Return the days to compare with the servers' yearly limits once a vacation of `days` days starts now.

        The result counts all vacation days of this year, the new vacation included. If more days of the new vacation
        fall into the next year, return the number of those days instead. Raises Refused if the person is on vacation,
        or may not take `days` days.
        """
        now = self.now()
        if status.current:
            raise Refused(Why.ON_VACATION, until=status.current.until)
        this_year = _days_in_year(now, now + days * DAY, _year_of(now))
        if not 1 <= days <= status.allowed[-1] or this_year > status.days_left:
            raise Refused(Why.VACATION_TOO_LONG, left=status.days_left)
        return max(status.used + this_year, _days_in_year(now, now + days * DAY, _year_of(now) + 1))

    async def end_vacation(self, user: int) -> tuple[VacationStatus, tuple[OutboxRow, ...]]:
        """End a person's vacation, and resume their clocks.

        Return their vacation status, and the outbox rows that the caller has to deliver.
        """
        async with self.store.transaction() as db:
            current = await vacations.current_vacation(db, user)
            if current is None:
                raise Refused(Why.NO_VACATION)
            owed = await self._lease_rows(db, await self._end_vacation(db, current))
            return await self._vacation_status(db, user), owed

    async def end_due_vacations(self) -> None:
        """End the vacations whose days are over."""
        async with self.store.reading() as db:
            over = await due.ready_rows(db, VACATION, self.now())
        await for_each(self.store, over, self._end_if_current)

    async def _end_if_current(self, db: Connection, row: DueRow) -> None:
        current = await vacations.current_vacation(db, row.user)
        if current and _vacation_key(current) == row.key:
            await self._end_vacation(db, current)

    async def _end_vacation(self, db: Connection, current: Vacation) -> list[int]:
        """End a vacation and resume its clocks. Return the ids of the outbox rows that tell of it.

        A vacation that ends within NEVER_BEGUN_WITHIN counts as never begun: it uses no day and gives no time.
        """
        annulled = 0 <= self.now() - current.since < NEVER_BEGUN_WITHIN
        await vacations.end_vacation(db, current.id, current.since if annulled else min(self.now(), current.until))
        await due.unschedule(db, _vacation_key(current))
        waiting = await game_lists.waiting_games(db, current.user)
        resumed = {brief.id for brief in waiting if await self._resume_clock(db, brief, current, annulled=annulled)}
        running = [brief for brief in await game_lists.waiting_games(db, current.user) if brief.id in resumed]
        return await self._announce_return(db, current, running)

    async def _pause_clock(self, db: Connection, brief: GameBrief, user: int) -> bool:
        """Pause this person's clock in a game, unless it is overdue or flagged. Return False if it runs on."""
        before = (await require_game(db, brief.id)).game
        if brief.users[brief.asked] != user or before.clock is None:
            return True
        paused = await pause.pause_and_save(db, before, self.now())
        return paused.clock is not None and paused.clock.deadline is None

    async def _resume_clock(self, db: Connection, brief: GameBrief, vacation: Vacation, *, annulled: bool) -> bool:
        """Resume the clock of a game if only the vacation has paused it. Return whether it was resumed.

        If the vacation is `annulled`, the clock has run since the pause.
        """
        before = (await require_game(db, brief.id)).game
        if before.clock is None or before.clock.paused_left is None:
            return False
        if await undeliverable.is_player_untold(db, brief.id):
            return False
        if annulled:
            await pause.annul_pause_and_save(db, before, max(vacation.since, brief.waiting_since), self.now())
        else:
            await pause.resume_and_save(db, before, self.now())
        return True

    async def _announce(
        self,
        db: Connection,
        vacation: Vacation,
        briefs: Iterable[GameBrief],
        runs: Collection[GameBrief] = (),
        *,
        over: bool,
    ) -> list[int]:
        """Queue one message about a vacation to each channel of the games `briefs`. Return the ids of the outbox rows.

        The clocks of the games `runs` run in spite of the vacation. The message in a channel also names the games of
        `runs` that are played there.
        """
        by_channel: dict[int, list[GameBrief]] = {}
        for brief in briefs:
            if not brief.unreachable:
                by_channel.setdefault(brief.venue.channel, []).append(brief)
        rows = list[int]()
        for channel, played in by_channel.items():
            run_there = [brief for brief in runs if brief.venue.channel == channel]
            rows.append(await self._owe_announcement(db, vacation, channel, played, run_there, over))
        return rows

    async def _announce_return(self, db: Connection, vacation: Vacation, resumed: Collection[GameBrief]) -> list[int]:
        """Queue one message to each channel that was told of the vacation, and to those of the games `resumed`.

        Return the ids of the outbox rows.
        """
        rows, key = await self._announce(db, vacation, resumed, over=True), _vacation_key(vacation)
        channels = {brief.venue.channel for brief in resumed if not brief.unreachable}
        for channel, begun in (await outbox.payloads_by_channel(db, f"{key}:", f"{key};")).items():
            if channel not in channels:
                rows.append(await self._owe_return(db, vacation, channel, begun["name"]))
        return rows

    async def _owe_return(self, db: Connection, vacation: Vacation, channel: int, name: str) -> int:
        """Queue the message that a person is back, to a channel in which no clock runs again."""
        payload = {"name": name, "until": vacation.until, "over": True, "games": []}
        return await outbox.owe(db, f"{_vacation_key(vacation)}:{channel}:over", VACATION, channel, payload, self.now())

    async def _lease_rows(self, db: Connection, rows: Iterable[int]) -> tuple[OutboxRow, ...]:
        return tuple([owed for row in rows for owed in await lease_for_caller(db, row, self.now())])

    async def _owe_announcement(
        self,
        db: Connection,
        vacation: Vacation,
        channel: int,
        played: list[GameBrief],
        runs: list[GameBrief],
        over: bool,
    ) -> int:
        def named(brief: GameBrief) -> tuple[object, ...]:
            return brief.id, brief.names[1 - brief.users.index(vacation.user)], *([brief.deadline] if over else [])

        payload = {
            "name": played[0].names[played[0].users.index(vacation.user)],
            "until": vacation.until,
            "over": over,
            "games": [named(brief) for brief in played if brief.timed],
            "untimed": [named(brief) for brief in played if not brief.timed],
            "runs": [named(brief) for brief in runs],
        }
        key = f"{_vacation_key(vacation)}:{channel}:{'over' if over else 'begun'}"
        return await outbox.owe(db, key, VACATION, channel, payload, self.now())

    async def _vacation_status(self, db: Connection, user: int) -> VacationStatus:
        year = _year_of(self.now())
        recent = await vacations.vacations_since(db, user, _new_year(year) - MOST_VACATION_DAYS * DAY)
        used = sum(_days_in_year(each.since, each.over_at, year) for each in recent)
        current, running = await vacations.current_vacation(db, user), await game_lists.running_games(db, user)
        allowed = await _allowed_days(db, running)
        if current is None:
            return VacationStatus(None, used, allowed)
        held = [brief for brief in running if vacation_holds(current, brief.venue.server)]
        flagged = tuple(brief.id for brief in held if _clock_runs(brief, user))
        return VacationStatus(current, used, allowed, flagged, tuple(b.id for b in running if b not in held))


async def _allowed_days(db: Connection, briefs: Iterable[GameBrief]) -> tuple[int, ...]:
    """Return the vacation days a year that the servers of these games allow: each number once, the least first."""
    played_on = {brief.venue.server for brief in briefs}
    return tuple(sorted({(await load_server_settings(db, server)).vacation for server in played_on or {None}}))


def _other_user(brief: GameBrief, user: int) -> int:
    return brief.users[1 - brief.users.index(user)]


def _clock_runs(brief: GameBrief, user: int) -> bool:
    """Return whether it is this player's turn and their clock runs. A clock can run in spite of a vacation."""
    return brief.users[brief.asked] == user and brief.deadline is not None


def _vacation_key(vacation: Vacation) -> str:
    return f"{VACATION}:{vacation.id}"


def _days_in_year(since: int, until: int, year: int) -> int:
    """Return the days of a vacation that fall into a year (UTC). A part of a day counts as a day."""
    first, last = max(since, _new_year(year)), min(until, _new_year(year + 1))
    return max(0, -((first - last) // DAY))


def _year_of(moment: int) -> int:
    return datetime.fromtimestamp(moment, UTC).year


def _new_year(year: int) -> int:
    return int(datetime(year, 1, 1, tzinfo=UTC).timestamp())
