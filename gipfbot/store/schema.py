"""Whether a database is the bot's, and how old its tables are compared with those of this version."""

import sqlite3
from collections.abc import Collection
from contextlib import closing, suppress
from enum import Enum
from functools import cache
from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory

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


class SchemaAge(Enum):
    """Whether an older, this or a newer version of the bot made the tables of a database."""

    OLDER = "older"
    SAME = "same"
    NEWER = "newer"


def migration_config() -> Config:
    """Return where the migrations are."""
    config = Config()
    config.set_main_option("script_location", "gipfbot.store:migrations")
    return config


@cache
def known_revisions() -> tuple[str, ...]:
    """Return the numbers of all migrations of this version, the newest first."""
    return tuple(script.revision for script in ScriptDirectory.from_config(migration_config()).walk_revisions())


def age_of_schema(db: sqlite3.Connection) -> SchemaAge:
    """Return how old the tables of a database file of the bot are."""
    found = db.execute("SELECT version_num FROM alembic_version").fetchone()
    return age_of_version(found[0]) if found else SchemaAge.OLDER


def age_of_version(version: str) -> SchemaAge:
    """Return how old the tables of a database are, whose newest migration has this number."""
    if version == known_revisions()[0]:
        return SchemaAge.SAME
    return SchemaAge.OLDER if version in known_revisions() else SchemaAge.NEWER
