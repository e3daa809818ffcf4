"""`python -m tests.process.check_growth FOLDER`: how long `restore` and `check` take with 100,000 games of 40 turns.

25,000 games are played at random, and four pairs of people have played each of them. One in fifty runs; the others have
ended, are rated, and the explorer has counted them. The database is made in the folder, unless it is there. Then it is
restored over itself and checked, each by the command that a host uses. What is printed: seconds of each, and seconds of
the processor, by all processes.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, NamedTuple
from unittest.mock import patch

from sqlalchemy import Table, delete, insert, select

from gipfbot.match import Seat, Terms, days_per_turn, position_hash
from gipfbot.match.ratings import month_of
from gipfbot.notation import position_text, turn_text
from gipfbot.rules import STANDARD, Action, Position, Reason, Result, legal, play, start
from gipfbot.service.app import App, create_app
from gipfbot.service.competing.results import rebuild_ratings
from gipfbot.service.records import explorer
from gipfbot.store import Store, games, tables
from gipfbot.store.database_file import file_url
from gipfbot.store.game_rows import actions_text
from gipfbot.store.rating_tables import rated_results
from gipfbot.values import NO_LIMITS, Venue
from tests.support.paths import HOUSE
from tests.support.times import DAY

from .load import say

GAMES, RUNNING_IN, LENGTH = 100_000, 50, 40
DIFFERENT = 25_000  # games; only these are played
AT_ONCE = 1_000  # games written in one transaction
PLAYERS, YEARS = 2_000, 2
BEGAN = 1_700_000_000
Rows = list[dict[str, Any]]


class Played(NamedTuple):
    """A game of LENGTH turns: what is stored of each turn, and the last two positions."""

    turns: Rows
    before: Position
    after: Position


@lru_cache(DIFFERENT)
def random_game(number: int) -> Played:
    """Return a game that goes on after its last turn."""
    rng = Random(number)
    while True:
        turns, position = list[tuple[Position, list[Action], Position]](), start(STANDARD)
        while len(turns) < LENGTH and not position.result:
            before, actions = position, list[Action]()
            while position.mover is before.mover and not position.result:
                actions.append(rng.choice(legal(position)))
                position = play(position, actions[-1])
            turns.append((before, actions, position))
        if len(turns) == LENGTH and not position.result:
            return Played([turn_row(*turn) for turn in turns], *turns[-1][::2])


def turn_row(before: Position, actions: Sequence[Action], after: Position) -> dict[str, Any]:
    """Return what is stored of a turn of either player."""
    text, codes = turn_text(before, actions), actions_text(actions)
    return {"colour": int(before.mover), "text": text, "actions": codes, "position_hash": position_hash(after)}


class Samples(NamedTuple):
    """The rows of two games, which other games are written like: one runs, one was resigned by White."""

    running: dict[str, Any]
    ended: dict[str, Any]
    seat: dict[str, Any]
    turn: dict[str, Any]
    event: dict[str, Any]
    result: dict[str, Any]


async def make_samples(app: App) -> Samples:
    """Play two games through the service, and return their rows."""
    for resigns in (False, True):
        async with app.games.store.transaction() as db:
            seats, terms = (Seat(1, "ann"), Seat(2, "bob")), Terms(days_per_turn(3), rated=True)
            stored = await games.add_game(db, STANDARD, seats, Venue(1 << 22, 1 << 30), BEGAN, terms)
        game = stored.game
        for user in (1, 2, 1, 2):
            await app.games.play_actions(game.id, user, [legal((await app.games.game(game.id)).game.position)[0]])
        if resigns:
            await app.games.resign(game.id, 1)
    async with app.games.store.reading() as db:
        running, ended = [dict(row._mapping) for row in await db.execute(select(tables.games).order_by("id"))]
        first = [
            dict((await db.execute(select(table))).first()._mapping)  # type: ignore[union-attr]  # there is one
            for table in (tables.seats, tables.turns, tables.events, rated_results)
        ]
    return Samples(running, ended, *first)


def game_rows(game: int, samples: Samples, rng: Random) -> Iterator[tuple[Table, dict[str, Any]]]:
    """Yield the rows of one more game."""
    last, is_over = random_game(game % DIFFERENT), game % RUNNING_IN > 0
    white = 10 + game % PLAYERS
    users = white, 10 + (game + rng.randrange(1, PLAYERS)) % PLAYERS
    now = BEGAN + game * YEARS * 365 * DAY // GAMES
    resigned = Result(last.after.mover.other, Reason.RESIGN)
    row = {**(samples.ended if is_over else samples.running), "id": game, "turn_number": LENGTH, "version": LENGTH}
    row |= {"position": position_text(last.after._replace(result=resigned if is_over else None))}
    row |= {"previous": position_text(last.before), "created_at": now, "changed_at": now}
    if is_over:
        row |= {"result": resigned.score, "ended_at": now}
    else:
        row |= {"waiting_user": users[last.after.mover], "waiting_since": now}
    yield tables.games, row
    for colour, user in enumerate(users):
        yield tables.seats, {**samples.seat, "game": game, "colour": colour, "user": user}
    for number, turn in enumerate(last.turns, 1):
        played = {"game": game, "turn_number": number, "by": users[turn["colour"]], "played_at": now}
        yield tables.turns, {**samples.turn, **turn, **played}
    if is_over:
        loser = users[last.after.mover]
        yield tables.events, {**samples.event, "game": game, "by": loser, "at": now}
        for user, other in (users, users[::-1]):
            points = {"points": float(user != loser), "month": month_of(now), "ended_at": now}
            yield rated_results, {**samples.result, "game": game, "user": user, "opponent": other, **points}


async def make_database(path: Path, number: int) -> None:
    """Write a database of so many games at a path that is free."""
    store = await Store.open_database(file_url(path).render_as_string())
    app = create_app(store, lambda: BEGAN + YEARS * 365 * DAY, lambda: True, limits=NO_LIMITS)
    samples, rng = await make_samples(app), Random(7)
    ids = iter(range(3, number + 1))
    async with store.transaction() as db:
        await db.execute(delete(tables.outbox))
    while some := [*islice(ids, AT_ONCE)]:
        rows: dict[Table, Rows] = {}
        for game in some:
            for table, row in game_rows(game, samples, rng):
                rows.setdefault(table, []).append(row)
        async with store.transaction() as db:
            for table, found in rows.items():
                await db.execute(insert(table), found)
    say("games written")
    await rebuild_ratings(store, app.now)
    say("ratings worked out")
    with patch.object(explorer, "BATCH_SIZE", AT_ONCE):
        while await app.explorer.count_ended():
            pass
    await store.close()


def run_command(folder: Path, *arguments: str) -> dict[str, Any]:
    """Run a command of the bot in a folder. Return what it says, and how long it and its processes took."""
    begun, before = perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    known = {**os.environ, "GIPFBOT_DATABASE_URL": "sqlite+aiosqlite:///gipf.sqlite3"}
    command = [sys.executable, str(HOUSE / "bot.py"), *arguments]
    done = subprocess.run(command, cwd=folder, env=known, capture_output=True, text=True, check=False)
    after, said = resource.getrusage(resource.RUSAGE_CHILDREN), (done.stdout + done.stderr).strip().splitlines()
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    took = {"seconds": round(perf_counter() - begun, 1), "of the processor": round(used, 1)}
    return {**took, "peak MB": after.ru_maxrss // 1000, "code": done.returncode, "says": said[-3:]}


def main() -> int:
    """Measure, and print the figures as JSON."""
    parser = ArgumentParser("python -m tests.process.check_growth", description="Measure restoring and checking.")
    parser.add_argument("folder", type=Path, help="for the database; one that is there is used")
    parser.add_argument("--games", type=int, default=GAMES)
    options = parser.parse_args()
    if not (options.folder / "backup.sqlite3").exists():
        (options.folder / "data").mkdir(parents=True, exist_ok=True)
        asyncio.run(make_database(options.folder / "gipf.sqlite3", options.games))
        run_command(options.folder, "backup", "backup.sqlite3")
    for name in ("check", "restore"):
        found = run_command(options.folder, name, *(["backup.sqlite3"] if name == "restore" else []))
        sys.stdout.write(f"{name}: {json.dumps(found)}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
