"""Whether a database is the bot's, by the names of its tables."""

import sqlite3
from collections.abc import Collection
from contextlib import closing, suppress
from pathlib import Path

from gipfbot.values import ForeignDatabase

from .backup import read_only_uri

OWN_TABLES = ("alembic_version", "games", "outbox")  # every version has made these
TABLES_OF_FILE = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*'"


def foreign_database(database: str, right: str) -> ForeignDatabase:
    """Return the error for the host if a database has tables, but not those of the bot."""
    return ForeignDatabase(f"{database} holds tables of another program: {right}.")


def require_own_tables(file: Path, tables: Collection[str]) -> None:
    """Raise ForeignDatabase if a database file has tables, but not those of the bot."""
    if tables and not set(OWN_TABLES) <= set(tables):
        raise foreign_database(str(file), "name another file")


def require_own_file(file: Path) -> None:
    """Raise ForeignDatabase if a file is the database of another program. Leaves the file as it is.

    Does not wait. Accepts a file that is missing, locked or damaged: SQLite says so when it is opened.
    """
    with suppress(sqlite3.Error), closing(sqlite3.connect(read_only_uri(file), uri=True, timeout=0)) as db:
        require_own_tables(file, [name for (name,) in db.execute(TABLES_OF_FILE)])
