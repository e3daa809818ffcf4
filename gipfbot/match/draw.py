"""Draws by agreement: one player offers a draw, and the other accepts. Pure.

Only rule sets with `agreed_draw` know draws. An offer lasts until somebody plays, so it needs no time of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from .errors import Refused, Why
from .game import Game, Status, agree_draw, check_running_player


class DrawStep(StrEnum):
    """What a player did about a draw."""

    OFFERED = "draw_offered"
    ACCEPTED = "draw_accepted"
    DECLINED = "draw_declined"
    WITHDRAWN = "draw_withdrawn"


@dataclass(frozen=True)
class DrawEvent:
    """A step of the user `by` about a draw. `turn_serial` is the turn serial of the game at that moment."""

    step: DrawStep
    by: int
    turn_serial: int


def open_draw_offer(game: Game, events: Sequence[DrawEvent]) -> DrawEvent | None:
    """Return the draw offer that can be answered now; None without one. `events` are those of the game, oldest first.

    An offer ends with the next turn, a takeback, or the end of the game.
    """
    if game.status is not Status.RUNNING or not events:
        return None
    last = events[-1]
    return last if last.step is DrawStep.OFFERED and last.turn_serial == game.turn_serial else None


def offer_draw(game: Game, by: int, events: Sequence[DrawEvent]) -> DrawEvent:
    """Return a player's offer of a draw. `events` are those of the game, oldest first.

    Raises Refused if the game is over, if its rules know no draw, if an offer is open, or if this player has offered a
    draw before in the same turn.
    """
    check_running_player(game, by)
    _check_draws_known(game)
    if standing := open_draw_offer(game, events):
        raise Refused(Why.DRAW_OFFERED if standing.by == by else Why.DRAW_TO_ANSWER)
    offer = DrawEvent(DrawStep.OFFERED, by, game.turn_serial)
    if offer in events:
        raise Refused(Why.DRAW_AGAIN)
    return offer


def _check_draws_known(game: Game) -> None:
    """Raise Refused if the rules of the game know no agreed draw (R6.3, R8.5)."""
    if not game.ruleset.agreed_draw:
        raise Refused(Why.NO_DRAWS)


def answer_draw(game: Game, by: int, step: DrawStep, events: Sequence[DrawEvent]) -> tuple[DrawEvent, Game]:
    """Return a player's answer to the open offer, and the game after it. Accepting ends the game.

    The opponent accepts or declines; the player who made the offer withdraws it. Raises Refused if no offer is open, or
    if this player may not do this.
    """
    colour = check_running_player(game, by)
    offer = open_draw_offer(game, events)
    if offer is None:
        raise Refused(Why.DRAW_CLOSED)
    name = game.seats[colour.other].name
    if step is DrawStep.WITHDRAWN and offer.by != by:
        raise Refused(Why.DRAW_NOT_YOURS, name=name)
    if step is not DrawStep.WITHDRAWN and offer.by == by:
        raise Refused(Why.DRAW_OWN, name=name)
    return DrawEvent(step, by, game.turn_serial), agree_draw(game) if step is DrawStep.ACCEPTED else game
