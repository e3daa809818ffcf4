"""The course of time: one event after another, with the sweeps of the bot between them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from heapq import heappush
from itertools import count, pairwise
from random import Random
from typing import Any, TypeAlias

from gipfbot.store.users import SHUT_SECONDS
from gipfbot.values import OutboxRow
from tests.bench.recording import SentMessage
from tests.support.times import DAY, HOUR

from .host import Crash, Host
from .messages import Read
from .people import Person
from .watch import Watch
from .watched import Watched

RESTART = 60  # seconds at most until another process starts
BEGINS = 1_767_225_600  # 1 January 2026, a Thursday
Event: TypeAlias = tuple[int, int, partial[Awaitable[None]]]


@dataclass(frozen=True)
class Plan:
    """The size of a simulated year."""

    games: int
    players: int
    clubs: int
    seed: int = 1
    days: int = 365
    club: int | None = None  # the club whose acts are recorded, to be repeated in SimCord


@dataclass
class Act:
    """An act in the recorded club, at its true time; `offset` is the error of the host's clock."""

    at: int
    offset: int
    told: int  # when the bot last noted that it runs
    verb: str
    by: int = 0
    game: int = 0
    what: Any = None


@dataclass
class Course:
    """The running year: its events, its host and its notebook."""

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
    suspended: bool = False  # whether the next sweep comes after a clock jump
    calm_since: int = 0  # since when the host had no mishap
    unnoticed: bool = False  # whether the bot was down and has not swept since
    at_game: Callable[[int], None] = lambda _: None

    @property
    def ends(self) -> int:
        """The moment after which nobody begins a game."""
        return BEGINS + self.plan.days * DAY

    @property
    def now(self) -> int:
        """The time on the host's clock."""
        return self.host.now()

    def at(self, moment: int, do: Callable[..., Awaitable[None]], *given: object) -> None:
        """Schedule an event at a true time."""
        event: Event = moment, next(self.numbers), partial(do, *given)
        heappush(self.events, event)

    def _happens(self, chance: float, what: str | None = None) -> bool:
        """Return whether something happens, by chance. What is counted as `what` always does until it has happened."""
        return self.rng.random() < chance or (what is not None and not self.watch.counts[what])

    async def _plays(self, game: Watched, serial: int) -> None:
        """Let the player to move play."""
        raise NotImplementedError

    async def _hushes(self, game: Watched, person: Person) -> None:
        """Let a person turn off the reminders of a game."""
        raise NotImplementedError

    async def _quiet(self, until: int) -> None:
        """Note that the bot has swept until now with nothing to do, unless a downtime is still unnoticed."""
        if not self.unnoticed:
            await self.host.alive(until)

    async def _look(self, at: int, *, matters: bool = False) -> None:
        """Let the bot sweep. A sweep that `matters` is recorded, whatever it does."""
        suspended, self.suspended = self.suspended, False
        died, told = False, self.host.told
        try:
            await self.host.look(at)
        except Crash:
            died = True
        back = [person for person in self.people if person.club == self.plan.club and self._is_over(person)]
        if self.plan.club is not None and (matters or died or back or any(map(self._heard, self.watch.inbox))):
            self.script.append(Act(at, self.host.offset, told, "look"))
        if await self._apply(suspended=suspended, died=died):
            await self._restart()

    async def _apply(self, *, suspended: bool, died: bool) -> bool:
        """Write into the notebook what a sweep must do, and check the posts against it. Return whether the bot died."""
        now = self.now
        if not suspended:
            await self._flags(now, strict=not died)
            if not died:
                assert await self.host.overdue() == 0, "a player should have been flagged"
            await self._homecomings(now, strict=not died)
            await self._claims(now)
        died = died or await self._let_house_play()
        self._settle(died=died)
        return died

    async def _let_house_play(self) -> bool:
        """Let the bot decide all that it is asked. Return whether the process has died meanwhile."""
        raise NotImplementedError

    async def _flags(self, now: int, *, strict: bool) -> None:
        for game in self.watch.flagged(now):
            assert game.clock
            stands = await self.host.stands(game.id)
            if stands.over or stands.flagged > game.clock.flagged:
                self.watch.falls(game, now, over=bool(stands.over))
            else:
                loose = game.clock.loose[game.number % 2]
                late = strict and not game.boards
                assert not late or -game.clock.left <= loose, f"a player should have been flagged: {game}"
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
        for times in map(sorted, self.host.wall.refused.values()):
            early = [pair for pair in pairwise(times) if pair[1] - pair[0] < SHUT_SECONDS // 2]  # clocks may be wrong
            assert not early, "shut direct messages are tried again too soon"
        for each in found:
            self._heed(each)
        if self.plan.club is not None:
            self.heard += [each.sent for each in found if self._heard(each.sent)]

    def _heard(self, sent: SentMessage) -> bool:
        """Return whether a message is for the recorded club."""
        return sent.place in self.host.spared

    def _heed(self, each: Read) -> None:
        """Let a person who is reminded of a turn play it, or not."""
        if each.kind not in ("reminder", "call", "nudge", "flagged", "claim"):
            return
        game = self.watch.names.get(each.game)
        if game is None or game.over:
            return
        if self.rng.random() < game.mover.heeds:
            self.at(self.host.true + self.rng.randrange(300, 5 * HOUR), self._plays, game, game.serial)
        if each.kind == "reminder" and self._happens(game.mover.fiddles, "quiet"):
            self.at(self.host.true + self.rng.randrange(30, HOUR), self._hushes, game, game.mover)

    async def _restart(self) -> None:
        """Start another process after some seconds."""
        self.watch.counts["crashes"] += 1
        self.host.true += self.rng.randrange(3, RESTART)
        await self.host.start()
        await self._look(self.host.true, matters=True)

    def _write(self, verb: str, by: Person, game: int = 0, what: Any = None) -> None:
        """Record an act of a person in the recorded club."""
        if by.club == self.plan.club:
            self.script.append(Act(self.host.true, self.host.offset, self.host.told, verb, by.user, game, what))

    async def _deliver(self, owed: tuple[OutboxRow, ...]) -> None:
        """Deliver the messages that an act has caused, unless the process dies before or during it."""
        died = await self._post(owed) or await self._let_house_play()
        self._settle(died=died)
        if died:
            await self._restart()

    async def _post(self, owed: tuple[OutboxRow, ...]) -> bool:
        """Deliver messages. Return whether the process has died before or during it."""
        if self.rng.random() < self.host.dies:
            return True
        try:
            await self.host.bot.delivery.deliver(owed)
        except Crash:
            return True
        return False
