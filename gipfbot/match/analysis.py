"""Judge the turns of a finished game by an engine's scores: marks, losses and the balance. Pure.

An engine gives the best turns of each position. Everything here follows from its scores. A place in the game is
the number of turns before it, counting both players' turns. Nothing is said of place 0, the start of the rule set.
"""

from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from gipfbot.rules import Action, Colour, Position, Reason, Remove, Result, play

WIN, FORCED = 30_000, 29_000  # a won game, and the least score that says a win is forced, as in docs/engine.md
DECIDED = 1000  # hundredths of a piece; better or worse scores count as this much
# The least loss of a marked turn, in hundredths of a piece. `tests/search/blunders.py` measures how often a mark is
# right. The two searches before and after a good turn differ by up to 75, and a loss of 150 comes out as 100 at least:
# from 100 on, a mark is seldom wrong and seldom missing. 200 is the worth of a GIPF-piece.
BLUNDER_LOSS, MISTAKE_LOSS = 200, 100
ONLY_LOSS = 150  # the least loss of every other turn if only one is good: all of them would be marked

Actions: TypeAlias = tuple[Action, ...]


class Mark(StrEnum):
    """The mark of a turn, as records write it."""

    NONE = ""
    BLUNDER = "??"
    MISTAKE = "?"
    ONLY = "!"


class FoundTurn(NamedTuple):
    """One of the best turns of a position, its score for the player who decides, and the expected line.

    The score is in hundredths of a piece. The line begins with the turn itself. In Overboard, a turn ends where the
    opponent is asked (R8.4).
    """

    actions: Actions
    score: int
    line: tuple[Actions, ...]

    @property
    def worth(self) -> int:
        """The score, limited to the range from -DECIDED to DECIDED."""
        return worth_of(self.score)


Found: TypeAlias = tuple[FoundTurn, ...]  # the best turns of one position, the best first; empty if none are known


class JudgedTurn(NamedTuple):
    """A judged turn of the game: `place` is the place after it, and `score` its score for its player.

    `best` holds the best turns that its player could have played.
    """

    place: int
    before: Position
    actions: Actions
    mark: Mark
    score: int
    best: Found

    @property
    def lost(self) -> int:
        """How much worse the turn is than the best one, in hundredths of a piece. Below 0 if it turned out better."""
        return self.best[0].worth - worth_of(self.score)


class GameAnalysis(NamedTuple):
    """The judged turns after place 1, and the balance at each place from 0: above 0 if White stands better.

    After a marked turn, the balance is the score that led to the mark. Elsewhere it comes from the next search.
    """

    turns: tuple[JudgedTurn, ...]
    balance: tuple[int, ...]

    @property
    def marked(self) -> tuple[JudgedTurn, ...]:
        """The turning points: the turns that have a mark."""
        return tuple(turn for turn in self.turns if turn.mark)


def worth_of(score: int) -> int:
    """Return a score limited to the range from -DECIDED to DECIDED."""
    return max(-DECIDED, min(DECIDED, score))


def with_end(position: Position, result: Result | None) -> Position:
    """Return the last position of a game that has ended with this result.

    A game that is void by repetition is over in that position (R6.3). After a resignation, a flag or an agreement, the
    position stays as it is: one to play on from.
    """
    return position._replace(result=result) if result and result.by is Reason.REPETITION else position


def judge_game(positions: Sequence[Position], turns: Sequence[Actions], found: Sequence[Found]) -> GameAnalysis:
    """Return the analysis of a game: its turns, judged by the best turns of all positions.

    `positions` has one item more than `turns`; the last comes from `with_end`. `found` has the best turns of
    each position. It may be empty for place 0, and it says nothing for a position in which the game is over.
    """
    judged = []
    for place, (before, after) in enumerate(pairwise(positions)):
        if place:
            judged.append(judge_turn(place + 1, before, turns[place], after, found[place], found[place + 1]))
    balance = [0, *(_balance(position, best) for position, best in zip(positions[1:], found[1:], strict=True))]
    for turn in judged:
        if turn.mark:
            balance[turn.place] = _for_white(turn.score, turn.before.mover)
    return GameAnalysis(tuple(judged), tuple(balance))


def judge_turn(
    place: int, before: Position, actions: Actions, after: Position, best: Found, following: Found
) -> JudgedTurn:
    """Return a turn with its score and its mark. `following` holds the opponent's best turns after it."""
    score = _played_score(before, after, best, following)
    judged = JudgedTurn(place, before, actions, Mark.NONE, score, best)
    return judged._replace(mark=_mark(judged, after))


def _played_score(before: Position, after: Position, best: Found, following: Found) -> int:
    """Return the score of a played turn: from the same search if the turn is one of the best, else from the next one.

    The next search also counts if it sees a forced loss after the second or third best turn.
    """
    if after.result is not None:
        winner = after.result.winner
        return 0 if winner is None else WIN - 1 if winner is before.mover else 1 - WIN
    follows = -following[0].score
    for rank, found in enumerate(best):
        if _leads_to(before, found.actions, after):
            return min(found.score, follows) if rank and follows < -FORCED else found.score
    return follows


def _mark(judged: JudgedTurn, after: Position) -> Mark:
    if judged.lost >= BLUNDER_LOSS:
        return Mark.BLUNDER
    if judged.lost >= MISTAKE_LOSS:
        return Mark.MISTAKE
    return Mark.ONLY if _is_only_good(judged, after) else Mark.NONE


def _is_only_good(judged: JudgedTurn, after: Position) -> bool:
    """Return whether a turn is the only good one and not obvious: it takes nothing."""
    if len(judged.best) < 2 or not _leads_to(judged.before, judged.best[0].actions, after):
        return False
    takes = any(isinstance(action, Remove) and action.taken for action in judged.actions)
    return not takes and judged.best[0].worth - judged.best[1].worth >= ONLY_LOSS


def _leads_to(position: Position, actions: Actions, after: Position) -> bool:
    """Return whether actions lead to a position. A repetition may have ended the game in it (R6.3)."""
    for action in actions:
        position = play(position, action)
    return position._replace(result=None) == after._replace(result=None)


def _balance(position: Position, best: Found) -> int:
    if position.result is not None:
        winner = position.result.winner
        return 0 if winner is None else DECIDED if winner is Colour.WHITE else -DECIDED
    return _for_white(best[0].score, position.mover)


def _for_white(score: int, mover: Colour) -> int:
    return worth_of(score) if mover is Colour.WHITE else -worth_of(score)
