"""The explorer: what was played next from a position in finished games. This says what of a game it counts."""

from collections.abc import Sequence
from typing import NamedTuple

from gipfbot.notation.symmetric_turns import common_turn_text, find_representative
from gipfbot.rules import Action, Position, Ruleset, legal, play, start

EXPLORED_TURNS = 12  # turns of both players; those after them are not counted


class ExploredStep(NamedTuple):
    """A turn from a position, both up to symmetry: the key of the position, and the turn's common text."""

    position: int
    turn: str


def explored_steps(ruleset: Ruleset, turns: Sequence[Sequence[Action]]) -> tuple[ExploredStep, ...]:
    """Return what the explorer counts of a game: each of its first turns, once.

    Does not check how the game ended. Raises ValueError if a turn is not legal, or not whole.
    """
    position, steps = start(ruleset), dict[ExploredStep, None]()
    for actions in turns[:EXPLORED_TURNS]:
        after = play_whole_turn(position, actions)
        steps[explored_step(position, actions)] = None
        position = after
    return tuple(steps)


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
