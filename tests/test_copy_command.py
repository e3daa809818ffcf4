"""The command `copy`: nothing is lost on the way to PostgreSQL and back, and nothing is mixed."""

import asyncio
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from gipfbot import __main__ as bot
from gipfbot.store import Store, games, moving, timelines
from gipfbot.store.backends import backend_of_url
from gipfbot.store.database_file import hold_file_lock
from gipfbot.store.moving import TableSum, table_sums
from gipfbot.values import Shards
from tests.store.helpers import added
from tests.support import postgres
from tests.support.halves import HALF, REST
from tests.support.migrations import MADE_LATER, NEWEST_DATABASE, one_more_migration
from tests.support.short_runs import run_briefly
from tests.support.times import HOUR

SAID = "25 games with 41 turns, "


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """Return a copy of a database in which a club has done something of everything."""
    return Path(shutil.copy(NEWEST_DATABASE, tmp_path / "club.sqlite3"))


@pytest.fixture
def url(postgres_url: str) -> str:
    """Return the URL of a database on PostgreSQL that has empty tables."""
    return postgres_url


def file_url(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


async def sums(url: str) -> dict[str, TableSum]:
    await (await Store.open_database(url)).close()
    store = Store.open_as_text(url)
    try:
        return await table_sums(store)
    finally:
        await store.close()


async def next_game(url: str) -> int:
    store = await Store.open_database(url)
    try:
        return (await added(store)).id
    finally:
        await store.close()


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        assert db.execute(statement).rowcount != 0


def test_a_database_comes_back_as_it_was(
    club: Path, empty_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copies are made in a database and a file without tables."""
    monkeypatch.setattr(moving, "AT_ONCE", 7)
    change(club, "INSERT INTO shard_heartbeats VALUES (8, 3, 7, 9, 1)")  # which only several processes note
    before, back = asyncio.run(sums(file_url(club))), tmp_path / "back.sqlite3"
    assert bot.main(["copy", str(club), empty_url]) == 0
    said = capsys.readouterr().out
    assert said.startswith(SAID)
    assert said.endswith("copied, compared and checked. Set GIPFBOT_DATABASE_URL, then start the bot.\n")
    assert bot.main(["copy", empty_url, file_url(back)]) == 0
    assert capsys.readouterr().out.startswith(SAID)
    assert sum(each.rows for each in before.values()) > 300
    assert [name for name, each in before.items() if not each.rows] == []
    there, returned = asyncio.run(sums(empty_url)), asyncio.run(sums(file_url(back)))
    for found in (there, returned):
        assert {name: each for name, each in found.items() if name != "meta"} == {
            name: each for name, each in before.items() if name != "meta"
        }


def test_ids_go_on_behind_those_given_out(club: Path, url: str, tmp_path: Path) -> None:
    """Also behind those of games that are gone."""
    change(club, "UPDATE sqlite_sequence SET seq = 40 WHERE name = 'games'")
    assert bot.main(["copy", str(club), url]) == 0
    assert bot.main(["copy", url, str(tmp_path / "back.sqlite3")]) == 0
    assert asyncio.run(next_game(url)) == asyncio.run(next_game(file_url(tmp_path / "back.sqlite3"))) == 41


def test_the_copy_is_no_restored_backup(club: Path, url: str) -> None:
    """Its timeline begins with the first start."""
    begun = '{"token": "a", "heartbeats": 3, "alive_at": 7, "instead_of": null}'
    change(club, f"INSERT INTO meta VALUES ('timeline', '{begun}')")
    assert bot.main(["copy", str(club), url]) == 0

    async def timeline() -> object:
        store = await Store.open_database(url)
        async with store.reading() as db:
            found = await timelines.load_timeline(db)
        await store.close()
        return found

    assert asyncio.run(timeline()) is None


@pytest.mark.parametrize("processes", [[None], [HALF, REST]])
def test_timeline_files_left_by_a_trial_are_no_sign_of_a_restore(
    club: Path, url: str, tmp_path: Path, processes: list[Shards | None]
) -> None:
    """The host has tried the bot on another database before the games came."""
    tried = postgres.server().url_for(tmp_path / "tried")
    assert asyncio.run(run_briefly(tried, tmp_path, time.time() - HOUR, *processes)) == []
    assert bot.main(["copy", str(club), url]) == 0
    for _ in range(2):
        assert asyncio.run(run_briefly(url, tmp_path, time.time() + HOUR, *processes)) == []


def test_a_clock_rollback_after_a_copy_is_no_sign_of_a_restore(club: Path, url: str, tmp_path: Path) -> None:
    assert bot.main(["copy", str(club), url]) == 0
    for _ in range(2):
        assert asyncio.run(run_briefly(url, tmp_path, time.time() - HOUR, None)) == []


def test_a_copy_from_before_the_bots_last_run_counts_as_restored(club: Path, url: str, tmp_path: Path) -> None:
    """The bot ran on after it was copied. What it gave out since must not be given out again."""
    assert bot.main(["copy", str(club), url]) == 0
    there = postgres.server().url_for(tmp_path / "there")
    assert bot.main(["copy", url, there]) == 0
    assert asyncio.run(run_briefly(url, tmp_path, time.time() + HOUR, None)) == []
    assert len(asyncio.run(run_briefly(there, tmp_path, time.time() + 2 * HOUR, None))) == 1


def test_a_sign_that_postgresql_cannot_store_is_replaced(club: Path, url: str) -> None:
    change(club, "UPDATE seats SET note = 'a' || char(0) || 'b' WHERE game = 1 AND colour = 0")
    assert bot.main(["copy", str(club), url]) == 0

    async def note() -> object:
        store = await Store.open_database(url)
        async with store.reading() as db:
            found = await db.scalar(text("SELECT note FROM seats WHERE game = 1 AND colour = 0"))
        await store.close()
        return found

    assert asyncio.run(note()) == "a\ufffdb"


@pytest.mark.parametrize(
    ("statement", "code", "words"),
    [
        ("UPDATE alembic_version SET version_num = '9999'", 2, "was written by a newer version of the bot: update"),
        ("DROP TABLE alembic_version", 2, "holds no games of this bot: name the bot's database. Nothing was copied."),
    ],
)
def test_what_cannot_be_copied_changes_nothing(
    club: Path, url: str, statement: str, code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change(club, statement)
    assert bot.main(["copy", str(club), url]) == code
    said = capsys.readouterr().err
    assert words in said
    assert said.endswith("Nothing was copied.\n")
    assert sum(each.rows for each in asyncio.run(sums(url)).values()) == 0


def test_an_older_database_is_not_copied(club: Path, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with one_more_migration(club.parent):
        assert bot.main(["copy", str(club), url]) == 2
    why = "was written by an older version of the bot: start this version on it once, then copy it."
    assert capsys.readouterr().err == f"{club} {why} Nothing was copied.\n"
    assert sum(each.rows for each in asyncio.run(sums(url)).values()) == 0


def test_a_database_of_a_later_version_is_not_copied(club: Path, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The bot may run on it, but knows nothing of what is new in it."""
    for statement in MADE_LATER:
        change(club, statement)
    assert bot.main(["copy", str(club), url]) == 2
    why = "was written by a later version of the bot: update the bot, then copy it."
    assert capsys.readouterr().err == f"{club} {why} Nothing was copied.\n"


SEAT = "The row of seats with game 1, colour 1"
NO_SUCH_GAME = 'insert or update on table "seats" violates foreign key constraint "fk_seats_game"'


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("quiet_turn_serial = 'x'", f"{SEAT} is damaged (quiet_turn_serial is not a whole number)."),
        ("quiet_turn_serial = 1.5", f"{SEAT} is damaged (quiet_turn_serial is not a whole number)."),
        ("quiet_turn_serial = 1e30", f"{SEAT} is damaged (quiet_turn_serial is not a whole number)."),
        ("note = x'00ff'", f"{SEAT} is damaged (note is not a text)."),
        (
            "note = CAST(x'61ff' AS TEXT)",
            f"{SEAT} cannot be read (Could not decode to UTF-8 column 'note' with text 'a\ufffd').",
        ),
        (
            "game = 999",
            f"{SEAT.replace('game 1', 'game 999')} cannot be stored ({NO_SUCH_GAME}).",
        ),
    ],
)
def test_a_damaged_row_is_named_in_one_line(
    club: Path, url: str, value: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change(club, f"UPDATE seats SET {value} WHERE game = 1 AND colour = 1")
    assert bot.main(["copy", str(club), url]) == 3
    assert capsys.readouterr().err == f"{sentence} Nothing was copied.\n"
    assert sum(each.rows for each in asyncio.run(sums(url)).values()) == 0


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("'{\"a\": NaN}'", "NaN is no number"),
        ("'{'", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("x'7b7d'", "Expecting value: line 1 column 1 (char 0)"),
    ],
)
def test_broken_json_is_named_in_one_line(
    club: Path, url: str, data: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change(club, f"UPDATE events SET data = {data} WHERE game = 1 AND seq = 2")
    assert bot.main(["copy", str(club), url]) == 3
    row = "The row of events with game 1, seq 2 is damaged"
    assert capsys.readouterr().err == f"{row} (data is no JSON: {why}). Nothing was copied.\n"


def test_unreadable_keys_are_a_sentence(club: Path, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    change(club, "UPDATE meta SET key = CAST(x'61ff' AS TEXT) WHERE key = (SELECT min(key) FROM meta)")
    assert bot.main(["copy", str(club), url]) == 3
    said = capsys.readouterr().err
    assert said.startswith("A row of meta cannot be read (Could not decode to UTF-8 column 'key' with text ")
    assert said.count("\n") == 1


def test_nothing_is_mixed(club: Path, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert asyncio.run(next_game(url)) == 1
    before = asyncio.run(sums(url))
    assert bot.main(["copy", str(club), url]) == 2
    assert "is not empty (games, seats): name an empty database. Nothing was copied." in capsys.readouterr().err
    assert bot.main(["copy", url, str(club)]) == 2
    assert f"{club} is not empty (" in capsys.readouterr().err
    assert asyncio.run(sums(url)) == before


@pytest.mark.parametrize(
    ("source", "target", "sentence"),
    [
        ("CLUB", "CLUB", "CLUB is named twice: name the database to copy, then an empty one."),
        ("FOLDER/none.sqlite3", "CLUB", "There is no database at FOLDER/none.sqlite3: name the one to copy first."),
        ("CLUB", "FOLDER/no/a.sqlite3", "There is no folder FOLDER/no: create it or name another."),
        (
            "CLUB",
            "FOLDER/moved.sqlite3",
            "FOLDER/moved.sqlite3.timeline shows that FOLDER/moved.sqlite3 held games: name another file, or move ",
        ),
        ("mysql://bot:hush@db/g", "CLUB", "mysql://… names no database: name a file or a URL with "),
        (
            "CLUB",
            "sqlite+aiosqlite://bot:hush@data/g",
            "sqlite+aiosqlite://… names a server, but SQLite has only a file: ",
        ),
        ("CLUB", "sqlite+aiosqlite:///:memory:", "sqlite+aiosqlite://… names no file, so no game would be kept: "),
        ("postgresql+asyncpg://db:1/g", "postgresql+asyncpg://db/g?port=1", "postgresql://db:1/g is named twice: "),
        ("postgres://db/g?sslmode=require", "postgresql://db/g", "postgresql://db/g is named twice: "),
        ("CLUB", "postgresql+asyncpg://bot:a@hush/b@db/g", "postgresql+asyncpg://… has an @ too many: in a "),
        (
            "CLUB",
            "postgresql+asyncpg://bot:hush@db:99999/g",
            "postgresql+asyncpg://… names the port 99999: it must ",
        ),
    ],
)
def test_wrong_names_are_sentences(
    club: Path, source: str, target: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {"CLUB": str(club), "FOLDER": str(club.parent)}
    club.with_name("moved.sqlite3.timeline").touch()

    def put(words: str) -> str:
        for name, place in places.items():
            words = words.replace(name, place)
        return words

    assert bot.main(["copy", put(source), put(target)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(put(sentence))
    assert said.endswith(" Nothing was copied.\n")
    assert "hush" not in said


def test_one_database_under_two_names_is_told(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A server has several addresses. Here they are ways to its folder."""
    other = f"{url}/."
    names = " and ".join(backend_of_url(each).name for each in (url, other))
    assert bot.main(["copy", url, other]) == 2
    sentence = f"{names} are the same database: name the database to copy, then an empty one. Nothing was copied.\n"
    assert capsys.readouterr().err == sentence


def test_a_user_may_be_kept_from_the_identity(url: str) -> None:
    """Then only the names are compared."""
    server = postgres.server()

    async def identity(user: str) -> str | None:
        store = Store.open_to_read(url.replace("gipf@", f"{user}@"))
        try:
            return await store.identity()
        finally:
            await store.close()

    server.execute("DROP ROLE IF EXISTS host", "CREATE ROLE host LOGIN")
    database = url.partition("?")[0].rpartition("/")[2]
    assert asyncio.run(identity("host")) == asyncio.run(identity("gipf")) is not None
    server.execute("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC", database=database)
    assert asyncio.run(identity("host")) is None


@pytest.mark.parametrize("address", ["localhost:{}/gipf", "/gipf?host=FOLDER&port={}"])
def test_two_servers_on_one_host_are_told_apart(
    tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """As they are on the way to another version of PostgreSQL. Here neither runs."""
    first, second = (f"postgresql+asyncpg://gipf@{address.format(port)}" for port in (1, 2))
    assert bot.main(["copy", first.replace("FOLDER", str(tmp_path)), second.replace("FOLDER", str(tmp_path))]) == 6
    assert ":1/gipf cannot be reached (" in capsys.readouterr().err


def test_a_database_in_use_is_not_copied(club: Path, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with hold_file_lock(club):
        assert bot.main(["copy", str(club), url]) == 4
    assert "is in use by process" in capsys.readouterr().err

    async def copy_beside() -> int:
        async with backend_of_url(url).hold():
            return await asyncio.to_thread(bot.main, ["copy", str(club), url])

    assert asyncio.run(copy_beside()) == 4
    assert "is in use by another process" in capsys.readouterr().err


def test_a_copy_that_is_not_the_same_is_told(
    club: Path, url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here somebody else writes into it."""
    copy_rows = moving.copy_rows

    async def disturbed(source: Store, target: Store) -> dict[str, TableSum]:
        copied = await copy_rows(source, target)
        async with target.transaction() as db:
            await games.set_unreachable(db, 2, "gone")
        return copied

    monkeypatch.setattr("gipfbot.copy_command.copy_rows", disturbed)
    assert bot.main(["copy", str(club), url]) == 3
    assert capsys.readouterr().err.endswith("does not hold what was copied: make it anew, and copy again.\n")
