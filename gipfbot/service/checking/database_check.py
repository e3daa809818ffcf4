"""Check a whole database: every game against its turns, the ratings, and the counts of the explorer."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from gipfbot.installation import started_as
from gipfbot.store import Store
from gipfbot.store.backends import reading_faults
from gipfbot.store.game_rows import all_games
from gipfbot.store.games import games_after_void
from gipfbot.store.timelines import running_games

from .opening_counts import no_games
from .parts import BATCH, CountsPart, Found, GamesPart, Part, RatingsPart
from .processes import part_processes

LEAST = 1_000  # games for each process, which needs a second to start


@dataclass
class Checked:
    """How much has been checked, and how many differences were found."""

    games: int = 0
    turns: int = 0
    ratings: int = 0
    different: int = 0


class Checker(Protocol):
    """Checks one part at a time."""

    async def check(self, part: Part) -> Found:
        """Return what is found in a part."""


class DatabaseCheck:
    """A check of one database, which others may write meanwhile. `now` is the time in UTC seconds.

    At most `processes` check at once. `gently` checks in one process of the lowest priority. Raises Damaged if the
    database is damaged, and another Unusable if it cannot be read.
    """

    def __init__(self, store: Store, now: Callable[[], int], processes: int = 1, *, gently: bool = False) -> None:
        self.store, self.now, self.checked = store, now, Checked()
        self._processes, self._gently = processes, gently

    async def running_differences(self) -> AsyncIterator[str]:
        """Yield a sentence for each difference in a running game. Updates `checked`."""
        with reading_faults(self.store.backend):
            async with self.store.reading() as db:
                ids, following = await running_games(db), await games_after_void(db)
        async with self._checkers(len(ids)):
            async for found in self._find(_game_parts(ids, following)):
                for sentence in self._note(found):
                    yield sentence

    async def differences(self) -> AsyncIterator[str]:
        """Yield a sentence for each difference, also in ratings and in the explorer's counts. Updates `checked`."""
        with reading_faults(self.store.backend):
            async with self.store.reading() as db:
                ids, following = await all_games(db), await games_after_void(db)
        counted, rated = no_games(), Found()
        async with self._checkers(len(ids)):
            # The ratings are the longest part, so they are begun first.
            async for found in self._find([RatingsPart(self.now()), *_game_parts(ids, following)]):
                rated = found if found.tables else rated
                counted.add(found.counted)
                for sentence in self._note(found):
                    yield sentence
            for sentence in self._rating_sentences(rated):
                yield sentence
            parts = [CountsPart(number, steps, counted.ids) for number, steps in enumerate(counted.slices)]
            different = sum([found.counts async for found in self._find(parts)])
        if different:
            self.checked.different += 1
            yield f"counts of the explorer that are not what the games give: {different}"

    def _note(self, found: Found) -> list[str]:
        """Add what is found to `checked`, and return its sentences."""
        self.checked.games += found.games
        self.checked.turns += found.turns
        self.checked.different += len(found.sentences)
        return found.sentences

    def _rating_sentences(self, found: Found) -> list[str]:
        self.checked.ratings = found.tables["ratings"][0]
        mends, tables = f"{started_as()} ratings --rebuild mends them", found.tables.items()
        differ = [(name, different) for name, (_, different) in tables if different]
        self.checked.different += len(differ)
        return [f"rows of {name} that are not what the games give: {number}; {mends}" for name, number in differ]

    @asynccontextmanager
    async def _checkers(self, games: int) -> AsyncIterator[None]:
        """Start the processes that check so many games; none if one is enough, unless it has to be a gentle one."""
        number = 1 if self._gently else min(self._processes, games // LEAST)
        number = number if self._gently or number > 1 else 0
        async with part_processes(number, self.store.url, gently=self._gently) as started:
            self._free = asyncio.Queue[Checker]()
            for checker in started:
                self._free.put_nowait(checker)
            if not started:
                self._free.put_nowait(_OwnProcess(self.store))
            yield

    async def _find(self, parts: Sequence[Part]) -> AsyncIterator[Found]:
        """Yield what is found in each part, in their order."""
        tasks = [asyncio.create_task(self._check_when_free(part)) for part in parts]
        try:
            for task in tasks:
                yield await task
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _check_when_free(self, part: Part) -> Found:
        checker = await self._free.get()
        try:
            return await checker.check(part)
        finally:
            self._free.put_nowait(checker)


class _OwnProcess:
    """Checks parts in this process."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def check(self, part: Part) -> Found:
        with reading_faults(self._store.backend):
            return await part.check(self._store)


def _game_parts(ids: Sequence[int], following: set[int]) -> list[GamesPart]:
    some = [ids[first : first + BATCH] for first in range(0, len(ids), BATCH)]
    return [GamesPart(each, following.intersection(each)) for each in some]
