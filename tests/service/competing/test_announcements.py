"""The announcement of a result is owed with the result, once, to the channel that the server has chosen."""

from typing import Any

import pytest
from sqlalchemy import select

from gipfbot.match import Refused, RequestState, Terms
from gipfbot.match.clock import days_per_turn
from gipfbot.match.ratings import Uncounted
from gipfbot.rules import OVERBOARD, ByColour, Reason, Result
from gipfbot.service.app import App
from gipfbot.service.clock import reminders
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.competing.results import ANNOUNCEMENT, RatedEnd, announced_end
from gipfbot.service.requests.game_requests import DRAW
from gipfbot.store import Store, tables
from gipfbot.values import OutboxRow, Venue
from tests.service.helpers import Host, basic_game_after, begin_game, passes, play_texts, put
from tests.support.games import WINS
from tests.support.people import ANN, BOB, CLUB, HALL
from tests.support.times import DAY, HOUR, NOW

from .ended_games import DRAWN, RATED, WHITE_LATE, Ending, live_through

RESULTS = HALL + 5


@pytest.fixture
async def store(store: Store, app: App) -> Store:
    """Return the store of a server with a channel for results."""
    await app.servers.change(CLUB, {"results": RESULTS})
    return store


async def announced(store: Store) -> dict[int, Any]:
    """Return how ratings changed, by the game of each announcement that is owed. Assert what holds for all."""
    async with store.reading() as db:
        query = select(tables.outbox).where(tables.outbox.c.kind == ANNOUNCEMENT).order_by(tables.outbox.c.id)
        rows = (await db.execute(query)).all()
    assert {row.channel for row in rows} <= {RESULTS}
    assert {row.game for row in rows} <= {None}, "a refusal must not stop the game's own messages"
    found = {row.payload["game"]: row.payload["changes"] for row in rows}
    assert len(found) == len(rows)
    return found


async def test_each_way_to_end_a_game_is_announced(store: Store, app: App, flag_watch: FlagWatch, host: Host) -> None:
    resigned = await basic_game_after(app, 4)
    await app.games.resign(resigned, BOB.user)
    drawn = (await begin_game(app, ruleset=OVERBOARD)).game.id
    await play_texts(app, drawn, ("b1-c2", "f1-f2"))
    offer = (await app.requests.make(DRAW, drawn, ANN.user)).request
    await app.requests.settle(offer.id, BOB.user, RequestState.ACCEPTED)
    late = await basic_game_after(app, 4, Terms(days_per_turn(1), grace=HOUR))
    for seconds in (DAY + HOUR, 2 * HOUR):
        await passes(flag_watch, host, seconds)
    assert await announced(store) == dict.fromkeys((resigned, drawn, late))


async def test_winning_turn_is_announced_with_it(store: Store, app: App) -> None:
    stored = (await begin_game(app)).stored
    await put(app, stored, position=WINS)
    await app.games.play_typed(stored.game.id, ANN.user, "xd2,d3,d4,d5,Gd6")
    assert await announced(store) == {stored.game.id: None}


async def test_void_and_cancelled_games_are_not_announced(store: Store, app: App) -> None:
    await live_through(store, [Ending(result=Result(None, Reason.REPETITION))])
    await app.games.cancel_game((await begin_game(app)).game.id, ANN.user)
    assert await announced(store) == {}


@pytest.mark.parametrize(
    "venue", [Venue(None, HALL), Venue(CLUB, RESULTS), Venue(CLUB + 1, HALL)], ids=["private", "there", "elsewhere"]
)
async def test_some_places_are_not_announced(store: Store, app: App, venue: Venue) -> None:
    game = (await begin_game(app, venue=venue)).game.id
    await play_texts(app, game, ("a2-c2", "f1-d2"))
    await app.games.resign(game, BOB.user)
    assert await announced(store) == {}


async def test_game_in_a_thread_of_the_channel_is_announced(store: Store, app: App) -> None:
    game = (await begin_game(app, venue=Venue(CLUB, HALL, RESULTS))).game.id
    await play_texts(app, game, ("a2-c2", "f1-d2"))
    await app.games.resign(game, BOB.user)
    assert await announced(store) == {game: None}


async def test_results_are_announced_only_if_a_channel_is_set(store: Store, app: App) -> None:
    await app.servers.change(CLUB, {"results": None})
    await live_through(store, [Ending()])
    assert await announced(store) == {}


async def test_announcement_says_how_both_ratings_changed(store: Store) -> None:
    """The values after a game are those before the next one, also in the same month."""
    await live_through(store, [Ending(NOW), Ending(NOW + 1, white=1, black=0), Ending(NOW + 2, result=DRAWN)])
    first, second, third = (await announced(store)).values()
    assert first == [[1500, 1662], [1500, 1338]]
    assert second[::-1] == [[1662, 1500], [1338, 1500]]
    assert third == [[1500, 1500], [1500, 1500]]


@pytest.mark.parametrize("how", [Ending(rated=False), Ending(turns=3)])
async def test_result_that_does_not_count_changes_no_rating(store: Store, how: Ending) -> None:
    await live_through(store, [how])
    assert await announced(store) == {1: None}


async def test_sixth_game_of_a_pair_changes_no_rating(store: Store) -> None:
    await live_through(store, [Ending(NOW + at) for at in range(6)])
    found = await announced(store)
    assert [game for game, changes in found.items() if changes is None] == [6]
    assert (await reasons(store))[-2:] == [(None, None), (Uncounted.PAIR, Uncounted.PAIR)]


async def test_loss_on_time_of_a_player_who_is_away_changes_the_winners_rating_only(store: Store) -> None:
    await live_through(store, [Ending(NOW, result=WHITE_LATE), Ending(NOW + 1, black=2, result=WHITE_LATE)])
    assert list((await announced(store)).values()) == [[[1500, 1338], [1500, 1662]], [[1338, 1338], [1500, 1662]]]
    assert await reasons(store) == [(None, None), (Uncounted.AWAY, None)]


def end_in(payload: dict[str, Any]) -> RatedEnd:
    return announced_end(
        OutboxRow(1, "announcement:7", "", "announcement", RESULTS, None, payload, 1, NOW, NOW, *[None] * 4)
    )


async def reasons(store: Store) -> list[ByColour[Uncounted | None]]:
    """Return why the announced results do not count for White and Black."""
    async with store.reading() as db:
        rows = select(tables.outbox.c.payload).where(tables.outbox.c.kind == ANNOUNCEMENT).order_by(tables.outbox.c.id)
        return [end_in(payload).uncounted for payload in await db.scalars(rows)]


def test_announcement_of_an_older_version_says_no_reason() -> None:
    assert end_in({"game": 7, "changes": None}) == RatedEnd((None, None), (None, None))
    assert end_in({"game": 7, "changes": [[1, 2], [3, 4]]}) == RatedEnd(((1, 2), (3, 4)), (None, None))


async def test_crash_neither_loses_nor_doubles_an_announcement(
    store: Store, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is owed in the transaction that ends the game."""

    async def crash(*_: object) -> None:
        raise RuntimeError("the process ends")

    game = await basic_game_after(app, 4, RATED)
    with monkeypatch.context() as patch:
        patch.setattr(reminders, "plan_reminder", crash)
        with pytest.raises(RuntimeError, match="ends"):
            await app.games.resign(game, BOB.user)
    assert await announced(store) == {}
    await app.games.resign(game, BOB.user)
    with pytest.raises(Refused):
        await app.games.resign(game, BOB.user)
    assert list(await announced(store)) == [game]
