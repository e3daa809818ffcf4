"""Puzzles: a position in which exactly one turn wins by force within so many turns. Pure.

A puzzle is solved on a board that begins with it, as in a study: the player's turns and the best defences alternate.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from gipfbot.rules import Colour, Position
from gipfbot.rules.rulesets import OFFICIAL_COURSE, Ruleset

from .game import replay_turns
from .study import Actions, Study
from .win_proof import FullTurn, WinProof

NAMES = ("You", "Opponent")  # of the player who solves it, and of the other one
PUZZLE_LEVELS = (2, 3)  # own turns until the win


@dataclass(frozen=True)
class Puzzle:
    """A position, the number of turns within which its player wins, and a line that solves it.

    The line has the turns of both players. The defences in it are the best ones.
    """

    position: Position
    own_turns: int
    line: tuple[Actions, ...]


class Outcome(StrEnum):
    """What a turn tried in a puzzle comes to."""

    SOLVED = "solved"
    GOES_ON = "goes_on"  # it was right, and the opponent has answered
    FAILED = "failed"


class Judged(NamedTuple):
    """What a tried turn comes to, and the opponent's answer: the best defence, or what refutes it.

    There is no answer if the game is over, or if the player has no turn left.
    """

    outcome: Outcome
    answer: Actions = ()


def suits_puzzles(ruleset: Ruleset) -> bool:
    """Return whether puzzles are made with a rule set: one of the three versions, without potentials."""
    return ruleset.course == OFFICIAL_COURSE and not ruleset.potentials


def prove_puzzle(position: Position, own_turns: int, stop: Callable[[], bool] = lambda: False) -> Puzzle | None:
    """Return the puzzle of a position, proven by the rules alone. None if it is none.

    Exactly one first turn must win within so many turns of the player, and none within fewer. `stop` is asked often:
    when it returns True, Stopped is raised.
    """
    proof = WinProof(stop)
    if position.result is not None or proof.wins(position, own_turns - 1):
        return None
    first = proof.winning_turns(position, own_turns)
    return Puzzle(position, own_turns, _solve(proof, first[0], own_turns)) if len(first) == 1 else None


def _solve(proof: WinProof, first: FullTurn, own_turns: int) -> tuple[Actions, ...]:
    """Return a line that wins, with the best defences."""
    line, last = [first.turn.actions], first.after
    for left in range(own_turns - 1, 0, -1):
        if last.result is not None:
            break
        defence = proof.best_defence(last, left)
        line.append(defence.turn.actions)
        if defence.after.result is not None:
            break
        own = proof.winning_turns(defence.after, left)[0]
        line.append(own.turn.actions)
        last = own.after
    return tuple(line)


def puzzle_study(puzzle: Puzzle, tried: tuple[Actions, ...] = (), draft: Actions = (), version: int = 0) -> Study:
    """Return the board of a puzzle after these turns, as a study. Does not check that the turns are legal."""
    rules, (one, other) = puzzle.position.rules, NAMES
    names = (one, other) if puzzle.position.mover is Colour.WHITE else (other, one)
    return Study(0, rules, names, (), 0, tried, draft, version, puzzle.position)


def judge_try(puzzle: Puzzle, tried: tuple[Actions, ...]) -> Judged:
    """Return what the last of these turns comes to, which is the player's. The turns before it must be right.

    It may take a second: run it beside the event loop.
    """
    position, _ = replay_turns(puzzle.position.rules, tried, puzzle.position)
    left = puzzle.own_turns - (len(tried) + 1) // 2
    if position.result is not None:
        return Judged(Outcome.SOLVED if position.result.winner is puzzle.position.mover else Outcome.FAILED)
    if not left:
        return Judged(Outcome.FAILED)
    if tried == puzzle.line[: len(tried)]:
        return _with_answer(puzzle, tried, puzzle.line[len(tried)])
    proof = WinProof()
    if refutation := proof.refutation(position, left):
        return Judged(Outcome.FAILED, refutation.turn.actions)
    return _with_answer(puzzle, tried, proof.best_defence(position, left).turn.actions)


def _with_answer(puzzle: Puzzle, tried: tuple[Actions, ...], defence: Actions) -> Judged:
    """Return that a turn was right, with its answer. The puzzle is solved if that answer loses the game."""
    position, _ = replay_turns(puzzle.position.rules, (*tried, defence), puzzle.position)
    return Judged(Outcome.GOES_ON if position.result is None else Outcome.SOLVED, defence)
