"""All that is stored, as tests compare it: whether an interaction has changed anything."""

import sqlite3
from contextlib import closing
from typing import Any

from sqlalchemy import Table

from gipfbot.store import tables
from gipfbot.store.backends.sqlite import Sqlite

from .world import World

# Tables and columns that change when somebody reads, and tell nobody anything.
UNSEEN = {"meta", "due", "members"}
UNSEEN_COLUMNS = {"listed_turn_number", "listed_taken_back", "seen_at"}


async def stored_rows(world: World) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of all tables."""
    async with world.store.reading() as db:
        return {
            table.name: [dict(row) for row in (await db.execute(table.select())).mappings()]
            for table in tables.metadata.sorted_tables
        }


def seen_values(world: World) -> list[Any]:
    """Return what matters of the rows of all tables, as the file has it: that takes a tenth of the time."""
    assert isinstance(world.store.backend, Sqlite)
    with closing(sqlite3.connect(world.store.backend.file)) as db:
        return [db.execute(query).fetchall() for query in QUERIES]


def _query(table: Table) -> str:
    columns = ", ".join(f'"{column.name}"' for column in table.columns if column.name not in UNSEEN_COLUMNS)
    return f'SELECT {columns} FROM "{table.name}"'


QUERIES = [_query(table) for table in tables.metadata.sorted_tables if table.name not in UNSEEN]
