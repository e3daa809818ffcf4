"""The stock of puzzles: those that come with the bot, and those that are made from games."""

from gipfbot.match.puzzle import Puzzle
from gipfbot.store import Connection, Store, meta, puzzles

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
