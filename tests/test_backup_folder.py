"""`bot.py backup --to FOLDER --keep 14`: which backups go, and what is said if there is no new one."""

import math
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from gipfbot import __main__ as bot, backup_command
from gipfbot.doctor import check_backups
from gipfbot.service.health.vital_signs import VitalSigns
from gipfbot.settings import load_settings
from gipfbot.store.backends import backend_of_url
from gipfbot.store.backup_folder import FAILURE, backup_name, backups_fault, kept_backups
from tests.support.migrations import NEWEST_DATABASE
from tests.support.mounts import NAMESPACE, WITHOUT, can_mount
from tests.support.paths import HOUSE
from tests.support.stores import database_url

pytestmark = pytest.mark.sqlite
DAYS = timedelta(days=1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder for backups, which the settings name, beside a database with the games of a club."""
    (tmp_path / "data").mkdir()
    (tmp_path / "backups").mkdir()
    shutil.copy(NEWEST_DATABASE, tmp_path / "gipf.sqlite3")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", database_url(tmp_path / "gipf.sqlite3"))
    monkeypatch.setenv("GIPFBOT_BACKUPS", str(tmp_path / "backups"))
    return tmp_path / "backups"


def make_older(folder: Path, *ages: float, ending: str = "sqlite3") -> list[Path]:
    """Make backups of such ages in days. Return them."""
    made = [folder / backup_name(datetime.now(UTC) - age * DAYS, ending) for age in ages]
    for path in made:
        path.write_text("games")
    return made


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.name != FAILURE}


@contextmanager
def full_disk() -> Iterator[None]:
    """Let no file outgrow a limit, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def doctors_line() -> str:
    settings = load_settings(token="none", database_url="sqlite+aiosqlite:///gipf.sqlite3")
    return str(check_backups(settings))


def test_the_name_says_when_it_was_made(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    assert bot.main(["backup", "--to", "backups"]) == 0
    (made,) = kept_backups(folder)
    assert before <= made.made_at <= datetime.now(UTC)
    said = capsys.readouterr().out
    assert said.startswith(f"backups/{made.path.name}: ")
    assert said.endswith(" games with 41 turns, verified.\n")
    assert made.path.stat().st_mode & 0o777 == 0o600
    assert bot.main(["check", str(made.path)]) == 0


def test_the_newest_fourteen_stay(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The new one is one of them."""
    older = make_older(folder, *range(1, 10)) + make_older(folder, *range(10, 21), ending="dump")
    assert bot.main(["backup", "--to", "backups", "--keep", "14"]) == 0
    assert capsys.readouterr().out.endswith("\n7 older backups deleted.\n")
    assert names(folder) > {path.name for path in older[:13]}
    assert len(names(folder)) == 14


@pytest.mark.parametrize(("keep", "left"), [("1", 1), ("2", 2), ("1000", 4)])
def test_the_host_says_how_many_stay(folder: Path, keep: str, left: int) -> None:
    make_older(folder, 1, 2, 3)
    assert bot.main(["backup", "--to", "backups", "--keep", keep]) == 0
    assert len(names(folder)) == left


def test_what_is_older_than_ninety_days_goes(folder: Path) -> None:
    """As the privacy policy promises, however many are to stay."""
    young, old = make_older(folder, 89.9, 90.1)
    assert bot.main(["backup", "--to", "backups", "--keep", "1000"]) == 0
    assert (young.exists(), old.exists()) == (True, False)


def test_what_restores_have_kept_goes_after_ninety_days(folder: Path) -> None:
    """Beside the backups and beside the database. It is no backup, and nobody counts it as one."""
    young, old = (f"gipf-replaced-{datetime.now(UTC) - age * DAYS:%Y%m%d-%H%M%S}" for age in (89.9, 90.1))
    names_of_both = [folder / "{}.dump", folder.with_name("{}.sqlite3"), folder.with_name("{}-2.sqlite3-wal")]
    stay = [Path(str(name).format(young)) for name in names_of_both]
    stay += [folder.with_name(f"other-{old.removeprefix('gipf-')}.sqlite3"), folder / "gipf-replaced-1.dump"]
    go = [Path(str(name).format(old)) for name in names_of_both]
    for path in (*stay, *go):
        path.touch()
    make_older(folder, 1)
    assert bot.main(["backup", "--to", "backups", "--keep", "2"]) == 0
    assert ([path.exists() for path in stay], [path.exists() for path in go]) == ([True] * 5, [False] * 3)
    assert len(kept_backups(folder)) == 2


def test_a_new_backup_stays_even_if_the_others_seem_newer(folder: Path) -> None:
    """The clock was ahead once."""
    make_older(folder, *(-age for age in range(1, 4)))
    assert bot.main(["backup", "--to", "backups", "--keep", "2"]) == 0
    today = [each for each in kept_backups(folder) if each.made_at < datetime.now(UTC) + DAYS / 2]
    assert (len(today), len(names(folder))) == (1, 2)


def test_only_what_backups_have_made_goes(folder: Path) -> None:
    others = {
        "gipf.sqlite3",
        "gipf-19990101-000000.sqlite3.gz",
        "gipf-19991301-000000.dump",
        "notes",
        "gipf-old.sqlite3",
    }
    for name in others:
        (folder / name).touch()
    (folder / "gipf-19990101-000000.sqlite3").mkdir()
    (folder / "gipf-19990102-000000.sqlite3").symlink_to(folder / "notes")
    (folder / "gipf-19990103-000000.sqlite3.abcd.part").touch()  # one was cut off long ago
    make_older(folder, 1)[0].rename(running := folder / f"{backup_name(datetime.now(UTC), 'dump')}.abcd.part")
    assert bot.main(["backup", "--to", "backups", "--keep", "1"]) == 0
    assert names(folder) > {*others, "gipf-19990101-000000.sqlite3", "gipf-19990102-000000.sqlite3", running.name}
    assert not (folder / "gipf-19990103-000000.sqlite3.abcd.part").exists()


@pytest.mark.parametrize("keep", ["0", "-1", "1001", "many", "1.5", ""])
def test_so_many_cannot_stay(folder: Path, keep: str, capsys: pytest.CaptureFixture[str]) -> None:
    make_older(folder, 1, 2)
    with pytest.raises(SystemExit, match="2"):
        bot.main(["backup", "--to", "backups", f"--keep={keep}"])
    assert "is not a whole number from 1 to 1000" in capsys.readouterr().err
    assert len(names(folder)) == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("copy.sqlite3", "--to", "backups"), "name a file, or a folder behind --to."),
        (("copy.sqlite3", "--keep", "3"), "--keep is for a folder: name it behind --to."),
        (("--to", "nowhere"), "the folder nowhere does not exist: create it or name another."),
        (("--to", "gipf.sqlite3"), "the folder gipf.sqlite3 does not exist: create it or name another."),
    ],
)
def test_wrong_input_is_one_sentence(
    folder: Path, words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        bot.main(["backup", *words])
    assert capsys.readouterr().err == f"gipfbot backup: {sentence}\n"
    assert names(folder) == set()


@pytest.mark.parametrize(("known", "place"), [("backups", "backups"), ("", "data/backups")])
def test_without_a_name_the_copy_goes_to_the_folder_of_the_settings(
    folder: Path, known: str, place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Or else to one beside the default of the database. It is made then."""
    monkeypatch.setenv("GIPFBOT_BACKUPS", known)
    assert bot.main(["backup", "--keep", "3"]) == 0
    (made,) = kept_backups(folder.parent / place)
    assert capsys.readouterr().out.startswith(f"{place}/{made.path.name}: ")


def test_two_in_one_second_are_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    named = backup_name(datetime.now(UTC), "sqlite3")
    monkeypatch.setattr(backup_command, "backup_name", lambda *_: named)
    assert [bot.main(["backup", "--to", "backups"]) for _ in range(2)] == [0, 2]
    assert f"backups/{named} exists already and is left as it is" in capsys.readouterr().err
    assert doctors_line().startswith("ok ")


def test_without_a_new_backup_nothing_goes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The doctor says why, and the owner is told the same, until one succeeds."""
    older = {path.name for path in make_older(folder, 0.5, 1.5, 91, 92)}
    assert doctors_line() == f"ok    backups: 4 in {folder}, the newest 12 h old."
    with full_disk():
        assert bot.main(["backup", "--to", str(folder), "--keep", "1"]) == 5
    said = capsys.readouterr().err
    assert "cannot be written, because its disk is full: make room, or name a file elsewhere.\n" in said
    assert said.endswith("\nNo older backup was deleted.\n")
    assert names(folder) == older
    assert doctors_line().startswith("warn  backups: the last backup failed, so no older one was deleted: /")
    assert "its disk is full: make room, or name a file elsewhere. Run `gipfbot backup --to " in doctors_line()
    assert bot.main(["backup", "--to", str(folder), "--keep", "1"]) == 0
    assert doctors_line() == f"ok    backups: 1 in {folder}, the newest 0 h old."


@pytest.mark.parametrize("fault", ["damaged", "missing", "foreign", "settings"])
def test_whatever_fails_deletes_nothing(folder: Path, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    database = folder.with_name("gipf.sqlite3")
    make_older(folder, 1, 91)
    if fault == "settings":
        monkeypatch.setenv("GIPFBOT_DATABASE_URL", "gipf.sqlite3")
    elif fault == "missing":
        database.unlink()
    else:
        with database.open("r+b") as file:
            file.seek(0 if fault == "foreign" else 4096 * (database.stat().st_size // 4096 // 2))
            file.write(b"\7" * 4096 * 3)
    assert bot.main(["backup", "--to", "backups", "--keep", "1"]) != 0
    assert len(names(folder)) == 2
    assert "the last backup failed" in doctors_line()


@pytest.mark.skipif(not can_mount, reason=WITHOUT)
def test_a_folder_that_is_full_says_so_in_its_file(folder: Path) -> None:
    """The disk has room for one backup, and for no other file. That of the last success is overwritten in its place."""
    backup = f"{sys.executable} {HOUSE / 'bot.py'} backup --to backups --keep 1"
    steps = (
        "mount -t tmpfs -o size=400k none backups",
        backup,
        "cd backups && for each in gipf-*; do mv $each gipf-20260101-000000.sqlite3; done; cd ..",
        "head -c 400000 /dev/zero > backups/rest",
        f"{backup}; echo $?",
        "ls backups; cat backups/last-failure",
    )
    command = [*NAMESPACE, "sh", "-c", "; ".join(steps)]
    done = subprocess.run(command, cwd=folder.parent, capture_output=True, text=True, check=True)
    code, *listing, failure = done.stdout.splitlines()[1:]
    assert (code, listing) == ("5", ["gipf-20260101-000000.sqlite3", "last-failure", "rest"])
    assert re.match(r"\d{8}-\d{6} backups/gipf-.* cannot be written, because its disk is full: ", failure)


def test_a_backup_that_may_not_go_is_a_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The new one is there all the same."""
    (old,), unlink = make_older(folder, 91), Path.unlink

    def refuse(path: Path, missing_ok: bool = False) -> None:
        if path.name == old.name:
            raise PermissionError(13, "Permission denied", str(path))
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    assert bot.main(["backup", "--to", "backups"]) == 1
    sentence = f"{old.name} cannot be deleted (Permission denied): let the user who backs up write there."
    assert sentence in capsys.readouterr().err
    assert len(names(folder)) == 2
    assert sentence.rstrip(".") in doctors_line()


@pytest.mark.parametrize(
    ("ages", "uptime", "said"),
    [
        ((1.9,), 0.0, ""),
        ((2.1, 5), 0.0, "the newest backup in {} is 2 days old"),
        ((-30,), 0.0, ""),
        ((), 1.9, ""),
        ((), 2.1, "there is no backup in {} that ends in .sqlite3"),
        ((), None, "there is no backup in {} that ends in .sqlite3"),
    ],
)
def test_old_backups_are_told_after_two_days(
    folder: Path, ages: tuple[float, ...], uptime: float | None, said: str
) -> None:
    """If there is none, the owner is told two days after the start, and the doctor says so at once."""
    make_older(folder, *ages)
    now = datetime.now(UTC)
    assert backups_fault(folder, "sqlite3", now, None if uptime is None else now - uptime * DAYS) == said.format(folder)


def test_age_is_that_of_the_newest_backup(folder: Path) -> None:
    """Without any, and if the folder cannot be read, it is older than every limit."""
    now = datetime.now(UTC).replace(microsecond=0)
    store = SimpleNamespace(backend=backend_of_url("sqlite+aiosqlite:///gipf.sqlite3"))
    signs = VitalSigns(cast(Any, store), lambda: int(now.timestamp()))
    assert signs.backup_age(folder) == math.inf
    for age in (5, 2):
        (folder / backup_name(now - age * DAYS, "sqlite3")).touch()
    (folder / backup_name(now, "dump")).touch()
    assert signs.backup_age(folder) == 2 * 86400
    assert signs.backup_age(folder / "missing") == math.inf


def test_backups_of_another_kind_of_database_do_not_count(folder: Path) -> None:
    """They stay, and are old news: the games were moved to a file."""
    make_older(folder, 0.5, ending="dump")
    assert doctors_line().startswith(f"warn  backups: there is no backup in {folder} that ends in .sqlite3. ")
    make_older(folder, 1)
    assert doctors_line() == f"ok    backups: 1 in {folder}, the newest 24 h old."


def test_the_doctor_asks_for_a_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctors_line().startswith(
        f"warn  backups: there is no backup in {folder} that ends in .sqlite3. Run `gipfbot backup --to {folder}`"
    )
    monkeypatch.setenv("GIPFBOT_BACKUPS", "/nowhere")
    assert doctors_line().startswith(
        "warn  backups: /nowhere cannot be read (No such file or directory), so nobody knows"
    )
    monkeypatch.delenv("GIPFBOT_BACKUPS")
    assert doctors_line().startswith(
        "warn  backups: GIPFBOT_BACKUPS names no folder, so nobody knows whether there are any."
    )
