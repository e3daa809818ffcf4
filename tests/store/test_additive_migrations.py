"""A process of the release before works on while a new one migrates: migrations only add."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from alembic import command
from sqlalchemy import Connection, create_engine

from gipfbot.store import schema
from tests.support.migrations import NEXT, one_more_migration


class ColumnShape(NamedTuple):
    """What a statement of an older process may rely on in a column."""

    kind: str
    is_required: bool
    has_default: bool


class Shape(NamedTuple):
    """The columns of all tables, and the unique indexes with their SQL."""

    columns: dict[tuple[str, str], ColumnShape]
    unique: frozenset[tuple[str, str]]


def shape_of(db: sqlite3.Connection) -> Shape:
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    columns, unique = dict[tuple[str, str], ColumnShape](), set[tuple[str, str]]()
    for table in tables:
        for _, name, kind, required, default, _ in db.execute(f"PRAGMA table_info({table})"):
            columns[table, name] = ColumnShape(kind, bool(required), default is not None)
        for _, name, is_unique, _, _ in db.execute(f"PRAGMA index_list({table})"):
            if is_unique:
                unique.add((table, name))
    return Shape(columns, frozenset(unique))


def hindrances(before: Shape, after: Shape) -> list[str]:
    """Return what would make the statements of an older process fail."""
    old_tables = {table for table, _ in before.columns}
    found = [f"{'.'.join(key)} is gone" for key in before.columns if key not in after.columns]
    for key, column in after.columns.items():
        known = before.columns.get(key)
        if known and known != column:
            found.append(f"{'.'.join(key)} has changed")
        if known is None and key[0] in old_tables and column.is_required and not column.has_default:
            found.append(f"{'.'.join(key)} must be filled")
    return found + [f"{index} is unique" for table, index in after.unique - before.unique if table in old_tables]


def migrate(connection: Connection, revision: str) -> None:
    config = schema.migration_config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def shapes(file: Path) -> Iterator[tuple[str, Shape]]:
    """Yield the revisions in their order, each with the tables after it."""
    engine = create_engine(f"sqlite:///{file}")
    for revision in reversed(schema.known_revisions()):
        with engine.begin() as connection:
            migrate(connection, revision)
        with closing(sqlite3.connect(file)) as db:
            yield revision, shape_of(db)
    engine.dispose()


def found_hindrances(file: Path) -> dict[str, list[str]]:
    """Return what would make the statements of an older process fail, by the migration after which they would."""
    found = {revision: hindrances(before, after) for (_, before), (revision, after) in pairwise(shapes(file))}
    return {revision: faults for revision, faults in found.items() if faults}


@pytest.mark.sqlite
def test_migrations_leave_an_older_process_its_tables(tmp_path: Path) -> None:
    assert found_hindrances(tmp_path / "gipf.sqlite3") == {}


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("ALTER TABLE games ADD COLUMN mood TEXT", {}),
        ("ALTER TABLE games DROP COLUMN origin", {NEXT: ["games.origin is gone"]}),
    ],
)
def test_a_migration_that_takes_something_away_is_found(
    tmp_path: Path, change: str, found: dict[str, list[str]]
) -> None:
    with one_more_migration(tmp_path, change):
        assert found_hindrances(tmp_path / "gipf.sqlite3") == found


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("ALTER TABLE games DROP COLUMN level", ["games.level is gone"]),
        ("ALTER TABLE games RENAME COLUMN level TO strength", ["games.level is gone"]),
        ("DROP TABLE draft", ["draft.game is gone", "draft.step is gone"]),
        ("CREATE UNIQUE INDEX one ON games (level)", ["one is unique"]),
        ("CREATE TABLE new (id INTEGER NOT NULL)", []),
        ("ALTER TABLE games ADD COLUMN mood TEXT", []),
        ("ALTER TABLE games ADD COLUMN mood TEXT NOT NULL DEFAULT ''", []),
        ("CREATE INDEX one ON games (level)", []),
    ],
)
def test_what_an_older_process_stumbles_over_is_found(change: str, found: list[str]) -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE TABLE games (id INTEGER NOT NULL, level INTEGER)")
        db.execute("CREATE TABLE draft (game INTEGER NOT NULL, step INTEGER NOT NULL)")
        before = shape_of(db)
        db.execute(change)
        assert hindrances(before, shape_of(db)) == found


def test_a_column_that_must_be_filled_is_found() -> None:
    optional, required = ColumnShape("TEXT", False, False), ColumnShape("TEXT", True, False)
    before = Shape({("games", "id"): required}, frozenset())
    assert hindrances(before, Shape({**before.columns, ("games", "mood"): required}, frozenset())) == [
        "games.mood must be filled"
    ]
    assert hindrances(before, Shape({**before.columns, ("games", "mood"): optional}, frozenset())) == []
    assert hindrances(before, Shape({("games", "id"): optional}, frozenset())) == ["games.id has changed"]
