"""What one player asks of the other: takebacks, draws and wins by claim. Pure: `now` is an argument.

If the opponent has played since, the opponent's turn is taken back, too.

Only rule sets with `agreed_draw` know draws. An offer lasts until somebody plays, so it needs no time of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from gipfbot.rules import Action, Colour, Reason

from .challenge import REQUEST_LIFETIME, RequestState
from .clock import DAY
from .errors import Refused, Why
from .game import Game, Status, agree_draw, cancel_game, check_running, check_running_player, lose_game, replay_turns
from .game_clock import is_turn_last

CLAIM_WIN_AFTER = 30 * DAY
CLAIM_WIN_WARNING = 7 * DAY


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
