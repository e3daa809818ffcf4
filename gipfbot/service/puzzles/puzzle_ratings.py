"""Ratings of people and of puzzles: a first try is a game between them, by the same Glicko-2 and periods.

A puzzle stands for a player whose id is the negative of its own. The month of a try is never before one in which either
of them has a rating already. So a try changes no earlier month, and nobody else's rating.
"""

from gipfbot.match.glicko import Rating
from gipfbot.match.ratings import PUZZLES, MonthRating, month_of, rate_month, rating_in_month
from gipfbot.store import Connection, puzzles, ratings
from gipfbot.values import PuzzleTry


async def rate_first_try(db: Connection, known: PuzzleTry, *, solved: bool, now: int) -> tuple[int, int] | None:
    """Save the result of a first try and both ratings. Return the person's rating before and after it, rounded.

    Return None, and change nothing, if the try has ended before.
    """
    user, puzzle = known.user, -known.puzzle
    month = max(month_of(now), await puzzles.newest_month(db, user, puzzle))
    if not await puzzles.end_first_try(db, known, solved=solved, now=now, month=month):
        return None
    stored = await ratings.months_around(db, PUZZLES, (user, puzzle), month)
    results = await puzzles.results_of_month(db, user, known.puzzle, month)
    starts = {each: rating_in_month(_before(stored, each, month), month) for each in (user, puzzle)}
    rated = {each: _rate(_before(stored, each, month), each, results, starts) for each in (user, puzzle)}
    await ratings.save_months(db, [*rated.values()])
    await puzzles.save_rating(db, known.puzzle, rated[puzzle].rating.value)
    old = next((each.rating for each in stored if (each.user, each.month) == (user, month)), starts[user])
    return round(old.value), round(rated[user].rating.value)


def _before(stored: list[MonthRating], rated: int, month: int) -> MonthRating | None:
    return next((each for each in stored if each.user == rated and each.month < month), None)


def _rate(
    before: MonthRating | None, rated: int, results: list[ratings.StartedResult], starts: dict[int, Rating]
) -> MonthRating:
    mine = [(result, start) for result, start in results if result.user == rated]
    return rate_month(before, [(result, starts.get(result.opponent) or start or Rating()) for result, start in mine])
