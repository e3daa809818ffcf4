"""`bot.py ratings --rebuild`: what it says, and what it mends."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import update

import bot
from gipfbot.store import Store
from gipfbot.store.side_tables import ratings
from tests.service.competing.ended_games import Ending, live_through
from tests.support.stores import database_url
from tests.support.times import NOW


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


def test_without_rebuild_nothing_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leave:
        bot.main(["ratings"])
    assert leave.value.code == 2
    assert capsys.readouterr().err.startswith("bot.py ratings: ")


def test_a_folder_that_is_missing_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", database_url(tmp_path / "nowhere" / "gipf.sqlite3"))
    monkeypatch.chdir(tmp_path)
    assert bot.main(["ratings", "--rebuild"]) == 2
    assert "nowhere" in capsys.readouterr().err
