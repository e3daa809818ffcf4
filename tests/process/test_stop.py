"""SIGTERM and SIGINT: a clean end that waits for nobody, whatever is going on; and the next bot takes over at once."""

from signal import SIGINT

import pytest

from gipfbot.app import CLOSE_SECONDS, SHUTDOWN_GRACE
from tests.standin import StandIn

from .running import PATIENT, Bot
from .table import Table

MESSAGES = "/channels/{id}/messages"


async def test_it_ends_while_a_post_hangs(bot: Bot, discord: StandIn, table: Table) -> None:
    """The post is given up, the board is owed and comes from the next bot, once."""
    await bot.start(PATIENT)
    gate = discord.hold("POST", MESSAGES)
    await table.send(3)
    await gate.reached()
    assert await bot.end() == 0
    assert discord.gateway.goodbyes == [1000]
    gate.release()
    await bot.start(PATIENT)
    await table.posted(3)
    await table.play(4)
    assert len(table.boards(3)) == 1


@pytest.mark.slow
async def test_it_ends_while_discord_is_away(bot: Bot, discord: StandIn, table: Table) -> None:
    """Disconnected, and waiting to try again; this time by Ctrl-C."""
    await bot.start(PATIENT)
    await table.play(3)
    await discord.gateway_down()
    await discord.wait_for(lambda: discord.gateway.refused, what="an attempt to come back")
    assert await bot.end(SIGINT) == 0
    bot.expect("Attempting a reconnect")


@pytest.mark.slow
async def test_it_ends_while_discord_says_nothing(bot: Bot, discord: StandIn) -> None:
    """A connection over which nobody says goodbye is left behind."""
    await bot.start(PATIENT)
    discord.gateway.hearing.clear()
    assert await bot.end() == 0


@pytest.mark.slow
async def test_it_ends_while_it_logs_in(bot: Bot, discord: StandIn) -> None:
    """Before it has ever been connected."""
    gate = discord.hold("GET", "/users/@me")
    await bot.launch(PATIENT)
    await gate.reached()
    assert await bot.end() == 0


def test_what_it_grants_at_its_end_is_within_what_the_host_is_promised() -> None:
    """The hosting guide promises five seconds."""
    assert 2 * SHUTDOWN_GRACE + CLOSE_SECONDS < 5
