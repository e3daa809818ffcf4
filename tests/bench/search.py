"""Measure the speed of the search: nodes a second in positions of random games, in one thread.

The search may be compiled (`make compile`) or not: `search.compiled` says so, and the limit is another one.
"""

from collections.abc import Iterator
from itertools import islice
from random import Random

from gipfbot.rules import BASIC, OVERBOARD, STANDARD, TOURNAMENT, Position, ruleset_named
from gipfbot.search import Request, __compiled__, best_turn

from .engine import SEED
from .figures import Counts, Figure
from .samples import random_positions
from .yardstick import Pace, measure_steps

# At least, nodes in a yard of Standard: 8,000 nodes a second interpreted, and 480,000 compiled, at 3.4 ms a yard.
INTERPRETED, COMPILED = 27, 1632
APART = 7  # of the turns of random games, one in so many is searched
SLOWER = 10  # potentials and Overboard are searched by the rules themselves, with so many times fewer nodes
RULES = (STANDARD, BASIC, TOURNAMENT, OVERBOARD, ruleset_named("standard+Z6P6"))


def search_figures(counts: Counts) -> Iterator[Figure]:
    """Yield the nodes a second of each version, and those a yard, the time unit of `yardstick`."""
    yield Figure("search.compiled", float(__compiled__), "yes or no")
    for rules in RULES:
        plain = rules in (STANDARD, BASIC, TOURNAMENT)
        nodes = counts.searched if plain else counts.searched // SLOWER
        positions = list(islice(random_positions(Random(SEED), rules), 0, APART * counts.positions_searched, APART))
        pace = measure_steps(_searches(positions, nodes))
        yield from _speed(f"search.{rules.name}", pace)


def _searches(positions: list[Position], nodes: int) -> Iterator[int]:
    """Search each position; yield its nodes."""
    for position in positions:
        yield best_turn(Request(position, nodes=nodes)).nodes


def _speed(name: str, pace: Pace) -> Iterator[Figure]:
    least = (COMPILED if __compiled__ else INTERPRETED) if name.endswith(STANDARD.name) else None
    yield Figure(f"{name}.nodes", pace.per_second, "nodes/s")
    yield Figure(f"{name}.nodes_per_yard", pace.per_yard, "nodes/yard", least)
