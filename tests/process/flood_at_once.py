"""One person sends every kind of flood at once, with Discord's limits on. The waits of the others are judged.

First two pairs play, and two people play the bot at level 1: in the flooded channel, and in another one. Then nine
more people, ten with Mallory, play the bot at level 7.
"""

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from random import Random
from time import perf_counter, time
from typing import NamedTuple

from gipfbot.notation import parse_position, turn_text
from gipfbot.service.kit.loaded_games import game_name
from tests.bench.figures import quantile
from tests.standin import Channel, Interaction, StandIn, User
from tests.standin.rates import Rates
from tests.support.spoken_words import LOCALES

from .bot_games import begin_in_channel
from .flood_kinds import KINDS, Mallory, prepare_games, say, use_real_limits
from .players import any_turn
from .posted import mixed_messages
from .running import Bot
from .stored_courses import read_rows
from .table import turns_shown

IDLE_SECONDS, FLOOD_SECONDS = 30.0, 90.0
GIVE_UP, LONGEST = 120.0, 900.0  # seconds after which a wait is over; the same for the bot's turn at level 7
POLL_SECONDS = 0.02
TURN_SECONDS, LOOK_SECONDS = 5.0, 1.0  # a person plays so often, and looks around so often
GAMES = 30  # running games of Mallory before
ANSWERED, POSTED = 5.0, 5.0  # seconds at most
ACKNOWLEDGED, TIMES_IDLE = 0.5, 10  # seconds; or so many times the idle run's p99, if that is more
THINKERS, ROUNDS, SEARCHES = 9, 2, 10  # others at level 7; answers that each gets; searches that one waits for at most
COURSE = "SELECT turn_number, position FROM games WHERE id = ?"
IS_OVER = "SELECT count(*) FROM games WHERE id = ? AND waiting_user IS NULL"
NEWEST_GAME = 'SELECT max(game) FROM seats WHERE "user" = ?'
FOUND = "SELECT count(*) FROM turns JOIN games ON games.id = turns.game WHERE level = 7 AND how <> 'typed'"


class Figure(NamedTuple):
    """A figure and its limit."""

    name: str
    value: float
    limit: float
    unit: str = "s"

    @property
    def is_met(self) -> bool:
        """Whether the limit is kept."""
        return self.value <= self.limit

    def __str__(self) -> str:
        said = "met" if self.is_met else "NOT MET"
        return f"  {said}: {self.name} {self.value:.2f} {self.unit}, limit {self.limit:.2f}"


@dataclass
class Waits:
    """What the others waited for, in seconds, and how many searches they waited for at level 7."""

    sent: list[Interaction] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)  # from a turn at level 1 to the bot's turn
    answer_posted: list[float] = field(default_factory=list)  # from the bot's turn at level 1 to its board
    posted: list[float] = field(default_factory=list)  # from a turn between people to its board
    searches: list[float] = field(default_factory=list)

    @property
    def p99(self) -> float:
        """The 99th percentile of the seconds until an action was acknowledged."""
        now = perf_counter()
        return quantile([(each.answered_at or now) - each.sent_at for each in self.sent], 0.99)

    def figures(self, idle: "Waits") -> Iterator[Figure]:
        """Yield the figures that have a limit, compared with those of the idle run."""
        yield Figure("acknowledged, p99", self.p99, max(ACKNOWLEDGED, TIMES_IDLE * idle.p99))
        yield Figure("turn at level 1 answered", max(self.answered, default=inf), ANSWERED)
        yield Figure("its board posted", max(self.answer_posted, default=inf), POSTED)
        yield Figure("board between people posted", max(self.posted, default=inf), POSTED)

    def __str__(self) -> str:
        lists = {
            "answers at level 1": self.answered,
            "their boards": self.answer_posted,
            "boards between people": self.posted,
            "searches": self.searches,
        }
        told = (f"{name} {' '.join(f'{each:.1f}' for each in sorted(waits))}" for name, waits in lists.items() if waits)
        return f"{len(self.sent)} acts, acknowledged p99 {1000 * self.p99:.0f} ms; {'; '.join(told)}"


class Person(ABC):
    """Somebody in a channel who plays until `over` is set. Their waits are noted in `waits`."""

    @abstractmethod
    async def live(self) -> None:
        """Play, and note what is waited for."""

    def __init__(self, bot: Bot, discord: StandIn, channel: Channel, name: str) -> None:
        self.bot, self.discord, self.channel, self.me = bot, discord, channel, discord.user(name)
        self.me.locale = LOCALES[len(name) % len(LOCALES)]
        self.waits, self.over, self.chance, self.game = Waits(), asyncio.Event(), Random(name), 0

    async def act(self, command: str, by: User | None = None, **options: object) -> Interaction:
        """Send a command."""
        sent = await self.discord.slash(by or self.me, self.channel, command, **options)
        self.waits.sent.append(sent)
        return sent

    async def begin_against_bot(self, level: int) -> None:
        """Begin a game against the bot. The bot plays first at level 7, and the person at level 1."""
        colour = "black" if level > 1 else "white"
        await begin_in_channel(self.discord, self.me, self.channel, str(level), colour, "standard")
        await self.find_game()

    async def find_game(self) -> None:
        """Wait until their game is stored."""
        found = await self.discord.wait_for(lambda: read_rows(self.bot.database, NEWEST_GAME, self.me.id)[0], "a game")
        self.game = int(found)

    async def type_turn(self, by: User | None = None) -> int:
        """Type any turn; return the number of turns with it."""
        number, line = self.course
        position = parse_position(line)
        text = turn_text(position, any_turn(position, self.chance))
        await self.act("move", by, game=game_name(self.game), notation=text)
        return number + 1

    @property
    def course(self) -> tuple[int, str]:
        """The number of turns in the person's game, and its position."""
        ((number, line),) = read_rows(self.bot.database, COURSE, self.game)
        return number, line

    def is_posted(self, number: int) -> float:
        """Return when the board after so many turns was posted; 0 if it was not."""
        name = re.compile(rf"{game_name(self.game)}\b")
        boards = (each for each in self.channel.messages if each.attachments and name.search(each.content))
        return next((each.posted_at for each in boards if turns_shown(each) == number), 0)

    def is_played(self, number: int) -> float:
        """Return the time if so many turns are played, else 0."""
        return time() if self.course[0] >= number else 0

    @property
    def is_over(self) -> bool:
        """Whether the person's game is over."""
        return read_rows(self.bot.database, IS_OVER, self.game) == [1]

    async def until(self, happened: Callable[[], float], since: float, longest: float = GIVE_UP) -> float:
        """Return how many seconds after `since` something happened. Gives up after `longest` seconds."""
        while not (at := happened()):
            if time() - since > longest:
                return longest
            await asyncio.sleep(POLL_SECONDS)
        return max(0.0, at - since)

    async def rest(self, since: float) -> None:
        """Look around until it is time for the next turn."""
        while not self.over.is_set() and time() - since < TURN_SECONDS:
            await (await self.act("gipf help")).answered()
            await asyncio.sleep(LOOK_SECONDS)


class Pair(Person):
    """Two people who play each other."""

    async def begin(self) -> None:
        """Begin their game."""
        self.other = self.discord.user(f"{self.me.name}'s friend")
        asked = await self.act("gipf challenge", opponent=self.other, colour="white", rules="standard")
        await asked.answered()
        await self.discord.press(self.other, self.channel.last(), "Accept")
        await self.find_game()

    async def live(self) -> None:
        """Play turns, and note when their boards come."""
        while not self.over.is_set():
            since, number = time(), self.course[0]
            played = await self.type_turn((self.me, self.other)[number % 2])
            self.waits.posted.append(await self.until(lambda: self.is_posted(played), since))  # noqa: B023  (at once)
            await self.rest(since)


class Learner(Person):
    """Somebody who plays the bot at level 1."""

    async def begin(self) -> None:
        """Begin their game."""
        await self.begin_against_bot(1)

    async def live(self) -> None:
        """Play turns, and note when the bot's turns and their boards come. Begin again when a game is over."""
        while not self.over.is_set():
            if self.is_over:
                await self.begin()
            since, answer = time(), await self.type_turn() + 1
            waited = await self.until(lambda: self.is_played(answer) or float(self.is_over), since)  # noqa: B023  (at once)
            if self.is_over and not self.is_played(answer):
                continue
            self.waits.answered.append(waited)
            if not self.is_played(answer):
                return
            posted = await self.until(lambda: self.is_posted(answer), since + waited)  # noqa: B023  (at once)
            self.waits.answer_posted.append(posted)
            await self.rest(since)


class Thinker(Person):
    """Somebody who plays the bot at level 7."""

    async def live(self) -> None:
        """Get ROUNDS answers of the bot, and note how many searches each took, those for others included."""
        await self.begin_against_bot(7)
        answer, since, before = 1, time(), self._found
        for _ in range(ROUNDS):
            too_many = before + SEARCHES + 1
            await self.until(lambda: self.is_played(answer) or self._found >= too_many, since, LONGEST)  # noqa: B023  (at once)
            is_played = self.is_played(answer)
            self.waits.searches.append(self._found - before if is_played else inf)
            if not is_played:
                return
            since, before = time(), self._found
            answer = await self.type_turn() + 1

    @property
    def _found(self) -> int:
        found: int = read_rows(self.bot.database, FOUND)[0]
        return found


async def live(people: Sequence[Person], seconds: float | None = None) -> Waits:
    """Let people live for so many seconds, or else until each has done what they want; return what they waited for."""
    waits = Waits()
    for person in people:
        person.waits, person.over = waits, asyncio.Event()
    lives = [asyncio.create_task(person.live()) for person in people]
    if seconds is not None:
        await asyncio.sleep(seconds)
        for person in people:
            person.over.set()
    await asyncio.gather(*lives)
    return waits


async def flood(mallory: Mallory) -> None:
    """Send all kinds, again and again, until cancelled."""
    async with asyncio.TaskGroup() as group:
        for name, kind in KINDS.items():
            for number in range(kind.at_once):
                group.create_task(_repeat(mallory, name, number))


async def _repeat(mallory: Mallory, name: str, number: int) -> None:
    kind = KINDS[name]
    while True:
        with suppress(LookupError, ValueError, TimeoutError):
            await kind.send(mallory, number)
            mallory.sent[name] += 1
        number += kind.at_once
        await asyncio.sleep(POLL_SECONDS)


async def measure_at_once(folder: Path, *, unlimited: bool) -> bool:
    """Measure the flood of all kinds, and print what others waited for. Return whether all limits are met."""
    async with StandIn() as discord:
        bot = Bot(folder, discord)
        use_real_limits(bot, unlimited=unlimited)
        places = discord.general, discord.world.add_channel(discord.guild, "elsewhere")
        prepared = await prepare_games(bot, discord.user("mallory"), discord.general, GAMES)
        await bot.start()
        await discord.wait_for(lambda: discord.world.commands, what="the commands")
        people = [
            kind(bot, discord, place, f"{kind.__name__} {place.name}") for kind in (Pair, Learner) for place in places
        ]
        for person in people:
            await person.begin()
        discord.rates = Rates()
        idle = await live(people, IDLE_SECONDS)
        say(f"all at once, idle:  {idle}")
        mallory = Mallory(bot, discord, discord.general, prepared, paced=not unlimited)
        flooding = asyncio.create_task(flood(mallory))
        waits = await live(people, FLOOD_SECONDS)
        say(f"all at once, flood: {waits}", f"answered meanwhile: {mallory}")
        channel = discord.world.add_channel(discord.guild, "thinking")
        thinkers = await live([Thinker(bot, discord, channel, f"thinker {number}") for number in range(THINKERS)])
        say(f"ten people at level 7, flood: {thinkers}")
        flooding.cancel()
        with suppress(asyncio.CancelledError):
            await flooding
        await bot.kill()
    figures = [*waits.figures(idle), Figure("searches waited for", max(thinkers.searches), SEARCHES, "searches")]
    mixed = mixed_messages(discord)
    say(*figures, *bot.complaints, *mixed)
    return all(figure.is_met for figure in figures) and not bot.complaints and not mixed
