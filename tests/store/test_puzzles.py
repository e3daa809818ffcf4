"""The next puzzle of a person and of a server, and what it costs to find it."""

import sqlite3
from typing import Any

import pytest
from sqlalchemy import insert

from gipfbot.store import Connection, Store, puzzles
from gipfbot.store.study_tables import puzzle_days, puzzle_tries, puzzles as table
from tests.support.people import ANN, BOB, CLUB
from tests.support.times import NOW

from .acts import Act

TODAY = 30


async def add_puzzles(db: Connection, ratings: list[float], own_turns: int = 2) -> None:
    known = await puzzles.newest_puzzle(db)
    common = {"position": "", "own_turns": own_turns, "line": "", "made_at": NOW}
    rows = [{**common, "key": known + at, "rating": rating} for at, rating in enumerate(ratings)]
    await db.execute(insert(table), rows)


async def add_tries(
    db: Connection, user: int, *tried: int, solved: bool | None = True, server: int = 0, month: int | None = None
) -> None:
    common = {"user": user, "server": server, "played": "", "draft": "", "version": 0, "solved": solved, "month": month}
    await db.execute(insert(puzzle_tries), [{**common, "puzzle": puzzle} for puzzle in tried])


async def add_days(db: Connection, *had: int) -> None:
    """Store that the server had these puzzles on the days up to yesterday."""
    rows = [{"server": CLUB, "day": TODAY - len(had) + at, "puzzle": puzzle} for at, puzzle in enumerate(had)]
    await db.execute(insert(puzzle_days), rows)


async def next_for(db: Connection, rating: float, own_turns: int | None = None, server: int = 0) -> int | None:
    return next(iter(await puzzles.next_puzzles(db, ANN.user, own_turns, rating, server, TODAY, 1)), None)


async def unfinished(db: Connection, own_turns: int | None = None, server: int = 0, most: int = 5) -> list[int]:
    return await puzzles.unfinished_puzzles(db, ANN.user, own_turns, server, TODAY, most)


async def test_next_puzzle_has_the_nearest_rating(store: Store) -> None:
    async with store.transaction() as db:
        await add_puzzles(db, [1500.0, 1400.0, 1620.0, 1700.0])
        for rating, expected in ((1490, 1), (1449, 2), (1451, 1), (1559, 1), (1561, 3), (9000, 4), (0, 2), (1500, 1)):
            assert await next_for(db, rating) == expected, rating


async def test_next_puzzles_come_by_their_distance(store: Store) -> None:
    async with store.transaction() as db:
        await add_puzzles(db, [1500.0, 1400.0, 1620.0, 1700.0, 1510.0])
        for most, expected in ((1, [1]), (3, [1, 5, 2]), (9, [1, 5, 2, 3, 4])):
            assert await puzzles.next_puzzles(db, ANN.user, None, 1490, 0, TODAY, most) == expected


async def test_next_puzzle_has_the_level_asked_for(store: Store) -> None:
    async with store.transaction() as db:
        await add_puzzles(db, [1500.0])
        await add_puzzles(db, [1900.0], own_turns=3)
        assert [await next_for(db, 1500, level) for level in (2, 3, None)] == [1, 2, 1]


async def test_tried_puzzles_are_left_out(store: Store) -> None:
    """One that was only opened is not."""
    async with store.transaction() as db:
        await add_puzzles(db, [1500.0, 1510.0, 1480.0])
        await add_tries(db, ANN.user, 1)
        await add_tries(db, BOB.user, 2)
        await add_tries(db, ANN.user, 2, solved=None)
        assert await next_for(db, 1500) == 2
        await add_tries(db, ANN.user, 3)
        assert await next_for(db, 1000) == 2


async def test_puzzles_that_the_server_has_seen_are_left_out_there(store: Store) -> None:
    async with store.transaction() as db:
        await add_puzzles(db, [1500.0, 1600.0])
        await add_days(db, 1)
        assert [await next_for(db, 1500, server=server) for server in (CLUB, 0)] == [2, 1]
        await add_tries(db, ANN.user, 2)
        assert await next_for(db, 1500, server=CLUB) is None


async def test_unfinished_puzzles_come_last_opened_first(store: Store) -> None:
    """Those of others do not come, nor those whose first try has ended, rated or not."""
    async with store.transaction() as db:
        await add_puzzles(db, [1500.0] * 6)
        await add_puzzles(db, [1500.0], own_turns=3)
        await add_tries(db, ANN.user, 3, 7, 2, solved=None)
        await add_tries(db, ANN.user, 4)
        await add_tries(db, ANN.user, 5, month=24000)
        await add_tries(db, BOB.user, 6, solved=None)
        assert [await unfinished(db, level) for level in (None, 2, 3)] == [[2, 7, 3], [2, 3], [7]]
        assert await unfinished(db, most=2) == [2, 7]


async def test_unfinished_puzzles_with_a_posted_solution_are_left_out(store: Store) -> None:
    """Posted where the person opened them, or where they ask."""
    async with store.transaction() as db:
        await add_puzzles(db, [1500.0] * 3)
        await add_tries(db, ANN.user, 1, 2, solved=None)
        await add_tries(db, ANN.user, 3, solved=None, server=CLUB)
        assert [await unfinished(db, server=server) for server in (CLUB, 0)] == [[3, 2, 1]] * 2
        await add_days(db, 1, 3)
        assert [await unfinished(db, server=server) for server in (CLUB, 0)] == [[2], [2, 1]]


async def test_server_gets_again_what_it_had_first(store: Store) -> None:
    async with store.transaction() as db:
        assert await puzzles.draw_for_day(db, CLUB) is None
        await add_puzzles(db, [1500.0] * 3)
        await add_days(db, 2, 3, 1, 2)
        assert await puzzles.draw_for_day(db, CLUB) == 3


async def count_steps(db: Connection, act: Act) -> int:
    """Return how many steps SQLite's machine takes for an act."""
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    raw: Any = (await db.get_raw_connection()).driver_connection
    connection: sqlite3.Connection = getattr(raw, "_conn", raw)
    connection.set_progress_handler(step, 1)
    await act(db)
    connection.set_progress_handler(None, 1)
    return steps


@pytest.mark.sqlite
async def test_next_puzzle_costs_the_same_in_a_large_table(store: Store) -> None:
    async def seek(db: Connection) -> None:
        assert await next_for(db, 1500, 2, CLUB) == 11
        assert await next_for(db, 1500, None, CLUB) == 11
        assert await puzzles.draw_for_day(db, CLUB) == 11
        assert await unfinished(db, 2, CLUB) == await unfinished(db, None, CLUB) == [50, 40]

    async with store.transaction() as db:
        await add_puzzles(db, [1500.0] * 100)
        await add_tries(db, ANN.user, *range(6, 11))
        await add_tries(db, ANN.user, 40, 50, solved=None)
        await add_days(db, *range(1, 6))
        few = await count_steps(db, seek)
        await add_puzzles(db, [1500.0 + at % 700 for at in range(20_000)])
        await add_tries(db, BOB.user, *range(101, 10_000), solved=None)
        await add_tries(db, ANN.user, *range(10_000, 20_000), month=24000)
        many = await count_steps(db, seek)
    assert few > 100
    assert many <= few + 10
