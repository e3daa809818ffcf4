"""Two bots on one database of PostgreSQL, with connections of their own, do what one would have done."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import select

from gipfbot.match import Side
from gipfbot.match.ratings import FEWEST_TURNS
from gipfbot.rules import STANDARD
from gipfbot.service.app import App, create_app
from gipfbot.service.checking.database_check import DatabaseCheck
from gipfbot.store import Store, tables
from gipfbot.values import NO_LIMITS, OutboxRow
from tests.service.helpers import Host, at_once, basic_game_after
from tests.support.games import TURNS
from tests.support.people import ANN, BOB, HOME

GAMES = 8


@pytest.fixture
async def pair(postgres_url: str, host: Host) -> AsyncIterator[tuple[App, App]]:
    stores = [await Store.open_database(postgres_url) for _ in range(2)]
    first, second = (create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS) for store in stores)
    yield first, second
    for store in stores:
        await store.close()


async def differences(app: App, host: Host) -> list[str]:
    return [sentence async for sentence in DatabaseCheck(app.games.store, lambda: host.now).differences()]


async def post(app: App, row: OutboxRow, message: int) -> None:
    """Post a board, and let the game get its thread or its next board."""
    await app.outbox.note_delivered(row, message)


async def test_two_presses_of_one_turn_play_it_once(pair: tuple[App, App]) -> None:
    game = await basic_game_after(pair[0])
    texts = [TURNS[0]] * 8
    done, refused = await at_once(
        *(pair[number % 2].games.play_typed(game, ANN.user, text) for number, text in enumerate(texts))
    )
    assert (len(done), len(refused)) == (1, 7)
    assert (await pair[1].games.game(game)).game.turn_number == 1


async def test_one_challenge_begins_one_game(pair: tuple[App, App]) -> None:
    challenge = (await pair[0].lobby.challenge(ANN, BOB, STANDARD, Side.LOT, HOME))[0].challenge.id
    done, refused = await at_once(*(pair[number % 2].lobby.accept_challenge(challenge, BOB) for number in range(8)))
    assert (len(done), len(refused)) == (1, 7)
    assert len(await pair[1].games.running_games(ANN.user)) == 1


async def test_games_that_are_played_at_once_lose_and_double_nothing(pair: tuple[App, App], host: Host) -> None:
    """Each turn goes to the other bot, and the bot that has not played it posts its board."""
    ids = [await basic_game_after(pair[0]) for _ in range(GAMES)]

    async def play(game: int) -> None:
        for number, text in enumerate(TURNS[:FEWEST_TURNS]):
            player, poster = pair[(game + number) % 2], pair[(game + number + 1) % 2]
            update = await player.games.play_typed(game, (ANN, BOB)[number % 2].user, text)
            for row in update.owed:
                await post(poster, row, 1000 * game + number)

    await asyncio.gather(*map(play, ids))
    async with pair[0].games.store.reading() as db:
        played = Counter(await db.scalars(select(tables.turns.c.game)))
        keys = Counter(await db.scalars(select(tables.outbox.c.key)))
    assert played == dict.fromkeys(ids, FEWEST_TURNS)
    assert set(keys.values()) == {1}
    assert await differences(pair[1], host) == []


async def test_results_at_once_give_the_ratings_that_the_games_give(pair: tuple[App, App], host: Host) -> None:
    """The ratings of both players are read, changed and saved with each result."""
    ids = [await basic_game_after(pair[0], FEWEST_TURNS) for _ in range(GAMES)]
    ends = [pair[game % 2].games.resign(game, (ANN, BOB)[game % 3 % 2].user) for game in ids]
    done, refused = await at_once(*ends)
    assert (len(done), refused) == (GAMES, [])
    assert await differences(pair[0], host) == []
