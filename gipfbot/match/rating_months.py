"""The ratings of months, each worked out from the month before and the games that count. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from .glicko import RatedScore, Rating, after_idle_periods, after_period
from .rated_games import RatedResult


class MonthRating(NamedTuple):
    """A player's rating in one pool after the games of one month. The counts are of all games up to its end.

    A player has one for each month in which a game of theirs ended that counts.
    """

    pool: str
    user: int
    month: int
    start: Rating  # at the start of the month
    rating: Rating
    games: int
    wins: int
    won_in_a_row: int
    last_game: int
    last_at: int  # when that game ended, in UTC seconds


def rating_in_month(known: MonthRating | None, month: int) -> Rating:
    """Return a player's rating in a month without games, or before the first of them.

    `known` is the newest month rating; None if there is none. Each whole month since then was idle.
    """
    return after_idle_periods(known.rating, max(0, month - known.month - 1)) if known else Rating()


def rate_month(before: MonthRating | None, games: Sequence[tuple[RatedResult, Rating]]) -> MonthRating:
    """Return a player's rating after the games of one month that count: at least one, in any order.

    `before` is the newest earlier month rating; None if there is none. Each game comes with the opponent's rating at
    the start of the month.
    """
    results = sorted((result for result, _ in games), key=lambda result: result.place)
    last = results[-1]
    start = rating_in_month(before, last.month)
    rating = after_period(start, [RatedScore(opponent, result.points) for result, opponent in games])
    played, won, in_a_row = (before.games, before.wins, before.won_in_a_row) if before else (0, 0, 0)
    for result in results:
        in_a_row = in_a_row + 1 if result.points == 1 else 0
    wins = won + sum(result.points == 1 for result in results)
    counts = played + len(results), wins, in_a_row, last.game, last.ended_at
    return MonthRating(last.pool, last.user, last.month, start, rating, *counts)
