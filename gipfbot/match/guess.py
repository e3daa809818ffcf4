"""Guesses: a spectator guesses the next turn of a game, and gets points once it is played. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from gipfbot.notation import OFFICIAL, Notation
from gipfbot.rules import Act, Action, Position, Push, Remove, Use, play

from .errors import Refused, Why
from .game import Game, check_running, perform, position_after, read_typed_turn
from .study import Study, study_game

EXACT_POINTS, PUSH_POINTS = 3, 1


def read_guess(game: Game, by: int, text: str, notation: Notation = OFFICIAL) -> tuple[Action, ...]:
    """Return the actions of a guess of the current turn, as far as the text decides the turn.

    The text is read as a whole turn. Actions that were already played in it have no influence. Raises Refused if
    the game has ended, or if `by` plays in it. Raises NotationError for the text.
    """
    check_may_guess(game, by)
    fresh = replace(game, draft=())
    mover = fresh.seats[fresh.position.mover].user
    guessed = perform(fresh, mover, read_typed_turn(fresh, mover, text, notation))
    return guessed.turn.actions if guessed.turn else guessed.game.draft


def check_may_guess(game: Game, by: int) -> None:
    """Raise Refused if the game has ended, or if this person plays in it."""
    check_running(game, Why.WATCHED_OVER)
    if game.colour_of(by) is not None:
        raise Refused(Why.GUESSES_OWN_GAME)


def pressed_guess(study: Study) -> tuple[Action, ...]:
    """Return the guess that was entered in a study of a turn. Empty as long as its player has to decide more of it."""
    if study.tried:
        return study.tried[0]
    return study.draft if study_game(study).answering else ()


def guess_points(before: Position, guess: Sequence[Action], played: Sequence[Action]) -> int:
    """Return the points of a guess: for the exact turn, for the same push or use, or none. Both begin at `before`.

    Only positions count, not the dot of a push: `h5` can be pushed in from two dots. Nor does the order in which rows
    are removed.
    """
    guessed, turn = _turn_key(before, guess), _turn_key(before, played)
    if guessed.cleared == turn.cleared and guessed.pushed == turn.pushed:
        return EXACT_POINTS
    if guess and position_after(before, guess) == position_after(before, played):
        return EXACT_POINTS
    same_push = guessed.act is not None and (guessed.act == turn.act or guessed.pushed == turn.pushed)
    return PUSH_POINTS if same_push else 0


class _TurnKey(NamedTuple):
    act: Act | None  # the push or use
    pushed: Position | None  # right after it
    cleared: tuple[int, int]  # the spots cleared before it, and after it


def _turn_key(before: Position, actions: Sequence[Action]) -> _TurnKey:
    act, pushed, position, cleared = None, None, before, [0, 0]
    for action in actions:
        position = play(position, action)
        if isinstance(action, Push | Use):
            act, pushed = action, position
        elif isinstance(action, Remove):
            cleared[act is not None] |= action.taken
    return _TurnKey(act, pushed, (cleared[0], cleared[1]))
