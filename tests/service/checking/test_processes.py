"""A check by several processes finds what one finds, and none of them is left behind."""

import asyncio
import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gipfbot.service.checking import database_check, processes
from gipfbot.service.checking.database_check import DatabaseCheck
from gipfbot.service.checking.opening_counts import KEYS, LEAST_KEY, no_games, slice_differences
from gipfbot.service.checking.parts import GamesPart
from gipfbot.service.checking.processes import KILLED, LOWEST, part_processes, usable_cores
from gipfbot.store import Store
from gipfbot.store.database_file import file_url
from gipfbot.values import Damaged, Unusable
from tests.store.write_database import ENDS_AT
from tests.support.migrations import NEWEST_DATABASE
from tests.support.paths import HOUSE

from .spoilt import change

VOID_GAME, NEXT_GAME = 6, 21
SMALL = 4  # games in a part
SPOILT = (
    "UPDATE games SET turn_number = 1 WHERE id = 12",
    "UPDATE turns SET text = 'e9' WHERE game = 10 AND turn_number = 2",
    "DELETE FROM seats WHERE game = 8 AND colour = 0",
    "UPDATE ratings SET rating = 9999 WHERE games = 1",
    "UPDATE explored_turns SET white = 99",
)


@pytest.fixture
def club(tmp_path: Path) -> Path:
    return Path(shutil.copy(NEWEST_DATABASE, tmp_path / "club.sqlite3"))


def address(path: Path) -> str:
    return Store.open_to_read(file_url(path)).url


async def found(path: Path, number: int) -> tuple[list[str], database_check.Checked]:
    """Return what so many processes find, and how much they have checked."""
    store = Store.open_to_read(file_url(path))
    check = DatabaseCheck(store, lambda: ENDS_AT, number)
    try:
        return [sentence async for sentence in check.differences()], check.checked
    finally:
        await store.close()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Make parts small, and worth processes of their own. Return how many were started each time."""
    started, start = list[int](), part_processes

    def note_number(number: int, *given: object, **named: object) -> object:
        started.append(number)
        return start(number, *given, **named)  # type: ignore[arg-type]  # handed on as they are

    monkeypatch.setattr(database_check, "BATCH", SMALL)
    monkeypatch.setattr(database_check, "LEAST", 1)
    monkeypatch.setattr(database_check, "part_processes", note_number)
    return started


async def test_two_processes_find_what_one_finds(club: Path, small: list[int]) -> None:
    change(club, *SPOILT)
    one, two = await found(club, 1), await found(club, 2)
    assert small == [0, 2]
    assert one == two
    assert {sentence.partition(":")[0] for sentence in two[0]} >= {"#h1", "#j1", "#l1"}
    assert any("rows of ratings" in sentence for sentence in two[0])
    assert any("counts of the explorer" in sentence for sentence in two[0])


@pytest.mark.parametrize("number", [1, 2])
async def test_a_game_that_follows_a_void_one_of_another_part_may_carry_time(
    club: Path, small: list[int], number: int
) -> None:
    change(club, f"UPDATE games SET white_bank = 7 WHERE id = {NEXT_GAME}")
    assert len((await found(club, number))[0]) == 1
    change(club, f"""UPDATE events SET data = '{{"next": {NEXT_GAME}}}' WHERE game = {VOID_GAME} AND kind = 'void'""")
    assert NEXT_GAME - VOID_GAME > SMALL
    assert (await found(club, number))[0] == []


async def test_few_games_are_checked_without_other_processes(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio, "create_subprocess_exec", None)
    assert (await found(club, 8))[0] == []


async def test_damage_that_another_process_meets_ends_the_check(club: Path, small: list[int]) -> None:
    with closing(sqlite3.connect(club)) as db:
        (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'turns'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    with club.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\7" * size)
    with pytest.raises(Damaged, match="malformed"):
        await found(club, 2)


async def test_a_process_that_is_killed_is_said_in_a_sentence(club: Path) -> None:
    async with part_processes(1, address(club)) as (process,):
        os.kill(process.pid, 9)
        with pytest.raises(Unusable, match=KILLED):
            await process.check(GamesPart([1], []))


async def test_a_gentle_process_has_the_lowest_priority_and_ends_with_the_check(club: Path) -> None:
    async with part_processes(1, address(club), gently=True) as (process,):
        assert (await process.check(GamesPart([1], []))).games == 1
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == LOWEST
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)


async def test_a_process_ends_when_the_command_is_gone(club: Path) -> None:
    """Even if the command was killed: then nobody can write to the process any more."""
    command = sys.executable, "-m", "gipfbot.service.checking.processes"
    process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE, cwd=HOUSE)
    assert process.stdin
    process.stdin.write(processes._framed(address(club)))
    process.stdin.close()
    assert await process.wait() == 0


@pytest.mark.parametrize(
    ("limit", "most"), [("max 100000\n", 64), ("150000 100000\n", 2), ("50000 100000\n", 1), ("nonsense", 64)]
)
def test_a_container_may_have_fewer_cores_than_its_machine(
    limit: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cpu.max").write_text(limit)
    monkeypatch.setattr(processes, "CPU_LIMIT", tmp_path / "cpu.max")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(64))
    assert usable_cores() == most


async def test_games_that_were_counted_meanwhile_are_no_difference(club: Path) -> None:
    """The bot counts on while the games are replayed. Here, all were counted only now."""
    store = Store.open_to_read(file_url(club))
    slices = [await slice_differences(store, number, steps, []) for number, steps in enumerate(no_games().slices)]
    await store.close()
    assert sum(slices) == 0
    with closing(sqlite3.connect(club)) as db:
        keys = [key for (key,) in db.execute("SELECT position FROM explored_turns")]
    assert len({(key - LEAST_KEY) * len(slices) // KEYS for key in keys}) > 1, "they are in several slices"
