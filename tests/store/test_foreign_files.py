"""A database file of another program is refused, and stays as it is."""

import asyncio
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from gipfbot import __main__ as bot
from gipfbot.doctor import check_database
from gipfbot.settings import load_settings
from gipfbot.store import Store
from gipfbot.store.backends import sqlite
from gipfbot.values import ForeignDatabase
from tests.support.migrations import NEWEST_DATABASE

pytestmark = pytest.mark.sqlite
FOREIGN = {
    "any table": ["CREATE TABLE x (id INTEGER)", "INSERT INTO x VALUES (1)"],
    "a table that the bot has, too": ["CREATE TABLE users (id INTEGER)"],
    "games": ["CREATE TABLE games (id INTEGER, number INTEGER)"],
    "a view": ["CREATE VIEW x AS SELECT 1"],
    "migrations of its own": [
        "CREATE TABLE alembic_version (version_num TEXT)",
        "INSERT INTO alembic_version VALUES ('ab')",
    ],
}


def fill(path: Path, statements: Iterable[str]) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


@pytest.fixture(params=FOREIGN.values(), ids=[*FOREIGN])
def foreign(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return the database of another program."""
    fill(tmp_path / "foreign.sqlite3", request.param)
    return tmp_path / "foreign.sqlite3"


def sentence(foreign: Path) -> str:
    return f"{foreign} holds tables of another program: name another file."


async def why_foreign(foreign: Path) -> ForeignDatabase:
    with pytest.raises(ForeignDatabase) as refused:
        await Store.open_database(f"sqlite+aiosqlite:///{foreign}")
    return refused.value


def test_the_start_leaves_another_programs_file_as_it_is(foreign: Path) -> None:
    foreign.chmod(0o644)
    before = foreign.read_bytes()
    fault = asyncio.run(why_foreign(foreign))
    assert (str(fault), fault.exit_code) == (sentence(foreign), 9)
    assert (foreign.read_bytes(), foreign.stat().st_mode & 0o777) == (before, 0o644)
    assert [*foreign.parent.iterdir()] == [foreign]


async def test_a_file_that_was_locked_at_first_is_refused_too(foreign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then nobody could look at it before."""
    monkeypatch.setattr(sqlite, "require_own_file", lambda file: None)
    assert str(await why_foreign(foreign)) == sentence(foreign)


def test_nothing_is_copied_into_it(foreign: Path, capsys: pytest.CaptureFixture[str]) -> None:
    club = Path(shutil.copy(NEWEST_DATABASE, foreign.with_name("club.sqlite3")))
    before = foreign.read_bytes()
    assert bot.main(["copy", str(club), str(foreign)]) == 9
    assert capsys.readouterr().err == f"{sentence(foreign)}\n"
    assert foreign.read_bytes() == before


async def test_the_doctor_names_it(foreign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", f"sqlite+aiosqlite:///{foreign}")
    monkeypatch.setenv("GIPFBOT_TOKEN", "token")
    monkeypatch.setenv("GIPFBOT_HEARTBEAT", str(foreign.with_name("heartbeat")))
    line = str(await check_database(load_settings()))
    assert line == f"FAIL  database: {foreign} holds tables of another program. Name another file."


async def test_tables_of_sqlite_itself_are_nobodys(tmp_path: Path) -> None:
    fill(tmp_path / "own.sqlite3", ["CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT)", "ANALYZE", "DROP TABLE a"])
    await (await Store.open_database(f"sqlite+aiosqlite:///{tmp_path}/own.sqlite3")).close()
