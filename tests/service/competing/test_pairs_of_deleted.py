"""Five games of a pair count in a month, also if one of the two deletes their data, or both do."""

from collections.abc import Sequence

import pytest
from sqlalchemy import func, select

from gipfbot.match import Seat
from gipfbot.match.ratings import MOST_OF_PAIR, month_start
from gipfbot.rules import STANDARD
from gipfbot.service.app import App
from gipfbot.service.competing.results import rebuild_ratings
from gipfbot.store import Store
from gipfbot.store.rating_tables import former_pairs, rated_results
from gipfbot.values import is_former_player
from tests.service.helpers import Host, basic_game_after, delete_all
from tests.service.privacy.stored_values import columns_naming
from tests.support.people import ANN, BOB, CARA
from tests.support.times import DAY, NOW

from .ended_games import RATED, THIS_MONTH, Ending, counted_games, live_through

TWO, FIVE = [Ending(NOW + at) for at in range(2)], [Ending(NOW + at) for at in range(5)]
NEXT_MONTH = month_start(THIS_MONTH + 1)


async def count_counted(store: Store) -> int:
    return len(await counted_games(store))


async def notes(store: Store) -> Sequence[tuple[int, int]]:
    """Return the months and the numbers of games of all pairs that were noted."""
    async with store.reading() as db:
        rows = await db.execute(select(former_pairs.c.month, former_pairs.c.games).order_by(former_pairs.c.id))
        return [(row.month, row.games) for row in rows]


@pytest.mark.parametrize("who", [[ANN], [BOB], [ANN, BOB], [BOB, ANN]], ids=["one", "other", "both", "in turn"])
async def test_forty_games_by_deleting_are_five(app: App, store: Store, who: list[Seat]) -> None:
    """Eight times five games, and after each five somebody deletes their data and comes back."""
    for number in range(8):
        await live_through(store, FIVE)
        await delete_all(app, who[number % len(who)].user)
    assert await count_counted(store) == MOST_OF_PAIR
    assert await notes(store) == [(THIS_MONTH, 5)]
    assert all(different == 0 for _, different in (await rebuild_ratings(store, lambda: NOW + 9)).values())


async def test_games_before_and_after_a_deletion_are_five_together(app: App, store: Store) -> None:
    """Also if both delete their data one after the other, in whatever order."""
    for person in (ANN, BOB, BOB, ANN):
        await live_through(store, [TWO[0]])
        await delete_all(app, person.user)
    assert await notes(store) == [(THIS_MONTH, 4)]
    await live_through(store, TWO)
    assert await counted_games(store) == [1, 2, 3, 4, 5]


async def test_other_pairs_pools_and_months_are_as_before(app: App, store: Store) -> None:
    await live_through(store, FIVE)
    await delete_all(app, ANN.user)
    others = [Ending(NOW + 5, black=2), Ending(NOW + 6, ruleset=STANDARD), Ending(NEXT_MONTH), Ending(NOW + 7)]
    await live_through(store, others)
    assert await counted_games(store) == [1, 2, 3, 4, 5, 6, 7, 8]
    await delete_all(app, CARA.user)
    await live_through(store, [Ending(NOW + 8, black=2) for _ in range(5)])
    assert await count_counted(store) == 8 + 4


async def test_games_that_a_deletion_resigns_are_among_the_five(app: App, store: Store) -> None:
    """Again and again: a former player's games are those of the person."""
    for _ in range(3):
        for _ in range(3):
            await basic_game_after(app, 4, RATED)
        await delete_all(app, ANN.user)
    assert await count_counted(store) == MOST_OF_PAIR
    async with store.reading() as db:
        lost = select(func.count()).where(rated_results.c.points == 0)
        assert await db.scalar(lost) == 9


@pytest.mark.parametrize("ends", [ANN, BOB], ids=["resumed", "resigned"])
async def test_games_between_a_return_and_the_end_of_a_deletion_are_among_the_five(
    app: App, store: Store, ends: Seat
) -> None:
    """The deletion has begun, and Ann is back, when Bob resigns a game of the former player, or the deletion does."""
    running = [await basic_game_after(app, 4, RATED) for _ in range(4)]
    await app.deletions.begin(ANN.user)
    await live_through(store, TWO)
    if ends is BOB:
        for game in running[:3]:
            await app.games.resign(game, BOB.user)
    await app.deletions.finish(ANN.user)
    assert await count_counted(store) == MOST_OF_PAIR
    await live_through(store, TWO)
    assert await count_counted(store) == MOST_OF_PAIR
    assert await notes(store) == [(THIS_MONTH, 3)]


async def test_two_deletions_at_once_note_each_game_once(app: App, store: Store) -> None:
    await live_through(store, TWO)
    running = [await basic_game_after(app, 4, RATED) for _ in range(2)]
    for person in (ANN, BOB):
        await app.deletions.begin(person.user)
    for person in (ANN, BOB):
        await app.deletions.finish(person.user)
    assert await notes(store) == [(THIS_MONTH, 4)]
    await live_through(store, TWO)
    assert await counted_games(store) == [1, 2, *running, 5]


async def test_notes_name_nobody_and_go_with_their_month(app: App, store: Store, host: Host) -> None:
    """The other person's deletion finds nothing of it either."""
    await live_through(store, [*TWO, Ending(NOW - 40 * DAY)])
    await delete_all(app, ANN.user)
    assert await notes(store) == [(THIS_MONTH, 2)], "an older month needs none"
    await delete_all(app, BOB.user)
    for person in (ANN, BOB):
        assert await columns_naming(store, person) == set()
        assert not await app.deletions.stored_about(person.user)
    async with store.reading() as db:
        (row,) = await db.execute(select(former_pairs))
    assert not any(is_former_player(value) for value in row if isinstance(value, int))
    for at, left in ((NEXT_MONTH - 1, 1), (NEXT_MONTH, 0)):
        host.now = at
        await app.retention.finish_pass()
        assert len(await notes(store)) == left


async def test_a_month_rebuilt_in_the_middle_of_a_deletion_is_the_same(app: App, store: Store) -> None:
    await live_through(store, [*FIVE, Ending(NOW + 6), Ending(NOW + 7, black=2)])
    for _ in range(2):
        await basic_game_after(app, 4, RATED)
    await app.deletions.begin(ANN.user)
    async with store.transaction() as db:
        assert await db.scalar(select(func.count()).select_from(rated_results)) == 14
    for step in ("begun", "done"):
        changed = await rebuild_ratings(store, lambda: NOW + 9)
        assert {name: different for name, (_, different) in changed.items() if different} == {}, step
        await app.deletions.finish(ANN.user)
