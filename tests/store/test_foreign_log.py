"""A log that a killed bot left is not taken for that of a copy that came in its place."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gipfbot.store.database_file import set_foreign_log_aside
from tests.support.migrations import NEWEST_DATABASE

pytestmark = pytest.mark.sqlite


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """Return a database whose last change is in its log, as a killed bot leaves it."""
    path, running = tmp_path / "gipf.sqlite3", tmp_path / "running.sqlite3"
    shutil.copy(NEWEST_DATABASE, running)
    with closing(sqlite3.connect(running, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("DELETE FROM due")
        for ending in ("", "-wal", "-shm"):
            shutil.copy(f"{running}{ending}", f"{path}{ending}")
    return path


def due_tasks(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        found: int = db.execute("SELECT count(*) FROM due").fetchone()[0]
    return found


def test_a_killed_bots_own_log_stays(killed: Path) -> None:
    set_foreign_log_aside(killed)
    assert due_tasks(killed) == 0


def test_the_log_of_a_replaced_file_is_renamed(killed: Path) -> None:
    """A copy by `bot.py backup` has no log. SQLite alone would put the other log's pages into it."""
    copy = killed.with_name("copy.sqlite3")
    shutil.copy(NEWEST_DATABASE, copy)
    with closing(sqlite3.connect(copy)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
    expected = due_tasks(copy)
    assert expected > 0
    shutil.copy(copy, killed)
    set_foreign_log_aside(killed)
    assert due_tasks(killed) == expected
    assert killed.with_name("gipf.sqlite3-wal.foreign").stat().st_size > 0


def test_an_empty_or_a_missing_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "gipf.sqlite3"
    path.with_name("gipf.sqlite3-wal").write_bytes(b"log")
    set_foreign_log_aside(path)
    path.write_bytes(b"")
    set_foreign_log_aside(path)
    assert path.with_name("gipf.sqlite3-wal").read_bytes() == b"log"
