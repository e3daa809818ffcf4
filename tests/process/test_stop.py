"""SIGTERM and SIGINT end the bot cleanly and at once, whatever it does. The next bot takes over at once."""

from signal import SIGINT

import pytest

from gipfbot.app import CLOSE_SECONDS, SHUTDOWN_GRACE
from tests.standin import StandIn
from tests.support.routes import MESSAGES

from .running import PATIENT, Bot
from .table import Table


async def test_the_bot_ends_while_a_post_hangs(bot: Bot, discord: StandIn, table: Table) -> None:
    """The post is given up. The board stays owed, and the next bot posts it once."""
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
async def test_the_bot_ends_while_discord_is_down(bot: Bot, discord: StandIn, table: Table) -> None:
    """The bot is disconnected and waits to try again. It is stopped by Ctrl-C."""
    await bot.start(PATIENT)
    await table.play(3)
    await discord.gateway_down()
    await discord.wait_for(lambda: discord.gateway.refused, what="an attempt to come back")
    assert await bot.end(SIGINT) == 0
    bot.expect("Attempting a reconnect")


@pytest.mark.slow
async def test_the_bot_ends_while_discord_is_silent(bot: Bot, discord: StandIn) -> None:
    """It does not wait for Discord to close the connection."""
    await bot.start(PATIENT)
    discord.gateway.hearing.clear()
    assert await bot.end() == 0


@pytest.mark.slow
async def test_the_bot_ends_while_it_logs_in(bot: Bot, discord: StandIn) -> None:
    """It was never connected before."""
    gate = discord.hold("GET", "/users/@me")
    await bot.launch(PATIENT)
    await gate.reached()
    assert await bot.end() == 0


def test_the_waits_at_the_end_fit_the_promised_seconds() -> None:
    """The hosting guide promises five seconds."""
    assert 2 * SHUTDOWN_GRACE + CLOSE_SECONDS < 5
