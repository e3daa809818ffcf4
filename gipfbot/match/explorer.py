"""The explorer: the turns played from a position in finished games, and how certain their win rates are. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, starmap
from math import sqrt
from typing import NamedTuple

from gipfbot.notation.symmetric_turns import common_turn_text, find_representative
from gipfbot.rules import Action, Position, Ruleset, legal, play, start

NORMAL_95 = 1.959964  # standard deviations around the mean of a normal distribution that hold 95 % of it

EXPLORED_TURNS = 12  # turns of both players; those after them are not counted


class WinRate(NamedTuple):
    """The number of games that one side won, out of the games with a winner. There must be at least one game."""

    wins: int
    games: int

    @property
    def share(self) -> float:
        """The part of the games that were won, from 0 to 1."""
        return self.wins / self.games

    def wilson_interval(self) -> tuple[float, float]:
        """Return the ends of the 95 % interval of the share, by Wilson's formula (1927), without continuity correction.

        Unlike the usual formula, this one is also right for few games, and stays within 0 and 1.
        """
        weight = NORMAL_95**2 / self.games
        centre = self.share + weight / 2
        reach = sqrt(weight * (self.share * (1 - self.share) + weight / 4))
        return max(0.0, (centre - reach) / (1 + weight)), min(1.0, (centre + reach) / (1 + weight))


class ExploredStep(NamedTuple):
    """A turn from a position, both up to symmetry: the key of the position, and the turn's common text."""

    position: int
    turn: str


def explored_steps(turns: Iterable[tuple[Position, Sequence[Action]]]) -> tuple[ExploredStep, ...]:
    """Return the steps of a game that the explorer counts: each of its first turns, once.

    `turns` are the game's turns, each with the position before it. Does not check that they are legal, nor how the game
    ended.
    """
    return tuple(dict.fromkeys(starmap(explored_step, islice(turns, EXPLORED_TURNS))))


def whole_turns(ruleset: Ruleset, turns: Iterable[Sequence[Action]]) -> Iterator[tuple[Position, Sequence[Action]]]:
    """Yield the turns of a game, each with the position before it.

    Raises ValueError at a turn that is not legal, or not whole.
    """
    position = start(ruleset)
    for actions in turns:
        before, position = position, play_whole_turn(position, actions)
        yield before, actions


def explored_step(position: Position, actions: Sequence[Action]) -> ExploredStep:
    """Return the step of a whole turn from a position. Does not check that the turn is legal."""
    known = find_representative(position)
    return ExploredStep(known.key, common_turn_text(known, actions))


def play_whole_turn(before: Position, actions: Sequence[Action]) -> Position:
    """Return the position after a whole turn. Raises ValueError if an action is not legal, or the turn not whole."""
    position = before
    for action in actions:
        if position.mover is not before.mover or action not in legal(position):
            raise ValueError(f"{action} is not legal")
        position = play(position, action)
    if position.mover is before.mover and not position.result:
        raise ValueError(f"{actions} are no whole turn")
    return position
