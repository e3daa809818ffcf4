"""The five levels of the house player."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from gipfbot.rules import Position

from .requests import Request, never

SLOWER = 10  # where the search works on the rules themselves, a level has so many times fewer nodes


class Level(NamedTuple):
    """How hard a level searches. `first_of` draws each turn among so many best ones."""

    nodes: int
    quiet: bool = True
    first_of: int = 1


LEVELS = (Level(300, quiet=False, first_of=8), Level(1_500), Level(8_000), Level(40_000), Level(200_000))


def level_request(
    position: Position, before: Sequence[Position], level: int, seed: int, stop: Callable[[], bool] = never
) -> Request:
    """Return what a level, 1 to 5, asks of the search. Raises ValueError for another level."""
    if not 1 <= level <= len(LEVELS):
        raise ValueError(f"There are levels 1 to {len(LEVELS)}, not {level}.")
    nodes, quiet, first_of = LEVELS[level - 1]
    return Request(position, before, affordable_nodes(position, nodes), seed, quiet, first_of, stop)


def affordable_nodes(position: Position, nodes: int) -> int:
    """Return how many nodes take about as long in this position as so many in one of the official versions."""
    slow = bool(position.rules.potentials) or position.rules.asks_opponent
    return nodes // SLOWER if slow else nodes
