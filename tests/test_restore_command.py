"""`bot.py restore`: a backup takes the place of the database, or a sentence says why it does not."""

import asyncio
import fcntl
import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gipfbot import __main__ as bot
from gipfbot.store import Store, restore
from gipfbot.store.timeline_file import COPY_KEY, CopyNote, mark_copy
from gipfbot.store.timelines import DELETED_KEY
from tests.support.migrations import LATER, MADE_LATER, NEWEST_DATABASE, one_more_migration
from tests.support.restoring import refuse_link
from tests.support.stores import database_url

MOMENT = 1795403700  # 23 November 2026, 03:15 UTC
FOUND = "SELECT id FROM games WHERE waiting_user IS NOT NULL ORDER BY id"


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the database of the settings. Beside it is its backup, made before the last game changed."""
    path = tmp_path / "gipf.sqlite3"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", database_url(path))
    monkeypatch.setattr("time.time", lambda: MOMENT + 0.5)
    shutil.copy(NEWEST_DATABASE, path)
    asked(path, "DELETE FROM meta WHERE key = ?", DELETED_KEY)
    assert bot.main(["backup", "backup.sqlite3"]) == 0
    return path


def asked(path: Path, query: str, *values: Any) -> list[Any]:
    """Return what a query finds, or change the database."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        return db.execute(query, values).fetchall()


def note_in(path: Path) -> dict[str, Any]:
    """Return what the database says of itself as a copy."""
    ((text,),) = asked(path, "SELECT value FROM meta WHERE key = ?", COPY_KEY)
    found: dict[str, Any] = json.loads(text)
    return found


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def test_the_backup_takes_its_place_and_the_replaced_file_is_kept(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both are readable by their owner only, and nothing else is left over."""
    asked(database, "UPDATE games SET version = version + 1 WHERE id = (SELECT min(id) FROM games)")
    changed, kept = asked(database, "SELECT id, version FROM games"), "gipf-replaced-20261123-031500.sqlite3"
    backup = database.with_name("backup.sqlite3")
    capsys.readouterr()
    assert bot.main(["restore", "backup.sqlite3"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == (
        f"{database} is now the backup backup.sqlite3, made on 23 November 2026 at 03:15 UTC: "
        f"25 games with {asked(backup, 'SELECT count(*) FROM turns')[0][0]} turns."
    )
    assert f"kept as {database.with_name(kept)}." in said[1]
    assert said[-1].startswith("Start the bot: it tells the players of the ")
    assert {path.name for path in database.parent.iterdir()} - {"data"} == {
        *("gipf.sqlite3", "gipf.sqlite3.lock", "backup.sqlite3", kept)
    }
    assert asked(database.with_name(kept), "SELECT id, version FROM games") == changed
    assert asked(database, "SELECT id, version FROM games") == asked(backup, "SELECT id, version FROM games")
    for path in (database, database.with_name(kept)):
        assert path.stat().st_mode & 0o777 == 0o600


def test_the_copy_notes_what_the_replaced_file_tells(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which running games went back, the last ids, and who asked for the deletion of their data."""
    running = [row[0] for row in asked(database, FOUND)]
    changed = running[1:3]
    asked(database, f"UPDATE games SET version = version + 1 WHERE id IN ({changed[0]}, {changed[1]})")
    asked(database, "UPDATE games SET version = version + 1 WHERE waiting_user IS NULL")  # none of these goes on
    asked(database, "UPDATE sqlite_sequence SET seq = 777 WHERE name = 'games'")
    asked(database, "INSERT INTO meta VALUES (?, ?)", DELETED_KEY, '[["aa", "bb", 5]]')
    asked(database, f"UPDATE games SET id = 776 WHERE id = {running[0]}")  # a game that is not in the backup
    assert bot.main(["restore", "backup.sqlite3"]) == 0
    note = note_in(database)
    assert note["went_back"] == [running[0], *changed]
    assert note["sequences"]["games"] == 777
    assert (note["deleted"], note["copied_at"]) == ([["aa", "bb", 5]], MOMENT)
    assert "began after the backup, and are lost: 1." in capsys.readouterr().out


def test_a_game_that_has_ended_since_went_back(database: Path) -> None:
    running = [row[0] for row in asked(database, FOUND)]
    asked(database, f"UPDATE games SET waiting_user = NULL, version = version + 1 WHERE id = {running[0]}")
    assert bot.main(["restore", "backup.sqlite3"]) == 0
    assert note_in(database)["went_back"] == running[:1]


def test_two_restores_without_a_start_forget_nothing_of_the_first(database: Path) -> None:
    """The file that the second one replaces was never used."""
    running = [row[0] for row in asked(database, FOUND)]
    asked(database, f"UPDATE games SET version = version + 1 WHERE id = {running[0]}")
    asked(database, "UPDATE sqlite_sequence SET seq = 777 WHERE name = 'games'")
    asked(database, "INSERT INTO meta VALUES (?, ?)", DELETED_KEY, '[["aa", "bb", 5]]')
    for _ in range(2):
        assert bot.main(["restore", "backup.sqlite3"]) == 0
    note = note_in(database)
    assert (note["went_back"], note["sequences"]["games"], note["deleted"]) == ([running[0]], 777, [["aa", "bb", 5]])


def test_a_restore_over_one_that_could_not_compare_does_not_compare(database: Path) -> None:
    """What the damaged file held stays unknown. Its copy was never used, and says nothing of it."""
    damaged(database)
    for _ in range(2):
        assert bot.main(["restore", "backup.sqlite3"]) == 0
    assert note_in(database)["went_back"] is None


def test_a_game_that_has_ended_in_the_second_backup_did_not_go_back(database: Path) -> None:
    running = [row[0] for row in asked(database, FOUND)]
    shutil.copy("backup.sqlite3", "other.sqlite3")
    asked(Path("other.sqlite3"), f"UPDATE games SET waiting_user = NULL WHERE id = {running[0]}")
    asked(database, f"UPDATE games SET version = version + 1 WHERE id IN ({running[0]}, {running[1]})")
    assert bot.main(["restore", "backup.sqlite3"]) == 0
    assert bot.main(["restore", "other.sqlite3", "--anyway"]) == 0
    assert note_in(database)["went_back"] == [running[1]]


def test_without_a_database_there_is_nothing_to_keep(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database.unlink()
    assert bot.main(["restore", "backup.sqlite3"]) == 0
    assert note_in(database)["went_back"] is None
    said = capsys.readouterr().out
    assert "is kept as" not in said
    assert "it tells the players of all running games" in said


def test_a_damaged_database_is_kept_as_it_is(database: Path) -> None:
    """Its log, too: perhaps something can be saved. Beside the backup it would be read as the backup's."""
    database.write_bytes(b"broken" * 1000)
    for ending in ("-wal", "-shm"):
        database.with_name(f"gipf.sqlite3{ending}").write_bytes(b"log")
        database.with_name(f"gipf.sqlite3{ending}").chmod(0o644)
    assert bot.main(["restore", "backup.sqlite3"]) == 0
    found = files(database.parent)
    assert found["gipf-replaced-20261123-031500.sqlite3"] == b"broken" * 1000
    assert found["gipf-replaced-20261123-031500.sqlite3-wal"] == b"log"
    assert database.with_name("gipf-replaced-20261123-031500.sqlite3-wal").stat().st_mode & 0o777 == 0o600
    assert not {"gipf.sqlite3-wal", "gipf.sqlite3-shm"} & found.keys()
    assert len(asked(database, "SELECT id FROM games")) == 25


def test_an_empty_log_of_a_damaged_database_is_not_kept(database: Path) -> None:
    """SQLite makes one when it looks at a database whose mode is WAL."""
    asyncio.run(_open_and_close(database))
    assert bot.main(["backup", "newest.sqlite3"]) == 0
    with database.open("r+b") as file:
        file.truncate(2 * 4096)
    assert bot.main(["restore", "newest.sqlite3"]) == 0
    kept = [name for name in files(database.parent) if "replaced" in name]
    assert kept == ["gipf-replaced-20261123-031500.sqlite3"]


def test_what_is_only_in_the_log_is_kept_in_the_replaced_file(database: Path) -> None:
    """A killed bot leaves a log. It is no part of the backup, and is merged into the one file that is kept."""
    killed = database.with_name("killed.sqlite3")
    with closing(sqlite3.connect(database, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("DELETE FROM due")
        for ending in ("", "-wal"):
            shutil.copy(f"{database}{ending}", f"{killed}{ending}")
    for ending in ("", "-wal"):
        Path(f"{killed}{ending}").replace(f"{database}{ending}")
    assert bot.main(["restore", "backup.sqlite3"]) == 0
    assert [name for name in files(database.parent) if "replaced" in name] == ["gipf-replaced-20261123-031500.sqlite3"]
    assert asked(database, "SELECT id FROM due") == asked(database.with_name("backup.sqlite3"), "SELECT id FROM due")
    assert asked(database.with_name("gipf-replaced-20261123-031500.sqlite3"), "SELECT id FROM due") == []


def test_the_copy_that_a_killed_run_has_left_is_replaced(database: Path) -> None:
    """With all that SQLite has put beside it, even if it is damaged."""
    left = [f"gipf.sqlite3.restoring{ending}" for ending in ("", "-wal", "-shm", "-journal")]
    for name in left:
        database.with_name(name).write_bytes(b"broken" * 1000)
    assert bot.main(["restore", "backup.sqlite3"]) == 0
    assert asked(database, "PRAGMA integrity_check") == [("ok",)]
    assert not {*left} & files(database.parent).keys()


def test_a_finished_game_that_began_after_the_backup_is_not_counted(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is said of lost games is about running ones."""
    asked(database, "UPDATE games SET id = id + 700 WHERE waiting_user IS NULL")
    assert bot.main(["restore", "backup.sqlite3"]) == 0
    assert "are lost" not in capsys.readouterr().out


def test_a_log_that_another_program_still_reads_is_kept_beside_the_file(database: Path) -> None:
    """It cannot be merged then, and nothing of it is lost."""
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("DELETE FROM due")
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM games").fetchone()
        assert bot.main(["restore", "backup.sqlite3"]) == 0
        kept = {name for name in files(database.parent) if "replaced" in name}
    assert kept == {f"gipf-replaced-20261123-031500.sqlite3{ending}" for ending in ("", "-wal")}
    assert asked(database.with_name("gipf-replaced-20261123-031500.sqlite3"), "SELECT id FROM due") == []


def test_a_disk_without_hard_links_will_do(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = asked(database, "SELECT * FROM games")
    monkeypatch.setattr(os, "link", refuse_link)
    database.chmod(0o644)
    assert bot.main(["restore", "backup.sqlite3"]) == 0
    kept = database.with_name("gipf-replaced-20261123-031500.sqlite3")
    assert asked(kept, "SELECT * FROM games") == before
    assert kept.stat().st_mode & 0o777 == 0o600


def test_two_restores_in_one_second_keep_both_files(database: Path) -> None:
    for _ in range(2):
        assert bot.main(["restore", "backup.sqlite3"]) == 0
    kept = sorted(name for name in files(database.parent) if "replaced" in name)
    assert kept == ["gipf-replaced-20261123-031500-2.sqlite3", "gipf-replaced-20261123-031500.sqlite3"]


def test_a_copy_of_a_copy_is_as_old_as_the_first(database: Path) -> None:
    """The replaced file says less about it than it does itself."""
    mark_copy(database.with_name("backup.sqlite3"), CopyNote(MOMENT - 99))
    assert bot.main(["restore", "backup.sqlite3"]) == 0
    assert note_in(database)["copied_at"] == MOMENT - 99


def test_a_backup_whose_running_games_do_not_replay_is_refused_unless_it_is_wanted(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sentence names some of what differs. Nothing was replaced before that is known."""
    backup = new_backup(database)
    asked(backup, "UPDATE games SET turn_number = turn_number + 1 WHERE waiting_user IS NOT NULL")
    before = files(database.parent)
    capsys.readouterr()
    assert bot.main(["restore", backup.name]) == 2
    said = capsys.readouterr().err
    assert said.startswith("newest.sqlite3 does not replay: #b1: ")
    assert "more things differ. Name another backup, or restore this one as it is with --anyway." in said
    assert {name: data for name, data in files(database.parent).items() if not name.endswith(".lock")} == before
    assert bot.main(["restore", backup.name, "--anyway"]) == 0
    assert asked(database, "SELECT id, turn_number FROM games") == asked(backup, "SELECT id, turn_number FROM games")


def test_ended_games_are_left_to_the_bot(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A restore is what people wait for. The bot replays all games at leisure, when they play again."""
    backup = new_backup(database)
    asked(backup, "UPDATE games SET turn_number = turn_number + 1 WHERE waiting_user IS NULL")
    asked(backup, "UPDATE ratings SET rating = 9999")
    asked(backup, "UPDATE explored_turns SET white = 99")
    assert bot.main(["restore", backup.name]) == 0
    assert "and replays the games that have ended." in capsys.readouterr().out
    assert len(asked(backup, FOUND)) > 5


def new_backup(database: Path) -> Path:
    """Return a backup with tables that are up to date, so that its games are replayed."""
    asyncio.run(_open_and_close(database))
    assert bot.main(["backup", "newest.sqlite3"]) == 0
    return database.with_name("newest.sqlite3")


async def _open_and_close(database: Path) -> None:
    """Bring the tables of a database up to date."""
    await (await Store.open_database(database_url(database))).close()


def test_a_backup_of_an_older_version_is_not_replayed(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with one_more_migration(database.parent):
        assert bot.main(["restore", "backup.sqlite3"]) == 0
    assert "not replayed, because an older version of the bot made it." in capsys.readouterr().out


def test_a_backup_of_a_later_version_is_restored_if_this_one_may_run_on_it(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its games are replayed as ever."""
    for statement in MADE_LATER:
        asked(database.with_name("backup.sqlite3"), statement)
    assert bot.main(["restore", "backup.sqlite3"]) == 0
    assert "not replayed" not in capsys.readouterr().out
    asyncio.run(_open_and_close(database))
    assert asked(database, "SELECT version_num FROM alembic_version") == [(LATER,)]


def newer(path: Path) -> None:
    asked(path, "UPDATE alembic_version SET version_num = '9999'")


def other_tables(path: Path) -> None:
    asked(path, "DROP TABLE turns")


def no_games(path: Path) -> None:
    path.unlink()
    asked(path, "CREATE TABLE letters (text)")


def damaged(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(20 * 4096)
        file.write(b"?" * 100 * 4096)


def letter(path: Path) -> None:
    path.write_text("Dear aunt, this is no database. " * 99)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("spoil", [emptied, letter, no_games, other_tables])
def test_whatever_stands_in_its_place_is_kept(database: Path, spoil: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """If it says nothing of games, all running games may have gone back."""
    spoil(database)
    before = database.read_bytes()
    assert bot.main(["restore", "backup.sqlite3"]) == 0
    assert database.with_name("gipf-replaced-20261123-031500.sqlite3").read_bytes() == before
    assert note_in(database)["went_back"] is None
    assert "the players of all running games" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (newer, "was written by a newer version of the bot: update the bot, then restore it."),
        (other_tables, "holds no games of this bot"),
        (no_games, "holds no games of this bot"),
        (damaged, "damaged"),
        (letter, "cannot be opened: it is damaged"),
        (emptied, "backup.sqlite3 is empty: name another backup."),
        (Path.unlink, "There is no file backup.sqlite3: name a backup."),
    ],
)
def test_a_bad_file_is_refused_and_nothing_changes(
    database: Path, spoil: Any, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(database.with_name("backup.sqlite3"))
    before = files(database.parent)
    capsys.readouterr()
    assert bot.main(["restore", "backup.sqlite3"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert sentence in said.err
    assert "Nothing was changed." in said.err
    assert {name: data for name, data in files(database.parent).items() if not name.endswith(".lock")} == before


def test_the_database_itself_is_no_backup(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database.with_name("other.sqlite3").symlink_to(database)
    assert bot.main(["restore", "other.sqlite3"]) == 2
    assert "is the database itself: name a backup of it." in capsys.readouterr().err


def test_a_running_bot_keeps_its_database(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with database.with_name("gipf.sqlite3.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        before = files(database.parent)
        assert bot.main(["restore", "backup.sqlite3"]) == 4
        assert files(database.parent) == before
    assert "is in use by another process, perhaps a running bot: stop that first." in capsys.readouterr().err


def test_a_fault_at_the_last_step_changes_nothing(
    database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The prepared copy is not left over. The next restore works."""
    before = asked(database, "SELECT * FROM games")

    def fail(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(restore, "_keep_replaced", fail)
        assert bot.main(["restore", "backup.sqlite3"]) == 2
    assert "cannot be replaced (Permission denied)" in capsys.readouterr().err
    assert asked(database, "SELECT * FROM games") == before
    assert not [name for name in files(database.parent) if "restoring" in name]
    assert bot.main(["restore", "backup.sqlite3"]) == 0
