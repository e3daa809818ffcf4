"""Rated games: which pool a game belongs to, and which games count. Pure.

A period of the ratings is a calendar month (UTC). Months are numbered: 12 times the year, plus 0 for January.
"""

from gipfbot.rules import Colour, Reason, Ruleset
from gipfbot.rules.rulesets import OFFICIAL_COURSE

from .clock import DAY, HOUR
from .game import Game, Status

POOLS = ("basic", "standard", "tournament", "potentials", "overboard")
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


def has_rated_result(game: Game) -> bool:
    """Return whether a game is rated and has a result that may count: not void, not cancelled, and not too short."""
    result = game.position.result
    ended = game.status is Status.OVER and result is not None and result.by is not Reason.REPETITION
    return ended and game.terms.rated and game.turn_number >= FEWEST_TURNS


def points_of(game: Game, colour: Colour) -> float:
    """Return the points of one player of a game that has ended: 1, 0.5 or 0."""
    result = game.position.result
    assert result
    return 0.5 if result.winner is None else float(result.winner is colour)


def month_of(moment: int) -> int:
    """Return the number of the month (UTC) of a time in UTC seconds."""
    # Civil years that begin in March, in eras of 400 years, so that a leap day is the last day of its year.
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
