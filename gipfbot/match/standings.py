"""The entries of leaderboards: who is on them, and in which order. Pure: `now` is an argument.

The order is: rating, then the smaller deviation, then more games, then the lower id. Provisional entries come last.
"""

from math import floor
from typing import NamedTuple

from .clock import DAY
from .glicko import SCALE
from .rated_games import month_of, month_start
from .rating_months import MonthRating, rating_in_month

MOST_FIRM_DEVIATION = 150.0
FEWEST_FIRM_GAMES = 5
LISTED_FOR = 90 * DAY  # after the last game
_FIRST_MONTH = 12 * 2026


class Standing(NamedTuple):
    """A player's entry in the leaderboard of a pool: of one server, or of all if `server` is 0."""

    pool: str
    server: int
    user: int
    provisional: bool
    step: int  # the rating rounded down, times -1: the best step comes first
    rating: float
    uncertainty: float  # orders equal ratings by their deviations, in every month
    games: int
    month: int  # of its month rating
    changes_at: int  # when it becomes provisional or leaves the leaderboard, if nothing is played


def standing_now(known: MonthRating, server: int, now: int) -> Standing | None:
    """Return a player's entry in a leaderboard, from their newest month rating.

    Return None if their last game is too long ago. Does not check whether they play on the server.
    """
    until = known.last_at + LISTED_FOR
    if now >= until:
        return None
    provisional, value = is_provisional(known, month_of(now)), known.rating.value
    later = range(month_of(now) + 1, month_of(until) + 1)
    softens = (month_start(month) for month in later if not provisional and is_provisional(known, month))
    order = -floor(value), value, _uncertainty(known), known.games, known.month
    return Standing(known.pool, server, known.user, provisional, *order, next(softens, until))


def is_provisional(known: MonthRating, month: int) -> bool:
    """Return whether an entry is provisional in a month in which nothing was played since this month rating."""
    uncertain = rating_in_month(known, month).deviation > MOST_FIRM_DEVIATION
    return uncertain or known.games < FEWEST_FIRM_GAMES


def _uncertainty(known: MonthRating) -> float:
    """Return a number that orders players of equal rating by their deviations in any later month.

    An idle month adds the squared volatility to the squared deviation, for all alike. So what was there before the
    first month would have the same order. Volatilities are taken as equal, which they are if all else is.
    """
    added = (SCALE * known.rating.volatility) ** 2
    return known.rating.deviation**2 - added * (known.month - _FIRST_MONTH)
