"""Make puzzles in the background while nothing else is searched, as long as there are too few.

The work is done position by position, so a turn or an analysis waits for one short proof at most. A game is marked when
it was looked through. After a crash it is looked through from its beginning; a puzzle that is stored already is left
out. Several processes share the games by their ids, so that no game is looked through twice.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import aclosing

from gipfbot.engines.protocol import EngineFailed
from gipfbot.match.puzzle import PUZZLE_LEVELS
from gipfbot.rules import Position
from gipfbot.service.house.house_player import Engine
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.store import Store, puzzles
from gipfbot.values import EndedLine

from .making import OWN_RULES, cut_puzzles, play_own_game, positions_of_game
from .puzzle_stock import store_puzzle, store_shipped

log = logging.getLogger(__name__)
NEWEST, FEW_UNTRIED = 100, 30  # the bot plays itself if of so many of the newest puzzles fewer are untried
MOST_FAILURES = 3  # of the engine in one game, until the game is left out


class PuzzleWork:
    """Makes puzzles until there are `most`: from finished games, and if these are too few, from games of its own."""

    def __init__(self, store: Store, now: Callable[[], int], engine: Engine | None, most: int) -> None:
        """Prepare the work. `now` returns UTC seconds. Without an engine, or if `most` is 0, no puzzles are made."""
        self.store, self.now, self.engine, self.most = store, now, engine, most
        self._failed = dict[int, int]()  # how often the engine has failed in a game

    async def cut_next(self) -> bool:
        """Look through the next game for puzzles. Return False if there is none, or if the engine has failed."""
        if self.engine is None or not self.most:
            return False
        async with self.store.reading() as db:
            newest = await puzzles.newest_puzzle(db)
            ended = await puzzles.next_uncut_game(db, self.now(), self.store.shards) if newest < self.most else None
            is_supplied = newest >= self.most or await puzzles.count_untried(db, newest - NEWEST) >= FEW_UNTRIED
        if ended:
            return await self._cut_game(self.engine, ended)
        if not newest and await self._store_shipped():
            return True
        return not is_supplied and await self._cut_own_game(self.engine)

    async def _store_shipped(self) -> bool:
        """Store the puzzles that come with the bot. Return whether there are any now."""
        async with self.store.transaction() as db:
            await store_shipped(db, self.now())
            return await puzzles.newest_puzzle(db) > 0

    async def _cut_game(self, engine: Engine, ended: EndedLine) -> bool:
        """Look through a finished game, and mark it. If the engine fails too often, the game is left out."""
        try:
            await self._store_all(engine, await asyncio.to_thread(positions_of_game, ended))
        except EngineFailed as fault:
            self._failed[ended.game] = self._failed.get(ended.game, 0) + 1
            log.warning("the engine failed in the puzzles of game %s: %s", game_name(ended.game), fault)
            if self._failed[ended.game] < MOST_FAILURES:
                return False
            told = "The engine failed %s times, so no puzzles are made from game %s."
            log.warning(told, MOST_FAILURES, game_name(ended.game), extra={"tell_owner": "engine"})
        self._failed.pop(ended.game, None)
        async with self.store.transaction() as db:
            await puzzles.mark_cut(db, ended.game, self.now())
        return True

    async def _cut_own_game(self, engine: Engine) -> bool:
        seed = self.now()
        try:
            await self._store_all(engine, await play_own_game(engine, OWN_RULES[seed % len(OWN_RULES)], seed))
        except EngineFailed as fault:
            log.warning("the engine failed in a game for puzzles: %s", fault)
            return False
        return True

    async def _store_all(self, engine: Engine, positions: Sequence[Position]) -> None:
        async with aclosing(cut_puzzles(engine, positions, PUZZLE_LEVELS)) as found:
            async for puzzle in found:
                await store_puzzle(self.store, puzzle, self.now())
