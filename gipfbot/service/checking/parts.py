"""The parts of a check. Each reads what it needs by itself, so that several processes can check at once."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from gipfbot.service.competing.results import rating_differences
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.store import Store
from gipfbot.store.game_rows import load_whole_games, pseudonyms_in_use

from .game_check import check_game
from .opening_counts import CountedGames, Steps, no_games, slice_differences, steps_of_replayed

BATCH = 100  # games that are read at once


@dataclass
class Found:
    """What is found in a part: sentences about games, how much was checked, and what other parts compare."""

    sentences: list[str] = field(default_factory=list)
    games: int = 0
    turns: int = 0
    counted: CountedGames = field(default_factory=no_games)
    tables: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # of ratings: rows, and different ones
    counts: int = 0  # of the explorer that differ


class Part(Protocol):
    """A part of a check."""

    async def check(self, store: Store) -> Found:
        """Check the part."""


class GamesPart(NamedTuple):
    """Some games. `following` are those that follow a void one, which may be in another part (R6.3)."""

    ids: Collection[int]
    following: Collection[int]

    async def check(self, store: Store) -> Found:
        """Replay the games. They are read in one state of the database, which is not held for long."""
        async with store.reading() as db:
            batch = await load_whole_games(db, self.ids)
            known = await pseudonyms_in_use(db)
        missing = {*self.ids}.difference(game.row.id for game in batch)
        found = [f"{game_name(game)}: a player is missing" for game in sorted(missing)]
        counted = no_games()
        for game in batch:
            carries_time = game.row.id in self.following
            differ, replayed = check_game(game, lambda user: known.get(user, user), carries_time=carries_time)
            found += [f"{game_name(game.row.id)}: {sentence}" for sentence in differ]
            if game.row.explored_at is not None:
                counted.add_game(game.row.id, game.row.result, steps_of_replayed(game, replayed))
        return Found(found, len(batch), sum(len(game.turns) for game in batch), counted)


class RatingsPart(NamedTuple):
    """All ratings and standings, at a time in UTC seconds."""

    now: int

    async def check(self, store: Store) -> Found:
        """Work out all ratings anew, from one state of the database."""
        async with store.reading() as db:
            await store.backend.allow_long_work(db)
            return Found(tables=await rating_differences(db, self.now))


class CountsPart(NamedTuple):
    """A slice of the explorer's counts, with the steps of the games `known` that belong there."""

    number: int
    steps: Steps
    known: Steps

    async def check(self, store: Store) -> Found:
        """Compare the counts with the steps."""
        return Found(counts=await slice_differences(store, self.number, self.steps, self.known))
