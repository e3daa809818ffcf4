"""One process at a time writes a database, and only its owner reads the files."""

import asyncio
import errno
import fcntl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gipfbot.store import Store, meta
from gipfbot.store.database_file import (
    LOCK,
    WAL,
    database_path,
    file_beside,
    hold_file_lock,
    keep_private,
    make_private,
)
from gipfbot.values import InUse, Unusable
from tests.support.mounts import NAMESPACE, WITHOUT, can_mount
from tests.support.paths import HOUSE
from tests.support.stores import database_url, run_statement

pytestmark = pytest.mark.sqlite
HOLDER = """
import sys, time
from pathlib import Path
from gipfbot.store.database_file import hold_file_lock
with hold_file_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(3600)
"""


@contextmanager
def holding(database: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process that holds the lock, until the `with` block ends."""
    command = [sys.executable, "-c", HOLDER, str(database)]
    with subprocess.Popen(command, cwd=HOUSE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout
            assert process.stdout.readline() == b"held\n"
            yield process
        finally:
            process.kill()


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_another_process_is_refused_until_the_first_is_killed(tmp_path: Path) -> None:
    database = tmp_path / "gipf.sqlite3"
    with holding(database) as first:
        with pytest.raises(InUse) as refused, hold_file_lock(database):
            pytest.fail("the lock was taken twice")
        assert str(refused.value) == (
            f"{database} is in use by process {first.pid}, perhaps a running bot: stop that first."
        )
        assert refused.value.exit_code == 4
        first.kill()
    with hold_file_lock(database):
        pass


def test_the_lock_ends_with_an_error_and_can_be_taken_again(tmp_path: Path) -> None:
    database = tmp_path / "gipf.sqlite3"
    with pytest.raises(ZeroDivisionError), hold_file_lock(database):
        raise ZeroDivisionError
    with hold_file_lock(database), pytest.raises(InUse), hold_file_lock(database):
        pass


def test_two_names_of_one_file_have_one_lock(tmp_path: Path) -> None:
    (tmp_path / "other.sqlite3").symlink_to(tmp_path / "gipf.sqlite3")
    by_link, by_name = (
        database_path(database_url(tmp_path / name)) for name in ("other.sqlite3", "folder/../gipf.sqlite3")
    )
    with hold_file_lock(by_link), pytest.raises(InUse), hold_file_lock(by_name):
        pass


def refused(database: Path) -> str:
    """Return why the lock cannot be taken."""
    with pytest.raises(InUse) as caught, hold_file_lock(database):
        pytest.fail("the lock was taken twice")
    return str(caught.value)


def by_other_name(database: Path) -> str:
    return f"{database} is in use by another process, perhaps under another name of the file: stop that first."


@pytest.mark.parametrize("way", ["hard link", "renamed", "another folder", "lock deleted"])
def test_file_in_use_is_refused_under_every_name(way: str, tmp_path: Path) -> None:
    database, other = tmp_path / "gipf.sqlite3", tmp_path / "other.sqlite3"
    database.touch()
    with holding(database) as first:
        if way == "hard link":
            other.hardlink_to(database)
        elif way == "renamed":
            database.rename(other)
        elif way == "another folder":
            other = tmp_path / "folder" / "gipf.sqlite3"
            other.parent.mkdir()
            other.hardlink_to(database)
        else:
            other = database
            file_beside(database, LOCK).unlink()
        assert refused(other) == by_other_name(other)
        first.kill()
    with hold_file_lock(other):
        pass


@pytest.mark.skipif(not can_mount, reason=WITHOUT)
def test_file_in_use_is_refused_where_it_is_mounted(tmp_path: Path) -> None:
    database, mounted = tmp_path / "gipf.sqlite3", tmp_path / "mounted.sqlite3"
    database.touch()
    mounted.touch()
    with holding(database) as first:
        once = HOLDER.replace("time.sleep(3600)", "")
        there = f"mount --bind {database} {mounted}; exec {sys.executable} -c '{once}' {mounted}"
        done = subprocess.run([*NAMESPACE, "sh", "-ec", there], cwd=HOUSE, capture_output=True, text=True, check=False)
        assert done.stdout == ""
        assert done.stderr.rstrip().endswith(by_other_name(mounted))
        first.kill()


def test_file_that_is_created_while_its_name_is_locked_is_locked(tmp_path: Path) -> None:
    database, other = tmp_path / "gipf.sqlite3", tmp_path / "other.sqlite3"
    with hold_file_lock(database):
        make_private(database)
        other.hardlink_to(database)
        assert refused(other) == by_other_name(other)
    with hold_file_lock(other), pytest.raises(InUse), hold_file_lock(database):
        pass


async def test_lock_of_the_file_hinders_neither_its_bot_nor_readers(tmp_path: Path) -> None:
    """And SQLite's own locks outlive what else opens the file in the same process."""
    database = tmp_path / "gipf.sqlite3"
    with hold_file_lock(database):
        store = await Store.open_database(database_url(database))
        async with store.transaction() as db:
            await meta.save_value(db, "a", "b")
            locked = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", locked, database), stderr=asyncio.subprocess.PIPE
            )
            assert (await process.communicate())[1].rstrip().endswith(b"database is locked")
        assert run_statement(database, "SELECT value FROM meta WHERE key = 'a'", only_read=True) == ["b"]
        await store.close()


def test_other_name_whose_log_has_turns_is_named(tmp_path: Path) -> None:
    """SQLite would not look into the log of a killed bot, and later write it over what was played since."""
    database, other = tmp_path / "gipf.sqlite3", tmp_path / "other.sqlite3"
    database.touch()
    other.hardlink_to(database)
    with hold_file_lock(other):
        pass
    file_beside(database, WAL).write_bytes(b"turns")
    with pytest.raises(Unusable) as caught, hold_file_lock(other):
        pytest.fail("the log would be lost")
    assert str(caught.value) == (
        f"{other} and {database} are one file, and {database}-wal has its last turns: name {database}."
    )
    with hold_file_lock(database):
        pass


def test_log_under_two_names_is_the_databases_own(tmp_path: Path) -> None:
    """A `restore` that was killed leaves such files."""
    database, kept = tmp_path / "gipf.sqlite3", tmp_path / "gipf-replaced.sqlite3"
    database.touch()
    file_beside(database, WAL).write_bytes(b"turns")
    kept.hardlink_to(database)
    file_beside(kept, WAL).hardlink_to(file_beside(database, WAL))
    with hold_file_lock(database):
        pass


def test_system_without_such_locks_only_warns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(fcntl, "fcntl", refuse)
    (tmp_path / "gipf.sqlite3").touch()
    with hold_file_lock(tmp_path / "gipf.sqlite3"):
        pass
    assert caplog.messages == [f"only its name protects {tmp_path}/gipf.sqlite3 from another bot: Invalid argument"]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    database, sentence = tmp_path / "nowhere" / "gipf.sqlite3", "nowhere of the database does not exist"
    with pytest.raises(Unusable, match=sentence), hold_file_lock(database):
        pass


def test_a_lock_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    database = tmp_path / "gipf.sqlite3"
    file_beside(database, LOCK).mkdir()
    sentence = r"gipf\.sqlite3\.lock cannot be written \(Is a directory\)"
    with pytest.raises(Unusable, match=sentence), hold_file_lock(database):
        pass


def test_the_lock_is_readable_by_its_owner_only_even_if_it_was_not(tmp_path: Path) -> None:
    lock = file_beside(tmp_path / "gipf.sqlite3", LOCK)
    with hold_file_lock(tmp_path / "gipf.sqlite3"):
        assert mode(lock) == 0o600
    lock.chmod(0o666)
    with hold_file_lock(tmp_path / "gipf.sqlite3"):
        assert mode(lock) == 0o600


def test_modes_are_narrowed_and_never_widened(tmp_path: Path) -> None:
    wide, narrow = tmp_path / "wide", tmp_path / "narrow"
    for path, before in ((wide, 0o664), (narrow, 0o400)):
        path.touch()
        path.chmod(before)
    keep_private(wide, tmp_path / "missing", narrow)
    assert (mode(wide), mode(narrow)) == (0o600, 0o400)
