"""What the explorer counts, and what it counts it from."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gipfbot.rules import Ruleset

MOST_NEWEST = 5  # games that a counted turn remembers


class ExploredTurn(NamedTuple):
    """In how many finished games a turn was played from a position, by their results.

    `turn` is its common text. `newest` are the ids of the games that began last, the newest first, at most MOST_NEWEST.
    """

    turn: str
    white: int = 0
    drawn: int = 0
    black: int = 0
    newest: tuple[int, ...] = ()

    @property
    def games(self) -> int:
        """All of them together."""
        return self.white + self.drawn + self.black

    def plus(self, other: "ExploredTurn") -> "ExploredTurn":
        """Return both counts of the same turn together. Assumes that no game is in both."""
        newest = tuple(sorted((*self.newest, *other.newest), reverse=True)[:MOST_NEWEST])
        counts = self.white + other.white, self.drawn + other.drawn, self.black + other.black
        return ExploredTurn(self.turn, *counts, newest)


class EndedLine(NamedTuple):
    """The first turns of a game that has ended, still as they are stored.

    `score` is its result as records write it. It is None if the game was cancelled.
    """

    game: int
    ruleset: Mapping[str, Any]
    score: str | None
    turns: tuple[str, ...]  # the codes of their actions


class StandingPosition(NamedTuple):
    """The position line of a running game at the start of its turn, and the game's rule set."""

    game: int
    line: str
    ruleset: Ruleset
