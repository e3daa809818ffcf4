"""The rules alone, in pure Python and one thread: random games, and every leaf of Basic's tree of turns."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from time import process_time
from typing import NamedTuple

from gipfbot.rules import BASIC, STANDARD, TOURNAMENT, Position, Ruleset, legal, play, start

from .figures import Counts, Figure

GAMES, TURNS = 4000, 450_000  # a second at least, of Standard and of Basic's tree
SEED = 1


class Rate(NamedTuple):
    """How much was done in how many seconds of the processor."""

    done: int
    seconds: float

    @property
    def per_second(self) -> float:
        """How much was done in a second."""
        return self.done / self.seconds


def engine_figures(counts: Counts) -> Iterator[Figure]:
    """Yield games and actions a second and the mean length for each version, and turns a second of a perft.

    The same work is done in several rounds, and the fastest counts: whatever disturbs can only make it slower.
    """
    for rules in (STANDARD, BASIC, TOURNAMENT):
        actions = _fastest_rate(counts.rounds, partial(play_random_games, rules, counts.games))
        each, name = actions.done / counts.games, f"engine.{rules.name}"
        yield Figure(f"{name}.games", actions.per_second / each, "games/s", GAMES if rules is STANDARD else None)
        yield Figure(f"{name}.actions", actions.per_second, "actions/s")
        yield Figure(f"{name}.length", each, "actions")
    turns = _fastest_rate(counts.rounds, partial(count_leaves, start(BASIC), counts.perft))
    yield Figure("engine.basic.perft", turns.per_second, "turns/s", TURNS)


def _fastest_rate(rounds: int, work: Callable[[], int]) -> Rate:
    return max((_measure_rate(work) for _ in range(rounds)), key=lambda pace: pace.per_second)


def _measure_rate(work: Callable[[], int]) -> Rate:
    begun = process_time()
    done = work()
    return Rate(done, process_time() - begun)


def play_random_games(rules: Ruleset, games: int) -> int:
    """Play the same random games each time, with the public functions; return how many actions they took."""
    rng, actions = Random(SEED), 0
    for _ in range(games):
        position = start(rules)
        while choices := legal(position):
            position = play(position, rng.choice(choices))
            actions += 1
    return actions


def count_leaves(position: Position, depth: int) -> int:
    """Build the position after every sequence of `depth` turns, and return how many there are.

    A turn is a sequence of legal actions. None is left out and none is merged: equal turns from two dots, removals in
    another order and positions already met are built anew.
    """
    mover, count = position.mover, 0
    for action in legal(position):
        after = play(position, action)
        if after.mover is mover:
            count += count_leaves(after, depth)
        else:
            count += count_leaves(after, depth - 1) if depth > 1 else 1
    return count
