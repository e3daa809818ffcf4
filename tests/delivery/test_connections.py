"""Nobody's command holds a connection to the database while it waits for Discord: there are few of them."""

import aiohttp
import pytest

from tests.support.games import OPENING

from .house import LONG, House


@pytest.fixture
def held(house: House, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return how many connections were held at each request to Discord."""
    counted, request = list[int](), aiohttp.ClientSession.request

    def count(session: aiohttp.ClientSession, *args: object, **options: object) -> object:
        counted.append(house.store._engine.sync_engine.pool.checkedout())  # type: ignore[attr-defined]
        return request(session, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(aiohttp.ClientSession, "request", count)
    return counted


async def test_no_connection_is_held_while_a_thread_is_made_and_boards_are_posted(
    house: House, held: list[int]
) -> None:
    async with house.app.snapshot():
        game = await house.begin(thread=True)
        assert await house.play(game)
    assert len(held) >= 5  # challenge, board, thread, board, buttons
    assert not any(held)


async def test_no_connection_is_held_while_a_lost_message_is_searched(house: House, held: list[int]) -> None:
    game = await house.begin(thread=False)
    done = await house.app.games.play_typed(game, house.seats()[0].user, OPENING[0])
    held.clear()
    house.clock.moved += LONG
    async with house.app.snapshot():
        await house.app.games.game(game)
        assert await house.bot.delivery.deliver(done.owed)
    assert len(held) >= 2  # the search, and the post
    assert not any(held)
