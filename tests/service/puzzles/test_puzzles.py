"""Ratings of people and puzzles: by the first tries, written one by one as a rebuild would."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import select, update

from gipfbot.match import Refused, Why, position_after
from gipfbot.match.glicko import Rating
from gipfbot.match.ratings import PUZZLES, MonthRating
from gipfbot.service.app import App
from gipfbot.service.competing.results import rating_differences, rebuild_ratings
from gipfbot.service.puzzles.puzzles import PUZZLE_SOLUTION
from gipfbot.service.settings.puzzle_channel import DAILY_PUZZLE, hasten_daily_puzzles, puzzle_day, puzzle_day_start
from gipfbot.store import Store, due, ratings, tables
from gipfbot.store.rating_tables import ratings as rating_table
from gipfbot.store.study_tables import puzzle_tries, puzzles
from gipfbot.values import OutboxRow, PuzzleSolvers, Stale
from tests.service.helpers import Host, assert_refused
from tests.support.people import ANN, BOB, CARA, CLUB, HALL, OTHER_CLUB
from tests.support.times import DAY, HOUR

from .helpers import attempt, stand, store_both


async def newest(store: Store, rated: int) -> MonthRating:
    async with store.reading() as db:
        found = await ratings.newest_in_pool(db, PUZZLES, rated)
    assert found
    return found


async def test_first_try_rates_person_and_puzzle(app: App, store: Store) -> None:
    await store_both(app)
    await attempt(app, ANN.user, 1, solved=True)
    await attempt(app, BOB.user, 2, solved=False)
    assert [round((await newest(store, rated)).rating.value) for rated in (ANN.user, -1, BOB.user, -2)] == [
        *(1662, 1338, 1338, 1662)
    ]


async def test_second_try_changes_nothing(app: App, store: Store) -> None:
    two, _ = await store_both(app)
    await attempt(app, ANN.user, 1, solved=False)
    before = await newest(store, ANN.user)
    opened = await app.puzzles.open(1, ANN.user, None)
    for turn in two.line[::2]:
        opened = await app.puzzles.play(opened, turn)
    assert opened.rated is None
    assert await newest(store, ANN.user) == before


async def test_ratings_over_months_are_those_of_a_rebuild(app: App, store: Store, host: Host) -> None:
    """Also after the host's clock was set back: a try never changes an earlier month."""
    await store_both(app)
    await attempt(app, ANN.user, 1, solved=True)
    host.passes(40 * DAY)
    await attempt(app, BOB.user, 1, solved=False)
    await attempt(app, ANN.user, 2, solved=False)
    host.passes(-35 * DAY)
    await attempt(app, CARA.user, 1, solved=True)
    await attempt(app, CARA.user, 2, solved=True)
    async with store.reading() as db:
        differ = await rating_differences(db, host.now)
    rebuilt = await rebuild_ratings(store, app.now)
    for found in (differ, rebuilt):
        assert found["ratings"] == (7, 0)
        assert found["puzzles"] == (2, 0)


async def test_rebuild_mends_a_puzzle_rating(app: App, store: Store) -> None:
    await store_both(app)
    await attempt(app, ANN.user, 1, solved=True)
    known = await newest(store, -1)
    ready = [known.rating.value, Rating().value]
    assert await ready_ratings(store) == ready
    async with store.transaction() as db:
        await db.execute(update(rating_table).where(rating_table.c.user == -1).values(rating=9999.0))
        await db.execute(update(puzzles).values(rating=9999.0))
        differ = await rating_differences(db, app.now())
    rebuilt = await rebuild_ratings(store, app.now)
    for found in (differ, rebuilt):
        assert found["ratings"] == (2, 2)
        assert found["puzzles"] == (2, 4)  # each as it was and as it should be
    assert await newest(store, -1) == known
    assert await ready_ratings(store) == ready


async def ready_ratings(store: Store) -> list[float]:
    """Return the ratings of the puzzles by which the next one is found."""
    async with store.reading() as db:
        return [*await db.scalars(select(puzzles.c.rating).order_by(puzzles.c.id))]


async def test_puzzle_ratings_are_on_no_leaderboard(app: App) -> None:
    await store_both(app)
    await attempt(app, ANN.user, 1, solved=True)
    assert (await rebuild_ratings(app.games.store, app.now))["standings"] == (0, 0)


async def test_two_presses_at_once_enter_one_turn(app: App, store: Store) -> None:
    two, _ = await store_both(app)
    opened = await app.puzzles.open(1, ANN.user, CLUB)
    both = [app.puzzles.play(opened, two.line[0]) for _ in range(2)]
    done = await asyncio.gather(*both, return_exceptions=True)
    assert [type(each) for each in done if isinstance(each, BaseException)] == [Stale]


async def test_deletion_keeps_the_results_without_the_person(app: App, store: Store) -> None:
    """The puzzle's rating stays what a rebuild makes of it. Boards without a result go."""
    await store_both(app)
    await attempt(app, ANN.user, 1, solved=True, server=CLUB)
    await app.puzzles.open(2, ANN.user, CLUB)
    assert await app.deletions.stored_about(ANN.user)
    await app.deletions.begin(ANN.user)
    await app.deletions.finish(ANN.user)
    async with store.reading() as db:
        (row,) = (await db.execute(select(puzzle_tries))).all()
        assert (row.puzzle, row.solved, row.played, row.server) == (1, True, "", 0)
        assert row.user != ANN.user
        assert (await rating_differences(db, app.now()))["ratings"] == (2, 0)
    assert not await app.deletions.stored_about(ANN.user)
    opened = await app.puzzles.open_next(ANN.user, None)
    assert opened.entered.solved is None


@pytest.mark.parametrize("solved", [True, False])
async def test_try_after_the_solution_was_posted_is_not_rated(
    app: App, store: Store, host: Host, *, solved: bool
) -> None:
    await store_both(app)
    await app.servers.change(CLUB, {"puzzles": 5})
    await app.daily_puzzles.owe_due_puzzles()
    opened = await app.puzzles.open(1, ANN.user, CLUB)
    host.passes(DAY)
    await app.daily_puzzles.owe_due_puzzles()
    await attempt(app, ANN.user, opened.stored.id, solved=solved, server=CLUB)
    async with store.reading() as db:
        assert await ratings.newest_in_pool(db, PUZZLES, ANN.user) is None
        assert await db.scalar(select(puzzle_tries.c.month)) is None


async def test_solution_posted_on_one_server_is_known_on_another(app: App, store: Store, host: Host) -> None:
    await store_both(app)
    await app.servers.change(CLUB, {"puzzles": 5})
    await app.daily_puzzles.owe_due_puzzles()
    await app.puzzles.open(1, ANN.user, CLUB)
    host.passes(DAY)
    await app.daily_puzzles.owe_due_puzzles()
    assert (await app.puzzles.open(1, ANN.user, CLUB + 1)).is_unrated
    await attempt(app, ANN.user, 1, solved=True, server=CLUB + 1)
    async with store.reading() as db:
        assert await ratings.newest_in_pool(db, PUZZLES, ANN.user) is None


async def test_puzzle_on_the_board_of_an_own_game_waits(app: App) -> None:
    """Its first position, and one after its first turn and the defence, are not shown until the game has moved on."""
    two, three = await store_both(app)
    later = position_after(position_after(three.position, three.line[0]), three.line[1])
    for number, position in ((1, two.position), (2, later)):
        game = await stand(app, position)
        for attempted in (app.puzzles.open, app.puzzles.give_up):
            facts = await assert_refused(Why.PUZZLE_OF_OWN_GAME, attempted(number, ANN.user, CLUB))
            assert facts == {"game": game}
        await app.games.resign(game, ANN.user)
        assert (await app.puzzles.open(number, ANN.user, CLUB)).stored.id == number


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
    known: dict[str, Any] = {
        name: getattr(row, name, None) for name in OutboxRow.__dataclass_fields__
    }  # a row alone has no language
    return OutboxRow(**known)


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
