"""A server that goes away while a command works on its database: one sentence, and the exit code that the bot has."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from gipfbot import __main__ as bot, copy_command
from gipfbot.doctor import check_database
from gipfbot.service.checking.database_check import DatabaseCheck
from gipfbot.service.competing import results
from gipfbot.settings import load_settings
from gipfbot.store import Store, explorer, moving, puzzles, ratings
from gipfbot.store.backends.postgres import Postgres
from tests.support import postgres
from tests.support.migrations import NEWEST_DATABASE
from tests.support.postgres import END_OTHERS

Patch = pytest.MonkeyPatch


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """Return a copy of a database in which a club has done something of everything."""
    return Path(shutil.copy(NEWEST_DATABASE, tmp_path / "club.sqlite3"))


@pytest.fixture
def url(postgres_url: str, tmp_path: Path, monkeypatch: Patch) -> str:
    """Return the URL of a database on PostgreSQL that has empty tables. It is that of the settings."""
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", postgres_url)
    return postgres_url


def cut_before(module: object, name: str, url: str, monkeypatch: Patch) -> None:
    """Let the server cut all connections to a database before a function is called."""
    original: Callable[..., Any] = getattr(module, name)

    def cut(*given: Any) -> Any:
        postgres.server().execute(END_OTHERS, database=url.partition("?")[0].rpartition("/")[2])
        return original(*given)

    monkeypatch.setattr(module, name, cut)


def require_sentence(capsys: pytest.CaptureFixture[str], url: str) -> None:
    (said,) = capsys.readouterr().err.splitlines()
    name = url.partition("?")[0].rpartition("/")[2]
    assert said.startswith(f"postgresql://{postgres.server().folder}/{name} cannot be reached (")
    assert said.endswith("look at GIPFBOT_DATABASE_URL, and whether the server runs.")


@pytest.mark.parametrize(("module", "name"), [(moving, "_copy_last_ids"), (copy_command, "begin_new_timeline")])
def test_a_copy_to_a_server_that_goes_away_is_a_sentence(
    module: object, name: str, club: Path, url: str, capsys: pytest.CaptureFixture[str], monkeypatch: Patch
) -> None:
    cut_before(module, name, url, monkeypatch)
    assert bot.main(["copy", str(club), url]) == 6
    require_sentence(capsys, url)


def test_a_copy_from_a_server_that_goes_away_names_the_server(
    club: Path, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Patch
) -> None:
    assert bot.main(["copy", str(club), url]) == 0
    cut_before(moving, "_copy_last_ids", url, monkeypatch)
    assert bot.main(["copy", url, str(tmp_path / "back.sqlite3")]) == 6
    require_sentence(capsys, url)


def test_ratings_on_a_server_that_goes_away_are_a_sentence(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: Patch
) -> None:
    cut_before(results, "rate_all", url, monkeypatch)
    assert bot.main(["ratings", "--rebuild"]) == 6
    require_sentence(capsys, url)


def test_puzzles_on_a_server_that_goes_away_are_a_sentence(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: Patch
) -> None:
    cut_before(puzzles, "next_uncut_game", url, monkeypatch)
    assert bot.main(["puzzles", "--make", "1"]) == 6
    require_sentence(capsys, url)


def note_limits(module: object, name: str, monkeypatch: Patch) -> list[Any]:
    """Return a list that gets, at each call of a function, after how long the server cuts idle transactions."""
    limits = list[Any]()
    original: Callable[..., Any] = getattr(module, name)

    async def note_limit(*given: Any) -> Any:
        for db in given:
            if isinstance(db, AsyncConnection) and db.dialect.name == "postgresql":
                limits.append(await db.scalar(text("SHOW idle_in_transaction_session_timeout")))
        return await original(*given)

    monkeypatch.setattr(module, name, note_limit)
    return limits


async def test_ratings_are_worked_out_however_long_it_takes(postgres_store: Store, monkeypatch: Patch) -> None:
    """The server cuts other transactions that do nothing for ten seconds."""
    limits = note_limits(ratings, "all_results", monkeypatch)
    await results.rebuild_ratings(postgres_store, lambda: 0)
    assert [said async for said in DatabaseCheck(postgres_store, lambda: 0).differences()] == []
    assert limits == ["0"] * len(limits) != []
    async with postgres_store.transaction() as db:
        assert await db.scalar(text("SHOW idle_in_transaction_session_timeout")) == "10s"


async def test_the_explorer_is_checked_however_long_it_takes(postgres_store: Store, monkeypatch: Patch) -> None:
    limits = note_limits(explorer, "explored_between", monkeypatch)
    assert [said async for said in DatabaseCheck(postgres_store, lambda: 0).differences()] == []
    assert limits == ["0"] * len(limits) != []


def test_a_copy_takes_as_long_as_it_takes(club: Path, url: str, tmp_path: Path, monkeypatch: Patch) -> None:
    limits = note_limits(moving, "_copy_table", monkeypatch)
    assert bot.main(["copy", str(club), url]) == 0
    to_server = len(limits)
    assert bot.main(["copy", url, str(tmp_path / "back.sqlite3")]) == 0
    assert limits == ["0"] * 2 * to_server != []


def test_a_check_of_a_server_that_goes_away_logs_nothing(
    url: str, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, monkeypatch: Patch
) -> None:
    """The log says that the bot goes on."""
    cut_before(explorer, "explored_between", url, monkeypatch)
    assert bot.main(["check"]) == 6
    require_sentence(capsys, url)
    assert caplog.text == ""


def test_the_doctor_logs_nothing_of_a_server_that_goes_away(
    url: str, caplog: pytest.LogCaptureFixture, monkeypatch: Patch
) -> None:
    cut_before(Postgres, "broken_parts", url, monkeypatch)
    finding = str(asyncio.run(check_database(load_settings(token="none"))))
    assert finding.startswith("FAIL  database: postgresql://")
    assert finding.endswith("Look at GIPFBOT_DATABASE_URL, and whether the server runs.")
    assert caplog.text == ""
