"""Requests between the players of a game (takebacks and draws), and wins by claim. Pure: `now` is an argument.

A request is open until the other player answers it, its player withdraws it, or somebody plays.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from gipfbot.rules import Action, Colour, Reason

from .challenge import REQUEST_LIFETIME, RequestState
from .clock import DAY
from .errors import Refused, Why
from .game import Game, Status, cancel_game, check_running, check_running_player, lose_game, replay_turns
from .game_clock import is_turn_last

CLAIM_WIN_AFTER = 30 * DAY
CLAIM_WIN_WARNING = 7 * DAY


class RequestKind(StrEnum):
    """The kinds of requests between players. Each kind has a row in REQUEST_RULES."""

    TAKEBACK = "takeback"
    DRAW = "draw"


@dataclass(frozen=True)
class GameRequest:
    """A request of the player `by` to the other player of a game. Times are UTC seconds."""

    id: int
    kind: RequestKind
    game: int
    by: int
    turn_number: int  # of the first turn to take back; of the unfinished turn in which a draw is offered
    turn_serial: int  # the turn serial of the game when the request was made
    expires_at: int | None  # None if it lasts until somebody plays
    state: RequestState = RequestState.OPEN
    turns: tuple[str, ...] = ()  # the texts of the turns to take back


class RequestRules(NamedTuple):
    """The rules of one kind of request."""

    refusal: Callable[[Game], Refused | None]  # why nobody may ask for it in a game now; None if it is possible
    turn_number: Callable[[Game, Colour], int]  # the turn that a player would ask about; raises Refused without one
    lifetime: int | None = None  # seconds; None if it lasts until somebody plays


def _takeback_refusal(game: Game) -> Refused | None:
    """Return a refusal without takebacks in the terms, and once the player to move is flagged: see R6.4."""
    if not game.terms.takebacks:
        return Refused(Why.NO_TAKEBACKS)
    return Refused(Why.TAKEBACK_TOO_LATE) if is_turn_last(game) else None


def _last_turn_of(game: Game, colour: Colour) -> int:
    turn = game.turn_number - (game.position.mover is colour)
    if turn < 1:
        raise Refused(Why.NOTHING_TO_TAKE_BACK)
    return turn


def _draw_refusal(game: Game) -> Refused | None:
    """Return a refusal if the rules of the game know no agreed draw (R6.3, R8.5)."""
    return None if game.ruleset.agreed_draw else Refused(Why.NO_DRAWS)


REQUEST_RULES: Mapping[RequestKind, RequestRules] = {
    RequestKind.TAKEBACK: RequestRules(_takeback_refusal, _last_turn_of, REQUEST_LIFETIME),
    RequestKind.DRAW: RequestRules(_draw_refusal, lambda game, _: game.turn_number + 1),
}


def make_request(kind: RequestKind, game: Game, by: int, earlier: Sequence[GameRequest], now: int) -> GameRequest:
    """Return a player's new request. `earlier` are all requests of this game, oldest first.

    Raises Refused if the game is over, if this kind is not possible in it now, if a request of this kind is open, or if
    the player's request for the same turn was declined or withdrawn.
    """
    colour, rules = check_running_player(game, by), REQUEST_RULES[kind]
    if refused := rules.refusal(game):
        raise refused
    for request in earlier:
        if request.kind is kind and request_state(request, game, now) is RequestState.OPEN:
            raise Refused(
                Why.REQUEST_OPEN if request.by == by else Why.REQUEST_TO_ANSWER, kind=kind, request=request.id
            )
    turn, ends = rules.turn_number(game, colour), rules.lifetime and now + rules.lifetime
    new = GameRequest(0, kind, game.id, by, turn, game.turn_serial, ends)
    if settled := _settled_state(new, earlier):
        raise Refused(Why.REQUEST_AGAIN, kind=kind, state=settled)
    return new


def _settled_state(new: GameRequest, earlier: Sequence[GameRequest]) -> RequestState | None:
    """Return DECLINED or WITHDRAWN if the player's request for the same turn ended in that state.

    Return None without such a request, or if a later takeback took back this turn or an earlier one.
    """
    for request in reversed(earlier):
        if request.state is RequestState.ACCEPTED and request.turn_number <= new.turn_number:
            return None
        same = (request.kind, request.by, request.turn_number) == (new.kind, new.by, new.turn_number)
        if same and request.state in (RequestState.DECLINED, RequestState.WITHDRAWN):
            return request.state
    return None


def request_state(request: GameRequest, game: Game, now: int) -> RequestState:
    """Return the state of a request at `now`.

    An open request expires when its time is over, with the next turn, a takeback, or the end of the game, and when its
    kind is no longer possible.
    """
    stands = game.status is Status.RUNNING and game.turn_serial == request.turn_serial
    in_time = request.expires_at is None or now < request.expires_at
    is_alive = stands and in_time and not REQUEST_RULES[request.kind].refusal(game)
    return RequestState.EXPIRED if request.state is RequestState.OPEN and not is_alive else request.state


def settle_request(request: GameRequest, game: Game, by: int, state: RequestState, now: int) -> GameRequest:
    """Return the request, settled by a player. The game does not change.

    The opponent makes it ACCEPTED or DECLINED, the player who made it WITHDRAWN. Raises Refused if the request is not
    open, or if `by` may not do this.
    """
    colour = check_running_player(game, by)
    current, is_own = request_state(request, game, now), request.by == by
    if current is not RequestState.OPEN:
        raise Refused(Why.REQUEST_CLOSED, kind=request.kind, state=current)
    if is_own is not (state is RequestState.WITHDRAWN):
        name = game.seats[colour.other].name
        raise Refused(Why.REQUEST_OWN if is_own else Why.REQUEST_NOT_YOURS, kind=request.kind, name=name)
    return replace(request, state=state)


def take_back(game: Game, turn_number: int, turns: Sequence[Sequence[Action]]) -> Game:
    """Return the game before the turn with this number. `turns` are all turns played so far. The clock stays."""
    left = turn_number - 1
    position, last = replay_turns(game.ruleset, turns[:left])
    before = replace(game, position=position, last=last, draft=(), turn_number=left, version=game.version + 1)
    return replace(before, taken_back=game.taken_back + game.turn_number - left)


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
