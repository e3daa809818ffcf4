"""How old the tables of a database are, compared with those of this version."""

import sqlite3
from enum import Enum
from functools import cache

from alembic.config import Config
from alembic.script import ScriptDirectory


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
