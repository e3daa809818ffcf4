"""What a refusal carries besides its reason: the names, times and states that its sentence tells."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from gipfbot.match import (
    Challenge,
    Game,
    GameRequest,
    Refused,
    RequestKind,
    RequestState,
    Seat,
    Side,
    Why,
    accept_challenge,
    check_claim_win,
    decline_challenge,
    make_request,
    perform,
    settle_request,
    withdraw_challenge,
)
from gipfbot.match.conditionals import check_conditional, check_waiting, read_conditional
from gipfbot.rules import OVERBOARD, STANDARD
from tests.rules.boards_of_overboard import ASKS
from tests.support.people import ANN, BOB, EVE
from tests.support.times import DAY, NOW

from .helpers import game, go_on, typed

OFFER = Challenge(5, ANN, BOB, STANDARD, Side.LOT, NOW + DAY)
OPEN_OFFER = replace(OFFER, to=None)
CLOSED = {"state": RequestState.ACCEPTED}
FRESH = game()
MOVED = typed(typed(FRESH, ANN.user, "e1-e3"), BOB.user, "e9-e7")
ANSWERED = go_on(game(ASKS, OVERBOARD), ANN.user, "a4b4", "xe:")  # Black is asked in White's turn
REQUEST = make_request(RequestKind.TAKEBACK, MOVED, ANN.user, (), NOW)
DRAWN = game(ruleset=OVERBOARD)
DRAW_OFFER = make_request(RequestKind.DRAW, DRAWN, ANN.user, (), NOW)
OF_TAKEBACK, OF_DRAW = {"kind": RequestKind.TAKEBACK}, {"kind": RequestKind.DRAW}


def asked_again(state: RequestState = RequestState.OPEN) -> Callable[[], GameRequest]:
    earlier = replace(REQUEST, id=9, state=state)
    return lambda: make_request(RequestKind.TAKEBACK, MOVED, ANN.user, [earlier], NOW)


def settled(request: GameRequest, playing: Game, by: Seat, state: RequestState) -> Callable[[], GameRequest]:
    return lambda: settle_request(request, playing, by.user, state, NOW)


def wait(playing: Game, by: int) -> Callable[[], None]:
    return lambda: check_waiting(playing, by)


CHALLENGES: list[tuple[Callable[[], object], Why, dict[str, object]]] = [
    (lambda: accept_challenge(OFFER, ANN, NOW, True), Why.OWN_CHALLENGE, {"is_seek": False}),
    (lambda: accept_challenge(OPEN_OFFER, ANN, NOW, True), Why.OWN_CHALLENGE, {"is_seek": True}),
    (lambda: accept_challenge(OFFER, EVE, NOW, True), Why.NOT_FOR_YOU, {"name": "Bob"}),
    (lambda: decline_challenge(OPEN_OFFER, EVE.user, NOW), Why.NOT_FOR_YOU, {"name": None}),
    (lambda: withdraw_challenge(OFFER, BOB.user, NOW), Why.NOT_YOUR_CHALLENGE, {"name": "Ann", "is_seek": False}),
    (lambda: withdraw_challenge(OPEN_OFFER, BOB.user, NOW), Why.NOT_YOUR_CHALLENGE, {"name": "Ann", "is_seek": True}),
    *(
        (lambda each=each: withdraw_challenge(replace(each, **CLOSED), ANN.user, NOW), Why.CHALLENGE_CLOSED, facts)
        for each, facts in ((OFFER, {**CLOSED, "is_seek": False}), (OPEN_OFFER, {**CLOSED, "is_seek": True}))
    ),
]
TURNS: list[tuple[Callable[[], object], Why, dict[str, object]]] = [
    (lambda: perform(FRESH, BOB.user, ()), Why.NOT_YOUR_TURN, {"game": 7, "waiting_for": "Ann", "decision": False}),
    (lambda: perform(ANSWERED, ANN.user, ()), Why.NOT_YOUR_TURN, {"game": 7, "waiting_for": "Bob", "decision": True}),
    (wait(FRESH, ANN.user), Why.OWN_TURN, {"decision": False}),
    (wait(ANSWERED, BOB.user), Why.OWN_TURN, {"decision": True}),
    (lambda: check_claim_win(FRESH, ANN.user, NOW, NOW), Why.OWN_TURN, {"decision": False}),
    (lambda: check_claim_win(FRESH, BOB.user, NOW, NOW), Why.CLAIM_WIN_TOO_EARLY, {"at": NOW + 30 * DAY}),
    (lambda: read_conditional(FRESH, BOB.user, "e1-e3"), Why.CONDITIONAL_UNANSWERED, {"said": ("e1-e3",)}),
    (
        lambda: read_conditional(game(ASKS, OVERBOARD), BOB.user, "if a4-b4;xe4,e5 then xGe3, if c1-c2 then d1-d2"),
        Why.CONDITIONAL_SAME_PLAYER,
        {"answer": "xGe3", "name": "Bob"},
    ),
    (lambda: check_conditional(FRESH, BOB.user, ()), Why.CONDITIONAL_UNANSWERED, {"said": ()}),
]
REQUESTS: list[tuple[Callable[[], object], Why, dict[str, object]]] = [
    (asked_again(), Why.REQUEST_OPEN, {**OF_TAKEBACK, "request": 9}),
    (asked_again(RequestState.DECLINED), Why.REQUEST_AGAIN, {**OF_TAKEBACK, "state": RequestState.DECLINED}),
    (settled(REQUEST, MOVED, BOB, RequestState.WITHDRAWN), Why.REQUEST_NOT_YOURS, {**OF_TAKEBACK, "name": "Ann"}),
    (settled(REQUEST, MOVED, ANN, RequestState.ACCEPTED), Why.REQUEST_OWN, {**OF_TAKEBACK, "name": "Bob"}),
    (
        settled(REQUEST, FRESH, BOB, RequestState.ACCEPTED),
        Why.REQUEST_CLOSED,
        {**OF_TAKEBACK, "state": RequestState.EXPIRED},
    ),
    (settled(DRAW_OFFER, DRAWN, BOB, RequestState.WITHDRAWN), Why.REQUEST_NOT_YOURS, {**OF_DRAW, "name": "Ann"}),
    (settled(DRAW_OFFER, DRAWN, ANN, RequestState.ACCEPTED), Why.REQUEST_OWN, {**OF_DRAW, "name": "Bob"}),
]


@pytest.mark.parametrize(("refused", "why", "facts"), [*CHALLENGES, *TURNS, *REQUESTS])
def test_a_refusal_carries_what_its_sentence_tells(
    refused: Callable[[], object], why: Why, facts: dict[str, object]
) -> None:
    with pytest.raises(Refused) as caught:
        refused()
    assert (caught.value.why, caught.value.facts) == (why, facts)
