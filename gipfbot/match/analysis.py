"""What an analysis says of a finished game: the balance, the marks of turns, and what they lose. Pure.

An engine tells the best turns of each position. All that is said here follows from its scores. A place in the game is
the number of turns before it, counting both players' turns. Nothing is said of place 0, the start of the rule set.
"""

from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from gipfbot.rules import Action, Colour, Position, Reason, Remove, Result, play

ANALYSIS_NODES = 30_000  # that an engine searches in each position
WIN, FORCED = 30_000, 29_000  # a won game, and the least score that says a win is forced, as in docs/engine.md
DECIDED = 1000  # hundredths of a piece; what is better or worse counts as so much
# What a marked turn loses at least, in hundredths of a piece. `tests/search/blunders.py` measures how often a mark is
# right. The two searches before and after a good turn differ by up to 75, and a loss of 150 comes out as 100 at least:
# from 100 on, a mark is seldom wrong and seldom missing. 200 is the worth of a GIPF-piece.
BLUNDER_LOSS, MISTAKE_LOSS = 200, 100
ONLY_LOSS = 150  # what every other turn than an only good one loses at least: all of them would be marked

Actions: TypeAlias = tuple[Action, ...]


class Mark(StrEnum):
    """The mark of a turn, as records write it."""

    NONE = ""
    BLUNDER = "??"
    MISTAKE = "?"
    ONLY = "!"


class FoundTurn(NamedTuple):
    """One of the best turns of a position, with its score for the player who decides, and the line that is expected.

    The score is in hundredths of a piece. The line begins with the turn itself. In Overboard, a turn ends where the
    opponent is asked (R8.4).
    """

    actions: Actions
    score: int
    line: tuple[Actions, ...]

    @property
    def worth(self) -> int:
        """The score, within what still makes a difference."""
        return worth_of(self.score)


Found: TypeAlias = tuple[FoundTurn, ...]  # the best turns of one position, the best first; empty if none are known


class JudgedTurn(NamedTuple):
    """A turn of the game: `place` is the place after it, and `score` what it leads to, for its player.

    `best` are the best turns that its player had.
    """

    place: int
    before: Position
    actions: Actions
    mark: Mark
    score: int
    best: Found

    @property
    def lost(self) -> int:
        """What the turn loses against the best one, in hundredths of a piece. Below 0 if it turned out better."""
        return self.best[0].worth - worth_of(self.score)


class GameAnalysis(NamedTuple):
    """The turns behind place 1, and the balance at each place from 0: above 0 if White stands better.

    Behind a turn with a mark, the balance is the score that the mark comes from. Elsewhere the next search says it.
    """

    turns: tuple[JudgedTurn, ...]
    balance: tuple[int, ...]

    @property
    def marked(self) -> tuple[JudgedTurn, ...]:
        """The turning points: the turns that have a mark."""
        return tuple(turn for turn in self.turns if turn.mark)


def worth_of(score: int) -> int:
    """Return a score within what still makes a difference: from -DECIDED to DECIDED."""
    return max(-DECIDED, min(DECIDED, score))


def with_end(position: Position, result: Result | None) -> Position:
    """Return the last position of a game that has ended with this result.

    A game that is void by repetition is over in that position (R6.3). After a resignation, a flag or an agreement, the
    position stays as it is: one to play on from.
    """
    return position._replace(result=result) if result and result.by is Reason.REPETITION else position


def judge_game(positions: Sequence[Position], turns: Sequence[Actions], found: Sequence[Found]) -> GameAnalysis:
    """Return what the best turns of all positions say of the turns between them.

    `positions` has one more than `turns`, and the last has the result of `with_end`. `found` has the best turns of
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
    """Return what is to be said of a turn. `following` are the best turns of the opponent after it."""
    score = _played_score(before, after, best, following)
    judged = JudgedTurn(place, before, actions, Mark.NONE, score, best)
    return judged._replace(mark=_mark(judged, after))


def _played_score(before: Position, after: Position, best: Found, following: Found) -> int:
    """Return what a turn leads to. If it is one of the best, the same search says it; otherwise the next one does.

    The next one is also believed where it sees a forced loss after the second or third best turn.
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
    """Return whether a turn is the only good one, and not one that anybody sees: it takes nothing."""
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
