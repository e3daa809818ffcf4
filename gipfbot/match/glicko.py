"""Glicko-2, as in Mark Glickman's paper "Example of the Glicko-2 system". Pure.

Ratings and deviations are on the scale that people read, where a new player has 1500 and 350. All sums are `math.fsum`,
which rounds once: results in another order give the same bits.

The paper has no limits, and a month of upsets can end far outside of any scale, for ever. So a rating, its deviation
and its volatility stay within the limits below. The example of the paper stays inside them.
"""

from collections.abc import Callable, Sequence
from math import exp, fsum, log, pi, sqrt
from typing import NamedTuple

SCALE = 173.7178  # from the paper: converts between the scale that people read and that of the formulas
_TAU = 0.5  # how much a volatility may change in one period
_CLOSE = 1e-6  # how close the search for a volatility must come
LEAST_DEVIATION, MOST_DEVIATION = 30.0, 350.0
LEAST_VALUE, MOST_VALUE = 100.0, 4000.0
MOST_VOLATILITY = 0.1


class Rating(NamedTuple):
    """How strong a player is, how uncertain that is (the deviation), and how steady their results are."""

    value: float = 1500.0
    deviation: float = MOST_DEVIATION
    volatility: float = 0.06


class RatedScore(NamedTuple):
    """The result of one game: the opponent as they were at the start of the period, and 1, 0.5 or 0 points."""

    opponent: Rating
    points: float


def after_idle_periods(rating: Rating, periods: int) -> Rating:
    """Return a rating after periods without a game: each adds the squared volatility to the squared deviation."""
    deviation = SCALE * sqrt((rating.deviation / SCALE) ** 2 + periods * rating.volatility**2)
    return rating._replace(deviation=_within_limits(deviation) if periods else rating.deviation)


def after_period(rating: Rating, scores: Sequence[RatedScore]) -> Rating:
    """Return the rating at the end of a period with these games. The order of the games makes no difference."""
    if not scores:
        return after_idle_periods(rating, 1)
    mu, phi = _inner_value(rating), rating.deviation / SCALE
    weights = [_weight(score.opponent) for score in scores]
    expected = [_expected(mu, score.opponent) for score in scores]
    variance = 1 / fsum(g * g * e * (1 - e) for g, e in zip(weights, expected, strict=True))
    gain = fsum(g * (score.points - e) for g, e, score in zip(weights, expected, scores, strict=True))
    volatility = min(_new_volatility(rating.volatility, phi, variance, variance * gain), MOST_VOLATILITY)
    new_phi = 1 / sqrt(1 / (phi * phi + volatility * volatility) + 1 / variance)
    value = min(max(1500.0 + SCALE * (mu + new_phi * new_phi * gain), LEAST_VALUE), MOST_VALUE)
    return Rating(value, _within_limits(SCALE * new_phi), volatility)


def _within_limits(deviation: float) -> float:
    return min(max(deviation, LEAST_DEVIATION), MOST_DEVIATION)


def _inner_value(rating: Rating) -> float:
    return (rating.value - 1500.0) / SCALE


def _weight(opponent: Rating) -> float:
    """Return g of the paper: how much a game counts; less against an uncertain opponent."""
    phi = opponent.deviation / SCALE
    return 1 / sqrt(1 + 3 * phi * phi / (pi * pi))


def _expected(mu: float, opponent: Rating) -> float:
    """Return E of the paper, the expected points: never 0 or 1, since the formulas would divide by zero."""
    expected = 1 / (1 + exp(-_weight(opponent) * (mu - _inner_value(opponent))))
    return min(max(expected, 1e-9), 1 - 1e-9)


def _new_volatility(volatility: float, phi: float, variance: float, change: float) -> float:
    """Return the volatility after a period, by the search in step 5 of the paper."""
    first = log(volatility * volatility)

    def f(x: float) -> float:
        spread = phi * phi + variance + exp(x)
        return exp(x) * (change * change - spread) / (2 * spread * spread) - (x - first) / (_TAU * _TAU)

    return exp(_zero_between(f, first, _other_end(f, first, change * change - phi * phi - variance)) / 2)


def _other_end(f: Callable[[float], float], first: float, excess: float) -> float:
    """Return a place where `f` has the other sign than at `first`, or is close to zero."""
    if excess > 0:
        return log(excess)
    steps = 1
    while f(first - steps * _TAU) < 0:
        steps += 1
    return first - steps * _TAU


def _zero_between(f: Callable[[float], float], a: float, b: float) -> float:
    """Return the zero of `f` between `a` and `b`, by the Illinois algorithm, as in the paper."""
    at_a, at_b = f(a), f(b)
    while abs(b - a) > _CLOSE:
        c = a + (a - b) * at_a / (at_b - at_a)
        at_c = f(c)
        if at_c * at_b <= 0:
            a, at_a = b, at_b
        else:
            at_a /= 2
        b, at_b = c, at_c
    return a
