"""Draw offers, on a real database: what the history says, and how an offer ends that nobody answers."""

import pytest
from sqlalchemy import select

from gipfbot.match import RequestState, Seat, Status, Why
from gipfbot.rules import OVERBOARD, legal
from gipfbot.service.app import App
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.requests.game_requests import DRAW, TAKEBACK, RequestUpdate
from gipfbot.store import tables
from tests.service.helpers import Host, assert_refused, begin_game, boards, passes, posted
from tests.support.people import ANN, BOB, HOME
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY


@pytest.fixture
async def game(app: App) -> int:
    return (await begin_game(app, ruleset=OVERBOARD)).game.id


async def play(app: App, game: int) -> None:
    """Let the player to move play any turn."""
    current = (await app.games.game(game)).game
    assert current.asked is not None
    await app.games.play_actions(game, current.seats[current.asked].user, legal(current.current)[:1])


async def offered(app: App, game: int, by: Seat = ANN) -> RequestUpdate:
    return await app.requests.make(DRAW, game, by.user)


async def history(app: App) -> list[tuple[str, int | None, object]]:
    async with app.games.store.reading() as db:
        rows = (await db.execute(select(tables.events).order_by(tables.events.c.seq))).all()
    return [(row.kind, row.by, row.data) for row in rows]


async def test_offer_is_owed_to_the_channel(app: App, game: int) -> None:
    await posted(app.games.store)
    made = await offered(app, game)
    (row,) = made.owed
    assert (row.kind, row.channel, row.game, row.payload) == ("draw", HOME.channel, game, {"request": made.request.id})


@pytest.mark.parametrize(
    ("by", "state", "event"),
    [
        (BOB, RequestState.ACCEPTED, "draw_accepted"),
        (BOB, RequestState.DECLINED, "draw_declined"),
        (ANN, RequestState.WITHDRAWN, "draw_withdrawn"),
    ],
)
async def test_history_has_each_step_of_an_offer(
    app: App, game: int, by: Seat, state: RequestState, event: str
) -> None:
    """Records and exports of years ago hold these words."""
    await play(app, game)
    offer = (await offered(app, game)).request
    settled = await app.requests.settle(offer.id, by.user, state)
    assert settled.request.state is state
    about = {"turn_serial": 1}
    assert await history(app) == [("draw_offered", ANN.user, about), (event, by.user, about)]


async def test_accepted_offer_ends_the_game_with_a_board(app: App, game: int) -> None:
    before = len(await boards(app))
    settled = await app.requests.settle((await offered(app, game)).request.id, BOB.user, RequestState.ACCEPTED)
    assert settled.stored.game == (await app.games.game(game)).game
    assert settled.stored.game.status is Status.OVER
    assert len(await boards(app)) == before + 1
    await assert_refused(Why.OVER, offered(app, game))


async def test_offer_expires_when_somebody_plays_and_is_closed_once(app: App, game: int, host: Host) -> None:
    """Time alone ends no offer. The history says nothing of that."""
    offer = (await offered(app, game)).request
    host.passes(100 * DAY)
    assert await app.requests.close_expired() == []
    await play(app, game)
    await assert_refused(Why.REQUEST_CLOSED, app.requests.settle(offer.id, BOB.user, RequestState.ACCEPTED))
    (closed,) = await app.requests.close_expired()
    assert (closed.request.id, closed.request.state) == (offer.id, RequestState.EXPIRED)
    assert await app.requests.close_expired() == []
    assert [kind for kind, _, _ in await history(app)] == ["draw_offered"]


async def test_flag_ends_no_offer(app: App, flag_watch: FlagWatch, host: Host) -> None:
    """The grace of the player to move is a time to agree, too."""
    timed = (await begin_game(app, THREE_DAYS, OVERBOARD)).game.id
    offer = (await offered(app, timed)).request
    await passes(flag_watch, host, 3 * DAY + 60)
    late = (await app.games.game(timed)).game
    assert late.clock
    assert late.clock.flagged
    assert await app.requests.close_expired() == []
    for found in ([late], await app.games.running_games(BOB.user)):
        assert await app.requests.open_requests(found) == [offer]


async def test_takeback_and_draw_offer_are_open_side_by_side(app: App, game: int) -> None:
    """When the takeback is accepted, the offer has expired."""
    await play(app, game)
    offer = (await offered(app, game, BOB)).request
    takeback = (await app.requests.make(TAKEBACK, game, ANN.user)).request
    running = (await app.games.game(game)).game
    assert await app.requests.open_requests([running]) == [offer, takeback]
    await app.requests.settle(takeback.id, BOB.user, RequestState.ACCEPTED)
    assert (await app.requests.current(offer.id)).request.state is RequestState.EXPIRED
