"""The stock of puzzles: those that come with the bot, and those that are made from games."""

from collections.abc import Collection

from gipfbot.match.puzzle import Puzzle
from gipfbot.store import Connection, Store, meta, puzzles
from gipfbot.values import EndedLine

from .making import puzzle_key
from .puzzle_file import shipped_puzzles

_SHIPPED_KEY = "shipped_puzzles"  # how many of them are stored; a later version only adds some


async def store_shipped(db: Connection, now: int) -> None:
    """Store the puzzles that come with the bot, unless those of this version are stored already."""
    known = str(len(shipped_puzzles()))
    if await meta.load_value(db, _SHIPPED_KEY) != known:
        await puzzles.add_puzzles(db, {puzzle_key(each): each for each in shipped_puzzles()}, now)
        await meta.save_value(db, _SHIPPED_KEY, known)


async def store_puzzle(store: Store, puzzle: Puzzle, now: int) -> bool:
    """Store a puzzle. Return False if its position is stored already."""
    key = puzzle_key(puzzle)
    async with store.transaction() as db:
        if await puzzles.known_keys(db, [key]):
            return False
        await puzzles.add_puzzles(db, {key: puzzle}, now)
    return True


async def next_game(store: Store, levels: Collection[int]) -> EndedLine | None:
    """Return the oldest finished game that was not looked through yet for puzzles of all these levels."""
    async with store.reading() as db:
        known = await meta.load_values(db, [_done_key(level) for level in levels])
        done = min(int(known.get(_done_key(level), 0)) for level in levels)
        return next(iter(await puzzles.decided_games(db, done, 1)), None)


async def note_game(store: Store, levels: Collection[int], game: int) -> None:
    """Note that the games up to this one were looked through for puzzles of these levels."""
    async with store.transaction() as db:
        known = await meta.load_values(db, [_done_key(level) for level in levels])
        for level in levels:
            if int(known.get(_done_key(level), 0)) < game:
                await meta.save_value(db, _done_key(level), str(game))


def _done_key(level: int) -> str:
    return f"puzzles_cut_{level}"
