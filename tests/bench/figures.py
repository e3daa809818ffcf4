"""Figures with their limits, and how much is measured for them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import ceil
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Figure:
    """A measured value and its limit, if it has one. A value equal to the limit meets it."""

    name: str
    value: float
    unit: str
    at_least: float | None = None
    at_most: float | None = None

    @property
    def met(self) -> bool | None:
        """Whether the value meets its limit; None without a limit."""
        if self.at_least is None and self.at_most is None:
            return None
        return (self.at_least is None or self.value >= self.at_least) and (
            self.at_most is None or self.value <= self.at_most
        )

    def data(self) -> dict[str, Any]:
        """Return the figure for JSON: its fields, and whether it meets its limit."""
        return {**asdict(self), "met": self.met}

    def line(self) -> str:
        """Return the figure as the line that the bench prints."""
        limit = f"at least {self.at_least:,.6g}" if self.at_least is not None else ""
        limit = f"at most {self.at_most:,.6g}" if self.at_most is not None else limit
        met = {True: "met", False: "NOT MET", None: ""}[self.met]
        return f"{self.name:34}{_format_value(self.value):>12} {self.unit:11}{limit:20}{met}".rstrip()


def _format_value(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


class Counts(NamedTuple):
    """How much work each group of figures measures."""

    rounds: int  # of the same work
    games: int  # random games in a round
    perft: int  # turns
    pictures: int
    drawn: int  # pictures for the figure of memory
    burst: int  # pictures at once
    replayed: int  # turns
    positions: int  # of random games, and as many crowded ones, for the slowest calls
    typed: int  # texts in each of the worst positions
    idle: float  # seconds in which the event loop has nothing to do
    beside: float  # seconds in which the event loop runs beside the yardstick
    turns: int
    pairs: int  # of turns, one on each of two sides that should take the same time
    doublings: int  # how often ten stored games are doubled
    old: int  # the turn number that the long game has reached
    overdue: int  # games whose time is over in the same minute
    listed: int  # players of the long leaderboard
    results: int  # half of them with ratings
    many: int  # stored games, at least 2,000
    running: int  # games under load, a multiple of 200
    loaded: float  # seconds of load
    kept: int  # copies of a finished game
    positions_searched: int  # of each version
    searched: int  # nodes in each of them
    tournaments: int = 1000  # stored ones, more than 10


FULL = Counts(
    *(5, 500, 3, 200, 10_000, 100, 60, 150, 200, 2.0, 8.0, 200),
    *(80, 10, 150, 10_000, 100_000, 200, 1_000_000, 10_000, 60.0, 500, 20, 3000),
)
QUICK = Counts(
    1, 5, 2, 5, 20, 3, 2, 3, 2, 0.01, 0.05, 3, 2, 2, 8, 20, 200, 4, 2000, 400, 2.0, 20, 2, 100, tournaments=12
)


def quantile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that is not exceeded by this share of the values. `values` must not be empty."""
    return sorted(values)[max(1, ceil(share * len(values))) - 1]
