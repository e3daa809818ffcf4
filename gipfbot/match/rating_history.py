"""All ratings at once, from all results. Pure.

This is what the ratings would be if they were written game by game, in whatever order the games were noted.
"""

from collections import defaultdict
from collections.abc import Iterable

from .rated_games import RatedResult, result_counts
from .rating_months import MonthRating, rate_month, rating_in_month


def settle_all(results: Iterable[RatedResult]) -> list[RatedResult]:
    """Return these results, one for each game, in the order in which games count, and whether each counts."""
    of_pair, late, settled = defaultdict[object, list[RatedResult]](list), defaultdict[int, list[RatedResult]](list), []
    for result in sorted(results, key=lambda result: result.place):
        pair = of_pair[result.pool, result.month, frozenset((result.user, result.opponent))]
        of_late = [] if result.late_user is None else late[result.late_user]
        decided = result._replace(counts=result_counts(result, [*pair, *of_late[-1:]]))
        settled.append(decided)
        if decided.counts:
            pair.append(decided)
            of_late.append(decided)
    return settled


def rate_all(settled: Iterable[RatedResult]) -> list[MonthRating]:
    """Return all month ratings that follow from these results, one for each game. Skip those that do not count."""
    by_month = defaultdict[tuple[int, str], list[RatedResult]](list)
    for result in settled:
        if result.counts:
            by_month[result.month, result.pool] += [result, result.of_opponent]
    newest, found = dict[tuple[str, int], MonthRating](), list[MonthRating]()
    for (month, pool), results in sorted(by_month.items(), key=lambda item: item[0]):
        rated = _rate_pool(pool, month, results, newest)
        newest |= {(pool, each.user): each for each in rated}
        found += rated
    return sorted(found, key=lambda each: (each.pool, each.user, each.month))


def _rate_pool(
    pool: str, month: int, results: Iterable[RatedResult], newest: dict[tuple[str, int], MonthRating]
) -> list[MonthRating]:
    """Return the month ratings of all players of these results, which are of one pool and month."""
    games = defaultdict[int, list[RatedResult]](list)
    for result in results:
        games[result.user].append(result)
    starts = {user: rating_in_month(newest.get((pool, user)), month) for user in games}
    return [
        rate_month(newest.get((pool, user)), [(result, starts[result.opponent]) for result in mine])
        for user, mine in games.items()
    ]
