"""Studies, analyses and puzzles as they are stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from gipfbot.match.analysis import Found
from gipfbot.match.puzzle import Puzzle
from gipfbot.match.study import Actions, Study
from gipfbot.notation import BrokenRecord
from gipfbot.rules import ByColour, Reason


class Note(NamedTuple):
    """A mark such as `!` and the comments that a record adds to a turn."""

    mark: str = ""
    comments: tuple[str, ...] = ()


class HiddenUse(StrEnum):
    """What a hidden study is for. It does not count among a person's studies, and no list names it."""

    PLAN = "plan"  # of conditional turns
    GUESS = "guess"


@dataclass(frozen=True)
class StoredStudy:
    """A study, its owner, and the record's details besides turns. `title` is the record's event, or empty.

    `game` is the id of the bot's game that the study shows; None for an imported record. `reason` says why that game
    ended; None while it runs. `broken` is the error of the turn at which the record breaks; None for a sound record.
    `fault` is the sentence that was stored in its place before 0.2_0007; else it is empty.
    `notes` maps places in the record to notes: each turn, counted from 1, and 0 before the first turn. `level` is the
    level of the bot in a practice; None in all other studies. `hidden_for` is None in all but hidden studies, which
    begin at a position of `game`.
    """

    study: Study
    user: int
    title: str
    game: int | None = None
    result: str | None = None
    notes: Mapping[int, Note] = field(default_factory=dict)
    reason: Reason | None = None
    fault: str = ""
    level: int | None = None
    hidden_for: HiddenUse | None = None
    broken: BrokenRecord | None = None

    def note(self, place: int) -> Note:
        """Return the note at a place of the record; an empty one if there is none."""
        return self.notes.get(place, Note())


class StudyBrief(NamedTuple):
    """A study in a list. `ruleset` is the name of its rule set, and `turns` is the number of its turns.

    `level` and `hidden_for` are as in `StoredStudy`. `people` are the players of the bot's game that it shows, each
    with all their names in it, the one in `names` first.
    """

    id: int
    game: int | None
    names: ByColour[str]
    title: str
    ruleset: str
    turns: int
    level: int | None = None
    people: Mapping[int, tuple[str, ...]] = MappingProxyType({})
    hidden_for: HiddenUse | None = None


class AnalysisState(StrEnum):
    """The state of an analysis."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"  # the engine repeatedly gave no answer


@dataclass(frozen=True)
class StoredAnalysis:
    """The analysis of a game of `turns` turns. `found` has the best turns of each place searched so far."""

    game: int
    state: AnalysisState
    turns: int
    found: tuple[Found, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether there is nothing left to search."""
        return len(self.found) > self.turns


@dataclass(frozen=True)
class StoredPuzzle:
    """A puzzle with its number."""

    id: int
    puzzle: Puzzle


@dataclass(frozen=True)
class PuzzleTry:
    """A person's entries in a puzzle: the turns of both players, and the unfinished turn.

    `solved` is the result of the first try, the only one that counts; None until that try ends. `version` rises with
    every change.
    """

    id: int
    puzzle: int
    user: int
    server: int
    played: tuple[Actions, ...] = ()
    draft: Actions = ()
    version: int = 0
    solved: bool | None = None


class PuzzleSolvers(NamedTuple):
    """Who solved a puzzle by the first try, the earliest first, and how many have tried it."""

    solvers: tuple[int, ...]
    tried: int
