"""Ratings of players by month, and the results of rated games that they come from."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Row, Select, and_, bindparam, delete, func, insert, select, tuple_, update

from gipfbot.match import Game, Seat, Status, Terms, new_game
from gipfbot.match.glicko import Rating
from gipfbot.match.ratings import POOLS, TIME_LOSS_REST, MonthRating, RatedResult
from gipfbot.rules import Colour, Reason, Result, Ruleset

from .database import Connection, read_each
from .game_rows import LISTED_ROWS
from .rating_tables import rated_results, ratings
from .tables import games, save_rows_of

# A player's result, and the opponent's stored rating at the start of the month; None if none is stored yet.
StartedResult: TypeAlias = tuple[RatedResult, Rating | None]
_RESULTS = select(*(rated_results.c[name] for name in RatedResult._fields))
_STARTS = ratings.alias("starts")
_BEFORE = ratings.alias("before")
_KEY = ratings.c.pool, ratings.c.user, ratings.c.month
_SAVE_MONTH = save_rows_of(ratings)
_ADD_RESULT = insert(rated_results)


# Statements that each result needs are built once, because building one takes as long as running it.
def _of_month_statement() -> Select[Any]:
    r, s = rated_results.c, _STARTS.c
    same = and_(s.pool == r.pool, s.user == r.opponent, s.month == r.month)
    query = _RESULTS.add_columns(s.start_rating, s.start_deviation, s.start_volatility).outerjoin(_STARTS, same)
    these = r.user.in_(bindparam("users", expanding=True)), r.pool == bindparam("pool"), r.month == bindparam("month")
    return query.where(*these)


def _around_month_statement() -> Select[Any]:
    b, r = _BEFORE.c, ratings.c
    newest = select(func.max(b.month)).where(b.pool == r.pool, b.user == r.user, b.month < bindparam("month"))
    since = func.coalesce(newest.scalar_subquery(), bindparam("month"))
    mine = r.pool == bindparam("pool"), r.user.in_(bindparam("users", expanding=True)), r.month >= since
    return select(ratings).where(*mine).order_by(r.month)


_OF_MONTH, _AROUND_MONTH = _of_month_statement(), _around_month_statement()


async def add_result(db: Connection, result: RatedResult) -> None:
    """Store the result of a game, for both players."""
    await db.execute(_ADD_RESULT, [result._asdict(), result.of_opponent._asdict()])


async def set_counts(db: Connection, result: RatedResult) -> None:
    """Save whether a stored result counts, for both players."""
    await db.execute(update(rated_results).where(rated_results.c.game == result.game).values(counts=result.counts))


async def results_beside(db: Connection, result: RatedResult, of_month: Iterable[RatedResult]) -> list[RatedResult]:
    """Return the stored results that decide whether `result` counts, and those that `result` may affect.

    These are the games of the same two people in the same pool and month. If `result` was lost on time, games that the
    same person lost on time about then are added. `of_month` are the results of its player in its pool and month.
    `result` itself is left out.
    """
    found = [other for other in of_month if (other.user, other.opponent) == (result.user, result.opponent)]
    if result.late_user is not None:
        r = rated_results.c
        soon = r.ended_at.between(result.ended_at - TIME_LOSS_REST, result.ended_at + TIME_LOSS_REST)
        found += await _load_results(db, and_(r.late_user == result.late_user, r.user == r.late_user, soon))
    return [other for other in dict.fromkeys(found) if other.game != result.game]


async def results_of_month(db: Connection, pool: str, users: Collection[int], month: int) -> list[StartedResult]:
    """Return all results of these players in a pool and month, even those that do not count."""
    rows = await db.execute(_OF_MONTH, {"pool": pool, "users": [*users], "month": month})
    own = len(RatedResult._fields)
    return [(RatedResult(*row[:own]), None if row[own] is None else Rating(*row[own:])) for row in rows]


async def all_results(db: Connection) -> list[RatedResult]:
    """Return all results of rated games, one for each player and game, in the order of their keys."""
    return await _load_results(db, None)


async def _load_results(db: Connection, which: ColumnElement[bool] | None) -> list[RatedResult]:
    query = _RESULTS.order_by(rated_results.c.game, rated_results.c.user) if which is None else _RESULTS.where(which)
    return [RatedResult(*row) for row in await db.execute(query)]


async def months_around(db: Connection, pool: str, users: Collection[int], month: int) -> list[MonthRating]:
    """Return each player's newest month rating in a pool before a month, and all from that month on."""
    rows = await db.execute(_AROUND_MONTH, {"pool": pool, "users": [*users], "month": month})
    return [read_month(row) for row in rows]


async def newest_months(db: Connection, user: int) -> dict[str, MonthRating]:
    """Return a player's newest month rating in each pool in which a game of theirs counts."""
    b = _BEFORE.c
    newest = select(func.max(b.month)).where(b.pool == ratings.c.pool, b.user == user).scalar_subquery()
    mine = ratings.c.pool.in_(POOLS), ratings.c.user == user, ratings.c.month == newest
    return {found.pool: found for found in await _load_months(db, select(ratings).where(*mine))}


async def newest_in_pool(db: Connection, pool: str, user: int) -> MonthRating | None:
    """Return the newest month rating in a pool; None if there is none."""
    mine = ratings.c.pool == pool, ratings.c.user == user
    found = await _load_months(db, select(ratings).where(*mine).order_by(ratings.c.month.desc()).limit(1))
    return found[0] if found else None


async def months_of_player(db: Connection, user: int) -> list[MonthRating]:
    """Return a player's month ratings in all pools, the oldest first."""
    mine = ratings.c.pool.in_(POOLS), ratings.c.user == user
    return await _load_months(db, select(ratings).where(*mine).order_by(ratings.c.month, ratings.c.pool))


async def all_months(db: Connection) -> list[MonthRating]:
    """Return all month ratings, in the order of their keys."""
    return await _load_months(db, select(ratings).order_by(*_KEY))


async def _load_months(db: Connection, query: Select[Any]) -> list[MonthRating]:
    return [read_month(row) for row in await db.execute(query)]


def read_month(row: Row[Any]) -> MonthRating:
    """Return the month rating in a row that has all columns of the table of ratings."""
    start = Rating(row.start_rating, row.start_deviation, row.start_volatility)
    rating = Rating(row.rating, row.deviation, row.volatility)
    counts = row.games, row.wins, row.won_in_a_row, row.last_game, row.last_at
    return MonthRating(row.pool, row.user, row.month, start, rating, *counts)


def _month_columns(of: MonthRating) -> dict[str, Any]:
    values = of._asdict()
    start, rating = values.pop("start"), values.pop("rating")
    names = "rating", "deviation", "volatility"
    return (
        values | {f"start_{name}": start[at] for at, name in enumerate(names)} | dict(zip(names, rating, strict=True))
    )


async def save_months(db: Connection, months: Sequence[MonthRating]) -> None:
    """Save month ratings. They replace stored ones with the same keys."""
    if months:
        await db.execute(_SAVE_MONTH, [_month_columns(of) for of in months])


async def delete_months(db: Connection, months: Iterable[MonthRating]) -> None:
    """Delete month ratings that no game counts for any more."""
    if keys := [(of.pool, of.user, of.month) for of in months]:
        await db.execute(delete(ratings).where(tuple_(*_KEY).in_(keys)))


async def fill_ratings(db: Connection, results: Iterable[RatedResult], months: Sequence[MonthRating]) -> None:
    """Replace all stored results and month ratings. `results` has both players of each game."""
    for table in (rated_results, ratings):
        await db.execute(delete(table))
    if rows := [result._asdict() for result in results]:
        await db.execute(insert(rated_results), rows)
    await save_months(db, months)


async def games_with_result(db: Connection) -> list[tuple[Game, int | None, int]]:
    """Return all games that have ended with a result, with their server and the end in UTC seconds.

    Each game has only what ratings need: its position is the start position, with the result. Unreadable games are left
    out.
    """
    rows = await db.execute(LISTED_ROWS.where(games.c.status == Status.OVER, games.c.ended_at.is_not(None)))
    return read_each(db, rows, "game", _read_game_with_result)


def _read_game_with_result(row: Row[Any]) -> tuple[Game, int | None, int]:
    seats = Seat(row.white_user, row.white_name), Seat(row.black_user, row.black_name)
    game = new_game(row.id, Ruleset.from_data(row.ruleset), seats, Terms.from_data(row.terms))
    winner = {"1-0": Colour.WHITE, "0-1": Colour.BLACK}.get(row.result)
    position = game.position._replace(result=Result(winner, Reason(row.reason)))
    game = replace(game, position=position, turn_number=row.turn_number, status=Status.OVER)
    return game, row.server, row.ended_at
