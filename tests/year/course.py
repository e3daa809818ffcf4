"""The course of time: one event after another, and the looks of the bot between them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from heapq import heappush
from itertools import count
from random import Random
from typing import Any, TypeAlias

from gipfbot.bench.recording import SentMessage
from gipfbot.values import OutboxRow
from tests.support.times import DAY, HOUR

from .host import Crash, Host
from .messages import Read
from .people import Person
from .watch import Watch, Watched

RESTART = 60  # seconds at most until another process goes on
BEGINS = 1_767_225_600  # 1 January 2026, a Thursday
Event: TypeAlias = tuple[int, int, partial[Awaitable[None]]]


@dataclass(frozen=True)
class Plan:
    """How big a year is."""

    games: int
    players: int
    clubs: int
    seed: int = 1
    days: int = 365
    club: int | None = None  # whose doings are written down, to be done again elsewhere


@dataclass
class Act:
    """What was done in the club that is written down: when in true time, and how wrong the host's clock was."""

    at: int
    offset: int
    told: int  # when the bot had last noted that it is there
    verb: str
    by: int = 0
    game: int = 0
    what: Any = None


@dataclass
class Course:
    """What goes on, and what is known of it."""

    plan: Plan
    host: Host
    watch: Watch
    rng: Random
    people: list[Person]
    script: list[Act] = field(default_factory=list)
    heard: list[SentMessage] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    numbers: Any = field(default_factory=count)
    begun: int = 0
    suspended: bool = False  # whether the next look comes after a jump
    calm_since: int = 0  # since when nothing has befallen the host
    unnoticed: bool = False  # whether the bot has been away and not yet looked round
    at_game: Callable[[int], None] = lambda _: None

    @property
    def ends(self) -> int:
        """When nobody begins a game any more."""
        return BEGINS + self.plan.days * DAY

    @property
    def now(self) -> int:
        """What the host's clock says."""
        return self.host.now()

    def at(self, moment: int, do: Callable[..., Awaitable[None]], *given: object) -> None:
        """Let something happen then, in true time."""
        event: Event = moment, next(self.numbers), partial(do, *given)
        heappush(self.events, event)

    async def _plays(self, game: Watched, serial: int) -> None:
        """Let the player to move play."""
        raise NotImplementedError

    async def _hushes(self, game: Watched, person: Person) -> None:
        """Let somebody want no reminders of a game."""
        raise NotImplementedError

    async def _quiet(self, until: int) -> None:
        """Let the bot have looked round all the time, with nothing to do, but for an absence it has not noticed."""
        if not self.unnoticed:
            await self.host.alive(until)

    async def _look(self, at: int, *, matters: bool = False) -> None:
        """Let the bot look round; what `matters` is written down, whatever comes of it."""
        suspended, self.suspended = self.suspended, False
        died, told = False, self.host.told
        try:
            await self.host.look(at)
        except Crash:
            died = True
        back = [person for person in self.people if person.club == self.plan.club and self._is_over(person)]
        if self.plan.club is not None and (matters or died or back or any(map(self._heard, self.watch.inbox))):
            self.script.append(Act(at, self.host.offset, told, "look"))
        await self._apply(suspended=suspended, died=died)
        if died:
            await self._restart()

    async def _apply(self, *, suspended: bool, died: bool) -> None:
        """Write into the notebook what a look has to bring about, and hold what was posted against it."""
        now = self.now
        if not suspended:
            await self._flags(now, strict=not died)
            if not died:
                assert await self.host.overdue() == 0, "a flag should have flagged"
            await self._homecomings(now, strict=not died)
            await self._claims(now)
        self._settle(died=died)

    async def _flags(self, now: int, *, strict: bool) -> None:
        for game in self.watch.flagged(now):
            assert game.clock
            stands = await self.host.stands(game.id)
            if stands.over or stands.flagged > game.clock.flagged:
                self.watch.falls(game, now, over=bool(stands.over))
            else:
                loose = game.clock.loose[game.number % 2]
                late = strict and not game.boards
                assert not late or -game.clock.left <= loose, f"a flag should have flagged: {game}"
                heappush(self.watch.flags, (now + 1, game.id, game.serial))

    async def _homecomings(self, now: int, *, strict: bool) -> None:
        for person in self.people:
            if self._is_over(person):
                back = not await self.host.is_away(person.user)
                assert back or not strict, f"a vacation should have ended: {person}"
                if back:
                    self.watch.returns(person, now)

    def _is_over(self, person: Person) -> bool:
        """Return whether somebody's vacation should have ended by now."""
        return person.away is not None and person.away <= self.now

    async def _claims(self, now: int) -> None:
        for game in self.watch.claimed(now):
            if (await self.host.stands(game.id)).over:
                self.watch.ends(game, "off" if game.number < 2 else "won")

    def _settle(self, *, died: bool) -> None:
        found = self.watch.settle(self.now)
        if died and found:
            self.watch.unsure(found[-1], RESTART)
        self.watch.nothing_is_late(self.now)
        assert not self.host.errors.found, self.host.errors.found[0]
        assert all(len(times) == 1 for times in self.host.wall.refused.values()), "shut messages are tried again"
        for each in found:
            self._heed(each)
        if self.plan.club is not None:
            self.heard += [each.sent for each in found if self._heard(each.sent)]

    def _heard(self, sent: SentMessage) -> bool:
        """Return whether a message concerns the club whose doings are written down."""
        return sent.place in self.host.spared

    def _heed(self, each: Read) -> None:
        """Let whoever is reminded of a turn play it, or not."""
        if each.kind not in ("reminder", "call", "nudge", "flagged", "claim"):
            return
        game = self.watch.names.get(each.game)
        if game is None or game.over:
            return
        if self.rng.random() < game.mover.heeds:
            self.at(self.host.true + self.rng.randrange(300, 5 * HOUR), self._plays, game, game.serial)
        if each.kind == "reminder" and self.rng.random() < game.mover.fiddles:
            self.at(self.host.true + self.rng.randrange(30, HOUR), self._hushes, game, game.mover)

    async def _restart(self) -> None:
        """Let another process go on after some seconds."""
        self.watch.counts["crashes"] += 1
        self.host.true += self.rng.randrange(3, RESTART)
        await self.host.start()
        await self._look(self.host.true, matters=True)

    def _write(self, verb: str, by: Person, game: int = 0, what: Any = None) -> None:
        """Write down what somebody of the club of interest has done."""
        if by.club == self.plan.club:
            self.script.append(Act(self.host.true, self.host.offset, self.host.told, verb, by.user, game, what))

    async def _deliver(self, owed: tuple[OutboxRow, ...]) -> None:
        """Deliver what somebody has caused, unless the process dies before or in it."""
        died = self.rng.random() < self.host.dies
        try:
            if not died:
                await self.host.bot.delivery.deliver(owed)
        except Crash:
            died = True
        self._settle(died=died)
        if died:
            await self._restart()
