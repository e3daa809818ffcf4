"""Ratings of players by month, and the results of rated games that they come from."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from sqlalchemy import (
    BigInteger,
    CompoundSelect,
    Row,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal,
    null,
    select,
)

from gipfbot.match import Game, Seat, Status, Terms, new_game
from gipfbot.match.glicko import Rating, after_idle_periods
from gipfbot.match.ratings import AWAY_FOR, POOLS, MonthRating, RatedResult, Uncounted
from gipfbot.rules import Colour, Reason, Result, Ruleset
from gipfbot.values.games import CONDITIONAL

from .database import Connection, read_each
from .game_rows import LISTED_ROWS
from .games import TAKEBACK
from .hashed_ids import KEY_COLUMN
from .rating_tables import former_pairs, rated_results, ratings
from .tables import events, games, save_rows_of, seats, turns

# A player's result, and the opponent's rating at the start of the month; None if it is still to be worked out.
StartedResult: TypeAlias = tuple[RatedResult, Rating | None]
_RESULT_COLUMNS = [rated_results.c[name] for name in RatedResult._fields]
_ALWAYS = select(literal(1).label("one")).subquery()  # so that a statement has a row
_STARTS = ratings.alias("starts")
_BEFORE = ratings.alias("before")
_KEY = ratings.c.pool, ratings.c.user, ratings.c.month
_SAVE_MONTH = save_rows_of(ratings)
_ADD_RESULT = insert(rated_results)


# Statements that each result needs are built once, because building one takes as long as running it.
def _since_month_statement() -> Select[Any]:
    """Return the statement that reads the host's key for hashed ids, too."""
    r, s, b = rated_results.c, _STARTS.c, _BEFORE.c
    newest = select(func.max(b.month)).where(b.pool == r.pool, b.user == r.opponent, b.month <= r.month)
    start = and_(s.pool == r.pool, s.user == r.opponent, s.month == newest.scalar_subquery())
    mine = r.user.in_(bindparam("users", expanding=True))
    these = and_(mine, r.pool == bindparam("pool"), r.month >= bindparam("month"))
    at_first = s.month, s.start_rating, s.start_deviation, s.start_volatility
    columns = *_RESULT_COLUMNS, *at_first, s.rating, s.deviation, s.volatility, KEY_COLUMN
    return select(*columns).select_from(_ALWAYS.outerjoin(rated_results, these).outerjoin(_STARTS, start))


def _around_month_statement() -> Select[Any]:
    """Return the statement that also reads how many games of a pair were noted at deletions."""
    b, r = _BEFORE.c, ratings.c
    newest = select(func.max(b.month)).where(b.pool == r.pool, b.user == r.user, b.month < bindparam("month"))
    since = func.coalesce(newest.scalar_subquery(), bindparam("month"))
    mine = and_(r.pool == bindparam("pool"), r.user.in_(bindparam("users", expanding=True)), r.month >= since)
    f = former_pairs.c
    same = f.hashed_pair == bindparam("hashed_pair"), f.pool == bindparam("pool"), f.month == bindparam("month")
    noted = select(f.games).where(*same).scalar_subquery().label("noted")
    return select(ratings, noted).select_from(_ALWAYS.outerjoin(ratings, mine)).order_by(r.month)


def _since_loss_statement() -> Select[Any] | CompoundSelect[Any]:
    """Return the statement about what a player has done since their newest loss on time that counts.

    One row says when that was, and whether they have played a turn since. The others are takebacks in their games.
    """
    r, loser = rated_results.c, bindparam("loser", type_=BigInteger)
    soon = r.ended_at > bindparam("since", type_=BigInteger), r.ended_at <= bindparam("until", type_=BigInteger)
    theirs = r.late_user == loser, r.user == r.late_user, r.counts
    loss = select(func.max(r.ended_at).label("lost_at")).where(*theirs, *soon).cte()
    since = loss.c.lost_at
    here = seats.c.user == loser, games.c.id == seats.c.game, games.c.changed_at > since
    own = turns.c.game == games.c.id, turns.c.colour == seats.c.colour, turns.c.how != CONDITIONAL
    played = exists().where(*here, *own, turns.c.played_at > since).correlate(loss)
    back = events.c.game == games.c.id, events.c.kind == TAKEBACK, events.c.at > since
    takebacks = select(since, literal(False).label("played"), seats.c.colour, events.c.data).where(*here, *back)
    return takebacks.union_all(select(since, played, null(), null()))


_SINCE_MONTH, _AROUND_MONTH = _since_month_statement(), _around_month_statement()
_SINCE_LOSS = _since_loss_statement()


async def add_results(db: Connection, both: Iterable[RatedResult]) -> None:
    """Store the result of a game, for both players."""
    await db.execute(_ADD_RESULT, [result._asdict() for result in both])


async def results_since_month(
    db: Connection, pool: str, users: Collection[int], month: int
) -> tuple[list[StartedResult], str | None]:
    """Return all results of these players in a pool in a month and later, even those that do not count.

    Also return the host's key for hashed ids; None if nobody has deleted their data.
    """
    rows = (await db.execute(_SINCE_MONTH, {"pool": pool, "users": [*users], "month": month})).all()
    return [_read_started(row) for row in rows if row.game is not None], rows[0].hash_key


def _read_started(row: Row[Any]) -> StartedResult:
    own = len(RatedResult._fields)
    result, (month, *start), now = _read_result(row), row[own : own + 4], row[own + 4 : own + 7]
    if month is None or month == result.month:
        return result, Rating(*start) if start[0] is not None else Rating()
    return result, after_idle_periods(Rating(*now), result.month - month - 1)


def _read_result(row: Row[Any]) -> RatedResult:
    result = RatedResult(*row[: len(RatedResult._fields)])
    return result._replace(uncounted=Uncounted(result.uncounted)) if result.uncounted else result


async def is_away(db: Connection, result: RatedResult) -> bool:
    """Return whether the player who has lost a game on time is away.

    That is: another loss of theirs on time, which counted, ended within AWAY_FOR before, and they have played no turn
    themselves since then, in any game. A turn that was taken back is one; a conditional turn is none.
    """
    given = {"loser": result.late_user, "since": result.ended_at - AWAY_FOR, "until": result.ended_at}
    rows = (await db.execute(_SINCE_LOSS, given)).all()
    return rows[0].lost_at is not None and not any(row.played or _took_back_own(row) for row in rows)


def _took_back_own(row: Row[Any]) -> bool:
    """Return whether a takeback took a turn from its player that they had played themselves since their loss."""
    return any(
        turn["turn_number"] % 2 != row.colour and turn["how"] != CONDITIONAL and turn["played_at"] > row.lost_at
        for turn in (row.data or {}).get("turns", ())
    )


async def count_uncounted(db: Connection, user: int) -> dict[Uncounted, int]:
    """Return how many results of a player do not count for them, by the reason."""
    r = rated_results.c
    theirs = select(r.uncounted, func.count()).where(r.user == user, r.uncounted.is_not(None)).group_by(r.uncounted)
    return {Uncounted(why): number for why, number in await db.execute(theirs)}


async def all_results(db: Connection) -> list[RatedResult]:
    """Return all results of rated games, one for each player and game, in the order of their keys."""
    keys = rated_results.c.game, rated_results.c.user
    return [_read_result(row) for row in (await db.execute(select(*_RESULT_COLUMNS).order_by(*keys))).all()]


async def months_around(
    db: Connection, pool: str, users: Collection[int], month: int, hashed_pair: int = 0
) -> tuple[list[MonthRating], int]:
    """Return each player's newest month rating in a pool before a month, and all from that month on.

    Also return how many games of a pair in the pool and month were noted when data of one of the two was deleted.
    """
    given = {"pool": pool, "users": [*users], "month": month, "hashed_pair": hashed_pair}
    rows = (await db.execute(_AROUND_MONTH, given)).all()
    return [read_month(row) for row in rows if row.user is not None], rows[0].noted or 0


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
    return [read_month(row) for row in (await db.execute(query)).all()]


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
