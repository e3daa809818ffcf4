"""A bot logged in to the stand-in for Discord, for each test. An error in its log fails the test."""

import logging
from collections.abc import AsyncIterator, Iterator

import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from gipfbot.store import Store
from tests.standin import StandIn
from tests.support.pictures import draw_small

from .house import Clock, House, logged_in, replace_words


@pytest.fixture
async def house(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    clock = Clock()
    draw_small(monkeypatch)
    async with StandIn() as discord:
        monkeypatch.setattr(Route, "BASE", discord.api_url)
        monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(discord.gateway_url))
        discord.world.ids.now = clock
        house = House(discord, store, clock, await logged_in(store, discord, clock))
        yield house
        await house.close()
        assert discord.violations == []


@pytest.fixture(params=["own words", "other words"])
def words(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test twice. The second time each posted text is replaced by another one, each time it is made."""
    if request.param == "other words":
        replace_words(monkeypatch)


@pytest.fixture(autouse=True)
def nothing_fails_unseen(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail the test if the bot logs an error."""
    yield
    assert [r.getMessage() for r in caplog.get_records("call") if r.levelno >= logging.ERROR] == []
