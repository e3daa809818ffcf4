"""What people enter in puzzles, the results of their first tries, and what ratings are worked out from."""

from dataclasses import replace
from typing import Any

from sqlalchemy import Row, Select, and_, func, insert, select, update

from gipfbot.match.glicko import Rating
from gipfbot.match.ratings import PUZZLES, RatedResult
from gipfbot.match.study import Study
from gipfbot.values import PuzzleSolvers, PuzzleTry, Stale

from .codes import actions_text, parse_actions, parse_turns, turns_text
from .database import Connection
from .puzzle_tables import puzzle_tries
from .rating_tables import EVERYWHERE, ratings
from .ratings import StartedResult
from .unreadable import read_each

_T = puzzle_tries.c
_FIELDS = _T.id, _T.puzzle, _T.user, _T.server, _T.played, _T.draft, _T.version, _T.solved
_RATED = and_(_T.solved.is_not(None), _T.month.is_not(None))


async def load_try(db: Connection, puzzle: int, user: int) -> PuzzleTry | None:
    """Return what a person has entered in a puzzle; None if they have not opened it."""
    rows = await db.execute(select(*_FIELDS).where(_T.puzzle == puzzle, _T.user == user))
    return next(iter(read_each(db, rows, "puzzle try", _read_try)), None)


def _read_try(row: Row[Any]) -> PuzzleTry:
    played, draft = parse_turns(row.played), parse_actions(row.draft)
    return PuzzleTry(row.id, row.puzzle, row.user, row.server, played, draft, row.version, row.solved)


async def add_try(db: Connection, puzzle: int, user: int, server: int | None) -> PuzzleTry:
    """Store that a person has opened a puzzle on a server; None for no server."""
    values = {"puzzle": puzzle, "user": user, "server": server or EVERYWHERE, "played": "", "draft": "", "version": 0}
    added: int = (await db.execute(insert(puzzle_tries).values(values).returning(_T.id))).scalar_one()
    return PuzzleTry(added, puzzle, user, server or EVERYWHERE)


async def save_board(db: Connection, known: PuzzleTry, study: Study) -> PuzzleTry:
    """Save the turns on a person's board. Raises Stale if they have entered something else since."""
    same = _T.id == known.id, _T.version == known.version
    values = {
        "played": turns_text(study.tried),
        "draft": actions_text(study.draft),
        "version": known.version + 1,
    }
    if not (await db.execute(update(puzzle_tries).where(*same).values(values))).rowcount:
        raise Stale
    return replace(known, played=study.tried, draft=study.draft, version=known.version + 1)


async def move_try(db: Connection, known: PuzzleTry, server: int) -> PuzzleTry:
    """Save another server on which a person has opened a puzzle."""
    await db.execute(update(puzzle_tries).where(_T.id == known.id).values(server=server))
    return replace(known, server=server)


async def end_first_try(db: Connection, known: PuzzleTry, *, solved: bool, now: int, month: int | None) -> bool:
    """Save the result of a first try, and the month in which it is rated; None if it is not.

    Return False, and change nothing, if the try has ended before.
    """
    values = {"solved": solved, "tried_at": now, "month": month}
    running = _T.id == known.id, _T.solved.is_(None)
    return bool((await db.execute(update(puzzle_tries).where(*running).values(values))).rowcount)


async def solvers_on_server(db: Connection, puzzle: int, server: int, since: int, until: int) -> PuzzleSolvers:
    """Return whose first try at a puzzle ended on a server from one moment to another, and who solved it by that.

    Tries count that are not rated, too.
    """
    which = _T.solved.is_not(None), _T.puzzle == puzzle, _T.server == server, _T.tried_at >= since, _T.tried_at < until
    rows = (await db.execute(select(_T.user, _T.solved).where(*which).order_by(_T.tried_at, _T.id))).all()
    return PuzzleSolvers(tuple(row.user for row in rows if row.solved), len(rows))


# ── Ratings ──


def _results() -> Select[Any]:
    return select(_T.id, _T.user, _T.puzzle, _T.month, _T.tried_at, _T.solved)


def _read_result(row: Row[Any]) -> RatedResult:
    """Return the result of a first try, for the person. A puzzle stands for a player with the negative of its id."""
    return RatedResult(
        row.id, row.user, -row.puzzle, PUZZLES, row.month, EVERYWHERE, row.tried_at, float(row.solved), None, True
    )


async def all_results(db: Connection) -> list[RatedResult]:
    """Return the results of all first tries, for the people who made them."""
    return [_read_result(row) for row in await db.execute(_results().where(_RATED).order_by(_T.id))]


async def results_of_month(db: Connection, user: int, puzzle: int, month: int) -> list[StartedResult]:
    """Return the results of a month of a person, and those of a puzzle, each with the rating that the other one had.

    The ratings are those at the start of the month; None for one that is not stored yet.
    """
    of_user = _with_start(-_T.puzzle).where(_RATED, _T.month == month, _T.user == user)
    of_puzzle = _with_start(_T.user).where(_RATED, _T.month == month, _T.puzzle == puzzle)
    mine = [(_read_result(row), _start(row)) for row in await db.execute(of_user)]
    return [*mine, *((_read_result(row).of_opponent, _start(row)) for row in await db.execute(of_puzzle))]


def _with_start(opponent: Any) -> Select[Any]:
    same = and_(ratings.c.pool == PUZZLES, ratings.c.user == opponent, ratings.c.month == _T.month)
    starts = ratings.c.start_rating, ratings.c.start_deviation, ratings.c.start_volatility
    return _results().add_columns(*starts).select_from(puzzle_tries.outerjoin(ratings, same))


def _start(row: Row[Any]) -> Rating | None:
    if row.start_rating is None:
        return None
    return Rating(row.start_rating, row.start_deviation, row.start_volatility)


async def newest_month(db: Connection, *rated: int) -> int:
    """Return the newest month in which one of these has a puzzle rating; 0 if none has one."""
    which = ratings.c.pool == PUZZLES, ratings.c.user.in_(rated)
    return await db.scalar(select(func.max(ratings.c.month)).where(*which)) or 0
