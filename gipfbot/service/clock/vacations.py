"""Vacations: days on which a person's clocks are paused. Each is announced in the channels of their games."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from gipfbot.match import DAY, Game, Refused, Terms, Why
from gipfbot.match.clock import DEFAULT_VACATION_DAYS
from gipfbot.service.kit.batches import BATCH_SIZE, BatchWork, for_each
from gipfbot.service.kit.message_kinds import MessageKind, lease_for_caller
from gipfbot.service.settings.vacation_days import (
    count_vacation_days,
    vacation_days_left,
    vacation_end,
    vacation_end_in_game,
    year_of,
)
from gipfbot.store import Connection, Store, clocks, due, game_lists, games, outbox
from gipfbot.values import (
    DueRow,
    GameBrief,
    OutboxRow,
    SettledRow,
    StoredGame,
    Vacation,
    VacationDays,
    VacationGame,
    with_level,
)

from . import downtime, pause, undeliverable

Payloads: TypeAlias = dict[int, dict[str, object]]

GAME_LISTS = ("games", "untimed", "runs")  # in an announcement: games, each with its opponent's name, by `with_level`
VACATION = MessageKind("vacation", "announcement of a vacation", people=("name", *GAME_LISTS))
# Kinds of due rows: the work that is left when a vacation begins or ends.
PAUSING, RESUMING, TELLING = "vacation_pause", "vacation_resume", "vacation_tell"
USED_UP = "vacation_used_up"  # the kind of a due row: games whose vacation days are used up before a vacation is over
VACATION_WORK = frozenset((PAUSING, RESUMING, USED_UP, TELLING))
MOST_DELIVERED_AT_ONCE = 5  # announcements that the caller delivers
MOST_BEGUN_A_DAY = 3  # vacations of one person
NEVER_BEGUN_WITHIN = 3600  # seconds; a shorter vacation counts as never begun
# Stands for no game: the default terms.
NO_GAME = VacationGame(0, VacationDays(DEFAULT_VACATION_DAYS, 0), None, flagged=False)


async def announcement_payloads(db: Connection, vacation: Vacation, key: str) -> Payloads:
    """Return the payloads of the messages about the beginning or the end of a vacation, by channel.

    `key` is the prefix of the keys of these messages.
    """
    running = await game_lists.running_games(db, vacation.user)
    known = [each for each in await clocks.vacations_since(db, vacation.user, 0) if each.since < vacation.since]
    if vacation.ended_at is None:
        return _begin_payloads(vacation, running, known)
    return await _return_payloads(
        db, vacation, [brief for brief in running if _is_resumed(brief, vacation, known)], key
    )


def _begin_payloads(vacation: Vacation, running: Sequence[GameBrief], known: Sequence[Vacation]) -> Payloads:
    """Return the payloads that announce the beginning of a vacation, by channel.

    Each lists the channel's games in which the vacation holds. Games whose clock runs in spite of the vacation have
    their own list. `known` are the person's earlier vacations.
    """
    ends = {brief.id: vacation_end_in_game(brief.vacation, [*known, vacation], vacation.since) for brief in running}
    held = [brief for brief in running if ends[brief.id]]
    runs = _by_channel(brief for brief in held if own_clock_runs(brief, vacation.user))
    stand = _by_channel(brief for brief in held if not own_clock_runs(brief, vacation.user))
    shorter = {game: end for game, end in ends.items() if end and end < vacation.until}
    return {channel: _payload(vacation, played, shorter, runs.get(channel, ())) for channel, played in stand.items()}


async def _return_payloads(db: Connection, vacation: Vacation, resumed: Sequence[GameBrief], key: str) -> Payloads:
    """Return the payloads that announce a person's return, by channel.

    They go to each channel that was told of the vacation, and to the channels of the `resumed` games.
    """
    deadlines = {brief.id: brief.deadline for brief in resumed}
    payloads = {channel: _payload(vacation, played, deadlines) for channel, played in _by_channel(resumed).items()}
    for channel, begun in (await outbox.payloads_by_channel(db, f"{key}:", f"{key};")).items():
        told = {name: begun.get(name) for name in ("server", "name")}
        back: dict[str, Any] = {**told, "until": vacation.until, "over": True, "games": []}
        payloads.setdefault(channel, back)
    return payloads


def _is_resumed(brief: GameBrief, vacation: Vacation, known: Sequence[Vacation]) -> bool:
    """Return whether a clock runs that this vacation had paused until its end. Flagged clocks are never paused."""
    if brief.flagged or not own_clock_runs(brief, vacation.user):
        return False
    lasted = replace(vacation, ended_at=max(vacation.over_at, vacation.since + 1))  # also if it was annulled
    return count_vacation_days(brief.vacation, [*known, lasted])[1] == lasted.over_at


def own_clock_runs(brief: GameBrief, user: int) -> bool:
    """Return whether it is this player's turn and their clock runs. A clock can run in spite of a vacation."""
    return brief.users[brief.asked] == user and brief.deadline is not None


def _by_channel(briefs: Iterable[GameBrief]) -> dict[int, list[GameBrief]]:
    """Return the games by their channels, without the unreachable games."""
    channels: dict[int, list[GameBrief]] = {}
    for brief in briefs:
        if not brief.unreachable:
            channels.setdefault(brief.venue.channel, []).append(brief)
    return channels


def _payload(
    vacation: Vacation, played: Sequence[GameBrief], until: Mapping[int, int | None], runs: Sequence[GameBrief] = ()
) -> dict[str, object]:
    """Return the payload of the message to a channel about the games played there.

    `until` maps games to the times named beside them. When a vacation ends, these are the deadlines. When it begins,
    these are the ends of pauses that end before the vacation.
    """

    def named(brief: GameBrief) -> tuple[object, ...]:
        opponent = with_level(brief.names[1 - brief.users.index(vacation.user)])
        return (brief.id, opponent, *([until[brief.id]] if brief.id in until else []))

    return {
        "server": played[0].venue.server,
        "name": played[0].names[played[0].users.index(vacation.user)],
        "until": vacation.until,
        "over": vacation.ended_at is not None,
        "games": [named(brief) for brief in played if brief.timed],
        "untimed": [named(brief) for brief in played if not brief.timed],
        "runs": [named(brief) for brief in runs],
    }


@dataclass(frozen=True)
class VacationStatus:
    """A person's current vacation, and the vacation days that they may still use this year. Days count per game.

    `current` is None if they are not on vacation.
    """

    current: Vacation | None
    left: tuple[int, ...]  # the days left this year in the games of the person: each number once, least first
    allowed: tuple[int, ...]  # the days a year that the terms of these games allow, in the same way
    flagged: tuple[int, ...] = ()  # games whose clock runs on, because their time was over before the vacation
    used_up: tuple[int, ...] = ()  # games whose clock runs on, because no days are left there
    shorter: Mapping[int, int] = field(default_factory=dict)  # by game: the end of its pause, if before the vacation's

    @property
    def days_left(self) -> int:
        """The vacation days that the person may still use this year, in the game that has the most left."""
        return self.left[-1]


class Vacations:
    """Operations on vacations. `now` returns UTC seconds.

    Each method raises Refused, and changes nothing, if the person is not allowed to do it.
    """

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now
        self._pausing = BatchWork(store, PAUSING, self._pause_batch)
        self._resuming = BatchWork(store, RESUMING, self._resume_batch)
        self._using_up = BatchWork(store, USED_UP, self._use_up_batch)

    async def vacation_status(self, user: int) -> VacationStatus:
        """Return a person's current vacation and their vacation days."""
        async with self.store.reading() as db:
            return await _load_status(db, user, self.now())

    async def vacations_in_list(
        self, briefs: Collection[GameBrief], user: int
    ) -> tuple[VacationStatus | None, dict[int, int]]:
        """Return the status of a person on vacation, otherwise None, and the ends of their opponents' vacations.

        `briefs` are games of the person. The ends, in UTC seconds, are by game. A game is left out if the opponent is
        not on vacation, if the vacation does not hold in the game, or if the opponent's clock runs in spite of it.
        """
        others = [(brief, _other_user(brief, user)) for brief in briefs]
        others = [(brief, other) for brief, other in others if not own_clock_runs(brief, other)]
        async with self.store.reading() as db:
            absent = {each.user for each in await clocks.vacations_of(db, {user, *(other for _, other in others)})}
            status = await _load_status(db, user, self.now()) if user in absent else None
            known = await clocks.vacations_of_each(db, absent - {user}, 0) if absent - {user} else {}
        ends = {
            brief.id: vacation_end_in_game(brief.vacation, known[other], self.now())
            for brief, other in others
            if other in known
        }
        return status, {game: end for game, end in ends.items() if end}

    async def waits_for_vacation_until(self, stored: StoredGame) -> int | None:
        """Return when the vacation of the player to move ends in a game, in UTC seconds.

        Return None if they are not on vacation, if their clock runs, or if the vacation does not hold in this game.
        """
        game = stored.game
        if game.asked is None or (game.clock and game.clock.deadline is not None):
            return None
        user = game.seats[game.asked].user
        async with self.store.reading() as db:
            return await vacation_end(db, user, game.terms, stored.created_at, self.now())

    async def start_vacation(self, user: int, days: int) -> tuple[VacationStatus, tuple[OutboxRow, ...]]:
        """Start a vacation of this number of days, and pause the person's clocks.

        Return their vacation status, and the outbox rows that the caller has to deliver. If the person has many games,
        the next sweep pauses the clocks, with the time that they have now. A clock whose time is over runs on. A paused
        clock runs again when the game's vacation days are used up.
        """
        now = self.now()
        async with self.store.transaction() as db:
            ends = await _ends_of_vacation(db, user, now, days)
            await _check_vacations_of_day(db, user, now)
            new = await clocks.add_vacation(db, user, now, now + days * DAY)
            await due.schedule(db, _vacation_key(new), VACATION, new.until, user)
            for end in {*ends} - {new.until}:
                await due.schedule(db, _used_up_key(new, end), USED_UP, end, user)
            await self._pausing.begin(db, _work_key(PAUSING, new), now, user)
        return await self._after_change(new)

    async def end_vacation(self, user: int) -> tuple[VacationStatus, tuple[OutboxRow, ...]]:
        """End a person's vacation, and resume their clocks.

        Return their vacation status, and the outbox rows that the caller has to deliver.
        """
        async with self.store.transaction() as db:
            current = await clocks.current_vacation(db, user)
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
        current = await clocks.current_vacation(db, row.user)
        if current and _vacation_key(current) == row.key:
            await self._end_vacation(db, current)

    async def _end_vacation(self, db: Connection, current: Vacation) -> None:
        """End a vacation. Its clocks are resumed afterwards.

        A vacation that ends within NEVER_BEGUN_WITHIN counts as never begun: it uses no day and gives no time.
        """
        annulled = 0 <= self.now() - current.since < NEVER_BEGUN_WITHIN
        await clocks.end_vacation(db, current.id, current.since if annulled else min(self.now(), current.until))
        await due.unschedule(db, _vacation_key(current))
        await due.unschedule_of_user(db, USED_UP, current.user)
        await self._resuming.begin(db, _work_key(RESUMING, current), self.now(), current.user)

    # ── The clocks of a vacation, in batches; then its announcement ──

    async def finish_vacation_work(self) -> None:
        """Pause and resume the remaining clocks, and announce the vacations whose clocks are done."""
        for work in (self._pausing, self._resuming, self._using_up):
            await work.go_on_with_all(self.now())
        async with self.store.reading() as db:
            left = await due.ready_rows(db, TELLING, self.now())
        for row in left:
            await self._announce_vacation(row)

    async def _after_change(self, vacation: Vacation) -> tuple[VacationStatus, tuple[OutboxRow, ...]]:
        """Pause or resume the clocks of a vacation, and announce it. Return the status, and the rows to deliver.

        If the person has many games, the next sweep does this work, so that the answer comes at once.
        """
        async with self.store.reading() as db:
            has_few_games = await game_lists.count_running_anywhere(db, vacation.user) <= BATCH_SIZE
        if has_few_games:
            await self._finish_change(vacation)
        owed = await self._lease_announcements(vacation) if has_few_games else ()
        return await self.vacation_status(vacation.user), owed

    async def _finish_change(self, vacation: Vacation) -> None:
        """Pause or resume the clocks of a vacation that has just begun or ended, and announce it."""
        await self._pausing.finish(_work_key(PAUSING, vacation))
        await self._resuming.finish(_work_key(RESUMING, vacation))
        async with self.store.reading() as db:
            told = await due.unfinished_row(db, _work_key(TELLING, vacation))
        if told:
            await self._announce_vacation(told)

    async def _lease_announcements(self, vacation: Vacation) -> tuple[OutboxRow, ...]:
        """Lease the first announcements of a vacation for the caller. The sweep delivers the others."""
        key = _vacation_key(vacation)
        async with self.store.transaction() as db:
            rows = await outbox.rows_by_key(db, f"{key}:", f"{key};", MOST_DELIVERED_AT_ONCE)
            return tuple([owed for row in rows for owed in await lease_for_caller(db, row, self.now())])

    async def _pause_batch(self, db: Connection, row: DueRow) -> int | None:
        """Pause the next clocks of a person whose vacation has begun. Return the last game if others follow."""
        current = await clocks.current_vacation(db, row.user)
        if current is None or _work_key(PAUSING, current) != row.key:
            return None
        found, last = await game_lists.next_waiting_games(db, row.user, row.game or 0, BATCH_SIZE)
        known = await clocks.vacations_since(db, row.user, 0)
        held = [stored.game for stored in found if stored.game.clock and _end_in_game(stored, known, current.since)]
        paused = [await pause.with_pause_since(db, game, current.since, self.now()) for game in held]
        await pause.save_clocks_and_reminders(db, row.user, paused)
        if last is None:
            await due.schedule(db, _work_key(TELLING, current), TELLING, self.now(), row.user)
        return last

    async def _resume_batch(self, db: Connection, row: DueRow) -> int | None:
        """Resume the next clocks of a person whose vacation is over. Return the last game if others follow."""
        over = await clocks.load_vacation(db, _vacation_of_key(row.key))
        if over is None:
            return None
        last = await self._resume_next(db, row, over)
        if last is None:
            await due.unschedule(db, _work_key(TELLING, over))  # a beginning that was never announced
            await due.schedule(db, _work_key(TELLING, over), TELLING, self.now(), row.user)
        return last

    async def _use_up_batch(self, db: Connection, row: DueRow) -> int | None:
        """Resume the next clocks in games whose vacation days are used up. Return the last game if others follow."""
        current = await clocks.current_vacation(db, row.user)
        if current is None or current.id != _vacation_of_key(row.key):
            return None
        return await self._resume_next(db, row, current)

    async def _resume_next(self, db: Connection, row: DueRow, vacation: Vacation) -> int | None:
        """Resume the next clocks that no vacation pauses any more. Return the last game if others follow."""
        found, last = await game_lists.next_waiting_games(db, row.user, row.game or 0, BATCH_SIZE)
        known = await clocks.vacations_since(db, row.user, 0)
        held = [stored.game for stored in found if not _end_in_game(stored, known, self.now())]
        paused = [game for game in held if game.clock and game.clock.paused_left is not None]
        untold = await undeliverable.games_with_untold_player(db, [game.id for game in paused])
        told = [game for game in paused if game.id not in untold]
        resumed = [await self._with_clock_resumed(db, game, vacation) for game in told]
        await pause.save_clocks_and_reminders(db, row.user, resumed)
        return last

    async def _with_clock_resumed(self, db: Connection, game: Game, over: Vacation) -> Game:
        """Return a game with its clock resumed after a vacation that no longer holds there.

        If the vacation was annulled, the clock is set as if it had never been paused.
        """
        if over.ended_at != over.since:
            return await pause.with_clock_resumed(db, game, self.now())
        waiting_since = await games.waiting_since(db, game.id)
        return await pause.with_pause_annulled(db, game, max(over.since, waiting_since), self.now())

    async def _announce_vacation(self, row: DueRow) -> None:
        """Queue one message about the beginning or the end of a vacation to each channel, and remove its due row.

        The lists of games are read before the transaction, because they may be long. Does nothing if the vacation has
        ended meanwhile: once its clocks run again, its end is announced.
        """
        async with self.store.reading() as db:
            vacation = await clocks.load_vacation(db, _vacation_of_key(row.key))
            if vacation and await due.unfinished_row(db, _work_key(RESUMING, vacation)):
                return
            payloads = await announcement_payloads(db, vacation, _vacation_key(vacation)) if vacation else {}
        async with self.store.transaction() as db:
            if vacation is None:
                await due.unschedule(db, row.key)
            elif await clocks.load_vacation(db, vacation.id) == vacation and await due.unschedule(db, row.key):
                told = f"{_vacation_key(vacation)}:{'over' if vacation.ended_at else 'begun'}"
                await outbox.owe_each(db, told, VACATION, payloads, self.now(), vacation.user)


async def begin_in_vacation(db: Connection, known: Sequence[Vacation], terms: Terms, now: int) -> int | None:
    """Return when a person's vacation ends in a game that begins now, in UTC seconds.

    `known` are their vacations, the oldest first. If their vacation ends later than that, plan that the game goes on
    then. Return None if they are not on vacation, or if it does not hold there.
    """
    end = vacation_end_in_game(VacationDays.by_terms(terms, now), known, now)
    if end and end < known[-1].until:
        await due.schedule(db, _used_up_key(known[-1], end), USED_UP, end, known[-1].user)
    return end


async def _check_vacations_of_day(db: Connection, user: int, now: int) -> None:
    """Raise Refused if a person has begun MOST_BEGUN_A_DAY vacations within a day. Annulled ones count, too.

    The limit exists because each vacation is announced in all channels in which the person plays.
    """
    begun = await clocks.beginnings_since(db, user, now - DAY + 1)
    if len(begun) >= MOST_BEGUN_A_DAY:
        raise Refused(Why.TOO_MANY_VACATIONS, most=MOST_BEGUN_A_DAY, at=begun[-MOST_BEGUN_A_DAY] + DAY)


async def _ends_of_vacation(db: Connection, user: int, now: int, days: int) -> set[int]:
    """Return the times at which a vacation of `days` days would end in a person's games.

    Raises Refused if the person is on vacation, or if the days are too many for each of their games.
    """
    running, known = await game_lists.vacation_games(db, user), await clocks.vacations_since(db, user, 0)
    if known and known[-1].ended_at is None:
        raise Refused(Why.ON_VACATION, until=known[-1].until)
    wanted = [*known, Vacation(0, user, now, now + days * DAY)]
    terms = {game.days for game in running or [NO_GAME]}
    ends = {end for allowed in terms if (end := vacation_end_in_game(allowed, wanted, now))}
    if days < 1 or now + days * DAY not in ends:
        raise Refused(Why.VACATION_TOO_LONG, left=_days_of_year(running, known, year_of(now))[0][-1])
    return ends


async def _load_status(db: Connection, user: int, now: int) -> VacationStatus:
    running, known = await game_lists.vacation_games(db, user), await clocks.vacations_since(db, user, 0)
    current = known[-1] if known and known[-1].ended_at is None else None
    status = VacationStatus(current, *_days_of_year(running, known, year_of(now)))
    if current is None:
        return status
    ends = {game.id: vacation_end_in_game(game.days, known, min(now, current.until - 1)) for game in running}
    moment = await downtime.since(db, now) or now  # clocks are credited for the time since then
    return replace(
        status,
        flagged=tuple(game.id for game in running if ends[game.id] and _is_late(game, moment)),
        used_up=tuple(game for game, end in ends.items() if end is None),
        shorter={game: end for game, end in ends.items() if end and end < current.until},
    )


def _is_late(game: VacationGame, moment: int) -> bool:
    """Return whether it is the person's turn in a game, and their time was over at a moment."""
    return game.deadline is not None and (game.flagged or game.deadline < moment)


def _days_of_year(
    running: Sequence[VacationGame], known: Sequence[Vacation], year: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the days that are left in a year in the person's games, and the days that their terms allow.

    Each number comes once, the least first.
    """
    terms = {game.days for game in running or [NO_GAME]}
    left = {vacation_days_left(days, count_vacation_days(days, known)[0], year) for days in terms}
    return tuple(sorted(left)), tuple(sorted({days.allowed for days in terms}))


def _other_user(brief: GameBrief, user: int) -> int:
    return brief.users[1 - brief.users.index(user)]


def _end_in_game(stored: StoredGame, known: Sequence[Vacation], now: int) -> int | None:
    """Return when the current vacation ends in a game: see `vacation_end_in_game`."""
    return vacation_end_in_game(VacationDays.by_terms(stored.game.terms, stored.created_at), known, now)


@VACATION.still_needs
async def announcements_to_answer(db: Connection, rows: Sequence[SettledRow]) -> set[int]:
    """Return the announcements of vacations whose end is not announced yet. It goes to the same channels."""
    of_row = {row.id: _vacation_of_key(row.key) for row in rows}
    untold = await clocks.current_ids(db, {*of_row.values()})
    work = {f"{kind}:{vacation}": vacation for kind in (RESUMING, TELLING) for vacation in of_row.values()}
    untold |= {work[key] for key in await due.unfinished_keys(db, [*work])}
    return {row for row, vacation in of_row.items() if vacation in untold}


def _vacation_key(vacation: Vacation) -> str:
    return f"{VACATION}:{vacation.id}"


def _work_key(kind: str, vacation: Vacation) -> str:
    """Return the key of the due row for work of this kind: PAUSING, RESUMING or TELLING."""
    return f"{kind}:{vacation.id}"


def _used_up_key(vacation: Vacation, end: int) -> str:
    return f"{USED_UP}:{vacation.id}:{end}"


def _vacation_of_key(work_key: str) -> int:
    return int(work_key.split(":")[1])
