"""Pools, months, and which games have a result that may count."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from gipfbot.match import Game, Status, Terms, new_game
from gipfbot.match.rated_games import POOLS, has_rated_result, month_of, month_start, pool_of, rated_result
from gipfbot.rules import BASIC, PRESETS, RULESETS, Colour, Reason, Result, ruleset_named
from gipfbot.rules.rulesets import OVERBOARD
from tests.support.people import ANN, BOB

WON = Result(Colour.WHITE, Reason.RESIGN)


def ended(result: Result | None = WON, turns: int = 4, **changes: object) -> Game:
    game = new_game(1, BASIC, (ANN, BOB), Terms(rated=True))
    position = game.position._replace(result=result)
    return replace(game, **{"position": position, "turn_number": turns, "status": Status.OVER, **changes})  # type: ignore[arg-type]


def test_every_rule_set_has_its_pool() -> None:
    assert {name: pool_of(ruleset) for name, ruleset in RULESETS.items()} == {name: name for name in RULESETS}
    for name in PRESETS:
        assert pool_of(ruleset_named(f"{name}+Z3")) == "potentials"
    assert pool_of(replace(OVERBOARD, name="another")) == "overboard"
    assert {pool_of(ruleset) for ruleset in RULESETS.values()} | {"potentials"} == {*POOLS}


@pytest.mark.parametrize("reason", [Reason.GIPF, Reason.RESERVE, Reason.TIME, Reason.RESIGN])
def test_a_won_rated_game_may_count(reason: Reason) -> None:
    game = ended(Result(Colour.BLACK, reason))
    assert has_rated_result(game)
    result = rated_result(game, None, 0)
    assert (result.user, result.points, result.of_opponent.user, result.of_opponent.points) == (
        ANN.user,
        0,
        BOB.user,
        1,
    )
    assert (result.opponent, result.of_opponent.opponent) == (BOB.user, ANN.user)
    assert not result.counts, "that is found out from the other games"
    assert result.late_user == (ANN.user if reason is Reason.TIME else None)


def test_a_draw_gives_half_a_point_to_both() -> None:
    game = ended(Result(None, Reason.AGREEMENT))
    assert has_rated_result(game)
    result = rated_result(game, None, 0)
    assert [result.points, result.of_opponent.points] == [0.5, 0.5]


def test_other_games_never_count() -> None:
    assert not has_rated_result(ended(turns=3))
    assert not has_rated_result(ended(Result(None, Reason.REPETITION)))
    assert not has_rated_result(ended(None, status=Status.CANCELLED))
    assert not has_rated_result(ended(None, status=Status.RUNNING))
    assert not has_rated_result(ended(terms=Terms(rated=False)))


def test_terms_from_before_ratings_are_unrated() -> None:
    old = {name: value for name, value in Terms(rated=True).data().items() if name != "rated"}
    assert not Terms.from_data(old).rated
    assert Terms.from_data(Terms(rated=True).data()).rated


def test_months_agree_with_the_calendar() -> None:
    moment = datetime(1970, 1, 1, tzinfo=UTC)
    while moment.year < 2110:
        for at in (moment, moment - timedelta(seconds=1)):
            assert month_of(round(at.timestamp())) == 12 * at.year + at.month - 1
        if moment.day == 1:
            assert month_start(12 * moment.year + moment.month - 1) == moment.timestamp()
        moment += timedelta(days=1)
