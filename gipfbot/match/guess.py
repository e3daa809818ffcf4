"""Guesses: a spectator guesses the next turn of a game, and gets points once it is played. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from gipfbot.notation import OFFICIAL, Notation
from gipfbot.rules import Act, Action, Push, Remove, Use

from .errors import Refused, Why
from .game import Game, check_running, perform, read_typed_turn
from .study import Study, study_game

EXACT_POINTS, PUSH_POINTS = 3, 1
TurnKey: TypeAlias = tuple[int, Act | None, int]


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
    check_running(game)
    if game.colour_of(by) is not None:
        raise Refused(Why.GUESSES_OWN_GAME)


def pressed_guess(study: Study) -> tuple[Action, ...]:
    """Return the guess that was entered in a study of a turn. Empty as long as its player has to decide more of it."""
    if study.tried:
        return study.tried[0]
    return study.draft if study_game(study).answering else ()


def guess_points(guess: Sequence[Action], played: Sequence[Action]) -> int:
    """Return the points of a guess: for the exact turn, for the same push or use, or none.

    The order in which rows are removed does not count.
    """
    guessed, turn = _turn_key(guess), _turn_key(played)
    if guessed == turn:
        return EXACT_POINTS
    return PUSH_POINTS if guessed[1] is not None and guessed[1] == turn[1] else 0


def _turn_key(actions: Sequence[Action]) -> TurnKey:
    """Return the key of a turn: the spots cleared before its push or use, that act, and the spots cleared after it."""
    act: Act | None = None
    before = after = 0
    for action in actions:
        if isinstance(action, Push | Use):
            act = action
        elif isinstance(action, Remove) and act is None:
            before |= action.taken
        elif isinstance(action, Remove):
            after |= action.taken
    return before, act, after
