"""A turn that is started over: nothing is posted, no clock moves, and the opponent's conditional turns stay."""

from gipfbot.match import Terms, Why
from gipfbot.service.app import App
from gipfbot.service.requests.game_requests import TAKEBACK
from tests.match.helpers import CHOICE, game as game_at
from tests.rules.boards_of_overboard import ASKS_TWICE
from tests.service.helpers import (
    Host,
    assert_refused,
    begun,
    boards,
    overboard_at,
    play_codes,
    put,
    stored_lines,
)
from tests.support.people import ANN, BOB
from tests.support.terms import PER_TURN, THREE_DAYS
from tests.support.times import HOUR


async def half_turn(app: App, terms: Terms = THREE_DAYS) -> int:
    """Return a game in which Ann has pushed and must choose what she takes."""
    game = await begun(app, terms)
    await put(app, await app.games.game(game), position=game_at(CHOICE).position)
    await play_codes(app, game, ANN.user, "b1b2")
    return game


async def test_nothing_is_posted_and_no_clock_moves(app: App, host: Host) -> None:
    game = await half_turn(app)
    half, shown = await app.games.game(game), len(await boards(app))
    host.passes(HOUR)
    over = await app.games.start_turn_over(game, ANN.user, half.game.version)
    stored = await app.games.game(game)
    assert stored == over
    assert (stored.game.draft, stored.game.turn_number, stored.game.version) == ((), 0, half.game.version + 1)
    assert (stored.game.clock, stored.waiting_since) == (half.game.clock, half.waiting_since)
    assert len(await boards(app)) == shown
    assert (await play_codes(app, game, ANN.user, "b1b2", "xb:b2b3b4")).turn


async def test_the_opponents_conditional_turns_stay_and_are_played(app: App) -> None:
    game = await half_turn(app)
    await app.conditionals.add_typed_line(game, BOB.user, "b1-b5;xb2,b3,b4 i5-h5")
    (line,) = await stored_lines(app, game)
    await app.games.start_turn_over(game, ANN.user)
    assert await stored_lines(app, game) == [line]
    done = await app.games.play_typed(game, ANN.user, "b1-b5;xb2,b3,b4")
    assert [turn.text for turn in done.conditional_turns] == ["h5"]


async def test_an_open_request_stays(app: App) -> None:
    game = await begun(app)
    await app.games.play_typed(game, ANN.user, "a2-b3")
    await app.games.play_typed(game, BOB.user, "i2-h3")
    await put(app, await app.games.game(game), position=game_at(CHOICE).position)
    await play_codes(app, game, ANN.user, "b1b2")
    asked = (await app.requests.make(TAKEBACK, game, BOB.user)).request
    over = await app.games.start_turn_over(game, ANN.user)
    assert [request.id for request in await app.requests.open_requests([over.game])] == [asked.id]


async def test_a_question_to_the_owner_stays_public(app: App) -> None:
    """Black takes back their own first answer. White cannot take back the push that Black was asked about."""
    game = await overboard_at(app, ASKS_TWICE, PER_TURN)
    await play_codes(app, game, ANN.user, "a4b4", "xe:e4e5e6", "xe:e2")
    handed, shown = await app.games.game(game), len(await boards(app))
    await assert_refused(Why.NOT_YOUR_TURN, app.games.start_turn_over(game, ANN.user))
    await assert_refused(Why.NOT_POSSIBLE, app.games.start_turn_over(game, BOB.user))
    await play_codes(app, game, BOB.user, "xe:e3")
    over = await app.games.start_turn_over(game, BOB.user)
    assert (over.game.draft, over.game.asked) == (handed.game.draft, handed.game.asked)
    assert (over.game.clock, over.waiting_since) == (handed.game.clock, handed.waiting_since)
    assert len(await boards(app)) == shown
    assert await app.games.game(game) == over
