"""Games with all that is stored of their course, as plain rows: nothing is read into values, so nothing can fail."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Row, Table, func, select

from .database import Connection
from .game_rows import GAME_ROWS
from .tables import deletions, draft, events, games, turns

StoredRow: TypeAlias = Row[Any]
_CHILDREN = ((turns, turns.c.turn_number), (draft, draft.c.step), (events, events.c.seq))


@dataclass(frozen=True)
class WholeGame:
    """The row of a game with its seats and its last turn, and its turns, draft and events in order."""

    row: StoredRow
    turns: Sequence[StoredRow]
    draft: Sequence[StoredRow]
    events: Sequence[StoredRow]


async def load_whole_games(db: Connection, after: int, until: int, most: int) -> list[WholeGame]:
    """Return games in the order of their ids, those after the id `after` and up to `until`, at most `most`.

    Games without both seats are left out: see `seatless_games`.
    """
    these = games.c.id > after, games.c.id <= until
    rows = (await db.execute(GAME_ROWS.where(*these).order_by(games.c.id).limit(most))).all()
    ids = [row.id for row in rows]
    played, drafted, happened = [await _by_game(db, table, order, ids) for table, order in _CHILDREN]
    return [WholeGame(row, played[row.id], drafted[row.id], happened[row.id]) for row in rows]


async def _by_game(
    db: Connection, table: Table, order: ColumnElement[Any], ids: Collection[int]
) -> Mapping[int, list[StoredRow]]:
    found = defaultdict[int, list[StoredRow]](list)
    for row in await db.execute(select(table).where(table.c.game.in_(ids)).order_by(table.c.game, order)):
        found[row.game].append(row)
    return found


async def seatless_games(db: Connection) -> list[int]:
    """Return the ids of games that `load_whole_games` leaves out, because a seat is missing."""
    seated = GAME_ROWS.with_only_columns(games.c.id)
    return [*await db.scalars(select(games.c.id).where(games.c.id.not_in(seated)))]


async def newest_game(db: Connection) -> int:
    """Return the id of the newest game; 0 if there is none."""
    return await db.scalar(select(func.max(games.c.id))) or 0


async def pseudonyms_in_use(db: Connection) -> dict[int, int]:
    """Return a table that maps people whose data is being deleted to their pseudonyms.

    Until the deletion is done, some rows of a game have the one and some the other.
    """
    return {row.user: row.pseudonym for row in await db.execute(select(deletions.c.user, deletions.c.pseudonym))}
