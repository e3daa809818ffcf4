"""Takebacks: one player asks to take back their last turn, and the other agrees. Pure: `now` is an argument.

If the opponent has played since, the opponent's turn is taken back, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gipfbot.rules import Action, Colour

from .challenge import REQUEST_LIFETIME, RequestState
from .errors import Refused, Why
from .game import Game, Status, check_running_player, replay_turns
from .game_clock import is_turn_last


@dataclass(frozen=True)
class TakebackRequest:
    """A request to take back the last turn of `by`, and the opponent's turn after it, if any. Times are UTC seconds."""

    id: int
    game: int
    by: int
    turn_number: int  # the number of the first turn to take back
    turn_serial: int  # the turn serial of the game when the request was made
    expires_at: int
    state: RequestState = RequestState.OPEN
    turns: tuple[str, ...] = ()  # the texts of the turns to take back


def request_takeback(game: Game, by: int, earlier: Sequence[TakebackRequest], now: int) -> TakebackRequest:
    """Return a player's request to take back their last turn. `earlier` are all requests of this game, oldest first.

    Raises Refused if the game is over, if the player to move is flagged, if a request is open, if the player's request
    for this turn was declined or withdrawn, or if the player has not played a turn.
    """
    colour = check_running_player(game, by)
    _check_not_flagged(game)
    for request in earlier:
        if takeback_state(request, game, now) is RequestState.OPEN:
            raise Refused(Why.TAKEBACK_REQUESTED if request.by == by else Why.TAKEBACK_TO_ANSWER, request=request.id)
    turn = _last_turn_of(game, colour)
    if settled := _settled_state(earlier, by, turn):
        raise Refused(Why.TAKEBACK_AGAIN, state=settled)
    return TakebackRequest(0, game.id, by, turn, game.turn_serial, now + REQUEST_LIFETIME)


def _check_not_flagged(game: Game) -> None:
    """Raise Refused if the player to move is flagged: their turn decides the game (R6.4)."""
    if is_turn_last(game):
        raise Refused(Why.TAKEBACK_TOO_LATE)


def _last_turn_of(game: Game, colour: Colour) -> int:
    turn = game.turn_number - (game.position.mover is colour)
    if turn < 1:
        raise Refused(Why.NOTHING_TO_TAKE_BACK)
    return turn


def _settled_state(earlier: Sequence[TakebackRequest], by: int, turn: int) -> RequestState | None:
    """Return DECLINED or WITHDRAWN if this player's request for this turn ended in that state.

    Return None without such a request, or if a later request took back this turn or an earlier one.
    """
    for request in reversed(earlier):
        if request.state is RequestState.ACCEPTED and request.turn_number <= turn:
            return None
        same = (request.by, request.turn_number) == (by, turn)
        if same and request.state in (RequestState.DECLINED, RequestState.WITHDRAWN):
            return request.state
    return None


def takeback_state(request: TakebackRequest, game: Game, now: int) -> RequestState:
    """Return the state of a takeback request at `now`.

    An open request expires after a week. It also expires with the next turn, a takeback, or the end of the game, and
    when the player to move is flagged.
    """
    lives = game.status is Status.RUNNING and game.turn_serial == request.turn_serial and not is_turn_last(game)
    if request.state is RequestState.OPEN and not (lives and now < request.expires_at):
        return RequestState.EXPIRED
    return request.state


def accept_takeback(
    request: TakebackRequest, game: Game, by: int, turns: Sequence[Sequence[Action]], now: int
) -> tuple[TakebackRequest, Game]:
    """Return the accepted request, and the game before the first turn taken back. `turns` are all turns played so far.

    The clock does not change. Raises Refused if the request is not open, or if `by` may not answer it.
    """
    _check_takeback_receiver(request, game, by, now)
    number = request.turn_number - 1
    position, last = replay_turns(game.ruleset, turns[:number])
    before = replace(game, position=position, last=last, draft=(), turn_number=number, version=game.version + 1)
    taken_back = game.taken_back + game.turn_number - number
    return replace(request, state=RequestState.ACCEPTED), replace(before, taken_back=taken_back)


def decline_takeback(request: TakebackRequest, game: Game, by: int, now: int) -> TakebackRequest:
    """Return the declined takeback request. Raises Refused if it is not open, or if `by` may not answer it."""
    _check_takeback_receiver(request, game, by, now)
    return replace(request, state=RequestState.DECLINED)


def withdraw_takeback(request: TakebackRequest, game: Game, by: int, now: int) -> TakebackRequest:
    """Return the withdrawn takeback request. Raises Refused if it is not open, or if `by` did not make it."""
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
