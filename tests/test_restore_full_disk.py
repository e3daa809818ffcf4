"""`bot.py restore` on a disk that is full at any step: the database stays as it was, and nothing is left over."""

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gipfbot import __main__ as bot
from gipfbot.store.timelines import DELETED_KEY
from tests.support.migrations import NEWEST_DATABASE
from tests.support.mounts import NAMESPACE, WITHOUT, can_mount
from tests.support.paths import HOUSE
from tests.support.stores import database_url

ASKED = [["a" * 32, "b" * 64, 5]] * 2000  # deletions: so many that the note in the copy needs room, too


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a database, its log, and an older backup."""
    path = tmp_path / "gipf.sqlite3"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", database_url(path))
    (tmp_path / "data").mkdir()
    shutil.copy(NEWEST_DATABASE, path)
    assert bot.main(["backup", "backup.sqlite3"]) == 0
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE meta SET value = ? WHERE key = ?", (json.dumps(ASKED), DELETED_KEY))
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("UPDATE games SET version = version + 1000")
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", f"{tmp_path}/killed{ending}")
    for ending in ("", "-wal"):
        Path(f"{tmp_path}/killed{ending}").replace(f"{path}{ending}")
    return tmp_path


@pytest.mark.skipif(not can_mount, reason=WITHOUT)
def test_a_disk_that_is_full_at_any_step_changes_nothing(folder: Path) -> None:
    """There is no half copy and no half kept file. The last try has room."""
    command = [*NAMESPACE, sys.executable, "-m", "tests.support.restoring", str(folder)]
    done = subprocess.run(command, cwd=HOUSE, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    *full, last = json.loads(done.stdout)
    assert len(full) > 100
    said = f"The disk of {folder / 'disk'} is full: make room, then restore again.\nNothing was changed.\n"
    assert {(each["code"], each["said"]) for each in full} == {(5, said)}
    assert {name.removesuffix("-shm").removesuffix("-wal") for each in full for name in each["names"]} == {
        *("gipf.sqlite3", "gipf.sqlite3.lock")
    }
    assert all(min(each["versions"]) >= 1000 for each in full)
    assert last["code"] == 0, last["said"]
    assert last["names"] == ["gipf-replaced.sqlite3", "gipf.sqlite3", "gipf.sqlite3.lock"]
    assert max(last["versions"]) < 1000
