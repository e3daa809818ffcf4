"""Taking back a turn: one player asks, the other agrees. Pure: `now` is an argument.

Asked for is the last turn of whoever asks; if the opponent has answered it, his answer goes back with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gipfbot.rules import Action, Colour

from .challenge import REQUEST_LIFETIME, RequestState
from .errors import Refused, Why
from .game import Game, Status, check_running_player, replay_turns


@dataclass(frozen=True)
class TakebackRequest:
    """A request to take back the turn with this number, made when the game had this serial. Times are UTC seconds.

    `turns` are the texts of all that would go back.
    """

    id: int
    game: int
    by: int
    turn_number: int
    turn_serial: int
    expires_at: int
    state: RequestState = RequestState.OPEN
    turns: tuple[str, ...] = ()


def request_takeback(game: Game, by: int, earlier: Sequence[TakebackRequest], now: int) -> TakebackRequest:
    """Return a player's request to take back his last turn; `earlier` are all requests of this game, oldest first.

    Raises Refused: over, not a player, a flag has fallen, asked before, or nothing to take back.
    """
    colour = check_running_player(game, by)
    _check_not_flagged(game)
    for offer in earlier:
        if takeback_state(offer, game, now) is RequestState.OPEN:
            raise Refused(Why.TAKEBACK_REQUESTED if offer.by == by else Why.TAKEBACK_TO_ANSWER, request=offer.id)
    turn = _last_turn_of(game, colour)
    if answered := _settled_state(earlier, by, turn):
        raise Refused(Why.TAKEBACK_AGAIN, state=answered)
    return TakebackRequest(0, game.id, by, turn, game.turn_serial, now + REQUEST_LIFETIME)


def _check_not_flagged(game: Game) -> None:
    """The turn after a flag has fallen decides the game (R6.4), so there is no way back from there."""
    if _is_flagged(game):
        raise Refused(Why.TAKEBACK_TOO_LATE)


def _is_flagged(game: Game) -> bool:
    return game.clock is not None and game.clock.flagged


def _last_turn_of(game: Game, colour: Colour) -> int:
    turn = game.turn_number - (game.position.mover is colour)
    if turn < 1:
        raise Refused(Why.NOTHING_TO_TAKE_BACK)
    return turn


def _settled_state(earlier: Sequence[TakebackRequest], by: int, turn: int) -> RequestState | None:
    """Return how a request of this player for this turn was settled, unless the turn has been played anew since."""
    for offer in reversed(earlier):
        if offer.state is RequestState.ACCEPTED and offer.turn_number <= turn:
            return None
        if offer.state in (RequestState.DECLINED, RequestState.WITHDRAWN) and (offer.by, offer.turn_number) == (
            by,
            turn,
        ):
            return offer.state
    return None


def takeback_state(request: TakebackRequest, game: Game, now: int) -> RequestState:
    """Return how a request stands: a turn, the end of the game, a fallen flag and its own time end an open one."""
    lives = game.status is Status.RUNNING and game.turn_serial == request.turn_serial and not _is_flagged(game)
    return (
        request.state
        if request.state is not RequestState.OPEN or (lives and now < request.expires_at)
        else RequestState.EXPIRED
    )


def accept_takeback(
    request: TakebackRequest, game: Game, by: int, turns: Sequence[Sequence[Action]], now: int
) -> tuple[TakebackRequest, Game]:
    """Return the accepted request and the game as it was before that turn; `turns` are all that were played.

    Its clock is not touched. Raises Refused.
    """
    _check_takeback_receiver(request, game, by, now)
    position, last = replay_turns(game.ruleset, turns[: request.turn_number - 1])
    number = request.turn_number - 1
    undone = game.taken_back + game.turn_number - number
    back = replace(
        game, position=position, last=last, draft=(), turn_number=number, taken_back=undone, version=game.version + 1
    )
    return replace(request, state=RequestState.ACCEPTED), back


def decline_takeback(request: TakebackRequest, game: Game, by: int, now: int) -> TakebackRequest:
    """Return the declined request. Raises Refused."""
    _check_takeback_receiver(request, game, by, now)
    return replace(request, state=RequestState.DECLINED)


def withdraw_takeback(request: TakebackRequest, game: Game, by: int, now: int) -> TakebackRequest:
    """Return the request withdrawn by whoever made it. Raises Refused."""
    colour = check_running_player(game, by)
    _check_takeback_open(request, game, now)
    if request.by != by:
        raise Refused(Why.TAKEBACK_NOT_YOURS, name=game.seats[colour.other].name)
    return replace(request, state=RequestState.WITHDRAWN)


def _check_takeback_receiver(request: TakebackRequest, game: Game, by: int, now: int) -> None:
    colour = check_running_player(game, by)
    _check_takeback_open(request, game, now)
    if request.by == by:
        raise Refused(Why.TAKEBACK_OWN, name=game.seats[colour.other].name)


def _check_takeback_open(request: TakebackRequest, game: Game, now: int) -> None:
    state = takeback_state(request, game, now)
    if state is not RequestState.OPEN:
        raise Refused(Why.TAKEBACK_CLOSED, state=state)
