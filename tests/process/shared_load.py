"""`python -m tests.process.shared_load`: what a turn costs two processes of the bot on one PostgreSQL, and one.

The bot is `python bot.py`, Discord is the stand-in with 8 shards, and PostgreSQL writes to the disk as on a host. In
each round the same turns are typed to one process and to two: all games at once, each next turn when the board of the
last one is posted. Meanwhile the connections of the bot are looked at, many times a second: whether they are in a
transaction, and whether they wait for a lock.
"""

import asyncio
import json
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import islice
from os import getloadavg
from pathlib import Path
from random import Random
from signal import SIGTERM
from statistics import median
from typing import Any, NamedTuple

from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from gipfbot.match import Seat, Terms, days_per_turn
from gipfbot.notation import turn_text
from gipfbot.rules import STANDARD
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.store import Store, games
from gipfbot.values import Venue
from tests.bench.samples import random_match
from tests.standin import Channel, User
from tests.support import postgres, stores

from .fleet import ASKED, SHARDS, ShardingStandIn, split_shards
from .load import read_seconds
from .running import Bot

ROUNDS, GAMES, TURNS, WARM_UP = 5, 32, 12, 2  # turns of each game; those of the warm-up do not count
START_SECONDS = 15.0  # for the first sweeps of a process, which do more than others
LOOK_SECONDS = 0.02
ON_DISK = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "autovacuum": "on"}
LOOK = text(
    "SELECT count(*) AS busy, count(*) FILTER (WHERE wait_event_type = 'Lock') AS waiting FROM pg_stat_activity "
    "WHERE datname = current_database() AND application_name = 'gipfbot' AND xact_start IS NOT NULL"
)


class Course(NamedTuple):
    """A game to play: where, by whom, and the texts of its turns."""

    id: int
    channel: Channel
    players: tuple[User, User]
    texts: list[str]


@dataclass
class Looks:
    """How often a connection of the bot was seen in a transaction, and waiting for a lock there."""

    busy: int = 0
    waiting: int = 0

    @property
    def share(self) -> float:
        """How much of the time of all transactions was spent waiting for locks."""
        return self.waiting / max(1, self.busy)


class Figures(NamedTuple):
    """What the turns of one run cost. Processor seconds are those of all processes of the bot."""

    processor: float  # seconds for a turn
    seconds: float
    locks: float


async def measure(folder: Path, processes: int, number_of_games: int, turns: int) -> Figures:
    """Let people play so many turns in each of so many games, and return what they cost."""
    async with ShardingStandIn() as discord:
        discord.rates = None
        discord.world.old_edits_allowed = 10**9
        bots = [_new_bot(folder, discord, number) for number in range(processes)]
        for bot, shards in zip(bots, split_shards(processes), strict=True):
            bot.settings["GIPFBOT_DATABASE_URL"] = bots[0].settings["GIPFBOT_DATABASE_URL"]
            bot.settings["GIPFBOT_SHARDS"] = "auto" if processes == 1 else str(shards)
        courses = await _add_games(bots[0].settings["GIPFBOT_DATABASE_URL"], discord, number_of_games, turns)
        for bot in bots:
            await bot.launch()
        await discord.wait_for(lambda: all(map(discord.gateway.is_live, range(SHARDS))), "all shards")
        await discord.wait_for(lambda: discord.world.commands, "the commands")
        await _play(discord, courses, 0, WARM_UP)
        await asyncio.sleep(START_SECONDS)
        async with _looking(bots[0].settings["GIPFBOT_DATABASE_URL"]) as looks:
            used, begun = _processor_seconds(bots), time.perf_counter()
            await _play(discord, courses, WARM_UP, turns)
            seconds, used = time.perf_counter() - begun, _processor_seconds(bots) - used
        await _end(bots)
        assert not [line for bot in bots for line in bot.complaints], bots[0].complaints
        assert discord.violations == [], discord.violations
    return Figures(used / (number_of_games * (turns - WARM_UP)), seconds, looks.share)


def _new_bot(folder: Path, discord: ShardingStandIn, number: int) -> Bot:
    own = folder / f"process{number}"
    own.mkdir(parents=True)
    bot = Bot(own, discord)
    bot.settings["GIPFBOT_INTERACTIONS_PER_MINUTE"] = "100000"
    return bot


async def _add_games(url: str, discord: ShardingStandIn, number: int, turns: int) -> list[Course]:
    """Store new games, each in a channel of its own, on the servers in turn."""
    store, courses, guilds = await Store.open_database(url), list[Course](), [*discord.world.guilds.values()]
    async with store.transaction() as db:
        for seed in range(number):
            guild = guilds[seed % len(guilds)]
            channel = discord.world.add_channel(guild, f"table {seed}")
            players = discord.user(f"white {seed}"), discord.user(f"black {seed}")
            white, black = (Seat(user.id, user.name) for user in players)
            venue, terms = Venue(guild.id, channel.id), Terms(days_per_turn(3), rated=True)
            stored = await games.add_game(db, STANDARD, (white, black), venue, int(time.time()), terms)
            played = [game.last for game in islice(random_match(Random(seed)), turns)]
            texts = [turn_text(last.before, last.actions) for last in played if last]
            assert len(texts) == turns, "the game of this seed is too short"
            courses.append(Course(stored.game.id, channel, players, texts))
    await store.close()
    return courses


async def _play(discord: ShardingStandIn, courses: Sequence[Course], first: int, after: int) -> None:
    """Play the turns from `first` on, up to `after`, in all games at once."""
    await asyncio.gather(*(_play_game(discord, course, first, after) for course in courses))


async def _play_game(discord: ShardingStandIn, course: Course, first: int, after: int) -> None:
    ASKED.set({})
    for number in range(first, after):
        boards, user = len(course.channel.messages), course.players[number % 2]
        words = {"notation": course.texts[number], "game": game_name(course.id)}
        await (await discord.slash(user, course.channel, "move", **words)).answered()
        await discord.wait_for(lambda seen=boards: len(course.channel.messages) > seen, "a board")  # type: ignore[misc]


@asynccontextmanager
async def _looking(url: str) -> AsyncIterator[Looks]:
    """Look at the connections of the bot until the end of the block."""
    engine, looks = create_async_engine(url, isolation_level="AUTOCOMMIT"), Looks()

    async def look() -> None:
        async with engine.connect() as db:
            while True:
                seen: Any = (await db.execute(LOOK)).one()
                looks.busy, looks.waiting = looks.busy + seen.busy, looks.waiting + seen.waiting
                await asyncio.sleep(LOOK_SECONDS)

    looking = asyncio.create_task(look())
    try:
        yield looks
    finally:
        looking.cancel()
        await asyncio.wait({looking})
        await engine.dispose()


def _processor_seconds(bots: Sequence[Bot]) -> float:
    return sum(read_seconds(f"/proc/{bot.pid}/stat") for bot in bots)


async def _end(bots: Sequence[Bot]) -> None:
    for bot in bots:
        assert bot.process
        bot.process.send_signal(SIGTERM)
    for bot in bots:
        await bot.ended()


def _line(processes: int, found: Figures) -> str:
    return (
        f"{processes} process{'es' if processes > 1 else ''}: {1000 * found.processor:.1f} ms of the processor for a "
        f"turn, {found.seconds:.1f} s, "
        f"{100 * found.locks:.2f} % of the transactions' time waiting for locks; load {getloadavg()[0]:.1f}\n"
    )


def main() -> int:
    """Measure in turns, and print the medians and their ratios as JSON."""
    parser = ArgumentParser("python -m tests.process.shared_load", description="Compare two processes with one.")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each is measured")
    parser.add_argument("--games", type=int, default=GAMES, help="that are played at once")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"of each game, {WARM_UP} of which do not count")
    options = parser.parse_args()
    stores.POSTGRES = True
    postgres.use_server(**ON_DISK)
    found: dict[int, list[Figures]] = {1: [], 2: []}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.rounds):
            for processes in sorted(found, reverse=bool(number % 2)):
                place = Path(folder) / f"{number}-{processes}"
                found[processes].append(asyncio.run(measure(place, processes, options.games, options.turns)))
                sys.stderr.write(_line(processes, found[processes][-1]))
    one, two = (Figures(*map(median, zip(*found[processes], strict=True))) for processes in (1, 2))
    ratios = {name: getattr(two, name) / getattr(one, name) for name in ("processor", "seconds")}
    sys.stdout.write(f"{json.dumps({'one': one._asdict(), 'two': two._asdict(), 'two to one': ratios})}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
