"""Analyses of finished games, as they are stored."""

from dataclasses import dataclass
from enum import StrEnum

from gipfbot.match.analysis import Found


class AnalysisState(StrEnum):
    """How far an analysis is."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"  # the engine gave no answer, again and again


@dataclass(frozen=True)
class StoredAnalysis:
    """The analysis of a game of so many turns. `found` has the best turns of the first places, as far as it has got."""

    game: int
    state: AnalysisState
    turns: int
    found: tuple[Found, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether there is nothing left to search."""
        return len(self.found) > self.turns
