"""The database of the newest version, and a migration that only a test has: with it, that version is an older one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic.config import Config

from gipfbot.store import database, schema

from .paths import DATABASES

NEWEST_DATABASE = DATABASES / f"{schema.known_revisions()[0]}.sqlite3"  # a club has done something of everything in it
NEXT = "99.9_0001"  # the number of that migration
LATER = "0.2_9999"  # the number of a later version's migration, on whose tables this version may run
MORE = ("ALTER TABLE games ADD COLUMN mood TEXT", "CREATE TABLE moods (id INTEGER PRIMARY KEY, mood TEXT)")
MADE_LATER = (*MORE, f"UPDATE alembic_version SET version_num = '{LATER}'")  # what that version did to the tables
MIGRATION = """
from alembic import op

revision = {next!r}
down_revision = {newest!r}


def upgrade() -> None:
    for statement in {statements!r}:
        op.execute(statement)
"""


@contextmanager
def one_more_migration(folder: Path, *statements: str) -> Iterator[None]:
    """Let this process know one migration more, which runs statements of SQL, until the end of the `with` block."""
    newest, known = schema.known_revisions()[0], schema.migration_config
    place = folder / "migrations"
    place.mkdir()
    (place / "next.py").write_text(MIGRATION.format(next=NEXT, newest=newest, statements=statements))

    def longer() -> Config:
        config = known()
        config.set_main_option("path_separator", "newline")
        config.set_main_option("version_locations", f"gipfbot.store:migrations/versions\n{place}")
        return config

    with pytest.MonkeyPatch.context() as patch:
        for module in (schema, database):
            patch.setattr(module, "migration_config", longer)
        schema.known_revisions.cache_clear()
        try:
            yield
        finally:
            schema.known_revisions.cache_clear()
