"""What a game's row says beside the game, so that a second query is made only where there is something to read."""

from gipfbot.match import RequestState
from gipfbot.notation import parse_position
from gipfbot.service.app import App
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.values import StoredGame
from tests.match.helpers import CHOICE
from tests.service.helpers import Host, begun, put
from tests.support.games import CIRCLE
from tests.support.people import ANN, BOB
from tests.support.terms import THREE_DAYS
from tests.support.times import HOUR


async def read(app: App, game: int) -> StoredGame:
    """Return a game as it is loaded. It is the same in a list."""
    loaded = await app.games.game(game)
    (brief,) = [brief for brief in await app.games.running_games(ANN.user) if brief.id == game]
    assert (brief.stored, (await app.games.games([game]))[game]) == (loaded, loaded)
    return loaded


async def test_a_game_says_what_stands_beside_it(app: App) -> None:
    game, other = await begun(app), await begun(app)
    assert not (await read(app, game)).has_requests
    await app.games.play_typed(game, ANN.user, CIRCLE[0])
    request = (await app.requests.make(TAKEBACK, game, ANN.user)).request
    assert (await read(app, game)).has_requests
    assert not (await read(app, other)).has_requests
    await app.requests.settle(request.id, BOB.user, RequestState.DECLINED)
    assert not (await read(app, game)).has_requests
    await app.conditionals.add_typed_line(game, ANN.user, f"{CIRCLE[1]} {CIRCLE[2]}")
    assert [(await read(app, each)).has_lines for each in (game, other)] == [True, False]


async def test_a_note_in_a_row_is_its_owners_alone(app: App) -> None:
    game = await begun(app)
    await app.notes.set_note(game, BOB.user, "keep e5")
    noted = await read(app, game)
    assert [noted.note_of(user) for user in (ANN.user, BOB.user, 99)] == ["", "keep e5", ""]


async def test_a_turn_returns_since_when_its_game_waits(app: App, host: Host) -> None:
    """A part of a turn does not change it; a turn, a takeback and the end of the game do."""
    game = await begun(app, THREE_DAYS)
    begin = host.now
    await put(app, await app.games.game(game), position=parse_position(CHOICE))
    waits = list[int | None]()
    for by, text in ((ANN, "b1-b5"), (ANN, "xb2,b3,b4"), (BOB, "")):
        host.passes(HOUR)
        done = await (app.games.play_typed(game, by.user, text) if text else app.games.resign(game, by.user))
        assert done.stored.waiting_since == (await app.games.game(game)).waiting_since
        waits.append(done.stored.waiting_since)
    assert waits == [begin, begin + 2 * HOUR, None]


async def test_a_takeback_returns_since_when_its_game_waits(app: App, host: Host) -> None:
    game = await begun(app, THREE_DAYS)
    await app.games.play_typed(game, ANN.user, CIRCLE[0])
    request = (await app.requests.make(TAKEBACK, game, ANN.user)).request
    host.passes(HOUR)
    done = await app.requests.settle(request.id, BOB.user, RequestState.ACCEPTED)
    assert done.stored.waiting_since == host.now == (await app.games.game(game)).waiting_since
