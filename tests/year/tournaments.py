"""A year of tournaments of both kinds: people join, play, leave, and go on vacation, and the host has mishaps.

The services run on one database, in one process or in two. They are killed in the middle of transactions, go down, and
are restored from backups. A naive recount is held against the database again and again.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import delete

from gipfbot.match import House, Refused, Seat, Terms, position_after, position_hash
from gipfbot.match.tournament import BANKS, PAUSED_AT_MOST, bank_for_game
from gipfbot.rules import BASIC, STANDARD, TOURNAMENT, Action
from gipfbot.service.app import App, create_app
from gipfbot.service.clock.downtime import LAST_ALIVE_KEY
from gipfbot.service.tournaments.news import NEWS
from gipfbot.store import Connection, Store, meta, tables
from gipfbot.store.database_file import TIMELINE, file_beside
from gipfbot.store.tournaments import GOES_ON
from gipfbot.values import NO_LIMITS, Stale, StoredGame, Venue
from gipfbot.values.tournaments import Tournament
from tests.process.players import any_turn
from tests.process.stored_courses import read_rows
from tests.service.helpers import repeat
from tests.support.background_work import do_next_task
from tests.support.engines import EngineInThread
from tests.support.recount import Recount, recount
from tests.support.stores import back_up, database_url, put_back
from tests.support.times import DAY, HOUR

from .course import BEGINS
from .host import Crash
from .living import answers_at_once

Doing: TypeAlias = Callable[[App], Awaitable[None]]
BOT = Seat(99, "GIPF")
DEEPEST = 12  # transactions after which a kill comes at the latest
MOST_SEASONS = 3  # of a league
TOGETHER = 4  # people who act at the same time
RULES = BASIC, BASIC, STANDARD, TOURNAMENT
AFTER = 400 * DAY  # the time after the year in which all tournaments must end
LISTED = "SELECT id, kind, state, begun, server, starts_at FROM tournaments ORDER BY id"
WAITING = """SELECT id, waiting_user FROM games WHERE status = 'running' AND waiting_user IS NOT NULL ORDER BY id"""
ENTERED = """SELECT tournament, season, "user" FROM tournament_entries WHERE left_at IS NULL"""
SHOWN = "SELECT id, CASE kind WHEN 'league' THEN begun ELSE 1 END FROM tournaments WHERE begun > 0"


class Listed(NamedTuple):
    """A tournament as it stands."""

    id: int
    kind: str
    state: str
    begun: int
    server: int
    starts_at: int


@dataclass(frozen=True)
class TournamentPlan:
    """The size of a year of tournaments."""

    tournaments: int = 50
    people: int = 64
    clubs: int = 4
    days: int = 365
    kills: int = 200
    restores: int = 6
    downtimes: int = 12
    seed: int = 1
    processes: int = 1


class MortalStore(Store):
    """A store whose process dies at the end of the transaction in which `dies_in` comes to nothing."""

    dies_in: int = 0
    is_dead: bool = False
    before: bool = False  # whether the last transaction is lost

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """Open a transaction. Raises Crash before or after its end, and from then on."""
        if self.is_dead:
            raise Crash
        self.dies_in -= 1
        self.is_dead = self.dies_in == 0
        async with super().transaction() as db:
            yield db
            if self.is_dead and self.before:
                raise Crash
        if self.is_dead:
            raise Crash


@dataclass
class Member:
    """A person. `shows_up` is the chance that they act in a step."""

    seat: Seat
    club: int
    shows_up: float
    is_gone: bool = False  # has deleted their data
    has_left: bool = False  # the server


@dataclass
class TournamentYear:
    """A year of tournaments on a database."""

    plan: TournamentPlan
    file: Path
    now: int = BEGINS
    counts: Counter[str] = field(default_factory=Counter)
    apps: list[App] = field(default_factory=list)
    stores: list[MortalStore] = field(default_factory=list)
    lasts: dict[int, int] = field(default_factory=dict)  # by game: turns until somebody resigns
    message: int = 0
    is_repeating: bool = False  # whether turns are stored that were never played

    def __post_init__(self) -> None:
        self.rng = Random(self.plan.seed)
        self.people = [
            Member(Seat(1000 + number, f"P{number}"), number % self.plan.clubs, self.rng.choice((0.02, 0.3, 0.6, 0.9)))
            for number in range(self.plan.people)
        ]
        self.members = {member.seat.user: member for member in self.people}

    @property
    def ends(self) -> int:
        """The moment after which nobody opens or joins a tournament."""
        return BEGINS + self.plan.days * DAY

    def read(self, query: str, *values: object) -> list[Any]:
        """Return the rows of a query."""
        return read_rows(self.file, query, *values)

    # The host

    async def open(self) -> None:
        """Start all processes."""
        url = database_url(self.file)
        for number in range(self.plan.processes):
            store = await MortalStore.open_database(url)
            assert isinstance(store, MortalStore)
            self.stores.append(store)
            self.apps.append(self._app(number))
        for number in range(self.plan.processes):
            await self._start(number)

    def _app(self, number: int) -> App:
        timeline = file_beside(self.file.with_name(f"{self.file.stem}{number}.sqlite3"), TIMELINE)
        what = self.stores[number], lambda: self.now, lambda: self.rng.random() < 0.5, lambda: self.now, NO_LIMITS
        return create_app(*what, timeline_file=timeline, engine=EngineInThread(nodes=30))

    async def _start(self, number: int) -> None:
        """Do what a process does at its start."""
        store, app = self.stores[number], self._app(number)
        store.dies_in, store.is_dead = 0, False
        self.apps[number] = app
        await app.timelines.begin()
        await app.outbox.release_leases()
        await app.house.release_leases()
        await app.tournament_course.look_at_all()

    async def close(self) -> None:
        """Stop all processes."""
        for store in self.stores:
            await store.close()
        self.stores.clear()
        self.apps.clear()

    async def _survive(self, works: Iterable[Awaitable[object]]) -> None:
        """Do all at once. A process that dies meanwhile is started again."""
        for found in await asyncio.gather(*works, return_exceptions=True):
            if isinstance(found, Refused | Stale):
                self.counts["too late"] += 1
            elif isinstance(found, BaseException) and not isinstance(found, Crash):
                raise found
        for number, store in enumerate(self.stores):
            if store.is_dead:
                self.counts["kills"] += 1
                await self._start(number)

    async def sweep(self, app: App) -> None:
        """Do what is due in a process."""
        if not await app.flag_watch.check_flags():
            return
        await app.deletions.resume_all()
        await app.vacations.end_due_vacations()
        await app.vacations.finish_vacation_work()
        await app.tournament_course.go_on_with_due(self._gone)
        while await do_next_task(app):
            pass
        await self._deliver(app)

    async def _gone(self, _server: int | None, users: Collection[int]) -> Collection[int]:
        return {user for user in users if user in self.members and self.members[user].has_left}

    async def _deliver(self, app: App) -> None:
        """Post all that is owed. The channel of one club is gone: what tournaments say there is refused."""
        while rows := await app.outbox.deliverable_rows(1000):
            for row_id in rows:
                row = await app.outbox.lease_row(row_id)
                if row and row.kind == NEWS and row.channel == _channel(self.plan.clubs - 1):
                    self.counts["refused"] += 1
                    await app.outbox.give_up(row, "gone")
                elif row:
                    self.message += 1
                    await app.outbox.note_delivered(row, self.message)
            if len(rows) < 1000:
                return

    async def _pass(self, seconds: int, *, is_alive: bool = True) -> None:
        """Let time pass. If no process is alive meanwhile, all clocks are credited later."""
        self.now += seconds
        if is_alive:
            async with Store.transaction(self.stores[0]) as db:  # in which nobody dies
                await meta.save_value(db, LAST_ALIVE_KEY, str(self.now))

    async def _goes_down(self) -> None:
        await self._pass(self.rng.randrange(HOUR, 3 * DAY), is_alive=False)
        for number in range(self.plan.processes):
            await self._start(number)

    async def _is_restored(self, backup: Path) -> None:
        """Go on from a backup that was made some hours ago."""
        await self.close()
        await put_back(backup, self.file)
        self.now += HOUR
        await self.open()

    # People

    async def run(self) -> None:
        """Run the year, and go on until all tournaments and their games are over."""
        await self.open()
        backup, mishaps = self.file.with_name("backup"), self._mishaps()
        while self.now < self.ends or self._goes_on():
            assert self.now < self.ends + AFTER, "a tournament never ends"
            await self._pass(self.rng.randrange(2, 10) * HOUR)
            mishap = mishaps.pop() if mishaps and mishaps[-1][0] <= self.now else (0, "")
            if mishap[1] == "kills":
                store = self.rng.choice(self.stores)
                store.dies_in, store.before = self.rng.randint(1, DEEPEST), self.rng.random() < 0.5
            elif mishap[1] == "backups":
                backup.unlink(missing_ok=True)
                await back_up(self.file, backup)
            elif mishap[1]:
                self.counts[mishap[1]] += 1
                await (self._is_restored(backup) if mishap[1] == "restores" else self._goes_down())
            await self._live()
            if mishap[1] or self.rng.random() < 0.05:
                await self.check()
        await self.check()

    def _mishaps(self) -> list[tuple[int, str]]:
        """Return what befalls the host, the first last."""
        span, found = self.plan.days * DAY, list[tuple[int, str]]()
        for what, number in (("kills", self.plan.kills), ("downtimes", self.plan.downtimes)):
            found += [(BEGINS + self.rng.randrange(span), what) for _ in range(number)]
        for _ in range(self.plan.restores):
            at = BEGINS + self.rng.randrange(span)
            found += [(at, "backups"), (at + self.rng.randrange(HOUR, 2 * DAY), "restores")]
        return _only_matched(sorted(found))[::-1]

    def _goes_on(self) -> bool:
        going = "SELECT id, state FROM tournaments WHERE state IN ('open', 'running')"
        return bool(self.read(going) or self.read(WAITING))

    async def _forget_repetitions(self) -> None:
        """Delete the turns that were never played."""
        if self.is_repeating:
            self.is_repeating = False
            async with Store.transaction(self.stores[0]) as db:
                await db.execute(delete(tables.turns).where(tables.turns.c.turn_number < 0))

    async def _live(self) -> None:
        """Let people act, and each process do what is due."""
        acts: list[Doing] = [partial(self._play, *row) for row in self.read(WAITING) if self._shows_up(row[1])]
        acts += self._doings()
        self.rng.shuffle(acts)
        for first in range(0, len(acts), TOGETHER):
            await self._survive(act(self.rng.choice(self.apps)) for act in acts[first : first + TOGETHER])
            await self._forget_repetitions()
        await self._survive(map(self.sweep, self.apps))

    def _shows_up(self, user: int) -> bool:
        member = self.members.get(user)
        return member is not None and self.rng.random() < member.shows_up

    def _doings(self) -> Iterable[Doing]:
        """Return what people do besides playing."""
        if self.now > self.ends:
            return
        listed, rng = [Listed(*row) for row in self.read(LISTED)], self.rng
        opened = 1 + (self.now - BEGINS) * self.plan.tournaments // ((self.ends - BEGINS) * 9 // 10)
        if len(listed) < min(self.plan.tournaments, opened):
            yield self._open
        entered = {*self.read(ENTERED)}
        for tournament in listed:
            if tournament.state in ("open", "running"):
                yield from self._doings_in(tournament, entered)
        member, chance = rng.choice(self.people), rng.random()
        if chance < 0.1:
            yield partial(self._travel, member)
        elif chance < 0.105:
            yield partial(self._delete, member)
        elif chance < 0.11:
            member.has_left = True
            self.counts["left the server"] += 1

    def _doings_in(self, tournament: Listed, entered: Collection[tuple[int, int, int]]) -> Iterable[Doing]:
        """Return what people do about a tournament that goes on: join it or stay, leave it, and stop it."""
        season = 1 if tournament.kind == "swiss" else tournament.begun + 1
        stays = tournament.kind == "league" and tournament.starts_at and tournament.begun < MOST_SEASONS
        for member in self.people if stays or not tournament.begun else ():
            may_join = member.club + 1 == tournament.server and not member.is_gone
            if may_join and (tournament.id, season, member.seat.user) not in entered and self.rng.random() < 0.2:
                yield partial(self._join, tournament.id, member)
        chance = self.rng.random()
        if chance < 0.01:
            of_now = tournament.id, season if tournament.kind == "swiss" else tournament.begun
            inside = [member for member in self.people if (*of_now, member.seat.user) in entered]
            yield partial(self._leave, tournament.id, self.rng.choice(inside or self.people))
        elif chance < 0.0115:
            yield partial(self._stop, tournament.id)

    async def _open(self, app: App) -> None:
        club, rng = self.rng.randrange(self.plan.clubs), self.rng
        rounds = rng.choice((0, rng.randint(2, 5)))
        house = House(1, BOT.user) if rng.random() < 0.1 else None
        terms = Terms(bank_for_game(rng.choice(BANKS)), rated=True, vacation=PAUSED_AT_MOST // DAY, takebacks=False)
        new = Tournament(
            id=0,
            kind="swiss" if rounds else "league",
            name="A cup",
            venue=Venue(1 + club, _channel(club)),
            organiser=self.people[club].seat,
            ruleset=rng.choice(RULES),
            terms=replace(terms, house=house),
            rounds=rounds,
            starts_at=self.now + rng.randint(2, 6) * DAY,
            created_at=self.now,
        )
        await app.tournaments.open(new, BOT if house else None)

    async def _join(self, tournament: int, member: Member, app: App) -> None:
        await app.tournaments.join(tournament, member.seat)
        self.counts["joined"] += 1

    async def _leave(self, tournament: int, member: Member, app: App) -> None:
        try:
            await app.tournaments.leave(tournament, member.seat.user)
        except Refused:
            shown = await app.tournaments.show(tournament)
            over = shown.tournament.state not in GOES_ON
            assert over or not shown.entry_of(member.seat.user), f"{member.seat} cannot leave {tournament}"
            raise
        self.counts["left"] += 1

    async def _stop(self, tournament: int, app: App) -> None:
        await app.tournaments.stop(tournament)
        self.counts["stopped"] += 1

    async def _travel(self, member: Member, app: App) -> None:
        left = (await app.vacations.vacation_status(member.seat.user)).days_left
        if left > 1 and not member.is_gone:
            await app.vacations.start_vacation(member.seat.user, self.rng.randrange(1, min(left, 14)))
            self.counts["vacations"] += 1

    async def _delete(self, member: Member, app: App) -> None:
        if not member.is_gone:
            await app.deletions.begin(member.seat.user)
            member.is_gone = True
            self.counts["deletions"] += 1

    async def _play(self, game: int, user: int, app: App) -> None:
        """Let the player to move play any turn, or somebody resign."""
        stored = await app.games.game(game)
        lasts = self.lasts.setdefault(game, 999 if self.rng.random() < 0.05 else int(self.rng.expovariate(0.25)))
        if stored.game.turn_number >= lasts:
            people = [seat.user for seat in stored.game.seats if seat.user in self.members]
            await app.games.resign(game, self.rng.choice(people))
            return
        actions = any_turn(stored.game.position, self.rng)
        is_void = self.rng.random() < 0.04
        if is_void:
            await self._repeat(app, stored, actions)
        with suppress(Refused):
            await app.games.play_actions(game, user, actions, stored.game.version, sure=True)
            self.counts["turns"] += 1

    async def _repeat(self, app: App, stored: StoredGame, actions: Sequence[Action]) -> None:
        """Let a turn make its game void, as if its position had stood twice before (R6.3)."""
        after = position_after(stored.game.position, actions)
        self.is_repeating = True
        async with app.games.store.transaction() as db:
            await repeat(db, stored.game.id, position_hash(after))

    # Checks

    async def check(self) -> Recount:
        """Hold a recount against the database, and against the tables that are shown."""
        found = recount(self.read)
        assert found.faults == [], (self.plan, found.faults)
        for tournament, season in self.read(SHOWN):
            shown = await self.apps[0].tournaments.show(tournament)
            for number, table in enumerate(shown.tables):
                is_league = shown.tournament.kind == "league"
                order = found.tables[tournament, season, number + 1 if is_league else 0]
                assert [row.player for row in table] == order, (tournament, season, number)
        return found

    def count(self, found: Recount) -> None:
        """Count what has come to pass."""
        for each in found.tournaments:
            self.counts[f"{each.kind}: {each.state}"] += 1
            self.counts["seasons" if each.kind == "league" else "rounds"] += each.begun
        self.counts["tournaments"] = len(found.tournaments)
        self.counts["games in tournaments"] = len(found.games)
        self.counts["games after void ones"] = len(found.before)
        self.counts["pairings"] = len(found.pairings)
        self.counts["lost on time"] = sum(bool(each.late) for each in found.pairings)
        self.counts["half a point each"] = sum(each.outcome == "half" for each in found.pairings)
        self.counts["without a game"] = sum(each.black is not None and not each.game for each in found.pairings)


def _channel(club: int) -> int:
    return 100 + club


def _only_matched(mishaps: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Leave out restores that no backup comes before."""
    kinds = [what for _, what in mishaps]
    return [each for at, each in enumerate(mishaps) if each[1] != "restores" or "backups" in kinds[:at]]


async def live_tournaments(plan: TournamentPlan, file: Path) -> TournamentYear:
    """Run a year of tournaments and return it. Its database need not exist."""
    year = TournamentYear(plan, file)
    with answers_at_once():
        try:
            await year.run()
            year.count(await year.check())
        finally:
            await year.close()
    return year
