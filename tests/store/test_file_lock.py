"""One process at a time writes a database, and only its owner reads the files."""

import subprocess
import sys
from pathlib import Path

import pytest

from gipfbot.store.database_file import LOCK, database_path, file_beside, hold_file_lock, keep_private
from gipfbot.values import InUse, Unusable
from tests.support.paths import HOUSE
from tests.support.stores import database_url

pytestmark = pytest.mark.sqlite
HOLDER = """
import sys, time
from pathlib import Path
from gipfbot.store.database_file import hold_file_lock
with hold_file_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(3600)
"""


def holding(database: Path) -> subprocess.Popen[bytes]:
    """Return a process that holds the lock."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(database)], cwd=HOUSE, stdout=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline() == b"held\n"
    return process


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
