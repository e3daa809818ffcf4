"""Claiming the win of a stalled game without a time limit, after a warning. Pure: `now` is an argument."""

from gipfbot.rules import Reason

from .clock import DAY
from .errors import Refused, Why
from .game import Game, cancel_game, check_running, check_running_player, lose_game

CLAIM_WIN_AFTER = 30 * DAY
CLAIM_WIN_WARNING = 7 * DAY


def check_claim_win(game: Game, by: int, changed_at: int, now: int) -> None:
    """Raise Refused unless the player `by` may claim the win of a game now.

    `changed_at` is when something last happened in the game, in UTC seconds.
    """
    colour = check_running_player(game, by)
    if game.terms.time_control:
        raise Refused(Why.CLAIM_WIN_TIMED)
    if colour is game.asked:
        raise Refused(Why.OWN_TURN, decision=game.answering)
    if game.house_decides:
        raise Refused(Why.HOUSE_THINKS)
    if now < changed_at + CLAIM_WIN_AFTER:
        raise Refused(Why.CLAIM_WIN_TOO_EARLY, at=changed_at + CLAIM_WIN_AFTER)


def win_by_claim(game: Game, by: int) -> Game:
    """Return the game as won on time by the waiting player. If a player has not moved yet, return it cancelled.

    Raises Refused if the game is over. Does not check that the warning is over, nor which player claims.
    """
    if game.may_cancel:
        return cancel_game(game, by)
    check_running(game)
    return lose_game(game, game.current.decider, Reason.TIME)
