"""`bot.py check`: what it prints, its exit codes, and that it writes nothing."""

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
from sqlalchemy import update

from gipfbot import __main__ as bot, check_command
from gipfbot.service.checking import parts
from gipfbot.service.checking.database_check import DatabaseCheck
from gipfbot.store import Store
from gipfbot.store.backends import backend_of_url
from gipfbot.store.database_file import hold_file_lock
from gipfbot.store.rating_tables import ratings
from tests.service.competing.ended_games import Ending, live_through
from tests.support.halves import HALF
from tests.support.migrations import MADE_LATER, NEWEST_DATABASE, one_more_migration
from tests.support.stores import database_url
from tests.support.times import NOW


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the database of the settings, in which a club has done something of everything."""
    path = tmp_path / "club.sqlite3"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", database_url(path))
    return Path(shutil.copy(NEWEST_DATABASE, path))


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(statement)


def test_a_sound_database_is_one_line(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = club.read_bytes()
    assert bot.main(["check"]) == 0
    assert capsys.readouterr() == ("25 games with 41 turns, 4 monthly ratings: nothing differs.\n", "")
    assert club.read_bytes() == before
    assert [path.name for path in club.parent.iterdir()] == ["club.sqlite3"]


def test_each_difference_is_one_line(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(club, "UPDATE games SET turn_number = 1 WHERE id = 12")
    change(club, "UPDATE games SET pool = 'basic' WHERE id = 10")
    assert bot.main(["check", "club.sqlite3"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "#j1: the pool is stored as 'basic', but it must be 'tournament'.",
        "#l1: the number of turns is stored as 1, but it must be 2.",
        "25 games with 41 turns, 4 monthly ratings: 2 things differ.",
    ]


@pytest.mark.parametrize("runs", [True, False])
def test_a_core_is_left_to_a_bot_that_runs(runs: bool, club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[int]()

    class Noted(DatabaseCheck):
        def __init__(self, store: Store, now: Callable[[], int], processes: int) -> None:
            asked.append(processes)
            super().__init__(store, now)

    monkeypatch.setattr(check_command, "usable_cores", lambda: 8)
    monkeypatch.setattr(check_command, "DatabaseCheck", Noted)
    with hold_file_lock(club) if runs else nullcontext():
        assert bot.main(["check"]) == 0
    assert asked == [7 if runs else 8]


async def test_a_server_says_whether_a_bot_runs(postgres_url: str) -> None:
    backend = backend_of_url(postgres_url)
    store = await Store.open_database(postgres_url)
    async with store.reading() as db:
        assert not await backend.is_held(db)
        for shards in (None, HALF):
            async with backend.hold(shards):
                assert await backend.is_held(db)
            assert not await backend.is_held(db)
    await store.close()


def test_one_difference_is_said_as_one(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(club, "UPDATE games SET pool = 'basic' WHERE id = 10")
    assert bot.main(["check"]) == 1
    assert capsys.readouterr().out.endswith(": 1 thing differs.\n")


def test_a_writer_beside_it_is_not_in_its_way(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It sees what the bot has committed, also what is only in the WAL, and nothing else."""
    with closing(sqlite3.connect(club, isolation_level=None)) as bots:
        bots.execute("PRAGMA journal_mode = WAL")
        bots.execute("UPDATE games SET pool = 'basic' WHERE id = 10")
        bots.execute("BEGIN IMMEDIATE")
        bots.execute("DELETE FROM turns")
        assert bot.main(["check"]) == 1
        bots.execute("ROLLBACK")
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_damaged_pages_and_lost_rows_are_named(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(club)) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("UPDATE due SET game = 777 WHERE game IS NOT NULL AND id = (SELECT max(id) FROM due WHERE game > 0)")
        db.commit()
    assert bot.main(["check"]) == 1
    assert "the database is damaged: row " in capsys.readouterr().out
    with closing(sqlite3.connect(club)) as db:
        (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'turns'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    with club.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\7" * size)
    assert bot.main(["check"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("the database is damaged: ")
    assert said[-1].startswith("0 games with 0 turns, 0 monthly ratings: ")


@pytest.mark.parametrize("cut", [0.5, 0.9])
def test_a_truncated_file_is_damaged(cut: float, club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.truncate(club, int(club.stat().st_size * cut))
    assert bot.main(["check"]) == 1
    assert "the database is damaged: " in capsys.readouterr().out


def test_wrong_input_is_one_sentence(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sentences = {
        "missing": "There is no file missing: name a database or a backup.",
        "empty": "empty is empty: name a database or a backup.",
        "letter": "letter is no database: name a database or a backup.",
        "other": "other holds no games of this bot: name the bot's database.",
        "newer": "newer was written by a newer version of the bot: update the bot, then check again.",
    }
    Path("empty").touch()
    Path("letter").write_text("Dear aunt, this is no database. " * 99)
    change(Path("other"), "CREATE TABLE letters (text)")
    shutil.copy(club, "newer")
    change(Path("newer"), "UPDATE alembic_version SET version_num = '9999'")
    for name, sentence in sentences.items():
        assert bot.main(["check", name]) == 2
        assert capsys.readouterr() == ("", f"{sentence}\n")


def test_an_older_database_is_not_checked(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with one_more_migration(club.parent):
        assert bot.main(["check"]) == 2
    sentence = "was written by an older version of the bot: check it with that, or start the bot on it."
    assert capsys.readouterr() == ("", f"{club} {sentence}\n")


def test_a_database_of_a_later_version_is_checked_if_this_one_may_run_on_it(club: Path) -> None:
    found = bot.main(["check"])
    for statement in MADE_LATER:
        change(club, statement)
    assert bot.main(["check"]) == found


def test_a_wrong_setting_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", "club.sqlite3")
    assert bot.main(["check"]) == 2
    assert capsys.readouterr().err.startswith("GIPFBOT_DATABASE_URL is not a database URL")


async def fill(url: str) -> None:
    store = await Store.open_database(url)
    await live_through(store, [Ending(NOW + at, at % 3, 3) for at in range(6)])
    await store.close()


async def spoil(url: str) -> None:
    """Change one rating by hand."""
    store = await Store.open_database(url)
    async with store.transaction() as db:
        await db.execute(update(ratings).where(ratings.c.games == 6).values(rating=9999.0))
    await store.close()


def test_rebuild_mends_what_was_changed_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").mkdir()
    url = database_url(tmp_path / "gipf.sqlite3")
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", url)
    monkeypatch.chdir(tmp_path)
    asyncio.run(fill(url))
    asyncio.run(spoil(url))
    assert bot.main(["ratings", "--rebuild"]) == 0
    first = capsys.readouterr().out.splitlines()
    assert first[:2] == ["results: 12 rows, none different", "ratings: 4 rows, 2 different"]
    assert bot.main(["ratings", "--rebuild"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert all(line.endswith(", none different") for line in said)
    assert len(said) == 5


def test_one_row_is_no_plural(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", database_url(tmp_path / "gipf.sqlite3"))
    tables = {"ratings": (1, 1)}
    monkeypatch.setattr(check_command, "rebuild_ratings", AsyncMock(return_value=tables))
    monkeypatch.setattr(parts, "rating_differences", AsyncMock(return_value=tables))
    asyncio.run(fill(database_url(tmp_path / "gipf.sqlite3")))
    assert bot.main(["ratings", "--rebuild"]) == 0
    assert capsys.readouterr().out == "ratings: 1 row, 1 different\n"
    assert bot.main(["check"]) == 1
    assert "rows of ratings that are not what the games give: 1; " in capsys.readouterr().out


def test_without_rebuild_nothing_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leave:
        bot.main(["ratings"])
    assert leave.value.code == 2
    assert capsys.readouterr().err.startswith("gipfbot ratings: ")


def test_a_folder_that_is_missing_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", database_url(tmp_path / "nowhere" / "gipf.sqlite3"))
    monkeypatch.chdir(tmp_path)
    assert bot.main(["ratings", "--rebuild"]) == 2
    assert "nowhere" in capsys.readouterr().err
