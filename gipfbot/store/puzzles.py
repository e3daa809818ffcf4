"""Puzzles: what is stored of them, which of them a person or a server gets next, and the games that they come from."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, exists, func, insert, select

from gipfbot.match import Status
from gipfbot.match.glicko import Rating
from gipfbot.match.puzzle import Puzzle
from gipfbot.match.rated_games import PUZZLES
from gipfbot.notation import parse_position, position_text
from gipfbot.values import EndedLine, StoredPuzzle

from .codes import parse_turns, turns_text
from .database import Connection
from .puzzle_tables import puzzle_days, puzzle_tries, puzzles
from .rating_tables import ratings
from .tables import games, turns
from .unreadable import read_each

_DECIDED = ("1-0", "0-1")


async def known_keys(db: Connection, keys: Collection[int]) -> set[int]:
    """Return those of these keys that a stored puzzle has."""
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


async def next_puzzle(
    db: Connection, user: int, own_turns: int | None, rating: float, server: int, today: int
) -> int | None:
    """Return the puzzle that a person gets next: not tried yet, and with a rating closest to theirs.

    `own_turns` is None for puzzles of any length. Puzzles whose solution the server has seen, on a day before `today`,
    are left out. Return None if none is left. Reads all puzzles, of which there are few.
    """
    tried = exists().where(
        puzzle_tries.c.puzzle == puzzles.c.id, puzzle_tries.c.user == user, puzzle_tries.c.solved.is_not(None)
    )
    shown = exists().where(_before(server, today), puzzle_days.c.puzzle == puzzles.c.id)
    which: list[ColumnElement[bool]] = [~tried, ~shown]
    if own_turns is not None:
        which.append(puzzles.c.own_turns == own_turns)
    distance = func.abs(func.coalesce(_rating_of_puzzle(), Rating().value) - rating)
    found: int | None = await db.scalar(select(puzzles.c.id).where(*which).order_by(distance, puzzles.c.id).limit(1))
    return found


def _before(server: int, today: int) -> ColumnElement[bool]:
    return and_(puzzle_days.c.server == server, puzzle_days.c.day < today)


async def was_puzzle_before(db: Connection, server: int, puzzle: int, today: int) -> bool:
    """Return whether a server had a puzzle on a day before `today`, so that its solution is known there."""
    which = _before(server, today), puzzle_days.c.puzzle == puzzle
    return bool(await db.scalar(select(exists().where(*which))))


def _rating_of_puzzle() -> Any:
    mine = ratings.c.pool == PUZZLES, ratings.c.user == -puzzles.c.id
    return select(ratings.c.rating).where(*mine).order_by(ratings.c.month.desc()).limit(1).scalar_subquery()


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
    """Return the puzzle that a server gets next: one that it has not had for longest, and that the fewest have tried.

    None if no puzzle is stored. Reads all puzzles, of which there are few.
    """
    had = select(func.max(puzzle_days.c.day)).where(
        puzzle_days.c.server == server, puzzle_days.c.puzzle == puzzles.c.id
    )
    tried = select(func.count()).where(puzzle_tries.c.puzzle == puzzles.c.id, puzzle_tries.c.solved.is_not(None))
    order = func.coalesce(had.scalar_subquery(), -1), tried.scalar_subquery(), puzzles.c.id
    found: int | None = await db.scalar(select(puzzles.c.id).order_by(*order).limit(1))
    return found


async def add_day(db: Connection, server: int, day: int, puzzle: int) -> None:
    """Store which puzzle a server has on a day."""
    await db.execute(insert(puzzle_days).values(server=server, day=day, puzzle=puzzle))


# ── Games that puzzles are cut from ──


async def decided_games(db: Connection, after: int, most: int) -> list[EndedLine]:
    """Return games that somebody has won, in the order of their ids, those after the id `after`, at most `most`."""
    rows = (await db.execute(_decided(after).limit(most))).all()
    codes: dict[int, list[str]] = {row.id: [] for row in rows}
    played = select(turns.c.game, turns.c.actions).where(turns.c.game.in_(codes))
    for row in await db.execute(played.order_by(turns.c.game, turns.c.turn_number)):
        codes[row.game].append(row.actions)
    return [EndedLine(row.id, row.ruleset, row.result, tuple(codes[row.id])) for row in rows]


def _decided(after: int) -> Select[Any]:
    columns = games.c.id, games.c.ruleset, games.c.result
    ended = games.c.status == Status.OVER, games.c.result.in_(_DECIDED)
    return select(*columns).where(games.c.id > after, *ended).order_by(games.c.id)
