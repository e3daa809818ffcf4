"""How long a vacation holds in a game: each game counts its own days, by the terms with which it began.

A vacation pauses the person's clock in a game until the game's days are used up: those of the year, or in a tournament
those of the whole game. A part of a day counts as a day. Days after a new year (UTC) count for that year.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from gipfbot.match import DAY, Game, Terms
from gipfbot.store import Connection, clocks
from gipfbot.values import StoredGame, Vacation, VacationDays

from .servers import MOST_VACATION_DAYS


def year_of(moment: int) -> int:
    """Return the year (UTC) of a moment."""
    return datetime.fromtimestamp(moment, UTC).year


def _new_year(year: int) -> int:
    return int(datetime(year, 1, 1, tzinfo=UTC).timestamp())


def count_vacation_days(days: VacationDays, known: Iterable[Vacation]) -> tuple[Counter[int], int]:
    """Return the vacation days that a person has used in a game, by year, and when their last vacation ended there.

    If the game has days for all its years together, each year has all that were used. `known` are the person's
    vacations, the oldest first. A vacation that goes on counts until its planned end.
    """
    used, held_until = Counter[int](), days.began
    for vacation in known:
        at = max(vacation.since, days.began)
        while at < vacation.over_at and (left := vacation_days_left(days, used, year_of(at))):
            year = year_of(at)
            end = min(vacation.over_at, at + left * DAY)
            if days.each_year:
                end = min(end, _new_year(year + 1))
            used[year] += -((at - end) // DAY)
            at = held_until = end
    return used, held_until


def vacation_days_left(days: VacationDays, used: Counter[int], year: int) -> int:
    """Return the vacation days that are left in a year in a game, after those that were `used` in each year."""
    return days.allowed - (used[year] if days.each_year else used.total())


def vacation_end_in_game(days: VacationDays, known: Sequence[Vacation], now: int) -> int | None:
    """Return when a person's current vacation ends in a game, in UTC seconds.

    Return None if they are not on vacation, or if it does not hold in this game at `now`. The other arguments are those
    of `count_vacation_days`.
    """
    if not known or known[-1].ended_at is not None:
        return None
    end = count_vacation_days(days, known)[1]
    return end if end > now else None


async def vacation_end(db: Connection, user: int, terms: Terms, began: int, now: int) -> int | None:
    """Return when a person's current vacation ends in a game of these terms, in UTC seconds.

    `began` is when the game began. Return None if they are not on vacation, or if it does not hold there at `now`.
    """
    known = (await vacations_in_game(db, [user], began))[user]
    return vacation_end_in_game(VacationDays.by_terms(terms, began), known, now)


async def decider_away_until(db: Connection, stored: StoredGame, game: Game, now: int) -> int | None:
    """Return when the current vacation of the player who decides in `game` ends there, in UTC seconds, or None.

    `game` is the stored game, or that game after somebody has acted.
    """
    if not stored.related.has_vacation:
        return None
    return await vacation_end(db, game.seats[game.decider].user, game.terms, stored.created_at, now)


async def days_left_to_both(db: Connection, stored: StoredGame, now: int) -> int:
    """Return the vacation days that both players of a game have left in it, in this year or in all.

    Of a vacation that goes on, only the days until `now` are used.
    """
    days, users = VacationDays.by_terms(stored.game.terms, stored.created_at), [seat.user for seat in stored.game.seats]
    known = await vacations_in_game(db, users, days.began)
    past = [[replace(each, until=min(each.until, now)) for each in known[user]] for user in users]
    used = [count_vacation_days(days, each)[0] for each in past]
    return min(vacation_days_left(days, each, year_of(now)) for each in used)


async def vacations_in_game(db: Connection, users: Collection[int], began: int) -> dict[int, list[Vacation]]:
    """Return the vacations of each of these people that may have fallen into a game, the oldest first."""
    return await clocks.vacations_of_each(db, users, began - MOST_VACATION_DAYS * DAY)
