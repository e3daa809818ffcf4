"""Measure the speed of the search: nodes a second in positions of random games, in one thread.

The search may be compiled (`make compile`) or not, which `search.compiled` says. In Standard, the interpreted one is
always measured: against the yard, and the compiled one against it.
"""

from collections.abc import Iterator
from itertools import islice
from random import Random

from gipfbot.rules import BASIC, OVERBOARD, STANDARD, TOURNAMENT, Position, Ruleset, ruleset_named
from gipfbot.search import Request, __compiled__, best_turn

from .engine import SEED
from .figures import Counts, Figure
from .samples import random_positions
from .yardstick import Pace, measure_steps, pace_from_source

# At least, in Standard: nodes in a yard, interpreted (8,000 a second at 3.4 ms a yard), and how many times as many if
# the search is compiled.
INTERPRETED, TO_INTERPRETED = 27, 50
APART = 7  # of the turns of random games, one in so many is searched
SLOWER = 10  # potentials and Overboard are searched by the rules themselves, with so many times fewer nodes
RULES = (STANDARD, BASIC, TOURNAMENT, OVERBOARD, ruleset_named("standard+Z6P6"))


def search_figures(counts: Counts) -> Iterator[Figure]:
    """Yield the nodes a second of each version, and those a yard, the time unit of `yardstick`."""
    yield Figure("search.compiled", float(__compiled__), "yes or no")
    for rules in RULES:
        pace = measure_searches(rules, counts)
        yield Figure(f"search.{rules.name}.nodes", pace.per_second, "nodes/s")
        yield Figure(f"search.{rules.name}.nodes_per_yard", pace.per_yard, "nodes/yard")
    slow = pace_from_source(measure_searches, STANDARD, counts).per_yard
    yield Figure("search.standard.interpreted_per_yard", slow, "nodes/yard", INTERPRETED)
    if __compiled__:
        fast = measure_searches(STANDARD, counts).per_yard
        yield Figure("search.standard.to_interpreted", fast / slow, "times", TO_INTERPRETED)


def measure_searches(rules: Ruleset, counts: Counts) -> Pace:
    """Return the pace of searches in positions of random games, in nodes."""
    plain = rules in (STANDARD, BASIC, TOURNAMENT)
    nodes = counts.searched if plain else counts.searched // SLOWER
    positions = list(islice(random_positions(Random(SEED), rules), 0, APART * counts.positions_searched, APART))
    return measure_steps(_searches(positions, nodes))


def _searches(positions: list[Position], nodes: int) -> Iterator[int]:
    """Search each position; yield its nodes."""
    for position in positions:
        yield best_turn(Request(position, nodes=nodes)).nodes
