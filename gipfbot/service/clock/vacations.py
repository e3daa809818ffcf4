"""Vacations: days on which a person's clocks are paused. The channels of their games are told."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeAlias

from gipfbot.match import Refused, Why
from gipfbot.match.clock import DAY
from gipfbot.service.delivery.leases import lease_for_caller
from gipfbot.service.kit.batches import BATCH_SIZE, BatchWork, for_each
from gipfbot.service.settings.servers import (
    MOST_VACATION_DAYS,
    load_server_settings,
    vacation_allowances,
    vacation_ends,
    vacation_holds,
)
from gipfbot.store import Connection, Store, due, game_lists, games, outbox, vacations
from gipfbot.values import DueRow, GameBrief, OutboxRow, StoredGame, Vacation

from . import pause, undeliverable

VACATION = "vacation"
# Kinds of due rows: what the beginning or the end of a vacation still asks for.
PAUSING, RESUMING, TELLING = "vacation_pause", "vacation_resume", "vacation_tell"
MOST_DELIVERED_AT_ONCE = 5  # announcements that the caller delivers
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
        self._pausing = BatchWork(store, PAUSING, self._pause_batch)
        self._resuming = BatchWork(store, RESUMING, self._resume_batch)

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
            used = self._days_used_after(await self._days_of(db, user), days)
            until = self.now() + days * DAY
            new = await vacations.add_vacation(db, user, self.now(), until, used, await vacation_allowances(db))
            await due.schedule(db, _vacation_key(new), VACATION, new.until, user)
            await self._pausing.begin(db, _work_key(PAUSING, new), self.now(), user)
        return await self._after_change(new)

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
            await self._end_vacation(db, current)
        return await self._after_change(current)

    async def end_due_vacations(self) -> None:
        """End the vacations whose days are over."""
        async with self.store.reading() as db:
            over = await due.ready_rows(db, VACATION, self.now())
        await for_each(self.store, over, self._end_if_current)
        await self.finish_vacation_work()

    async def _end_if_current(self, db: Connection, row: DueRow) -> None:
        current = await vacations.current_vacation(db, row.user)
        if current and _vacation_key(current) == row.key:
            await self._end_vacation(db, current)

    async def _end_vacation(self, db: Connection, current: Vacation) -> None:
        """End a vacation. Its clocks are resumed afterwards.

        A vacation that ends within NEVER_BEGUN_WITHIN counts as never begun: it uses no day and gives no time.
        """
        annulled = 0 <= self.now() - current.since < NEVER_BEGUN_WITHIN
        await vacations.end_vacation(db, current.id, current.since if annulled else min(self.now(), current.until))
        await due.unschedule(db, _vacation_key(current))
        await self._resuming.begin(db, _work_key(RESUMING, current), self.now(), current.user)

    # ── The clocks of a vacation, in batches; then its announcement ──

    async def finish_vacation_work(self) -> None:
        """Pause and resume the clocks, and announce the vacations, that were left undone, such as by a crash."""
        for work in (self._pausing, self._resuming):
            await work.finish_all(self.now())
        async with self.store.reading() as db:
            left = await due.ready_rows(db, TELLING, self.now())
        for row in left:
            await self._announce_vacation(row)

    async def _after_change(self, vacation: Vacation) -> tuple[VacationStatus, tuple[OutboxRow, ...]]:
        """Finish what the beginning or the end of a vacation asks for. Return the status, and the rows to deliver."""
        await self._pausing.finish(_work_key(PAUSING, vacation))
        await self._resuming.finish(_work_key(RESUMING, vacation))
        async with self.store.reading() as db:
            told = await due.unfinished_row(db, _work_key(TELLING, vacation))
        if told:
            await self._announce_vacation(told)
        return await self.vacation_status(vacation.user), await self._lease_announcements(vacation)

    async def _lease_announcements(self, vacation: Vacation) -> tuple[OutboxRow, ...]:
        """Lease the first announcements of a vacation for the caller. The sweep delivers the others."""
        key = _vacation_key(vacation)
        async with self.store.transaction() as db:
            rows = await outbox.rows_by_key(db, f"{key}:", f"{key};", MOST_DELIVERED_AT_ONCE)
            return tuple([owed for row in rows for owed in await lease_for_caller(db, row, self.now())])

    async def _pause_batch(self, db: Connection, row: DueRow) -> int | None:
        """Pause the next clocks of a person whose vacation has begun. Return the last game if others follow."""
        current = await vacations.current_vacation(db, row.user)
        if current is None or _work_key(PAUSING, current) != row.key:
            return None
        found, last = await game_lists.next_waiting_games(db, row.user, row.game or 0, BATCH_SIZE)
        for stored in found:
            if stored.game.clock and vacation_holds(current, stored.venue.server):
                await pause.pause_and_save(db, stored.game, self.now())
        if last is None:
            await due.schedule(db, _work_key(TELLING, current), TELLING, self.now(), row.user)
        return last

    async def _resume_batch(self, db: Connection, row: DueRow) -> int | None:
        """Resume the next clocks of a person whose vacation is over. Return the last game if others follow."""
        over = await vacations.load_vacation(db, _vacation_of_key(row.key))
        if over is None:
            return None
        found, last = await game_lists.next_waiting_games(db, row.user, row.game or 0, BATCH_SIZE)
        for stored in found:
            await self._resume_clock(db, stored, over)
        if last is None:
            await due.unschedule(db, _work_key(TELLING, over))  # of a beginning that was never told
            await due.schedule(db, _work_key(TELLING, over), TELLING, self.now(), row.user)
        return last

    async def _resume_clock(self, db: Connection, stored: StoredGame, over: Vacation) -> None:
        """Resume the clock of a game if only the vacation that is over has paused it.

        If that vacation was annulled, the clock has run since the pause.
        """
        game = stored.game
        if game.clock is None or game.clock.paused_left is None or await undeliverable.is_player_untold(db, game.id):
            return
        if (await vacation_ends(db, [over.user], stored.venue.server)).get(over.user):
            return  # another vacation has begun
        if over.ended_at == over.since:
            waiting_since = await games.waiting_since(db, game.id)
            await pause.annul_pause_and_save(db, game, max(over.since, waiting_since), self.now())
        else:
            await pause.resume_and_save(db, game, self.now())

    async def _announce_vacation(self, row: DueRow) -> None:
        """Queue one message about the beginning or the end of a vacation to each channel, and remove its due row.

        The lists of games are read before the transaction, because they may be long. Does nothing if the vacation has
        ended meanwhile: once its clocks run again, its end is announced.
        """
        async with self.store.reading() as db:
            vacation = await vacations.load_vacation(db, _vacation_of_key(row.key))
            if vacation and await due.unfinished_row(db, _work_key(RESUMING, vacation)):
                return
            payloads = await _announcement_payloads(db, vacation) if vacation else {}
        async with self.store.transaction() as db:
            if vacation is None:
                await due.unschedule(db, row.key)
            elif await vacations.load_vacation(db, vacation.id) == vacation and await due.unschedule(db, row.key):
                told = f"{_vacation_key(vacation)}:{'over' if vacation.ended_at else 'begun'}"
                await outbox.owe_each(db, told, VACATION, payloads, self.now())

    async def _vacation_status(self, db: Connection, user: int) -> VacationStatus:
        days = await self._days_of(db, user)
        if days.current is None:
            return days
        running = await game_lists.running_games(db, user)
        held = {brief.id for brief in running if vacation_holds(days.current, brief.venue.server)}
        flagged = tuple(brief.id for brief in running if brief.id in held and _clock_runs(brief, user))
        return replace(days, flagged=flagged, too_long=tuple(brief.id for brief in running if brief.id not in held))

    async def _days_of(self, db: Connection, user: int) -> VacationStatus:
        """Return a person's vacation status without the games whose clocks run on."""
        year = _year_of(self.now())
        recent = await vacations.vacations_since(db, user, _new_year(year) - MOST_VACATION_DAYS * DAY)
        used = sum(_days_in_year(each.since, each.over_at, year) for each in recent)
        allowed = await _allowed_days(db, await game_lists.running_servers(db, user))
        return VacationStatus(await vacations.current_vacation(db, user), used, allowed)


Payloads: TypeAlias = dict[int, dict[str, object]]


async def _announcement_payloads(db: Connection, vacation: Vacation) -> Payloads:
    """Return the payloads of the messages about the beginning or the end of a vacation, by channel."""
    running = await game_lists.running_games(db, vacation.user)
    return await _return_payloads(db, vacation, running) if vacation.ended_at else _begin_payloads(vacation, running)


def _begin_payloads(vacation: Vacation, running: Sequence[GameBrief]) -> Payloads:
    """Return the payloads of the messages that a vacation has begun, by channel.

    Each names the games that the vacation holds there, and those of them whose clock runs in spite of it.
    """
    held = [brief for brief in running if vacation_holds(vacation, brief.venue.server)]
    runs = _by_channel(brief for brief in held if _clock_runs(brief, vacation.user))
    stand = _by_channel(brief for brief in held if not _clock_runs(brief, vacation.user))
    return {channel: _payload(vacation, played, runs.get(channel, ())) for channel, played in stand.items()}


async def _return_payloads(db: Connection, vacation: Vacation, running: Sequence[GameBrief]) -> Payloads:
    """Return the payloads of the messages that a person is back, by channel.

    They go to each channel that was told of the vacation, and to those of the games whose clocks it had paused.
    """
    resumed = [brief for brief in running if _is_resumed(brief, vacation)]
    payloads = {channel: _payload(vacation, played) for channel, played in _by_channel(resumed).items()}
    key = _vacation_key(vacation)
    for channel, begun in (await outbox.payloads_by_channel(db, f"{key}:", f"{key};")).items():
        back = {"name": begun["name"], "until": vacation.until, "over": True, "games": []}
        payloads.setdefault(channel, back)
    return payloads


def _is_resumed(brief: GameBrief, vacation: Vacation) -> bool:
    """Return whether a clock runs that the vacation, now over, had paused. It paused no flagged clock."""
    held = _clock_runs(brief, vacation.user) and vacation_holds(vacation, brief.venue.server)
    return held and not brief.flagged


def _by_channel(briefs: Iterable[GameBrief]) -> dict[int, list[GameBrief]]:
    """Return the games by their channels, without the unreachable games."""
    channels: dict[int, list[GameBrief]] = {}
    for brief in briefs:
        if not brief.unreachable:
            channels.setdefault(brief.venue.channel, []).append(brief)
    return channels


def _payload(vacation: Vacation, played: Sequence[GameBrief], runs: Sequence[GameBrief] = ()) -> dict[str, object]:
    """Return the payload of the message to a channel about the games played there."""
    over = vacation.ended_at is not None

    def named(brief: GameBrief) -> tuple[object, ...]:
        return brief.id, brief.names[1 - brief.users.index(vacation.user)], *([brief.deadline] if over else [])

    return {
        "name": played[0].names[played[0].users.index(vacation.user)],
        "until": vacation.until,
        "over": over,
        "games": [named(brief) for brief in played if brief.timed],
        "untimed": [named(brief) for brief in played if not brief.timed],
        "runs": [named(brief) for brief in runs],
    }


async def _allowed_days(db: Connection, servers: Collection[int | None]) -> tuple[int, ...]:
    """Return the vacation days a year that these servers allow: each number once, the least first."""
    return tuple(sorted({(await load_server_settings(db, server)).vacation for server in servers or {None}}))


def _other_user(brief: GameBrief, user: int) -> int:
    return brief.users[1 - brief.users.index(user)]


def _clock_runs(brief: GameBrief, user: int) -> bool:
    """Return whether it is this player's turn and their clock runs. A clock can run in spite of a vacation."""
    return brief.users[brief.asked] == user and brief.deadline is not None


def _vacation_key(vacation: Vacation) -> str:
    return f"{VACATION}:{vacation.id}"


def _work_key(kind: str, vacation: Vacation) -> str:
    """Return the key of the due row for work of this kind: PAUSING, RESUMING or TELLING."""
    return f"{kind}:{vacation.id}"


def _vacation_of_key(work_key: str) -> int:
    return int(work_key.rpartition(":")[2])


def _days_in_year(since: int, until: int, year: int) -> int:
    """Return the days of a vacation that fall into a year (UTC). A part of a day counts as a day."""
    first, last = max(since, _new_year(year)), min(until, _new_year(year + 1))
    return max(0, -((first - last) // DAY))


def _year_of(moment: int) -> int:
    return datetime.fromtimestamp(moment, UTC).year


def _new_year(year: int) -> int:
    return int(datetime(year, 1, 1, tzinfo=UTC).timestamp())
