"""Compare the counts of the explorer with the games: in slices of the positions, which are never in memory together."""

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple, TypeAlias

from gipfbot.match.explorer import EXPLORED_TURNS, ExploredStep, explored_steps
from gipfbot.service.records.explorer import SCORES, steps_of_games
from gipfbot.store import Store, explorer
from gipfbot.store.game_rows import WholeGame
from gipfbot.values import EndedLine
from gipfbot.values.figures import MOST_NEWEST

from .game_check import Replayed

SLICES, LEAST_KEY, KEYS = 16, -(1 << 63), 1 << 64  # the keys of positions are numbers of 64 bits, with a sign
SLICE = KEYS // SLICES
# Three numbers for each step: the position, the turn, and the game with its result. They take little memory.
Steps: TypeAlias = "array[int]"
Counts: TypeAlias = tuple[int, int, int, tuple[int, ...]]  # of White's wins, draws and Black's wins; the newest games


class CountedGames(NamedTuple):
    """Games that the explorer has counted, and their steps, by slices."""

    ids: Steps
    slices: tuple[Steps, ...]

    def add(self, other: "CountedGames") -> None:
        """Add other games, which must not be among these."""
        self.ids.extend(other.ids)
        for own, more in zip(self.slices, other.slices, strict=True):
            own.extend(more)

    def add_game(self, game: int, score: str | None, steps: Iterable[ExploredStep]) -> None:
        """Add a game that is not among these, with its steps that count."""
        self.ids.append(game)
        for step in steps:
            part = self.slices[(step.position - LEAST_KEY) // SLICE]
            part.extend((step.position, _turn_number(step.turn), 4 * game + SCORES.index(score or "")))


def no_games() -> CountedGames:
    """Return an empty collection."""
    return CountedGames(array("q"), tuple(array("q") for _ in range(SLICES)))


def steps_of_replayed(game: WholeGame, replayed: Replayed) -> tuple[ExploredStep, ...]:
    """Return the steps that the explorer counts in a game; none if it cannot play them."""
    is_played = not replayed.broken or len(replayed.turns) >= EXPLORED_TURNS
    if game.row.level is not None or game.row.result not in SCORES or not is_played:
        return ()
    return explored_steps(zip(replayed.positions, replayed.turns, strict=False))


def _replayed(lines: Sequence[EndedLine]) -> CountedGames:
    found = no_games()
    for line, steps in zip(lines, steps_of_games(lines), strict=True):
        found.add_game(line.game, line.score, steps)
    return found


def _turn_number(turn: str) -> int:
    """Return a number that stands for the text of a turn."""
    return int.from_bytes(blake2b(turn.encode(), digest_size=8).digest(), signed=True)


async def slice_differences(store: Store, number: int, steps: Steps, known: Collection[int]) -> int:
    """Return how many stored counts of a slice are not what its steps give.

    `steps` are those of the games `known`. The bot may have counted more games since.
    """
    first = LEAST_KEY + number * SLICE
    async with store.reading() as db:
        await store.backend.allow_long_work(db)
        late = {*await explorer.all_counted(db)}.difference(known)
        more = _replayed(await explorer.lines_of(db, late)) if late else no_games()
        rows = await explorer.explored_between(db, first, first + SLICE - 1)
    recounted = _sum_steps(steps + more.slices[number])
    stored = {
        (step.position, _turn_number(step.turn)): (row.white, row.drawn, row.black, row.newest)
        for step, row in rows.items()
    }
    return sum(stored.get(step) != recounted.get(step) for step in {*stored, *recounted})


def _sum_steps(steps: Steps) -> Mapping[tuple[int, int], Counts]:
    games, numbers = defaultdict[tuple[int, int], list[int]](list), iter(steps)
    for position, turn, game in zip(numbers, numbers, numbers, strict=True):
        games[position, turn].append(game)
    return {step: _count(found) for step, found in games.items()}


def _count(games: Sequence[int]) -> Counts:
    scores, newest = [game % 4 for game in games], sorted((game // 4 for game in games), reverse=True)
    return scores.count(0), scores.count(1), scores.count(2), tuple(newest[:MOST_NEWEST])
