"""Glicko-2 gives the numbers of Glickman's paper, whatever the order of the games."""

from math import exp, log, pi, sqrt
from random import Random

import pytest

from gipfbot.match.glicko import (
    LEAST_VALUE,
    MOST_VALUE,
    MOST_VOLATILITY,
    SCALE,
    RatedScore,
    Rating,
    after_idle_periods,
    after_period,
)

PAPER = Rating(1500, 200, 0.06)
SCORES = [
    RatedScore(Rating(1400, 30), 1),
    RatedScore(Rating(1550, 100), 0),
    RatedScore(Rating(1700, 300), 0),
]


def test_the_worked_example_of_the_paper() -> None:
    """Our limits on ratings, deviations and volatilities, which the paper does not have, change nothing in it."""
    after = after_period(PAPER, SCORES)
    assert after.value == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_period_without_games_only_raises_the_deviation() -> None:
    after = after_period(PAPER, [])
    assert after == PAPER._replace(deviation=after.deviation)
    assert after.deviation == pytest.approx((200**2 + (0.06 * 173.7178) ** 2) ** 0.5)
    assert after_idle_periods(PAPER, 0) == PAPER
    assert after_idle_periods(PAPER, 3).deviation == pytest.approx(after_idle_periods(after, 2).deviation)


def test_order_of_games_changes_no_bit() -> None:
    rng = Random(1)
    scores = [
        RatedScore(Rating(rng.uniform(1000, 2000), rng.uniform(30, 350)), rng.choice((0, 0.5, 1))) for _ in range(40)
    ]
    expected = after_period(Rating(), scores)
    for _ in range(50):
        rng.shuffle(scores)
        assert after_period(Rating(), scores) == expected


def test_deviation_stays_between_its_limits() -> None:
    many = [RatedScore(Rating(1500, 30), index % 2) for index in range(400)]
    assert after_period(Rating(1500, 60), many).deviation == 30
    assert after_idle_periods(Rating(1500, 349.9, 0.06), 12).deviation == 350


def test_a_new_player_who_beats_a_new_player() -> None:
    won, lost = (after_period(Rating(), [RatedScore(Rating(), points)]) for points in (1, 0))
    assert won.value + lost.value == pytest.approx(3000)
    assert won.value == pytest.approx(1662.31, abs=0.01)
    assert won.deviation == lost.deviation == pytest.approx(290.32, abs=0.01)


@pytest.mark.parametrize("points", [0, 0.5, 1])
@pytest.mark.parametrize("gap", [-20000, -3000, 0, 3000, 20000])
def test_far_apart_players_have_finite_ratings(gap: int, points: float) -> None:
    after = after_period(Rating(1500, 30), [RatedScore(Rating(1500 + gap, 30), points)] * 3)
    assert LEAST_VALUE <= after.value <= MOST_VALUE
    assert 30 <= after.deviation <= 350
    assert 0 < after.volatility <= MOST_VOLATILITY


def upsets(strong: Rating, weak: Rating) -> Rating:
    """Return the rating of a strong player who has lost 31 games in a month."""
    return after_period(strong, [RatedScore(weak, 0)] * 31)


def test_a_month_of_upsets_does_not_destroy_a_rating() -> None:
    """Without limits it was -13,986, with a volatility of 10, and it never came back."""
    after = upsets(Rating(2000, 60), Rating(1200, 60))
    assert after.value == pytest.approx(1350, abs=1)
    assert (after.volatility, MOST_VOLATILITY) == (0.1, 0.1)
    for _ in range(12):
        after = after_period(after, [RatedScore(Rating(2000, 60), index % 2) for index in range(10)])
    assert after.value == pytest.approx(2000, abs=60)


def test_no_rating_leaves_the_scale() -> None:
    """A year of such months, and one of the reverse, end at the limits, and a normal year leads back."""
    low = high = Rating(1500, 60)
    for _ in range(50):
        low = upsets(low, Rating(LEAST_VALUE, 30))
        high = after_period(high, [RatedScore(Rating(MOST_VALUE, 30), 1)] * 31)
    assert (LEAST_VALUE, MOST_VALUE) == (100, 4000)
    assert (low.value, high.value) == (LEAST_VALUE, MOST_VALUE)
    for _ in range(24):
        low, high = (
            after_period(each, [RatedScore(Rating(1500, 60), at % 2) for at in range(20)]) for each in (low, high)
        )
    assert [low.value, high.value] == pytest.approx([1500, 1500], abs=60)


def test_surprising_results_raise_the_volatility() -> None:
    upset = [RatedScore(Rating(2200, 30), 1)] * 5
    assert after_period(Rating(1500, 50), upset).volatility > 0.06


@pytest.mark.parametrize("rating", [PAPER, Rating(1500, 50), Rating(1900, 300, 0.08)])
@pytest.mark.parametrize("scores", [SCORES, [RatedScore(Rating(2200, 30), 1)] * 5, [RatedScore(Rating(1000, 60), 0)]])
def test_the_volatility_solves_the_equation_of_the_paper(rating: Rating, scores: list[RatedScore]) -> None:
    """Steps 3 to 5, with tau 0.5. A search for the zero is as exact as its limit."""
    mu, phi = (rating.value - 1500) / SCALE, rating.deviation / SCALE
    games = []
    for opponent, points in scores:
        g = 1 / sqrt(1 + 3 * (opponent.deviation / SCALE) ** 2 / pi**2)
        games.append((g, 1 / (1 + exp(-g * (mu - (opponent.value - 1500) / SCALE))), points))
    v = 1 / sum(g**2 * e * (1 - e) for g, e, _ in games)
    delta = v * sum(g * (points - e) for g, e, points in games)
    x = log(after_period(rating, scores).volatility ** 2)
    spread = phi**2 + v + exp(x)
    slope = (x - log(rating.volatility**2)) / 0.5**2
    assert exp(x) * (delta**2 - spread) / (2 * spread**2) == pytest.approx(slope, abs=1e-5)
