"""Challenges and open seeks: who may answer what, and until when."""

from dataclasses import replace

import pytest

from gipfbot.match import (
    MOST_TAKERS,
    REQUEST_LIFETIME,
    Challenge,
    Refused,
    RequestState,
    Seat,
    Side,
    Status,
    Why,
    accept_challenge,
    check_takers,
    decline_challenge,
    expire_challenge,
    propose_rematch,
    withdraw_challenge,
)
from gipfbot.rules import STANDARD
from tests.support.people import ANN, BOB, DAN, EVE
from tests.support.times import NOW, WEEK

from .helpers import game

OFFER = Challenge(5, ANN, BOB, STANDARD, Side.LOT, NOW + REQUEST_LIFETIME)
SEEK = replace(OFFER, to=None)


@pytest.mark.parametrize(
    ("side", "lot", "white"),
    [
        (Side.WHITE, False, ANN),
        (Side.BLACK, True, BOB),
        (Side.LOT, True, ANN),
        (Side.LOT, False, BOB),
    ],
)
def test_accepting_gives_the_colours_agreed(side: Side, lot: bool, white: Seat) -> None:
    """The lot decides only if it was asked for. White sits first."""
    accepted, seats = accept_challenge(replace(OFFER, side=side), BOB, NOW, lot)
    assert accepted.state is RequestState.ACCEPTED
    assert seats[0] == white
    assert {*seats} == {ANN, BOB}


def test_anybody_but_the_seeker_takes_a_seek() -> None:
    """An open seek is for all, and cannot be declined."""
    assert accept_challenge(SEEK, EVE, NOW, True)[1] == (ANN, EVE)
    for refused in (lambda: accept_challenge(SEEK, ANN, NOW, True), lambda: decline_challenge(SEEK, EVE.user, NOW)):
        with pytest.raises(Refused):
            refused()


@pytest.mark.parametrize(
    ("by", "why"),
    [(ANN, Why.OWN_CHALLENGE), (EVE, Why.NOT_FOR_YOU)],
)
def test_only_the_challenged_person_accepts(by: Seat, why: Why) -> None:
    with pytest.raises(Refused) as refusal:
        accept_challenge(OFFER, by, NOW, True)
    assert refusal.value.why is why


def test_the_challenged_person_declines_and_the_challenger_withdraws() -> None:
    assert decline_challenge(OFFER, BOB.user, NOW).state is RequestState.DECLINED
    assert withdraw_challenge(OFFER, ANN.user, NOW).state is RequestState.WITHDRAWN
    with pytest.raises(Refused) as refusal:
        decline_challenge(OFFER, ANN.user, NOW)
    assert refusal.value.why is Why.NOT_FOR_YOU
    with pytest.raises(Refused) as refusal:
        withdraw_challenge(OFFER, BOB.user, NOW)
    assert refusal.value.why is Why.NOT_YOUR_CHALLENGE


@pytest.mark.parametrize(
    "state", [RequestState.ACCEPTED, RequestState.DECLINED, RequestState.WITHDRAWN, RequestState.EXPIRED]
)
def test_a_closed_challenge_stays_closed(state: RequestState) -> None:
    """Nothing more can be done with it, and the refusal tells its state."""
    closed = replace(OFFER, state=state)
    for late in (
        lambda: accept_challenge(closed, BOB, NOW, True),
        lambda: decline_challenge(closed, BOB.user, NOW),
        lambda: withdraw_challenge(closed, ANN.user, NOW),
    ):
        with pytest.raises(Refused) as refusal:
            late()
        assert refusal.value.why is Why.CHALLENGE_CLOSED
        assert refusal.value.facts["state"] is state


def test_a_challenge_expires_to_the_second() -> None:
    """It can be accepted before that moment. From then on it has expired, noticed or not."""
    assert accept_challenge(OFFER, BOB, OFFER.expires_at - 1, True)
    with pytest.raises(Refused) as refusal:
        accept_challenge(OFFER, BOB, OFFER.expires_at, True)
    assert refusal.value.facts["state"] is RequestState.EXPIRED
    assert expire_challenge(OFFER).state is RequestState.EXPIRED


def test_a_seek_for_several_is_open_until_all_took_it() -> None:
    first, seats = accept_challenge(replace(SEEK, takes_left=2), BOB, NOW, True)
    assert (first.state, first.takes_left, seats) == (RequestState.OPEN, 1, (ANN, BOB))
    last, seats = accept_challenge(first, EVE, NOW, False)
    assert (last.state, last.takes_left, seats) == (RequestState.ACCEPTED, 0, (EVE, ANN))
    with pytest.raises(Refused):
        accept_challenge(last, DAN, NOW, True)


def test_a_seek_has_up_to_ten_takers_a_challenge_one() -> None:
    for takers in (1, MOST_TAKERS):
        check_takers(replace(SEEK, takes_left=takers))
    check_takers(OFFER)
    for takers in (-1, 0, MOST_TAKERS + 1):
        with pytest.raises(Refused) as refused:
            check_takers(replace(SEEK, takes_left=takers))
        assert refused.value.facts == {"option": "takers", "value": takers}
    with pytest.raises(Refused) as refused:
        check_takers(replace(OFFER, takes_left=2))
    assert refused.value.why is Why.TAKERS_OF_CHALLENGE


def test_a_request_lives_for_a_week() -> None:
    assert REQUEST_LIFETIME == WEEK


def test_a_rematch_is_with_the_same_opponent_and_swapped_colours() -> None:
    ended = replace(game(), status=Status.OVER)
    assert propose_rematch(ended, ANN.user) == (BOB, Side.BLACK)
    assert propose_rematch(ended, BOB.user) == (ANN, Side.WHITE)


@pytest.mark.parametrize(
    ("status", "by", "why"), [(Status.RUNNING, ANN, Why.STILL_RUNNING), (Status.OVER, EVE, Why.NOT_A_PLAYER)]
)
def test_a_rematch_is_for_the_players_of_an_ended_game(status: Status, by: Seat, why: Why) -> None:
    with pytest.raises(Refused) as refused:
        propose_rematch(replace(game(), status=status), by.user)
    assert refused.value.why is why
