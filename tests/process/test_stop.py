"""SIGTERM and SIGINT end the bot cleanly and at once, whatever it does. The next bot takes over at once."""

import asyncio
from pathlib import Path
from signal import SIGINT

import pytest

from gipfbot.app import CLOSE_SECONDS, SHUTDOWN_GRACE
from gipfbot.store.backends import backend_of_url
from gipfbot.values import Shards
from tests.standin import StandIn
from tests.support import postgres
from tests.support.postgres import END_OTHERS
from tests.support.routes import MESSAGES

from .running import PATIENT, Bot
from .table import Table

# It soon looks whether it still has its locks, and soon gives them up.
IMPATIENT = """
from gipfbot.store.backends import process_locks
process_locks.HOLDER_LOOKS, process_locks.HOLDER_TRIES = 1, 2
"""


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


@pytest.mark.parametrize(("is_shared", "code"), [(True, 11), (False, 4)])
async def test_the_bot_ends_when_another_process_has_taken_over(
    bot: Bot, discord: StandIn, tmp_path: Path, is_shared: bool, code: int
) -> None:
    """The server cuts its connections. Before it is back, another process runs what it ran."""
    shard = (discord.guild.id >> 22) % 2
    shards = Shards(shard, shard, 2) if is_shared else None
    server = postgres.server()
    url = server.url_for(tmp_path / "shared")
    bot.settings |= {"GIPFBOT_DATABASE_URL": url, "GIPFBOT_SHARDS": str(shards or "auto")}
    bot.expect(" runs shard ", "in use by another process", "cannot be used")
    await bot.start(IMPATIENT)
    backend = backend_of_url(url)
    await asyncio.to_thread(server.execute, END_OTHERS, database=url.partition("?")[0].rpartition("/")[2])
    async with backend.hold(shards):
        assert await bot.ended() == code
    why = f"runs shard {shard}: give each process shards of its own." if shards else "stop that first."
    assert bot.log.splitlines()[-1].endswith(why)
