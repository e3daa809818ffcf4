"""`bot.py backup`: a verified copy of one moment, and a sentence whenever there is none."""

import asyncio
import os
import resource
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gipfbot import __main__ as bot
from gipfbot.backup_command import size_text
from gipfbot.store import backup, database_file
from tests.support.migrations import NEWEST_DATABASE
from tests.support.stores import create_empty, database_url


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the database of the settings, with the games of a club in it."""
    path = tmp_path / "gipf.sqlite3"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", database_url(path))
    shutil.copy(NEWEST_DATABASE, path)
    return path


def rows(path: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(query).fetchall()


def folder_without(path: Path, *names: str) -> set[str]:
    return {each.name for each in path.iterdir()} - {*names}


def test_the_copy_holds_the_same_and_is_private(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bot.main(["backup", "copy.sqlite3"]) == 0
    said, copy = capsys.readouterr().out, database.with_name("copy.sqlite3")
    assert said == f"copy.sqlite3: {copy.stat().st_size / 1000:.1f} kB, 25 games with 75 turns, verified.\n".replace(
        "75", str(rows(database, "SELECT count(*) FROM turns")[0][0])
    )
    assert copy.stat().st_mode & 0o777 == 0o600
    for table in ("games", "turns", "outbox", "sqlite_sequence", "alembic_version"):
        assert rows(copy, f"SELECT * FROM {table}") == rows(database, f"SELECT * FROM {table}")
    assert folder_without(database.parent, "data") == {"gipf.sqlite3", "copy.sqlite3"}


def test_what_is_written_meanwhile_is_left_out_whole(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot commits one more turn after the copy has begun, and has one open that it never commits."""
    count = backup.count_contents
    with closing(sqlite3.connect(database, isolation_level=None)) as bots:
        bots.execute("PRAGMA journal_mode = WAL")
        bots.execute("DELETE FROM due")

        def count_and_write(db: sqlite3.Connection) -> backup.Contents:
            found = count(db)
            if not bots.in_transaction:
                bots.execute("DELETE FROM turns WHERE game = 3 AND turn_number = 9")
                bots.execute("BEGIN IMMEDIATE")
                bots.execute("DELETE FROM turns")
            return found

        monkeypatch.setattr(backup, "count_contents", count_and_write)
        assert bot.main(["backup", "copy.sqlite3"]) == 0
        bots.execute("ROLLBACK")
    copy = database.with_name("copy.sqlite3")
    assert rows(copy, "SELECT count(*) FROM due") == [(0,)], "what was only in the WAL"
    assert len(rows(copy, "SELECT * FROM turns")) == len(rows(database, "SELECT * FROM turns")) + 1


def test_a_copy_is_read_where_nothing_can_be_written(database: Path) -> None:
    """It needs no files beside it."""
    bot.main(["backup", "copy.sqlite3"])
    copy = database.with_name("copy.sqlite3")
    with closing(sqlite3.connect(f"file:{copy}?mode=ro&immutable=1", uri=True)) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert copy.read_bytes()[18:20] == b"\1\1"


@pytest.mark.parametrize("target", ["copy.sqlite3", "gipf.sqlite3", "data"])
def test_an_existing_file_is_never_replaced(target: str, database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database.with_name("copy.sqlite3").write_text("dear")
    before = database.read_bytes()
    assert bot.main(["backup", target]) == 2
    assert capsys.readouterr().err == f"{target} exists already and is left as it is: name a new file.\n"
    assert database.with_name("copy.sqlite3").read_text() == "dear"
    assert database.read_bytes() == before


@pytest.mark.parametrize("links", [True, False])
def test_a_name_taken_meanwhile_is_not_replaced(
    links: bool, database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target, flush = database.with_name("copy.sqlite3"), database_file.flush_to_disk

    def take(path: Path) -> int:
        target.write_text("dear")
        return flush(path)

    monkeypatch.setattr(backup, "flush_to_disk", take)
    if not links:
        monkeypatch.setattr(os, "link", no_links)
    assert bot.main(["backup", "copy.sqlite3"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert target.read_text() == "dear"
    assert folder_without(database.parent, "data") == {"gipf.sqlite3", "copy.sqlite3"}


def no_links(*_: object) -> None:
    raise PermissionError(1, "Operation not permitted")


def test_a_disk_without_hard_links_will_do(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", no_links)
    assert bot.main(["backup", "copy.sqlite3"]) == 0
    assert folder_without(database.parent, "data") == {"gipf.sqlite3", "copy.sqlite3"}


def test_a_damaged_database_gives_no_copy(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The copy would be as damaged."""
    with database.open("r+b") as file:
        file.seek(4096 * (database.stat().st_size // 4096 // 2))
        file.write(b"\7" * 4096 * 3)
    assert bot.main(["backup", "copy.sqlite3"]) == 3
    said = capsys.readouterr().err
    assert "is damaged" in said
    assert said.endswith("Check the database: gipfbot check.\n")
    assert folder_without(database.parent, "data") == {"gipf.sqlite3"}


def test_a_full_disk_is_a_sentence(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A limit of file sizes stands for the full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        assert bot.main(["backup", "copy.sqlite3"]) == 5
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert capsys.readouterr().err == (
        "copy.sqlite3 cannot be written, because its disk is full: make room, or name a file elsewhere.\n"
    )
    assert folder_without(database.parent, "data") == {"gipf.sqlite3"}


def test_wrong_input_is_one_sentence(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        bot.main(["backup", "nowhere/copy.sqlite3"])
    assert "the folder of nowhere/copy.sqlite3 does not exist" in capsys.readouterr().err
    database.unlink()
    assert bot.main(["backup", "copy.sqlite3"]) == 2
    assert f"There is no database at {database}" in capsys.readouterr().err
    database.write_text("Dear aunt, this is no database. " * 99)
    assert bot.main(["backup", "copy.sqlite3"]) == 3
    assert "file is not a database" in capsys.readouterr().err
    database.unlink()
    with closing(sqlite3.connect(database)) as db:
        db.execute("CREATE TABLE letters (text)")
    assert bot.main(["backup", "copy.sqlite3"]) == 3
    assert "holds no games of this bot" in capsys.readouterr().err
    assert folder_without(database.parent, "data") == {"gipf.sqlite3"}


def test_a_bot_without_games_is_copied(database: Path) -> None:
    database.unlink()
    asyncio.run(create_empty(database))
    assert bot.main(["backup", "copy.sqlite3"]) == 0


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (12_345_678, "12.3 MB"), (5e15, "5000.0 TB")],
)
def test_sizes_are_read_by_people(size: float, text: str) -> None:
    assert size_text(size) == text
