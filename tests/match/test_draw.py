"""Draws by agreement: who may offer one and when, and what becomes of the offer."""

from dataclasses import replace

import pytest

from gipfbot.match import (
    DrawEvent,
    DrawStep,
    Game,
    Refused,
    Status,
    Why,
    answer_draw,
    offer_draw,
    open_draw_offer,
    resign_game,
)
from gipfbot.rules import BASIC, STANDARD, Reason, Result, start
from tests.support.people import ANN, BOB, EVE

from .helpers import game, typed

DRAWABLE = replace(STANDARD, agreed_draw=True)
OFFERED = DrawEvent(DrawStep.OFFERED, ANN.user, 0)


@pytest.fixture
def playing() -> Game:
    """Return a game whose rules know a draw."""
    return game(start(DRAWABLE))


def refused(error: pytest.ExceptionInfo[Refused]) -> Why:
    return error.value.why


@pytest.mark.parametrize("by", [ANN.user, BOB.user])
def test_either_player_offers_a_draw_at_any_turn(playing: Game, by: int) -> None:
    offer = offer_draw(playing, by, [])
    assert offer == DrawEvent(DrawStep.OFFERED, by, 0)
    assert open_draw_offer(playing, [offer]) == offer


def test_r6_3_official_versions_know_no_draw() -> None:
    with pytest.raises(Refused) as error:
        offer_draw(game(ruleset=BASIC), ANN.user, [])
    assert refused(error) is Why.NO_DRAWS


def test_accepted_offer_ends_the_game_as_a_draw(playing: Game) -> None:
    step, after = answer_draw(playing, BOB.user, DrawStep.ACCEPTED, [OFFERED])
    assert step == DrawEvent(DrawStep.ACCEPTED, BOB.user, 0)
    assert (after.status, after.position.result) == (Status.OVER, Result(None, Reason.AGREEMENT))
    assert after.version == playing.version + 1


@pytest.mark.parametrize(("by", "step"), [(BOB.user, DrawStep.DECLINED), (ANN.user, DrawStep.WITHDRAWN)])
def test_declined_or_withdrawn_offer_leaves_the_game_as_it_is(playing: Game, by: int, step: DrawStep) -> None:
    settled, after = answer_draw(playing, by, step, [OFFERED])
    assert after == playing
    assert open_draw_offer(playing, [OFFERED, settled]) is None


@pytest.mark.parametrize(
    ("by", "step", "why"),
    [
        (ANN.user, DrawStep.ACCEPTED, Why.DRAW_OWN),
        (ANN.user, DrawStep.DECLINED, Why.DRAW_OWN),
        (BOB.user, DrawStep.WITHDRAWN, Why.DRAW_NOT_YOURS),
        (EVE.user, DrawStep.ACCEPTED, Why.NOT_A_PLAYER),
    ],
)
def test_only_the_right_player_answers_an_offer(playing: Game, by: int, step: DrawStep, why: Why) -> None:
    with pytest.raises(Refused) as error:
        answer_draw(playing, by, step, [OFFERED])
    assert refused(error) is why


def test_offer_ends_when_somebody_plays(playing: Game) -> None:
    after = typed(playing, ANN.user, "e1-e3")
    assert open_draw_offer(after, [OFFERED]) is None
    with pytest.raises(Refused) as error:
        answer_draw(after, BOB.user, DrawStep.ACCEPTED, [OFFERED])
    assert refused(error) is Why.DRAW_CLOSED
    assert offer_draw(after, ANN.user, [OFFERED]).turn_serial == 1


def test_offer_ends_with_the_game(playing: Game) -> None:
    over = resign_game(playing, BOB.user)
    assert open_draw_offer(over, [OFFERED]) is None
    with pytest.raises(Refused) as error:
        answer_draw(over, BOB.user, DrawStep.ACCEPTED, [OFFERED])
    assert refused(error) is Why.OVER


@pytest.mark.parametrize(
    ("by", "last", "why"),
    [
        (ANN.user, None, Why.DRAW_OFFERED),
        (BOB.user, None, Why.DRAW_TO_ANSWER),
        (ANN.user, DrawEvent(DrawStep.DECLINED, BOB.user, 0), Why.DRAW_AGAIN),
        (ANN.user, DrawEvent(DrawStep.WITHDRAWN, ANN.user, 0), Why.DRAW_AGAIN),
    ],
)
def test_player_offers_a_draw_once_a_turn(playing: Game, by: int, last: DrawEvent | None, why: Why) -> None:
    with pytest.raises(Refused) as error:
        offer_draw(playing, by, [OFFERED, *([last] if last else [])])
    assert refused(error) is why
