"""Puzzles: choose the next one for a person or a server, and store what people enter and how their first tries end."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, exists, func, insert, select, union_all, update

from gipfbot.match.glicko import Rating
from gipfbot.match.puzzle import Puzzle
from gipfbot.match.ratings import PUZZLES, RatedResult
from gipfbot.match.study import Study
from gipfbot.notation import parse_position, position_text
from gipfbot.values import EndedLine, PuzzleSolvers, PuzzleTry, Shards, Stale, StoredPuzzle

from .database import Connection, read_each
from .game_rows import actions_text, parse_actions, parse_turns, turns_text
from .rating_tables import EVERYWHERE, ratings
from .ratings import StartedResult
from .study_tables import puzzle_days, puzzle_tries, puzzles
from .tables import games, turns

DRAWN_AMONG = 50  # puzzles that a server has not had

_T = puzzle_tries.c
_FIELDS = _T.id, _T.puzzle, _T.user, _T.server, _T.played, _T.draft, _T.version, _T.solved
_RATED = and_(_T.solved.is_not(None), _T.month.is_not(None))


async def known_keys(db: Connection, keys: Collection[int]) -> set[int]:
    """Return the keys, among these, of stored puzzles."""
    return {*await db.scalars(select(puzzles.c.key).where(puzzles.c.key.in_(keys)))}


async def add_puzzles(db: Connection, new: Mapping[int, Puzzle], now: int) -> None:
    """Store puzzles, each under the key of its position. Keys that are stored already are left out."""
    known = await known_keys(db, new)
    rows = [{"key": key, "made_at": now, **_columns(each)} for key, each in new.items() if key not in known]
    if rows:
        await db.execute(insert(puzzles), rows)


def _columns(puzzle: Puzzle) -> dict[str, Any]:
    return {
        "position": position_text(puzzle.position),
        "own_turns": puzzle.own_turns,
        "line": turns_text(puzzle.line),
    }


async def load_puzzle(db: Connection, puzzle_id: int) -> StoredPuzzle | None:
    """Return a puzzle; None if there is none with this id, or if it cannot be read."""
    rows = await db.execute(select(puzzles).where(puzzles.c.id == puzzle_id))
    return next(iter(read_each(db, rows, "puzzle", _stored_puzzle)), None)


def _stored_puzzle(row: Row[Any]) -> StoredPuzzle:
    return StoredPuzzle(row.id, Puzzle(parse_position(row.position), row.own_turns, parse_turns(row.line)))


async def unfinished_puzzles(
    db: Connection, user: int, own_turns: int | None, server: int, today: int, most: int
) -> list[int]:
    """Return the puzzles that a person has opened and whose first try is still open, the last opened first.

    `own_turns` is None for puzzles of any length. Leaves out puzzles that were the puzzle of an earlier day than
    `today`, on this server or where the person opened them: the solution was posted there.
    """
    mine = puzzle_tries.c.user == user, puzzle_tries.c.month.is_(None), puzzle_tries.c.solved.is_(None)
    shown = [
        exists().where(_before(where, today), puzzle_days.c.puzzle == puzzle_tries.c.puzzle)
        for where in (server, puzzle_tries.c.server)
    ]
    which = [*mine, *(~each for each in shown)]
    if own_turns is not None:  # no join: PostgreSQL might read all puzzles for it
        length = select(puzzles.c.own_turns).where(puzzles.c.id == puzzle_tries.c.puzzle)
        which.append(length.scalar_subquery() == own_turns)
    # Not by the id itself: PostgreSQL might read everybody's tries in its order.
    last_first = select(puzzle_tries.c.puzzle).where(*which).order_by(-puzzle_tries.c.id)
    return [*await db.scalars(last_first.limit(most))]


async def next_puzzles(
    db: Connection, user: int, own_turns: int | None, rating: float, server: int, today: int, most: int
) -> list[int]:
    """Return at most `most` puzzles that a person has not tried yet, those with ratings closest to theirs first.

    `own_turns` is None for puzzles of any length. Leaves out puzzles of the server's days before `today`, because their
    solutions were posted there. Reads `most` puzzles on each side of the rating, and the closer ones left out.
    """
    tried = exists().where(
        puzzle_tries.c.puzzle == puzzles.c.id, puzzle_tries.c.user == user, puzzle_tries.c.solved.is_not(None)
    )
    shown = exists().where(_before(server, today), puzzle_days.c.puzzle == puzzles.c.id)
    which = [~tried, ~shown, *([puzzles.c.own_turns == own_turns] if own_turns is not None else [])]
    left = select(puzzles.c.id, puzzles.c.rating).where(*which).limit(most)
    above = left.where(puzzles.c.rating >= rating).order_by(puzzles.c.rating, puzzles.c.id)
    below = left.where(puzzles.c.rating < rating).order_by(puzzles.c.rating.desc(), puzzles.c.id.desc())
    both = union_all(select(above.subquery()), select(below.subquery())).subquery()
    nearest = select(both.c.id).order_by(func.abs(both.c.rating - rating), both.c.id).limit(most)
    return [*await db.scalars(nearest)]


async def newest_and_untried(db: Connection, among: int) -> tuple[int, int]:
    """Return what `newest_puzzle` does, and how many of the `among` newest puzzles nobody has tried."""
    newest = select(func.coalesce(func.max(puzzles.c.id), 0)).scalar_subquery()
    tried = exists().where(puzzle_tries.c.puzzle == puzzles.c.id, puzzle_tries.c.solved.is_not(None))
    untried = select(func.count()).where(puzzles.c.id > newest - among, ~tried).scalar_subquery()
    row = (await db.execute(select(newest, untried))).one()
    return row[0], row[1]


async def newest_puzzle(db: Connection) -> int:
    """Return the id of the newest puzzle; 0 if there is none. The number of stored puzzles is no higher."""
    return await db.scalar(select(func.max(puzzles.c.id))) or 0


async def save_rating(db: Connection, puzzle: int, rating: float) -> None:
    """Save the rating of a puzzle for `next_puzzles`. The table of ratings has it too."""
    await db.execute(update(puzzles).where(puzzles.c.id == puzzle).values(rating=rating))


async def all_ratings(db: Connection) -> list[tuple[int, float]]:
    """Return all puzzles with the ratings that are saved for `next_puzzles`."""
    return [(row.id, row.rating) for row in await db.execute(select(puzzles.c.id, puzzles.c.rating))]


async def save_all_ratings(db: Connection) -> None:
    """Save the ratings of all puzzles anew, from the table of ratings. Reads all puzzles."""
    mine = ratings.c.pool == PUZZLES, ratings.c.user == -puzzles.c.id
    newest = select(ratings.c.rating).where(*mine).order_by(ratings.c.month.desc()).limit(1).scalar_subquery()
    await db.execute(update(puzzles).values(rating=func.coalesce(newest, Rating().value)))


def _before(server: int | ColumnElement[int], today: int) -> ColumnElement[bool]:
    return and_(puzzle_days.c.server == server, puzzle_days.c.day < today)


async def was_puzzle_before(db: Connection, server: int, puzzle: int, today: int) -> bool:
    """Return whether a server had a puzzle on a day before `today`, and so has seen the solution."""
    which = _before(server, today), puzzle_days.c.puzzle == puzzle
    return bool(await db.scalar(select(exists().where(*which))))


async def puzzle_of_day(db: Connection, server: int, day: int) -> int | None:
    """Return the puzzle that a server has on a day; None if it has none."""
    which = puzzle_days.c.server == server, puzzle_days.c.day == day
    found: int | None = await db.scalar(select(puzzle_days.c.puzzle).where(*which))
    return found


async def last_day(db: Connection, server: int, before: int) -> int | None:
    """Return the last day before this one on which a server had a puzzle; None if it never had one."""
    which = puzzle_days.c.server == server, puzzle_days.c.day < before
    found: int | None = await db.scalar(select(func.max(puzzle_days.c.day)).where(*which))
    return found


async def draw_for_day(db: Connection, server: int) -> int | None:
    """Return the puzzle that a server gets next, None if no puzzle is stored.

    Among the first DRAWN_AMONG puzzles that the server has not had, the one that the fewest people have tried. Once the
    server has had all, the one that it had longest ago.
    """
    had = exists().where(puzzle_days.c.server == server, puzzle_days.c.puzzle == puzzles.c.id)
    some = select(puzzles.c.id).where(~had).order_by(puzzles.c.id).limit(DRAWN_AMONG).subquery()
    tried = select(func.count()).where(puzzle_tries.c.puzzle == some.c.id, puzzle_tries.c.solved.is_not(None))
    drawn: int | None = await db.scalar(select(some.c.id).order_by(tried.scalar_subquery(), some.c.id).limit(1))
    if drawn is not None:
        return drawn
    days = select(puzzle_days.c.puzzle).where(puzzle_days.c.server == server).group_by(puzzle_days.c.puzzle)
    again: int | None = await db.scalar(days.order_by(func.max(puzzle_days.c.day)).limit(1))
    return again


async def add_day(db: Connection, server: int, day: int, puzzle: int) -> None:
    """Store which puzzle a server has on a day."""
    await db.execute(insert(puzzle_days).values(server=server, day=day, puzzle=puzzle))


# ── Games that puzzles are cut from ──


async def next_uncut_game(db: Connection, now: int, shards: Shards | None = None) -> EndedLine | None:
    """Return the first ended game that was not searched for puzzles yet; None if there is none.

    Each process has a share of the games: those whose id modulo the number of shards is one of its own shards. `shards`
    is None for all games. Does not check how the game has ended.
    """
    which = [games.c.ended_at <= now, games.c.cut_at.is_(None)]
    if shards:
        which.append((games.c.id % shards.count).between(shards.first, shards.last))
    columns = games.c.id, games.c.ruleset, games.c.result
    row = (await db.execute(select(*columns).where(*which).order_by(games.c.ended_at, games.c.id).limit(1))).first()
    if row is None:
        return None
    played = select(turns.c.actions).where(turns.c.game == row.id).order_by(turns.c.turn_number)
    return EndedLine(row.id, row.ruleset, row.result, tuple(await db.scalars(played)))


async def mark_cut(db: Connection, game: int, now: int) -> None:
    """Mark a game as searched for puzzles."""
    await db.execute(update(games).where(games.c.id == game).values(cut_at=now))


async def load_try(db: Connection, puzzle: int, user: int) -> PuzzleTry | None:
    """Return a person's entries in a puzzle; None if they have not opened it."""
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
    """Save the result of a first try, and the month in which it is rated; None if it is not rated.

    Return False, and change nothing, if the try has ended before.
    """
    values = {"solved": solved, "tried_at": now, "month": month}
    running = _T.id == known.id, _T.solved.is_(None)
    return bool((await db.execute(update(puzzle_tries).where(*running).values(values))).rowcount)


async def solvers_on_server(db: Connection, puzzle: int, server: int, since: int, until: int) -> PuzzleSolvers:
    """Return who solved a puzzle by a first try that ended on a server in this time, and how many tried it.

    Tries that are not rated count, too.
    """
    which = _T.solved.is_not(None), _T.puzzle == puzzle, _T.server == server, _T.tried_at >= since, _T.tried_at < until
    rows = (await db.execute(select(_T.user, _T.solved).where(*which).order_by(_T.tried_at, _T.id))).all()
    return PuzzleSolvers(tuple(row.user for row in rows if row.solved), len(rows))


# ── Ratings ──


def _results() -> Select[Any]:
    return select(_T.id, _T.user, _T.puzzle, _T.month, _T.tried_at, _T.solved)


def _read_result(row: Row[Any]) -> RatedResult:
    """Return the result of a first try, seen from the person. The opponent is the puzzle, with its id negated."""
    return RatedResult(
        row.id, row.user, -row.puzzle, PUZZLES, row.month, EVERYWHERE, row.tried_at, float(row.solved), None, True
    )


async def all_results(db: Connection) -> list[RatedResult]:
    """Return the results of all first tries, for the people who made them and for the puzzles."""
    found = [_read_result(row) for row in await db.execute(_results().where(_RATED).order_by(_T.id))]
    return [each for result in found for each in (result, result.of_opponent)]


async def results_of_month(db: Connection, user: int, puzzle: int, month: int) -> list[StartedResult]:
    """Return the results of a person and of a puzzle in a month, each with the opponent's rating.

    The ratings are those at the start of the month; None for a rating that is not stored yet.
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
    """Return the newest month in which one of these people or puzzles has a puzzle rating; 0 if none has one."""
    which = ratings.c.pool == PUZZLES, ratings.c.user.in_(rated)
    return await db.scalar(select(func.max(ratings.c.month)).where(*which)) or 0
