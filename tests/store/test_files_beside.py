"""The files beside a database: unreadable, a folder in their place, empty or damaged; and who owns what root writes."""

import logging
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gipfbot.backup_command import run_backup, run_restore
from gipfbot.service.health.vital_signs import VitalSigns
from gipfbot.store import Store
from gipfbot.store.database_file import LOCK, SHM, TIMELINE, WAL, file_beside, file_fault, hand_over, hold_file_lock
from gipfbot.store.timeline_file import TimelineFile, read_timeline_file, write_timeline_file
from gipfbot.values import Unusable
from tests.support.migrations import NEWEST_DATABASE
from tests.support.paths import HOUSE
from tests.support.rights import OBEY_MODES, Given
from tests.support.stores import database_url

pytestmark = pytest.mark.sqlite
KNOWN = TimelineFile("a", 1, 1, is_final=True, sequences={})
HOLD = """
import sys
from pathlib import Path
from gipfbot.store.database_file import hold_file_lock
from gipfbot.values import Unusable
try:
    with hold_file_lock(Path(sys.argv[1])):
        print("held")
except Unusable as fault:
    print(fault)
"""
COMMAND = "import sys; from gipfbot.__main__ import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Return a database with games."""
    path = tmp_path / "gipf.sqlite3"
    shutil.copy(NEWEST_DATABASE, path)
    path.chmod(0o600)
    return path


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Given:
    return Given(monkeypatch)


def said_by(code: str, *words: object, folder: Path | None = None) -> str:
    """Return what a process says that obeys the modes of files."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(HOUSE)}
    if folder:
        environment |= {
            "GIPFBOT_DATABASE_URL": database_url(folder / "gipf.sqlite3"),
            "GIPFBOT_HEARTBEAT": str(folder / "heartbeat"),
            "GIPFBOT_TOKEN": "none",
            "GIPFBOT_API_URL": "http://127.0.0.1:9",
        }
    done = subprocess.run(
        [sys.executable, "-c", OBEY_MODES + code, *map(str, words)],
        env=environment,
        cwd=folder or HOUSE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout


def handed_over(path: Path) -> str:
    return f"let the user who runs the bot read and write it, as by `chmod u+rw {path}`."


# ── Files that cannot be used ──


@pytest.mark.parametrize("ending", ["", WAL, SHM])
@pytest.mark.parametrize("mode", [0o000, 0o400])
def test_file_of_another_user_is_named(ending: str, mode: int, database: Path) -> None:
    path = file_beside(database, ending)
    path.touch()
    path.chmod(mode)
    said = said_by(HOLD, database)
    assert said == f"{path} cannot be used (Permission denied): {handed_over(path)}\n"
    path.chmod(0o600)
    assert said_by(HOLD, database) == "held\n"


def test_lock_of_another_user_is_named(database: Path) -> None:
    lock = file_beside(database, LOCK)
    lock.touch(0o000)
    assert said_by(HOLD, database).startswith(f"{lock} cannot be written (Permission denied): ")


@pytest.mark.parametrize("ending", [WAL, SHM, "-journal"])
def test_folder_in_the_place_of_a_file_is_named(ending: str, database: Path) -> None:
    path = file_beside(database, ending)
    path.mkdir()
    with pytest.raises(Unusable) as refused, hold_file_lock(database):
        pass
    assert str(refused.value) == f"{path} is a folder: move it away, then start again."
    assert refused.value.exit_code == 3


@pytest.mark.parametrize("held", [b"", b"cut off"])
@pytest.mark.parametrize("ending", [WAL, SHM, LOCK, "-journal"])
async def test_empty_or_damaged_file_of_sqlite_does_no_harm(held: bytes, ending: str, database: Path) -> None:
    file_beside(database, ending).write_bytes(held)
    with hold_file_lock(database):
        store = await Store.open_database(database_url(database))
        async with store.reading() as db:
            assert (await db.exec_driver_sql("SELECT count(*) FROM games")).scalar_one() > 0
        await store.close()


def test_all_files_in_order_are_no_fault(database: Path) -> None:
    file_beside(database, WAL).touch(0o600)
    assert file_fault(database) is None
    assert file_fault(database.with_name("missing.sqlite3")) is None


@pytest.mark.parametrize("command", [["check"], ["backup", "copy.sqlite3"], ["doctor"]])
def test_commands_name_the_file_of_another_user(command: list[str], database: Path) -> None:
    """To SQLite, it is a fault of the disk."""
    running = database.with_name("running.sqlite3")
    shutil.copy(database, running)
    with closing(sqlite3.connect(running, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("DELETE FROM due")
        for ending in ("", WAL):
            shutil.copy(file_beside(running, ending), file_beside(database, ending))
    log_file = file_beside(database, WAL)
    log_file.chmod(0o000)
    said = said_by(COMMAND, *command, folder=database.parent)
    assert f"{log_file} cannot be used (Permission denied)" in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("command", "what", "right"),
    [
        ("backup", "written", "name a file in a folder that can be written"),
        ("restore", "used", "look at it and its folder"),
        ("check", "used", "look at it and its folder"),
    ],
)
def test_folder_of_another_user_is_a_sentence(command: str, what: str, right: str, database: Path) -> None:
    database.with_name("shut").mkdir(0o000)
    said = said_by(COMMAND, command, "shut/copy.sqlite3", folder=database.parent)
    assert said == f"shut/copy.sqlite3 cannot be {what} (Permission denied): {right}.\n"
    database.with_name("shut").chmod(0o700)


def test_database_below_a_folder_of_another_user_is_a_sentence(database: Path) -> None:
    shut = database.with_name("shut")
    shut.mkdir(0o000)
    code = f"import os; os.environ['GIPFBOT_DATABASE_URL'] = 'sqlite+aiosqlite:///{shut}/data/gipf.sqlite3'\n{COMMAND}"
    said = said_by(code, "ratings", "--rebuild", folder=database.parent)
    assert said.startswith(f"GIPFBOT_DATABASE_URL points into the folder {shut}/data")
    shut.chmod(0o700)


def test_folder_left_where_a_restore_works_is_a_sentence(
    database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    backup = database.with_name("backup.sqlite3")
    shutil.copy(database, backup)
    (left := file_beside(database, ".restoring")).mkdir()
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", database_url(database))
    monkeypatch.setenv("GIPFBOT_HEARTBEAT", str(database.with_name("heartbeat")))
    assert run_restore([str(backup)]) == 2
    assert f"{left} cannot be replaced (Is a directory)" in capsys.readouterr().err


def test_owner_of_a_file_is_changed_and_else_its_mode(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert f"as by `chmod u+rw {database}`" in hand_over(database)
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    assert f"as by `sudo chown 54321:{os.getegid()} {database}`" in hand_over(database)


# ── The timeline file ──


def test_missing_timeline_file_is_none(tmp_path: Path) -> None:
    assert read_timeline_file(tmp_path / "gipf.sqlite3.timeline") is None


def test_timeline_file_of_another_user_is_named(tmp_path: Path) -> None:
    path = tmp_path / "gipf.sqlite3.timeline"
    write_timeline_file(path, KNOWN)
    path.chmod(0o000)
    read = "from gipfbot.store.timeline_file import *; read_timeline_file(Path(sys.argv[1]))"
    said = said_by(f"import sys\n{read}", path).splitlines()[-1]
    assert said.endswith(f"{path} cannot be read (Permission denied): {handed_over(path)} Nothing is lost.")


def test_timeline_file_that_leads_nowhere_is_not_missing(tmp_path: Path) -> None:
    path = tmp_path / "gipf.sqlite3.timeline"
    path.symlink_to(tmp_path / "nowhere")
    with pytest.raises(
        Unusable, match=r"timeline cannot be read \(No such file or directory\): put a copy of it back;"
    ):
        read_timeline_file(path)


def test_unfinished_timeline_file_of_another_user_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "gipf.sqlite3.timeline"
    path.with_name(f"{path.name}.new").touch(0o000)
    said = "TimelineFile('a', 1, 1, is_final=True, sequences={})"
    write = f"from gipfbot.store.timeline_file import *; write_timeline_file(Path(sys.argv[1]), {said})"
    assert said_by(f"import sys\n{write}", path) == ""
    assert read_timeline_file(path) == KNOWN


# ── What root writes ──


async def test_what_root_writes_beside_a_database_gets_its_owner(database: Path, given: Given) -> None:
    owner = given.change_owner(database)
    for ending in (WAL, TIMELINE):
        file_beside(database, ending).touch()
    with hold_file_lock(database):
        store = await Store.open_database(database_url(database))
        VitalSigns(store, lambda: 0).touch_heartbeat(database.with_name("heartbeat"))
        await store.close()
    write_timeline_file(file_beside(database, TIMELINE), KNOWN)
    beside = [LOCK, WAL, TIMELINE, f"{TIMELINE}.new"]
    assert given.owners == dict.fromkeys([*(f"gipf.sqlite3{ending}" for ending in beside), "heartbeat"], owner)
    for path in database.parent.iterdir():
        assert (path.stat().st_uid, path.stat().st_gid) == owner
        assert path.stat().st_mode & 0o777 == 0o600


async def test_new_database_of_root_gets_the_owner_of_its_folder(tmp_path: Path, given: Given) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    owner = given.change_owner(folder)
    with hold_file_lock(folder / "gipf.sqlite3"):
        await (await Store.open_database(database_url(folder / "gipf.sqlite3"))).close()
    assert given.owners == {"gipf.sqlite3": owner, "gipf.sqlite3.lock": owner}


@pytest.fixture
def settings(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", database_url(database))
    monkeypatch.setenv("GIPFBOT_HEARTBEAT", str(database.with_name("heartbeat")))


@pytest.mark.usefixtures("settings")
def test_database_restored_by_root_gets_the_owner_of_the_replaced_one(database: Path, given: Given) -> None:
    shutil.copy(NEWEST_DATABASE, database.with_name("backup.sqlite3"))
    owner = given.change_owner(database)
    assert run_restore([str(database.with_name("backup.sqlite3")), "--anyway"]) == 0
    assert given.owners["gipf.sqlite3.restoring"] == owner
    assert (database.stat().st_uid, database.stat().st_gid) == owner


@pytest.mark.usefixtures("settings")
def test_backup_by_root_beside_the_database_gets_its_owner(database: Path, given: Given) -> None:
    """One elsewhere stays with root."""
    owner = given.change_owner(database)
    elsewhere = database.parent / "elsewhere"
    elsewhere.mkdir()
    assert run_backup([str(elsewhere / "backup.sqlite3")]) == 0
    assert given.owners == {}
    backup = database.with_name("backup.sqlite3")
    assert run_backup([str(backup)]) == 0
    assert [*given.owners.values()] == [owner]
    assert (backup.stat().st_uid, backup.stat().st_gid) == owner


def test_file_that_cannot_be_given_away_is_told(
    database: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", refuse)
    with caplog.at_level(logging.WARNING), hold_file_lock(database):
        pass
    assert caplog.messages == [
        f"{database}.lock belongs to root, and cannot be given to another user: Operation not permitted"
    ]


def test_others_give_nothing_away(database: Path, given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with hold_file_lock(database):
        pass
    assert given.owners == {}
