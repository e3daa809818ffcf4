"""Read all stored rows about a person, unchanged, for the export of their data."""

from collections.abc import Collection
from typing import Any, TypeAlias

from sqlalchemy import Column, ColumnElement, select

from gipfbot.match.ratings import ALL_POOLS

from .column_info import own_columns, section_of
from .database import Connection
from .rating_tables import ratings
from .study_tables import puzzle_tries, puzzles
from .tables import challenges, conditionals, games, metadata, seats, turns

Row: TypeAlias = dict[str, Any]


async def own_rows(db: Connection, user: int) -> dict[str, list[Row]]:
    """Return the rows that belong to a person, by table. Excludes games and the outbox."""
    own = own_columns(metadata)
    found = {column.table.name: await _rows_where(db, column.table, *rows_with(column, user)) for column in own}
    tries = select(puzzle_tries, puzzles.c.position).join(puzzles).where(puzzle_tries.c.user == user)
    found["puzzle_tries"] = [dict(row._mapping) for row in await db.execute(tries.order_by(puzzle_tries.c.id))]
    made = await _rows_where(db, challenges, challenges.c.by_user == user)
    found["challenges"] = [*made, *await _rows_where(db, challenges, challenges.c.to_user == user)]
    return found


def rows_with(column: Column[int], user: int) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for the rows with a person in this column. The index of ratings begins with the pool."""
    in_pools = (ratings.c.pool.in_(ALL_POOLS),) if column.table is ratings else ()
    return *in_pools, column == user


async def _rows_where(db: Connection, table: Any, *which: Any) -> list[Row]:
    rows = await db.execute(select(table).where(*which).order_by(*table.primary_key.columns))
    return [dict(row._mapping) for row in rows]


async def game_ids(db: Connection, user: int) -> list[int]:
    """Return the ids of all games of a person, the oldest first."""
    return [*await db.scalars(select(seats.c.game).where(seats.c.user == user).order_by(seats.c.game))]


async def rows_of_games(db: Connection, user: int, ids: Collection[int]) -> dict[str, list[Row]]:
    """Return the rows of these games by table, with the conditionals of this person only."""
    found = {"games": await _rows_where(db, games, games.c.id.in_(ids))}
    for name, section in sections().items():
        if section.startswith("games") and name != "games":
            table = metadata.tables[name]
            own = (conditionals.c.user == user,) if table is conditionals else ()
            found[name] = await _rows_where(db, table, table.c.game.in_(ids), *own)
    return found


def sections() -> dict[str, str]:
    """Return the export section of each table's rows. Leaves out tables without a section."""
    return {table.name: section for table in metadata.tables.values() if (section := section_of(table))}


async def turns_of_games(db: Connection, ids: Collection[int]) -> tuple[list[Row], list[Row]]:
    """Return the rows of these games, and those of their turns."""
    of_games = await _rows_where(db, games, games.c.id.in_(ids))
    return of_games, await _rows_where(db, turns, turns.c.game.in_(ids))
