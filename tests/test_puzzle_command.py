"""`bot.py puzzles --make N`: with the real engine in its process."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from gipfbot import __main__ as bot
from gipfbot.app import utc_now
from gipfbot.engines.protocol import EngineRequest
from gipfbot.engines.worker import Wish, Worker
from gipfbot.match import UNTIMED
from gipfbot.match.puzzle import prove_puzzle
from gipfbot.rules import STANDARD
from gipfbot.service.app import create_app
from gipfbot.service.puzzles.making import parse_puzzle_line
from gipfbot.store import Store, tables
from gipfbot.store.study_tables import puzzles
from gipfbot.values import NO_LIMITS
from tests.service.helpers import begun, play_on
from tests.support import postgres
from tests.support.people import ANN
from tests.support.puzzles import WITH_BOTH
from tests.support.stores import database_url

SEED = "501"  # the first own game has a win in two
ANSWERS = dict[object, Any]()  # of the real engine, by what it was asked


@pytest.fixture(autouse=True)
def _ask_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the engine search for each request only once: the tests play the same games."""
    ask = Worker.ask

    async def known(worker: Worker, request: EngineRequest[Any], wish: Wish) -> Any:
        if request not in ANSWERS:
            ANSWERS[request] = await ask(worker, request, wish)
        return ANSWERS[request]

    monkeypatch.setattr(Worker, "ask", known)


def test_puzzles_are_written_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "puzzles.txt"
    assert bot.main(["puzzles", "--make", "1", "--turns", "2", "--seed", SEED, "--to", str(file)]) == 0
    assert capsys.readouterr().out.startswith("1 puzzle made in ")
    (line,) = file.read_text(encoding="utf-8").splitlines()
    puzzle = parse_puzzle_line(line)
    assert puzzle == prove_puzzle(puzzle.position, 2)


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a bot that does not run."""
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, host: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the URL of a database with three finished games, of which the second has puzzles. A fourth one runs."""
    on_file = request.param == "sqlite"
    found = database_url(host / "gipf.sqlite3") if on_file else postgres.server().url_for(host / "club")
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", found)
    asyncio.run(play_games(found))
    return found


async def play_games(url: str) -> None:
    store = await Store.open_database(url)
    app = create_app(store, utc_now, lambda: True, limits=NO_LIMITS)
    games = [await begun(app, UNTIMED, STANDARD) for _ in range(4)]
    await play_on(app, games[0], *WITH_BOTH[:4])
    await app.games.resign(games[0], ANN.user)
    await play_on(app, games[1], *WITH_BOTH)
    await play_on(app, games[2], *WITH_BOTH[:6])
    await app.games.resign(games[2], ANN.user)
    await play_on(app, games[3], *WITH_BOTH[:-1])
    await store.close()


async def looked_through(url: str) -> list[int]:
    store = await Store.open_database(url)
    async with store.reading() as db:
        marked = select(tables.games.c.id).where(tables.games.c.cut_at.is_not(None)).order_by(tables.games.c.id)
        found = [*await db.scalars(marked)]
    await store.close()
    return found


def test_puzzles_are_cut_from_finished_games_before_own_ones(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    """All are stored, but only the level asked for counts. A game that was left in its middle is begun again."""
    assert bot.main(["puzzles", "--make", "1", "--turns", "3"]) == 0
    assert capsys.readouterr().out.startswith("1 puzzle made in ")
    assert asyncio.run(stored_lengths(url)) == [2, 3]
    assert asyncio.run(looked_through(url)) == [1]
    assert bot.main(["puzzles", "--make", "1", "--turns", "2", "--seed", SEED]) == 0
    assert asyncio.run(looked_through(url)) == [1, 2, 3]
    assert asyncio.run(stored_lengths(url)) == [2, 3, 2]


def test_finished_games_are_left_alone_if_only_own_ones_are_wanted(
    host: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = database_url(host / "gipf.sqlite3")
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", url)
    asyncio.run(play_games(url))
    assert bot.main(["puzzles", "--make", "1", "--turns", "2", "--own", "--seed", SEED]) == 0
    assert capsys.readouterr().out.startswith("1 puzzle made in ")
    assert asyncio.run(looked_through(url)) == []
    assert asyncio.run(stored_lengths(url)) == [2]


async def stored_lengths(url: str) -> list[int]:
    """Return how many turns each stored puzzle has, in the order in which they were found."""
    store = await Store.open_database(url)
    async with store.reading() as db:
        found = [*await db.scalars(select(puzzles.c.own_turns).order_by(puzzles.c.id))]
    await store.close()
    return found


@pytest.mark.parametrize(
    "wrong", [[], ["--make", "0"], ["--make", "many"], ["--make", "1", "--turns", "5"], ["--make", "1", "--seed", "-1"]]
)
def test_wrong_use_is_told_in_a_sentence(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leave:
        bot.main(["puzzles", *wrong])
    assert leave.value.code == 2
    assert capsys.readouterr().err.startswith("gipfbot puzzles: ")


def test_file_that_exists_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text("mine", encoding="utf-8")
    assert bot.main(["puzzles", "--make", "1", "--to", str(file)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == "mine"
