"""Rated games: which pool a game belongs to, what its result is, and whether it counts. Pure.

A period of the ratings is a calendar month (UTC). Months are numbered: 12 times the year, plus 0 for January.
"""

from collections.abc import Iterable
from typing import NamedTuple

from gipfbot.rules import Colour, Reason, Ruleset
from gipfbot.rules.rulesets import OFFICIAL_COURSE

from .clock import DAY, HOUR
from .game import Game, Status

POOLS = ("basic", "standard", "tournament", "potentials", "overboard")
PUZZLES = "puzzles"  # the pool of people and puzzles; it has no leaderboard
ALL_POOLS = (*POOLS, PUZZLES)
FEWEST_TURNS = 4  # of both players together: each has moved at least twice
MOST_OF_PAIR = 5  # games of the same two people that count in one pool and month
TIME_LOSS_REST = 168 * HOUR  # after a loss on time that counted, another one of the same person counts only later


def pool_of(ruleset: Ruleset) -> str:
    """Return the pool that games of a rule set are rated in."""
    if ruleset.course != OFFICIAL_COURSE:
        return "overboard"
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
    return has_result(game) and game.terms.rated and game.turn_number >= FEWEST_TURNS


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
    counts: bool = False  # whether it changes ratings

    @property
    def place(self) -> tuple[int, int]:
        """The place of the game in the order in which games count."""
        return self.ended_at, self.game

    @property
    def of_opponent(self) -> "RatedResult":
        """The same result for the other player."""
        return self._replace(user=self.opponent, opponent=self.user, points=1 - self.points)


def rated_result(game: Game, server: int | None, ended_at: int) -> RatedResult:
    """Return the result of a game for White. Does not check that it has a result, or that it counts."""
    result = game.position.result
    assert result
    white, black = (seat.user for seat in game.seats)
    points = 0.5 if result.winner is None else float(result.winner is Colour.WHITE)
    late = (black if points else white) if result.by is Reason.TIME else None
    about = pool_of(game.ruleset), month_of(ended_at), server or 0, ended_at
    return RatedResult(game.id, white, black, *about, points, late)


def result_counts(result: RatedResult, others: Iterable[RatedResult]) -> bool:
    """Return whether a result that may count does.

    `others` are results that count: of the same two people in the same pool and month, and losses on time of the player
    who lost this game on time. Only those before it matter.
    """
    before = [other for other in others if other.counts and other.place < result.place]
    since, late = result.ended_at - TIME_LOSS_REST, result.late_user
    if late is not None and any(other.late_user == late and other.ended_at > since for other in before):
        return False
    return len({other.game for other in before if _same_pair(other, result)}) < MOST_OF_PAIR


def _same_pair(one: RatedResult, other: RatedResult) -> bool:
    """Return whether two results are of the same two people, in the same pool and month."""
    same_people = {one.user, one.opponent} == {other.user, other.opponent}
    return same_people and (one.pool, one.month) == (other.pool, other.month)


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
