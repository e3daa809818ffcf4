"""Ratings of people and puzzles: by the first tries, written one by one as a rebuild would."""

import asyncio

import pytest
from sqlalchemy import select, update

from gipfbot.match import UNTIMED, Why, position_after
from gipfbot.match.glicko import Rating
from gipfbot.match.ratings import PUZZLES, MonthRating
from gipfbot.service.app import App
from gipfbot.service.competing.rebuild import rating_differences, rebuild_ratings
from gipfbot.store import Store, ratings
from gipfbot.store.rating_tables import ratings as rating_table
from gipfbot.store.study_tables import puzzle_tries, puzzles
from gipfbot.values import Stale
from tests.service.helpers import Host, assert_refused, begun, put
from tests.support.people import ANN, BOB, CARA, CLUB
from tests.support.times import DAY

from .helpers import attempt, store_both


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
    for tables in (differ, rebuilt):
        assert tables["ratings"] == (7, 0)
        assert tables["puzzles"] == (2, 0)


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
    for tables in (differ, rebuilt):
        assert tables["ratings"] == (2, 2)
        assert tables["puzzles"] == (2, 4)  # each as it was and as it should be
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
        stored = await app.games.game(await begun(app, UNTIMED, position.rules))
        await put(app, stored, position=position)
        for attempted in (app.puzzles.open, app.puzzles.give_up):
            facts = await assert_refused(Why.PUZZLE_OF_OWN_GAME, attempted(number, ANN.user, CLUB))
            assert facts == {"game": stored.game.id}
        await app.games.resign(stored.game.id, ANN.user)
        assert (await app.puzzles.open(number, ANN.user, CLUB)).stored.id == number
