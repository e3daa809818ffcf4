"""`bot.py puzzles --make N`: with the real engine in its process."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import select

import bot
from gipfbot.match.puzzle import prove_puzzle
from gipfbot.service.puzzles.puzzle_file import parse_puzzle_line
from gipfbot.store import Store
from gipfbot.store.puzzle_tables import puzzles
from tests.support.stores import database_url

SEED = "501"  # the first own game has a win in two


def test_puzzles_are_written_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "puzzles.txt"
    assert bot.main(["puzzles", "--make", "1", "--turns", "2", "--seed", SEED, "--to", str(file)]) == 0
    assert capsys.readouterr().out.startswith("1 puzzle made in ")
    (line,) = file.read_text(encoding="utf-8").splitlines()
    puzzle = parse_puzzle_line(line)
    assert puzzle == prove_puzzle(puzzle.position, 2)


def test_puzzles_are_stored_in_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").mkdir()
    url = database_url(tmp_path / "gipf.sqlite3")
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", url)
    monkeypatch.chdir(tmp_path)
    assert bot.main(["puzzles", "--make", "1", "--turns", "2", "--seed", SEED]) == 0
    assert capsys.readouterr().out.startswith("1 puzzle made in ")
    assert asyncio.run(stored_lengths(url)) == [2]


async def stored_lengths(url: str) -> list[int]:
    """Return how many turns each stored puzzle has."""
    store = await Store.open_database(url)
    async with store.reading() as db:
        found = [*await db.scalars(select(puzzles.c.own_turns))]
    await store.close()
    return found


@pytest.mark.parametrize(
    "wrong", [[], ["--make", "0"], ["--make", "many"], ["--make", "1", "--turns", "4"], ["--make", "1", "--seed", "-1"]]
)
def test_wrong_use_is_told_in_a_sentence(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leave:
        bot.main(["puzzles", *wrong])
    assert leave.value.code == 2
    assert capsys.readouterr().err.startswith("bot.py puzzles: ")


def test_file_that_exists_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text("mine", encoding="utf-8")
    assert bot.main(["puzzles", "--make", "1", "--to", str(file)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == "mine"
