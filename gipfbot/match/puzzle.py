"""Puzzles: a position in which exactly one turn wins by force within so many turns, and the proof of it. Pure.

A proof looks at every turn of both players. Nothing here knows the search, so that each confirms the other. Repetitions
(R6.3) need no thought: a win that is forced within so many turns never has to repeat a position.

A puzzle is solved on a board that begins with it, as in a study: the player's turns and the best defences alternate.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from gipfbot.rules import Act, Colour, Position, Remove, Ruleset, Turn, distinct_acts, play, removal_ways
from gipfbot.rules.sentences import Sentence

from .courses import course_of
from .game import replay_turns
from .study import Actions, Study

NAMES = Sentence("You"), Sentence("Opponent")  # of the player who solves it, and of the other one
PUZZLE_LEVELS = (2, 3, 4)  # own turns until the win


class FullTurn(NamedTuple):
    """A full turn, and the position after it."""

    turn: Turn
    after: Position


class Stopped(Exception):
    """The caller has stopped the proof."""


class WinProof:
    """Proofs about the positions of one puzzle. Results are kept for later questions.

    All positions must be at the start of a turn. A win counts within so many turns of the player, the present one
    included. The opponent's turn after them may complete the win, if the opponent loses in it. `stop` is called often:
    when it returns True, any method raises Stopped.
    """

    def __init__(self, stop: Callable[[], bool] = lambda: False) -> None:
        self._stop = stop
        self._known: dict[tuple[Position, int], bool] = {}
        self._refuting: dict[int, Act] = {}  # the act that refuted last, by the player's turns left

    def winning_turns(self, position: Position, own_turns: int) -> list[FullTurn]:
        """Return the turns that win by force. Turns that differ only in the order of their lists count as one."""
        return [one for one in _full_turns(position) if self.loses(one.after, own_turns - 1)]

    def wins(self, position: Position, own_turns: int) -> bool:
        """Return whether the player whose turn it is wins by force."""
        if position.result is not None or own_turns < 1:
            return position.result is not None and position.result.winner is position.mover
        if self._stop():
            raise Stopped
        key = position, own_turns
        if key not in self._known:
            # A turn that removes pieces wins more often.
            quiet = list[FullTurn]()
            won = any(self.loses(one.after, own_turns - 1) for one in _taking_first(position, quiet))
            self._known[key] = won or any(self.loses(one.after, own_turns - 1) for one in quiet)
        return self._known[key]

    def loses(self, position: Position, own_turns: int) -> bool:
        """Return whether the player whose turn it is loses within so many turns of the opponent, by force."""
        if position.result is not None or own_turns < 1:
            return position.result is not None and position.result.winner is position.mover.other
        return self.refutation(position, own_turns) is None

    def refutation(self, position: Position, own_turns: int) -> FullTurn | None:
        """Return a turn after which the opponent does not win within so many turns; None if there is none.

        The player whose turn it is plays it. Assumes that the game is not over.
        """
        for one in _full_turns(position, self._refuting.get(own_turns)):
            if not self.wins(one.after, own_turns):
                if one.turn.act:
                    self._refuting[own_turns] = one.turn.act
                return one
        return None

    def best_defence(self, position: Position, own_turns: int) -> FullTurn:
        """Return the best turn of the player who loses within so many turns of the opponent.

        It holds out longest. Among several that do, it leaves the opponent the fewest turns that win. Assumes that the
        player does lose, and that the game is not over.
        """
        replies = [*_full_turns(position)]
        for fewer in range(own_turns - 1, -1, -1):
            if lasting := [one for one in replies if not self.wins(one.after, fewer)]:
                return min(lasting, key=lambda one: len(self.winning_turns(one.after, fewer + 1)))
        return replies[0]


def _taking_first(position: Position, quiet: list[FullTurn]) -> Iterator[FullTurn]:
    """Yield the turns that remove pieces or end the game. Put all others into `quiet`."""
    for one in _full_turns(position):
        if one.turn.before or one.turn.after or one.after.result is not None:
            yield one
        else:
            quiet.append(one)


def _full_turns(position: Position, first: Act | None = None) -> Iterator[FullTurn]:
    """Yield every full turn once, as `rules.turns` does, but those with the act `first` before the others."""
    for ready, ways in removal_ways(position).items():
        before = tuple(action for action in ways if type(action) is Remove)
        if ready.mover is not position.mover:
            yield FullTurn(Turn(before, None, ways[len(before) :]), ready)
            continue
        acts = [*distinct_acts(ready)]
        if first in acts:
            acts.remove(first)
            acts.insert(0, first)
        for act in acts:
            acted = play(ready, act)
            ends = removal_ways(acted) if acted.mover is position.mover else {acted: ()}
            for end, after in ends.items():
                yield FullTurn(Turn(before, act, after), end)


@dataclass(frozen=True)
class Puzzle:
    """A position, the number of turns within which its player wins, and a line that solves it.

    The line has the turns of both players. The defences in it are the best ones.
    """

    position: Position
    own_turns: int
    line: tuple[Actions, ...]


class Outcome(StrEnum):
    """The outcome of a turn tried in a puzzle."""

    SOLVED = "solved"
    GOES_ON = "goes_on"  # it was right, and the opponent has answered
    FAILED = "failed"


class Judged(NamedTuple):
    """The outcome of a tried turn, and the opponent's answer: the best defence, or the refutation.

    There is no answer if the game is over, or if the player has no turn left.
    """

    outcome: Outcome
    answer: Actions = ()


def suits_puzzles(ruleset: Ruleset) -> bool:
    """Return whether puzzles are made with a rule set: one of the three versions, without potentials."""
    return course_of(ruleset).puzzles and not ruleset.potentials


def prove_puzzle(position: Position, own_turns: int, stop: Callable[[], bool] = lambda: False) -> Puzzle | None:
    """Return the puzzle of a position, proven by the rules alone. None if the position is no puzzle.

    Exactly one first turn must win within so many turns of the player, and none within fewer. `stop` is called often:
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
    """Return the outcome of the last of these turns, which is the player's. The turns before it must be right.

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
    """Return the outcome of a right turn, with the opponent's answer. The puzzle is solved if the answer loses."""
    position, _ = replay_turns(puzzle.position.rules, (*tried, defence), puzzle.position)
    return Judged(Outcome.GOES_ON if position.result is None else Outcome.SOLVED, defence)
