"""All that is stored, as tests compare it: whether an interaction has changed anything."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any, TypeAlias

from sqlalchemy import Table

from gipfbot.store import tables
from gipfbot.store.backends.sqlite import Sqlite

from .world import World

# Tables and columns that change when somebody reads, and tell nobody anything.
UNSEEN = {"meta", "due", "members"}
UNSEEN_COLUMNS = {"listed_turn_number", "listed_taken_back", "seen_at"}
Rows: TypeAlias = Mapping[str, Sequence[tuple[Any, ...]]]  # of each table


class StoredRows:
    """The rows in the file of a world. Reading them as the file has them takes a tenth of the time."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def seen_values(self) -> list[Any]:
        """Return what matters of the rows of all tables."""
        return [self._db.execute(query).fetchall() for query in SEEN]

    def all(self) -> Rows:
        """Return all rows of all tables."""
        return {name: self._db.execute(f'SELECT * FROM "{name}"').fetchall() for name in tables.metadata.tables}

    def restore(self, rows: Rows) -> None:
        """Store these rows, and no others. They may refer to each other: nothing is checked."""
        with self._db:
            for name, found in self.all().items():
                if found != rows[name]:
                    self._db.execute(f'DELETE FROM "{name}"')
                    values = ", ".join("?" * len(tables.metadata.tables[name].columns))
                    self._db.executemany(f'INSERT INTO "{name}" VALUES ({values})', rows[name])


@contextmanager
def stored_rows(world: World) -> Iterator[StoredRows]:
    """Open the file of a world beside the bot. Keep it open: each connection reads the schema of all tables first."""
    assert isinstance(world.store.backend, Sqlite)
    with closing(sqlite3.connect(world.store.backend.file)) as db:
        yield StoredRows(db)


def _query(table: Table) -> str:
    columns = ", ".join(f'"{column.name}"' for column in table.columns if column.name not in UNSEEN_COLUMNS)
    return f'SELECT {columns} FROM "{table.name}"'


SEEN = [_query(table) for table in tables.metadata.sorted_tables if table.name not in UNSEEN]
