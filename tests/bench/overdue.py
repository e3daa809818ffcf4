"""Measure the time and the memory that the bot needs to flag many players in the same minute, and to tell them.

The bot works as usual, with a database in a file. Only Discord is replaced: posts are recorded at once, without
pictures. On Discord the rate limits would decide, and they are the same for every bot.
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import fmean
from time import perf_counter
from typing import Any

from sqlalchemy import insert, select

from gipfbot.match import Seat, Terms, days_per_turn
from gipfbot.rules import STANDARD
from gipfbot.service.app import create_app
from gipfbot.service.clock.downtime import note_alive
from gipfbot.store import Connection, Store, games
from gipfbot.store.tables import games as games_table, seats
from gipfbot.values import Venue
from tests.support.times import MINUTE

from .figures import Counts, Figure
from .recording import RecordingBot, Wall
from .simulation import NOW, fresh_store
from .yardstick import take_yards

YARDS = 3.5  # at most, for each game
GROWTH = 2  # MiB at most, for each 1,000 games
PLAYERS, CHANNELS = 200, 50


def overdue_figures(counts: Counts) -> Iterator[Figure]:
    """Yield the time until the last overdue game is served, the time for each game, and the growth of memory.

    The time for each game is given in ms and in yards, the time unit of `yardstick`.
    """
    seconds, yard, growth = asyncio.run(_serve_overdue_games(counts.overdue))
    yield Figure("overdue.last_served", seconds, "s")
    yield Figure("overdue.each", 1000 * seconds / counts.overdue, "ms")
    yield Figure("overdue.each_yards", seconds / counts.overdue / yard, "yards", at_most=YARDS)
    yield Figure("overdue.yard", 1000 * yard, "ms")
    yield Figure("overdue.memory_per_1000", growth, "MiB", at_most=GROWTH)


async def _serve_overdue_games(count: int) -> tuple[float, float, float]:
    """Serve overdue games; return the seconds, the mean seconds of a yard, and the growth in MiB per 1,000 games.

    The growth of memory is measured after the first tenth of the games.
    """
    memory, yards = list[float](), list[float]()
    async with fresh_store() as store:
        async with store.transaction() as db:
            await _store_overdue_games(db, count)
        now = NOW + days_per_turn(1).first + MINUTE + 1
        wall = Wall(lambda: now, lambda _: memory.append(_resident_memory()))
        bot = RecordingBot(create_app(store, lambda: now, lambda: True), wall)
        await _note_bot_alive(store, now)
        begun = perf_counter()
        async with take_yards(yards):
            while len(memory) < count:
                await bot.sweep_once()
        seconds = perf_counter() - begun - sum(yards)
    first = count // 10
    return seconds, fmean(yards), 1000 * (memory[-1] - memory[first]) / (count - first)


async def _store_overdue_games(db: Connection, count: int) -> None:
    """Store `count` games with a day per turn. Their deadlines lie within the same minute."""
    terms, home = Terms(days_per_turn(1)), Venue(1, 2)
    await games.add_game(db, STANDARD, (Seat(1, "ann"), Seat(2, "bob")), home, NOW, terms)
    row = (await db.execute(select(games_table))).one()._mapping
    numbers = range(2, count + 1)
    await db.execute(insert(games_table), [_game_row({**row}, number) for number in numbers])
    await db.execute(insert(seats), [_seat_row(number, colour) for number in numbers for colour in (0, 1)])


def _game_row(row: dict[str, Any], number: int) -> dict[str, Any]:
    place = {"id": number, "channel": number % CHANNELS, "waiting_user": number % PLAYERS}
    return {**row, **place, "deadline_at": row["deadline_at"] + number % MINUTE}


def _seat_row(number: int, colour: int) -> dict[str, Any]:
    return {"game": number, "colour": colour, "user": (number + colour) % PLAYERS, "name": "ann", "quiet": False}


async def _note_bot_alive(store: Store, now: int) -> None:
    async with store.transaction() as db:
        await note_alive(db, now - 1)


def _resident_memory() -> float:
    """Return the memory that this process uses, in MiB. Without `/proc`, return the most it has used so far."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) / 256
    return getrusage(RUSAGE_SELF).ru_maxrss / 1024
