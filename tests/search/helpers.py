"""Positions for the tests of the search."""

from collections.abc import Iterator
from itertools import islice
from random import Random

from gipfbot.rules import Position, Ruleset, start, turns
from tests.rules.generate import at_random, dense, row_seeking, walk

MOST_TURNS = 3000  # of a position that is compared turn by turn


def turn_starts(rules: Ruleset, rng: Random, *, crowded: bool = True) -> Iterator[Position]:
    """Yield positions at the start of a turn: of random games, of games that seek rows, crowded ones. Never end."""
    while True:
        for policy in (at_random, row_seeking):
            steps = walk(start(rules), rng, policy, 300)
            found = [after for before, _, after in steps if _begins(before, after)]
            yield from rng.sample(found, min(5, len(found)))
        if crowded and not rules.potentials and not rules.asks_opponent:
            yield from (dense(rules, rng) for _ in range(5))


def _begins(before: Position, after: Position) -> bool:
    return after.result is None and after.mover is not before.mover


def few_turns(position: Position, most: int = MOST_TURNS) -> list[Position] | None:
    """Return where the full turns lead; None if there are too many to compare."""
    ends = [end for _, end in islice(turns(position), most + 1)]
    return ends if len(ends) <= most else None
