"""Figures about what the bot has to do."""

from gipfbot.service.app import App
from gipfbot.store import Store, games
from gipfbot.values import PLAYER_LEFT, HostFigures, ServerState, Venue
from tests.service.helpers import Host, begin_game, posted
from tests.support.people import CLUB, ELSEWHERE, HALL, HOME, OTHER_CLUB


async def test_an_empty_bot_owes_nothing(app: App) -> None:
    found = await app.vital_signs.host_figures()
    assert found == HostFigures(0, 0, None, 0, found.database_bytes)
    assert found.database_bytes > 10_000
    assert await app.vital_signs.server_state(CLUB) == ServerState(0, 0, ())


async def test_owed_messages_are_counted_by_server(app: App, store: Store, host: Host) -> None:
    began = host.now
    await begin_game(app)
    host.passes(60)
    await begin_game(app, venue=ELSEWHERE)
    found = await app.vital_signs.host_figures()
    assert (found.running_games, found.owed_messages, found.oldest_owed_at) == (2, 4, began)
    assert await app.vital_signs.server_state(CLUB) == ServerState(1, 1, ())
    await posted(store)
    found = await app.vital_signs.host_figures()
    assert (found.running_games, found.owed_messages, found.oldest_owed_at) == (2, 2, began)


async def test_servers_that_refuse_boards_are_counted(app: App, store: Store) -> None:
    """A game whose player has left says nothing of its channel."""
    places = HOME, HOME, Venue(CLUB, HALL + 5), ELSEWHERE, Venue(OTHER_CLUB + 1, HALL + 2)
    *refused, left = [(await begin_game(app, venue=venue)).game.id for venue in places]
    async with store.transaction() as db:
        for game in refused:
            await games.set_unreachable(db, game, "Forbidden()")
        await games.set_unreachable(db, left, PLAYER_LEFT)
    assert (await app.vital_signs.host_figures()).undeliverable_servers == 2
    assert (await app.vital_signs.server_state(CLUB)).refusing_channels == (HALL, HALL + 5)
    assert (await app.vital_signs.server_state(OTHER_CLUB + 1)).refusing_channels == ()
