"""Disks that are full or damaged, and files that others hold: a sentence at the start, and nothing half saved."""

# ruff: noqa: ASYNC240 - the files are small

import logging
import os
import resource
import shutil
import sqlite3
import stat
import time
from collections.abc import Awaitable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError

from gipfbot.match import Game
from gipfbot.service.kit.batches import for_each
from gipfbot.store import Store, games, meta
from gipfbot.store.backends import sqlite
from gipfbot.store.database import Connection
from gipfbot.values import DatabaseTrouble, InUse, NoRoom, Trouble, Unusable
from tests.store.helpers import added, answered, current_trouble, loaded, played, save
from tests.support.stores import create_empty, database_url

pytestmark = pytest.mark.sqlite


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """Return an up-to-date database without games."""
    await create_empty(tmp_path / "gipf.sqlite3")
    return tmp_path / "gipf.sqlite3"


async def why_unusable(path: Path, *signs: Path) -> Unusable:
    with pytest.raises(Unusable) as refused:
        await Store.open_database(database_url(path), *signs)
    return refused.value


def fill_pages(store: Store, most: int | None) -> None:
    """Let SQLite say that the disk is full when the database would get more pages than it has and `most`."""

    def limit(connection: Any, *_: object) -> None:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages + most if most is not None else 10**9}")

    event.listen(store._engine.sync_engine, "begin", lambda db: limit(db.connection.driver_connection._conn))


@contextmanager
def file_sizes_up_to(most: int) -> Iterator[None]:
    """Let every longer file fail to be written, as a quota does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# ── At the start ──


async def test_a_truncated_file_is_a_sentence_and_stays_as_it_is(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)
    before = path.read_bytes()
    fault = await why_unusable(path)
    assert str(fault).startswith(f"{path} cannot be opened: it is damaged (")
    assert str(fault).endswith("Keep the file, and restore a backup; or name another file.")
    assert (fault.exit_code, path.read_bytes()) == (3, before)


async def test_a_corrupted_page_is_a_sentence(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"\7" * 3000)
    assert "it is damaged (" in str(await why_unusable(path))


async def test_a_newer_database_is_a_sentence(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE alembic_version SET version_num = '9999'")
        db.commit()
    fault = await why_unusable(path)
    assert str(fault).startswith(f"{path} was written by a newer version of the bot (")
    assert str(fault).endswith("update the bot, or restore a backup from before.")


async def test_a_locked_file_is_a_sentence_without_long_waiting(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program holds it for itself alone."""
    monkeypatch.setitem(sqlite.PRAGMAS, "busy_timeout", 400)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        begun = time.monotonic()
        fault = await why_unusable(path)
        assert time.monotonic() - begun < 5
    assert isinstance(fault, InUse)
    assert str(fault).endswith("Close the program that shows or copies the file, then start again.")


async def test_a_full_disk_is_a_sentence(tmp_path: Path) -> None:
    """A limit of file sizes stands for the full disk. The migrations do not fit on it, and nothing is left of them."""
    path = tmp_path / "gipf.sqlite3"
    with file_sizes_up_to(40_000):
        fault = await why_unusable(path)
    assert isinstance(fault, NoRoom)
    assert str(fault).endswith("Make room, then start again. Nothing is lost.")
    assert fault.exit_code == 5
    await (await Store.open_database(database_url(path))).close()


@pytest.mark.parametrize("sign", ["gipf.sqlite3-wal", "gipf.sqlite3.timeline", "heartbeat"])
async def test_an_empty_file_where_games_were_is_no_new_database(sign: str, path: Path) -> None:
    """SQLite would make a new one, and delete the WAL with what can still be rescued."""
    shown, beside = path.with_name("heartbeat"), path.with_name(sign)
    os.truncate(path, 0)
    beside.write_bytes(b"something")
    fault = await why_unusable(path, shown)
    anew = f"to start anew, without any games, delete {beside} first."
    assert str(fault) == f"{path} is empty, but {beside} shows that it held games: restore a backup; {anew}"
    assert (beside.read_bytes(), path.read_bytes()) == (b"something", b"")
    beside.unlink()
    await (await Store.open_database(database_url(path), shown)).close()


async def test_a_missing_file_where_games_were_is_no_new_database(path: Path) -> None:
    path.unlink()
    timeline = path.with_name("gipf.sqlite3.timeline")
    timeline.touch()
    assert f"{path} is missing, but {timeline} shows" in str(await why_unusable(path))
    assert not path.exists()
    timeline.unlink()
    path.with_name("heartbeat").touch()
    await (await Store.open_database(database_url(path), path.with_name("heartbeat"))).close()


async def test_the_log_of_a_killed_writer_is_taken_up_silently(
    path: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The copy has what a power cut leaves: the file, and its WAL."""
    store = await Store.open_database(database_url(path))
    game = await played(store, await added(store), 3)
    killed = tmp_path / "killed.sqlite3"
    for ending in ("", "-wal"):
        shutil.copy(f"{path}{ending}", f"{killed}{ending}")
    await store.close()
    again = await Store.open_database(database_url(killed))
    assert (await loaded(again, game.id)).game == game
    await again.close()
    assert caplog.records == []


async def test_only_the_owner_may_read_new_and_old_files(tmp_path: Path) -> None:
    path = tmp_path / "gipf.sqlite3"
    for _ in range(2):
        store = await Store.open_database(database_url(path))
        await added(store)
        files = [path, *(path.with_name(path.name + ending) for ending in ("-wal", "-shm"))]
        assert [mode(file) for file in files] == [0o600] * 3
        await store.close()
        path.chmod(0o666)


# ── While the database is open ──


async def trouble_with(work: Awaitable[object]) -> Trouble:
    with pytest.raises(DatabaseTrouble) as failed:
        await work
    return failed.value.trouble


async def save_at_length(store: Store, game: Game) -> None:
    """Save an action together with something that needs many pages."""
    async with store.transaction() as db:
        await save(db, game, answered(game, Random(1)))
        await meta.save_value(db, "long", "x" * 100_000)


async def load_turns(store: Store) -> None:
    async with store.reading() as db:
        await games.turns_of(db, 1)


async def test_a_turn_that_does_not_fit_is_not_saved_and_the_next_is(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The trouble is logged once, and once more when it is over."""
    store = await Store.open_database(database_url(path))
    game = await played(store, await added(store), 3)
    fill_pages(store, 0)
    for _ in range(3):
        assert await trouble_with(save_at_length(store, game)) is Trouble.FULL
    assert (await loaded(store, game.id)).game == game
    async with store.reading() as db:
        assert len(await games.turns_of(db, game.id)) == 3
    fill_pages(store, None)
    async with store.transaction():
        pass
    assert current_trouble(store) is Trouble.FULL, "nothing was saved"
    await played(store, game, 1)
    assert current_trouble(store) is None
    assert [
        (record.levelno, record.getMessage().split(" cannot ")[0].split(" can ")[0]) for record in caplog.records
    ] == [
        (logging.ERROR, str(path)),
        (logging.WARNING, str(path)),
    ]
    assert "its disk is full (database or disk is full). The bot goes on, and saves again" in caplog.text
    await store.close()


async def test_work_on_many_games_stops_without_room(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Else what follows would be written outside the transaction, which SQLite has rolled back."""
    store = await Store.open_database(database_url(path))
    fill_pages(store, 0)

    async def write(db: Connection, key: str) -> None:
        await meta.save_value(db, key, "x" * (1_000_000 if key == "b" else 1))

    with pytest.raises(DatabaseTrouble):
        await for_each(store, ["a", "b", "c"], write)
    async with store.reading() as db:
        assert [await meta.load_value(db, key) for key in "abc"] == [None] * 3
    assert len(caplog.records) == 1
    await store.close()


async def test_a_disk_that_fills_up_is_told_from_one_that_fails(path: Path) -> None:
    store = await Store.open_database(database_url(path))
    game = await played(store, await added(store), 3)
    with file_sizes_up_to(1000):
        assert await trouble_with(played(store, game, 1)) is Trouble.FULL
    assert (await loaded(store, game.id)).game == game
    await played(store, game, 1)
    await store.close()


async def test_another_programs_lock_is_told_and_passes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sqlite.PRAGMAS, "busy_timeout", 200)
    store = await Store.open_database(database_url(path))
    game = await added(store)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert await trouble_with(played(store, game, 1)) is Trouble.LOCKED
        assert (await loaded(store, game.id)).game == game
    await played(store, game, 1)
    assert current_trouble(store) is None
    await store.close()


async def test_a_damaged_page_is_told_until_the_bot_is_stopped(path: Path) -> None:
    store = await Store.open_database(database_url(path))
    await played(store, await added(store), 3)
    await store.close()
    with closing(sqlite3.connect(path)) as db:
        (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'turns'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\7" * size)
    store = await Store.open_database(database_url(path))
    assert await trouble_with(load_turns(store)) is Trouble.DAMAGED
    async with store.transaction() as db:
        await meta.save_value(db, "a", "1")
    assert current_trouble(store) is Trouble.DAMAGED
    await store.close()


async def test_other_errors_stay_what_they_are(path: Path) -> None:
    store = await Store.open_database(database_url(path))
    async with store.reading() as db:
        with pytest.raises(DBAPIError, match="no such table"):
            await db.exec_driver_sql("SELECT * FROM letters")
    assert current_trouble(store) is None
    await store.close()
