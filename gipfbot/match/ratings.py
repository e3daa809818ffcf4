"""Ratings: which games count, the ratings of months, and the order of leaderboards. Pure.

A period of the ratings is a calendar month (UTC). Months are numbered: 12 times the year, plus 0 for January.

Whether a result counts is decided once for each of its players, when the game ends, and is stored. From these results
`rate_all` gives the same ratings as writing them game by game, in whatever order the games were noted.

The order of a leaderboard is: rating, then the smaller deviation, then more games, each as it is shown. Who is equal in
all three shares a place. Provisional entries come last.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from gipfbot.rules import ByColour, Colour, Reason, Ruleset

from .clock import DAY, HOUR
from .courses import course_of
from .game import Game, Status
from .glicko import SCALE, RatedScore, Rating, after_idle_periods, after_period

POOLS = ("basic", "standard", "tournament", "potentials")
COUNTED_POOLS = (*POOLS, "overboard")  # in the figures of a server; games of Overboard are never rated
PUZZLES = "puzzles"  # the pool of people and puzzles; it has no leaderboard
ALL_POOLS = (*POOLS, PUZZLES)
FEWEST_TURNS = 4  # of both players together: each has moved at least twice
MOST_OF_PAIR = 5  # games of the same two people that count in one pool and month
AWAY_FOR = 168 * HOUR  # after a loss on time that counts; further ones do not count until the player plays a turn

MOST_FIRM_DEVIATION = 150.0
FEWEST_FIRM_GAMES = 5
LISTED_FOR = 90 * DAY  # after the last game
_FIRST_MONTH = 12 * 2026


def pool_of(ruleset: Ruleset) -> str:
    """Return the pool of a rule set's games: they are rated together, unless they are never rated."""
    if (pool := course_of(ruleset).pool) is not None:
        return pool
    if ruleset.potentials:
        return "potentials"
    if ruleset.gipf_enters:
        return "tournament"
    return "standard" if ruleset.gipf_decides else "basic"


def has_result(game: Game) -> bool:
    """Return whether a game has ended with a result: it is neither void nor cancelled."""
    result = game.position.result
    return game.status is Status.OVER and result is not None and result.by is not Reason.REPETITION


def has_rated_result(game: Game) -> bool:
    """Return whether a game is rated and has a result that may count: not void, not cancelled, and not too short."""
    is_rated = game.terms.rated and course_of(game.ruleset).rated
    return is_rated and has_result(game) and game.turn_number >= FEWEST_TURNS


class Uncounted(StrEnum):
    """Why a result does not count for a player."""

    PAIR = "pair"  # the two had MOST_OF_PAIR games in this pool and month
    AWAY = "away"  # the player lost on time, had just lost another game so, and has played no turn since


class RatedResult(NamedTuple):
    """The result of a rated game for one of its players."""

    game: int
    user: int
    opponent: int
    pool: str
    month: int  # in which it ended
    server: int  # 0 for a game on no server
    ended_at: int  # UTC seconds
    points: float  # of `user`: 1, 0.5 or 0
    late_user: int | None  # the player who lost it on time
    counts: bool = False  # whether it changes the rating of `user`
    uncounted: Uncounted | None = None  # why not; None for results that were decided before this was stored, too

    @property
    def counts_at_all(self) -> bool:
        """Whether the result counts for at least one of the two: it is one of the MOST_OF_PAIR games of its pair."""
        return self.counts or self.uncounted == Uncounted.AWAY

    @property
    def place(self) -> tuple[int, int]:
        """The place of the game in the order in which games ended."""
        return self.ended_at, self.game

    @property
    def of_opponent(self) -> "RatedResult":
        """The same result for the other player."""
        return self._replace(user=self.opponent, opponent=self.user, points=1 - self.points)


def rated_result(game: Game, server: int | None, ended_at: int) -> RatedResult:
    """Return the result of a game for White, not yet decided. Does not check that it has a result."""
    result = game.position.result
    assert result
    white, black = (seat.user for seat in game.seats)
    points = 0.5 if result.winner is None else float(result.winner is Colour.WHITE)
    late = (black if points else white) if result.by is Reason.TIME else None
    about = pool_of(game.ruleset), month_of(ended_at), server or 0, ended_at
    return RatedResult(game.id, white, black, *about, points, late)


def decide_result(result: RatedResult, of_pair: int, *, away: bool) -> ByColour[RatedResult]:
    """Return a result for both players, with whether it counts for each.

    `of_pair` is how many other games of the two count in this pool and month. `away` says whether the player who lost
    on time had lost another game so, which counted, within AWAY_FOR, and has played no turn since.
    """
    white, black = result, result.of_opponent
    return _decided(white, of_pair, away=away), _decided(black, of_pair, away=away)


def _decided(result: RatedResult, of_pair: int, *, away: bool) -> RatedResult:
    why = Uncounted.AWAY if away and result.user == result.late_user else None
    why = Uncounted.PAIR if of_pair >= MOST_OF_PAIR else why
    return result._replace(counts=why is None, uncounted=why)


def month_of(moment: int) -> int:
    """Return the number of the month (UTC) of a time in UTC seconds."""
    # Worked out by hand, since `datetime` can read the clock, and a pure room must not. Years begin in March here, in
    # eras of 400 years, so that a leap day is the last day of its year.
    era, day = divmod(moment // DAY + 719468, 146097)
    year = (day - day // 1460 + day // 36524 - day // 146096) // 365
    day -= 365 * year + year // 4 - year // 100
    return 12 * (400 * era + year) + (5 * day + 2) // 153 + 2


def month_start(month: int) -> int:
    """Return when the month with this number begins, in UTC seconds."""
    since_march = month - 2
    years, months = divmod(since_march, 12)
    days = 365 * years + years // 4 - years // 100 + years // 400 + (153 * months + 2) // 5
    return (days - 719468) * DAY


class MonthRating(NamedTuple):
    """A player's rating in one pool after the games of one month. The counts are of all games up to its end.

    A player has one for each month in which a game ended that counts for them.
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


def rate_all(results: Iterable[RatedResult]) -> list[MonthRating]:
    """Return all month ratings from these results, one for each player and game."""
    by_month = defaultdict[tuple[int, str], list[RatedResult]](list)
    for result in results:
        if result.counts:
            by_month[result.month, result.pool].append(result)
    newest, found = dict[tuple[str, int], MonthRating](), list[MonthRating]()
    for (month, pool), counting in sorted(by_month.items(), key=lambda item: item[0]):
        rated = _rate_pool(pool, month, counting, newest)
        newest |= {(pool, each.user): each for each in rated}
        found += rated
    return sorted(found, key=lambda each: (each.pool, each.user, each.month))


def _rate_pool(
    pool: str, month: int, counting: Iterable[RatedResult], newest: dict[tuple[str, int], MonthRating]
) -> list[MonthRating]:
    """Return the month ratings of all players for whom one of these results counts. All are of one pool and month."""
    games = defaultdict[int, list[tuple[RatedResult, Rating]]](list)
    for result in counting:
        games[result.user].append((result, rating_in_month(newest.get((pool, result.opponent)), month)))
    return [rate_month(newest.get((pool, user)), mine) for user, mine in games.items()]


class Standing(NamedTuple):
    """A player's entry in the leaderboard of a pool: of one server, or of all if `server` is 0."""

    pool: str
    server: int
    user: int
    provisional: bool
    step: int  # the rating as it is shown, times -1: the best step comes first
    rating: float
    uncertainty: float  # orders players who share a place
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
    order = -round(value), value, _uncertainty(known), known.games, known.month
    return Standing(known.pool, server, known.user, provisional, *order, next(softens, until))


def is_provisional(known: MonthRating, month: int) -> bool:
    """Return whether an entry is provisional in a month in which nothing was played since this month rating."""
    uncertain = rating_in_month(known, month).deviation > MOST_FIRM_DEVIATION
    return uncertain or known.games < FEWEST_FIRM_GAMES


def _uncertainty(known: MonthRating) -> float:
    """Return a number that orders players who are shown as equal by their deviations in any later month.

    An idle month adds the squared volatility to the squared deviation, for everybody. So the squared deviation is
    traced back to the first month, and its order there holds in every month. Assumes equal volatilities.
    """
    added = (SCALE * known.rating.volatility) ** 2
    return known.rating.deviation**2 - added * (known.month - _FIRST_MONTH)
