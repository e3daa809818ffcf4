"""The puzzle of the day: when it is owed, which one it is, and who has solved it."""

from typing import Any

import pytest
from sqlalchemy import select

from gipfbot.match import Refused, Why
from gipfbot.match.ratings import PUZZLES
from gipfbot.service.app import App
from gipfbot.service.puzzles.daily_puzzles import PUZZLE_SOLUTION
from gipfbot.service.settings.servers import DAILY_PUZZLE, hasten_daily_puzzles, puzzle_day, puzzle_day_start
from gipfbot.store import Store, due, ratings, tables
from gipfbot.values import OutboxRow, PuzzleSolvers
from tests.service.helpers import Host
from tests.support.people import ANN, BOB, CARA, CLUB, HALL, OTHER_CLUB
from tests.support.times import DAY, HOUR

from .helpers import attempt, store_both


@pytest.fixture
async def club(app: App) -> App:
    """The services of a server that has just chosen a channel for its puzzles."""
    await store_both(app)
    await app.servers.change(CLUB, {"puzzles": HALL})
    await app.daily_puzzles.owe_due_puzzles()
    return app


async def owed(store: Store) -> list[Any]:
    """Return the messages about puzzles, in order."""
    outbox = tables.outbox
    async with store.reading() as db:
        kinds = outbox.c.kind.in_((DAILY_PUZZLE, PUZZLE_SOLUTION))
        return [*await db.execute(select(outbox).where(kinds).order_by(outbox.c.id))]


async def said(store: Store) -> list[tuple[str, int]]:
    return [(row.kind, row.payload["puzzle"]) for row in await owed(store)]


def as_row(row: Any) -> OutboxRow:
    return OutboxRow(**{name: getattr(row, name) for name in OutboxRow.__dataclass_fields__})


def test_day_begins_at_eight() -> None:
    start = puzzle_day_start(20_000)
    assert start % DAY == 8 * HOUR
    assert [puzzle_day(start + at) for at in (-1, 0, DAY - 1, DAY)] == [19_999, 20_000, 20_000, 20_001]


async def test_first_puzzle_comes_at_once(club: App, store: Store) -> None:
    (row,) = await owed(store)
    assert (row.kind, row.channel, row.game) == (DAILY_PUZZLE, HALL, None)
    assert row.payload == {"server": CLUB, "day": puzzle_day(club.now()), "puzzle": 1}


async def test_next_puzzle_comes_with_the_solution(club: App, store: Store, host: Host) -> None:
    for _ in range(3):
        await club.daily_puzzles.owe_due_puzzles()
    host.now = puzzle_day_start(puzzle_day(host.now) + 1) - 1
    await club.daily_puzzles.owe_due_puzzles()
    assert await said(store) == [(DAILY_PUZZLE, 1)]
    host.passes(1)
    await club.daily_puzzles.owe_due_puzzles()
    assert await said(store) == [(DAILY_PUZZLE, 1), (PUZZLE_SOLUTION, 1), (DAILY_PUZZLE, 2)]


async def test_after_a_downtime_one_puzzle_comes(club: App, store: Store, host: Host) -> None:
    host.passes(5 * DAY)
    await club.daily_puzzles.owe_due_puzzles()
    assert [kind for kind, _ in await said(store)] == [DAILY_PUZZLE, PUZZLE_SOLUTION, DAILY_PUZZLE]


async def test_puzzles_come_again_only_when_all_were_there(club: App, store: Store, host: Host) -> None:
    for _ in range(3):
        host.passes(DAY)
        await club.daily_puzzles.owe_due_puzzles()
    assert [puzzle for kind, puzzle in await said(store) if kind == DAILY_PUZZLE] == [1, 2, 1, 2]


async def test_puzzle_that_fewest_tried_comes_first(app: App, store: Store) -> None:
    await store_both(app)
    await attempt(app, ANN.user, 1, solved=True)
    await app.servers.change(CLUB, {"puzzles": HALL})
    await app.daily_puzzles.owe_due_puzzles()
    assert await said(store) == [(DAILY_PUZZLE, 2)]


async def test_server_without_channel_gets_none(app: App, store: Store, host: Host) -> None:
    await store_both(app)
    await app.servers.change(CLUB, {"puzzles": HALL})
    await app.servers.change(CLUB, {"puzzles": None})
    host.passes(DAY)
    await app.daily_puzzles.owe_due_puzzles()
    assert await said(store) == []


async def test_another_channel_on_the_same_day_gets_no_second_puzzle(club: App, store: Store, host: Host) -> None:
    await club.servers.change(CLUB, {"puzzles": HALL + 1})
    await club.daily_puzzles.owe_due_puzzles()
    assert await said(store) == [(DAILY_PUZZLE, 1)]
    assert not await club.daily_puzzles.is_wanted(as_row((await owed(store))[0]))
    host.passes(DAY)
    await club.daily_puzzles.owe_due_puzzles()
    assert [row.channel for row in await owed(store)] == [HALL, HALL + 1, HALL + 1]


async def test_puzzle_that_could_not_be_posted_in_its_day_is_needless(club: App, store: Store, host: Host) -> None:
    row = as_row((await owed(store))[0])
    assert await club.daily_puzzles.is_wanted(row)
    host.passes(DAY)
    assert not await club.daily_puzzles.is_wanted(row)


async def test_solvers_of_the_day_on_this_server_are_named(club: App, store: Store, host: Host) -> None:
    await attempt(club, BOB.user, 1, solved=True, server=CLUB)
    host.passes(60)
    await attempt(club, ANN.user, 1, solved=True, server=CLUB)
    await attempt(club, CARA.user, 1, solved=False, server=CLUB)
    await attempt(club, 77, 1, solved=True, server=OTHER_CLUB)
    host.passes(DAY)
    await attempt(club, 78, 1, solved=True, server=CLUB)
    await club.daily_puzzles.owe_due_puzzles()
    solution = next(row for row in await owed(store) if row.kind == PUZZLE_SOLUTION)
    assert await club.daily_puzzles.solvers(as_row(solution)) == PuzzleSolvers((BOB.user, ANN.user), 3)


async def test_solver_of_a_puzzle_that_comes_again_is_named_but_not_rated(club: App, store: Store, host: Host) -> None:
    for _ in range(2):
        host.passes(DAY)
        await club.daily_puzzles.owe_due_puzzles()
    opened = await club.puzzles.open(1, ANN.user, CLUB)
    assert (opened.is_daily, opened.is_unrated) == (True, True)
    await attempt(club, ANN.user, 1, solved=True, server=CLUB)
    assert await puzzle_rating(store) is None
    host.passes(DAY)
    await club.daily_puzzles.owe_due_puzzles()
    solution = [row for row in await owed(store) if row.kind == PUZZLE_SOLUTION][-1]
    assert await club.daily_puzzles.solvers(as_row(solution)) == PuzzleSolvers((ANN.user,), 1)


async def test_looking_at_a_posted_solution_is_not_rated(club: App, store: Store, host: Host) -> None:
    """Though the person has opened the puzzle in direct messages before."""
    assert not (await club.puzzles.open(1, ANN.user, None)).is_unrated
    host.passes(DAY)
    await club.daily_puzzles.owe_due_puzzles()
    ended = await club.puzzles.give_up(1, ANN.user, CLUB)
    assert (ended.entered.solved, ended.is_unrated) == (False, True)
    assert await puzzle_rating(store) is None


async def puzzle_rating(store: Store) -> object:
    """Return Ann's rating in puzzles, None if she has none."""
    async with store.reading() as db:
        return await ratings.newest_in_pool(db, PUZZLES, ANN.user)


async def test_todays_puzzle_is_offered_first(club: App, host: Host) -> None:
    host.passes(DAY)
    await club.daily_puzzles.owe_due_puzzles()
    opened = await club.puzzles.open_next(ANN.user, CLUB)
    assert (opened.stored.id, opened.is_daily) == (2, True)
    assert (await club.puzzles.open_next(BOB.user, None)).stored.id == 1


async def test_puzzle_whose_solution_was_posted_is_not_offered_there(club: App, host: Host) -> None:
    host.passes(DAY)
    await club.daily_puzzles.owe_due_puzzles()
    await attempt(club, ANN.user, 2, solved=True, server=CLUB)
    with pytest.raises(Refused) as refusal:
        await club.puzzles.open_next(ANN.user, CLUB)
    assert refusal.value.why is Why.NO_PUZZLE
    assert (await club.puzzles.open_next(ANN.user, OTHER_CLUB)).stored.id == 1


async def test_puzzle_planned_by_a_wrong_clock_is_hastened(club: App, store: Store, host: Host) -> None:
    async with store.transaction() as db:
        await due.postpone(db, f"{DAILY_PUZZLE}:{CLUB}", host.now + 300 * DAY)
    await hasten_daily_puzzles(store, host.now)
    host.passes(DAY)
    await club.daily_puzzles.owe_due_puzzles()
    assert len(await owed(store)) == 3
