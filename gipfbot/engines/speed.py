"""How long a turn of the bot's own search takes on this machine: measured at the bot's start, in processor time."""

import time
from collections.abc import Callable
from typing import NamedTuple

from gipfbot.rules import OVERBOARD, STANDARD, Ruleset, start
from gipfbot.search import LEVELS, Request, best_turn

MEASURED_SECONDS = 0.1  # of each form of the search, at least
FIRST_NODES, MORE = 100, 4


class Speed(NamedTuple):
    """How many nodes a second the search looks at: in the official versions, and where it works on the rules."""

    plain: float
    slow: float

    def seconds_of(self, level: int) -> float:
        """Return how long a turn at a level, 1 to 8, may take here, in any version."""
        asked = LEVELS[level - 1]
        return max(asked.nodes / self.plain, asked.slow_nodes / self.slow)


def measure_speed(clock: Callable[[], float] = time.thread_time) -> Speed:
    """Return the speed of the search. `clock` tells the processor time of this thread, in seconds."""
    return Speed(_nodes_a_second(STANDARD, clock), _nodes_a_second(OVERBOARD, clock))


def _nodes_a_second(rules: Ruleset, clock: Callable[[], float]) -> float:
    nodes = FIRST_NODES
    while True:
        begun = clock()
        searched, took = best_turn(Request(start(rules), nodes=nodes)).nodes, clock() - begun
        if took >= MEASURED_SECONDS:
            return searched / took
        nodes *= MORE
