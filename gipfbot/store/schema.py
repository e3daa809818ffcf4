"""Check whether a database is the bot's, and compare its tables with those of this version."""

import sqlite3
from collections.abc import Collection, Mapping
from contextlib import closing, suppress
from enum import Enum
from functools import cache
from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory

from gipfbot.installation import VERSION, oldest_version_on, version_numbers
from gipfbot.values import ForeignDatabase, Unusable

from .backup import read_only_uri

OWN_TABLES = ("alembic_version", "games", "outbox")  # every version creates these
TABLES_OF_FILE = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*'"
VERSION_QUERY = "SELECT version_num FROM alembic_version"
# The numbers of development versions' migrations, which are gone since the first release.
DEVELOPMENT_VERSIONS = frozenset(f"{number:04}" for number in range(1, 27)) - {"0015"}
LAST_DEVELOPMENT_COMMIT = "680826104a3b255710519b8f01d0d101fee86394"


def foreign_database(database: str, right: str) -> ForeignDatabase:
    """Return the error for the host if a database has tables, but not those of the bot."""
    return ForeignDatabase(f"{database} holds tables of another program: {right}.")


def require_own_tables(file: Path, tables: Collection[str]) -> None:
    """Raise ForeignDatabase if a database file has tables, but not those of the bot."""
    if tables and not set(OWN_TABLES) <= set(tables):
        raise foreign_database(str(file), "name another file")


def require_own_file(file: Path) -> None:
    """Raise ForeignDatabase if a file is the database of another program, or Unusable if a development version made it.

    Does not change the file, and does not wait. Accepts a file that is missing, empty, locked or damaged: SQLite
    reports that on opening it.
    """
    with suppress(sqlite3.Error), closing(sqlite3.connect(read_only_uri(file), uri=True, timeout=0)) as db:
        require_own_tables(file, [name for (name,) in db.execute(TABLES_OF_FILE)])
        require_released(str(file), version_in_file(db))


class SchemaAge(Enum):
    """Whether an older version of the bot, this one or a newer one made the tables of a database."""

    OLDER = "an older"
    SAME = "this"
    LATER = "a later"  # this one may run on its tables
    NEWER = "a newer"


def migration_config() -> Config:
    """Return Alembic's configuration, which says where the migrations are."""
    config = Config()
    config.set_main_option("script_location", "gipfbot.store:migrations")
    return config


@cache
def known_revisions() -> tuple[str, ...]:
    """Return the numbers of all migrations of this version, the newest first."""
    return tuple(script.revision for script in ScriptDirectory.from_config(migration_config()).walk_revisions())


def version_in_file(db: sqlite3.Connection) -> str:
    """Return the number of the newest migration applied to a database file of the bot; empty if there was none."""
    found = db.execute(VERSION_QUERY).fetchone()
    return str(found[0]) if found else ""


def age_of_version(version: str) -> SchemaAge:
    """Compare tables whose newest migration has this number with those of this version. See also `version_fault`."""
    if version == known_revisions()[0]:
        return SchemaAge.SAME
    if version in ("", *known_revisions()):
        return SchemaAge.OLDER
    oldest = oldest_version_on(version)
    return SchemaAge.LATER if oldest and oldest <= version_numbers(VERSION) else SchemaAge.NEWER


def version_fault(database: str, version: str, next_steps: Mapping[SchemaAge, str]) -> str | None:
    """Return a sentence on why tables with this newest migration cannot be used; None if they can.

    Tables of a development version never can. `next_steps` says what to do about tables of each age that is refused.
    """
    if version in DEVELOPMENT_VERSIONS:
        made = f"{database} was made by a development version (tables {version}), which this one cannot read"
        return f"{made}: the last commit that can is {LAST_DEVELOPMENT_COMMIT}."
    age = age_of_version(version)
    next_step = next_steps.get(age)
    return f"{database} was written by {age.value} version of the bot: {next_step}." if next_step else None


def require_released(database: str, version: str) -> None:
    """Raise Unusable if a development version made the tables."""
    if fault := version_fault(database, version, {}):
        raise Unusable(fault)
