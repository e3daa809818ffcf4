"""The command `puzzles`: make puzzles from finished games, and from games of the bot against itself."""

import asyncio
import secrets
import sys
import time
from argparse import Namespace
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

from gipfbot.engines.protocol import EngineFailed
from gipfbot.engines.worker import Worker
from gipfbot.match.puzzle import PUZZLE_LEVELS, Puzzle
from gipfbot.settings import SettingsError, load_settings
from gipfbot.store import Store, puzzles
from gipfbot.store.backends import backend_of_url, ending_at_trouble
from gipfbot.tools.commands import BAD_USE, ToolParser, complain, counted, number_type, stoppable, utc_seconds
from gipfbot.values import EndedLine, Unusable

from .service.puzzles.making import (
    MADE_LEVELS,
    OWN_RULES,
    cut_puzzles,
    play_own_game,
    positions_of_game,
    puzzle_key,
    puzzle_line,
    store_puzzle,
)

MOST_MADE = 100_000
LARGEST_SEED = 10**9 - 1


@stoppable
def run_puzzles(argv: list[str]) -> int:
    """Make puzzles, and store them in the database of the settings or write them to a file. Return the exit code."""
    options = _parser().parse_args(argv)
    if options.seed is None:
        options.seed = secrets.randbelow(LARGEST_SEED)
    began = time.monotonic()
    try:
        made = asyncio.run(_write(options) if options.to else _store(options))
    except SettingsError as error:
        return complain(BAD_USE, *error.faults)
    except Unusable as error:
        return complain(error.exit_code, error)
    except FileExistsError:
        return complain(BAD_USE, f"{options.to} exists already and is left as it is: name a new file.")
    except (EngineFailed, OSError) as error:
        return complain(1, error)
    sys.stdout.write(f"{counted(made, 'puzzle')} made in {time.monotonic() - began:.0f} seconds\n")
    return 0


def _parser() -> ToolParser:
    parser = ToolParser("puzzles", "Make puzzles, each proven by the search and by the rules.")
    number = number_type(1, MOST_MADE)
    parser.add_argument("--make", type=number, required=True, metavar="N", help="how many")
    levels = [str(level) for level in PUZZLE_LEVELS]
    parser.add_argument("--turns", choices=levels, help="only wins in so many turns (default: all)")
    parser.add_argument("--own", action="store_true", help="only from games of the bot against itself")
    parser.add_argument("--seed", type=number_type(0, LARGEST_SEED), metavar="N", help="the same own games again")
    parser.add_argument("--to", type=Path, metavar="FILE", help="write them to a new file, not into the database")
    return parser


def _levels(options: Namespace) -> tuple[int, ...]:
    return (int(options.turns),) if options.turns else MADE_LEVELS


async def _write(options: Namespace) -> int:
    """Make puzzles from the bot's own games, and write each to a new file as soon as it is made."""
    keys, worker = set[int](), Worker()
    try:
        with options.to.open("x", encoding="utf-8") as file:
            async with aclosing(_from_own_games(worker, options)) as found:
                async for puzzle in found:
                    if puzzle_key(puzzle) not in keys:
                        keys.add(puzzle_key(puzzle))
                        file.write(f"{puzzle_line(puzzle)}\n")
                        file.flush()
                    if len(keys) == options.make:
                        break
    finally:
        await worker.close()
    return len(keys)


async def _store(options: Namespace) -> int:
    url, worker = load_settings(token="none").database_url, Worker()
    backend = backend_of_url(url)
    async with backend.hold():
        store = await Store.open_database(url)
        try:
            with ending_at_trouble(backend):
                return await _store_made(store, worker, options)
        finally:
            await worker.close()
            await store.close()


async def _store_made(store: Store, worker: Worker, options: Namespace) -> int:
    made = 0
    async with aclosing(_from_all(store, worker, options)) as found:
        async for puzzle in found:
            is_new = await store_puzzle(store, puzzle, utc_seconds())
            made += is_new and puzzle.own_turns in _levels(options)
            if made == options.make:
                break
    return made


async def _from_all(store: Store, worker: Worker, options: Namespace) -> AsyncGenerator[Puzzle, None]:
    """Yield puzzles of any length from finished games that were not searched yet, then from the bot's own games."""
    levels = {*MADE_LEVELS, *_levels(options)}
    while not options.own and (ended := await _next_game(store)):
        async for puzzle in cut_puzzles(worker, await asyncio.to_thread(positions_of_game, ended), levels):
            yield puzzle
        async with store.transaction() as db:
            await puzzles.mark_cut(db, ended.game, utc_seconds())
    async for puzzle in _from_own_games(worker, options):
        yield puzzle


async def _next_game(store: Store) -> EndedLine | None:
    async with store.reading() as db:
        return await puzzles.next_uncut_game(db, utc_seconds())


async def _from_own_games(worker: Worker, options: Namespace) -> AsyncGenerator[Puzzle, None]:
    seed = options.seed
    while True:
        positions = await play_own_game(worker, OWN_RULES[seed % len(OWN_RULES)], seed)
        async for puzzle in cut_puzzles(worker, positions, _levels(options)):
            yield puzzle
        seed += 1
