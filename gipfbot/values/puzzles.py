"""Puzzles as they are stored, and what people enter in them."""

from dataclasses import dataclass
from typing import NamedTuple

from gipfbot.match.puzzle import Puzzle
from gipfbot.match.study import Actions


@dataclass(frozen=True)
class StoredPuzzle:
    """A puzzle with its number."""

    id: int
    puzzle: Puzzle


@dataclass(frozen=True)
class PuzzleTry:
    """What a person has entered in a puzzle: the turns of both players, and the unfinished turn.

    `solved` is the result of the first try, which alone counts; None until it has ended. `version` rises with every
    change.
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
    """Who solved a puzzle by the first try, the first to solve it first, and how many have tried it."""

    solvers: tuple[int, ...]
    tried: int
