"""Taking back a turn: one player asks, the other agrees. Pure: `now` is an argument.

Asked for is the last turn of whoever asks; if the opponent has answered it, his answer goes back with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gipfbot.rules import Action, Colour

from .challenge import LIFETIME, State
from .errors import Refused, Why
from .game import Game, Status, check_plays, replayed


@dataclass(frozen=True)
class Undo:
    """A request to take back the turn with this number, made when the game had this serial. Times are UTC seconds.

    `turns` are the texts of all that would go back.
    """

    id: int
    game: int
    by: int
    turn: int
    serial: int
    expires_at: int
    state: State = State.OPEN
    turns: tuple[str, ...] = ()


def ask_undo(game: Game, by: int, earlier: Sequence[Undo], now: int) -> Undo:
    """Return a player's request to take back his last turn; `earlier` are all requests of this game, oldest first.

    Raises Refused: over, not a player, a flag has fallen, asked before, or nothing to take back.
    """
    colour = check_plays(game, by)
    _check_time(game)
    for offer in earlier:
        if state_of(offer, game, now) is State.OPEN:
            raise Refused(Why.UNDO_ASKED if offer.by == by else Why.UNDO_TO_ANSWER, offer=offer.id)
    turn = _last_of(game, colour)
    if answered := _answered(earlier, by, turn):
        raise Refused(Why.UNDO_AGAIN, state=answered)
    return Undo(0, game.id, by, turn, game.serial, now + LIFETIME)


def _check_time(game: Game) -> None:
    """The turn after a flag has fallen decides the game (R6.4), so there is no way back from there."""
    if _fallen(game):
        raise Refused(Why.UNDO_TOO_LATE)


def _fallen(game: Game) -> bool:
    return game.clock is not None and game.clock.fallen


def _last_of(game: Game, colour: Colour) -> int:
    turn = game.number - (game.position.mover is colour)
    if turn < 1:
        raise Refused(Why.NOTHING_TO_UNDO)
    return turn


def _answered(earlier: Sequence[Undo], by: int, turn: int) -> State | None:
    """Return how a request of this player for this turn was settled, unless the turn has been played anew since."""
    for offer in reversed(earlier):
        if offer.state is State.ACCEPTED and offer.turn <= turn:
            return None
        if offer.state in (State.DECLINED, State.WITHDRAWN) and (offer.by, offer.turn) == (by, turn):
            return offer.state
    return None


def state_of(offer: Undo, game: Game, now: int) -> State:
    """Return how a request stands: a turn, the end of the game, a fallen flag and its own time end an open one."""
    lives = game.status is Status.RUNNING and game.serial == offer.serial and not _fallen(game)
    return offer.state if offer.state is not State.OPEN or (lives and now < offer.expires_at) else State.EXPIRED


def accept_undo(offer: Undo, game: Game, by: int, turns: Sequence[Sequence[Action]], now: int) -> tuple[Undo, Game]:
    """Return the accepted request and the game as it was before that turn; `turns` are all that were played.

    Its clock is not touched. Raises Refused.
    """
    _check_receiver(offer, game, by, now)
    position, last = replayed(game.ruleset, turns[: offer.turn - 1])
    number = offer.turn - 1
    undone = game.undone + game.number - number
    back = replace(game, position=position, last=last, draft=(), number=number, undone=undone, version=game.version + 1)
    return replace(offer, state=State.ACCEPTED), back


def decline_undo(offer: Undo, game: Game, by: int, now: int) -> Undo:
    """Return the declined request. Raises Refused."""
    _check_receiver(offer, game, by, now)
    return replace(offer, state=State.DECLINED)


def withdraw_undo(offer: Undo, game: Game, by: int, now: int) -> Undo:
    """Return the request withdrawn by whoever made it. Raises Refused."""
    colour = check_plays(game, by)
    _check_open(offer, game, now)
    if offer.by != by:
        raise Refused(Why.UNDO_NOT_YOURS, name=game.seats[colour.other].name)
    return replace(offer, state=State.WITHDRAWN)


def _check_receiver(offer: Undo, game: Game, by: int, now: int) -> None:
    colour = check_plays(game, by)
    _check_open(offer, game, now)
    if offer.by == by:
        raise Refused(Why.UNDO_OWN, name=game.seats[colour.other].name)


def _check_open(offer: Undo, game: Game, now: int) -> None:
    state = state_of(offer, game, now)
    if state is not State.OPEN:
        raise Refused(Why.UNDO_CLOSED, state=state)
