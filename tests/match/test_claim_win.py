"""A game that nobody goes on with: who may claim it from when on, and what becomes of it."""

from dataclasses import replace

import pytest

from gipfbot.match import Refused, Status, Terms, Why, cancel_game, check_claim_win, days_per_turn, win_by_claim
from gipfbot.rules import BASIC, Colour, Reason, Result
from tests.support.people import ANN, BOB, EVE
from tests.support.times import MONTH, NOW

from .helpers import game, typed


def test_the_waiting_player_may_claim_after_thirty_days() -> None:
    check_claim_win(game(), BOB.user, NOW, NOW + MONTH)
    with pytest.raises(Refused) as refused:
        check_claim_win(game(), BOB.user, NOW, NOW + MONTH - 1)
    assert (refused.value.why, refused.value.facts) == (Why.CLAIM_WIN_TOO_EARLY, {"at": NOW + MONTH})


@pytest.mark.parametrize(
    ("playing", "by", "why"),
    [
        (game(), ANN.user, Why.OWN_TURN),
        (game(), EVE.user, Why.NOT_A_PLAYER),
        (cancel_game(game(), ANN.user), BOB.user, Why.OVER),
        (replace(game(), terms=Terms(days_per_turn(3))), BOB.user, Why.CLAIM_WIN_TIMED),
    ],
)
def test_nobody_else_may_claim_and_no_other_game(playing: object, by: int, why: Why) -> None:
    with pytest.raises(Refused) as refused:
        check_claim_win(playing, by, NOW, NOW + MONTH)  # type: ignore[arg-type]
    assert refused.value.why is why


def test_a_claim_wins_on_time_or_cancels() -> None:
    one = typed(game(ruleset=BASIC), ANN.user, "c2")
    two = typed(one, BOB.user, "g2")
    assert win_by_claim(one, ANN.user).status is Status.CANCELLED
    assert win_by_claim(two, BOB.user).position.result == Result(Colour.BLACK, Reason.TIME)
    assert win_by_claim(two, BOB.user).status is Status.OVER
    with pytest.raises(Refused):
        win_by_claim(win_by_claim(two, BOB.user), BOB.user)
