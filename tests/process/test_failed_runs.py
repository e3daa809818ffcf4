"""Runs that fail are counted in a file, and the owner is told at the next start that goes well."""

import re

import pytest

from gipfbot.watchdog import HANGS
from tests.standin import StandIn

from .running import READY_AT_ONCE, Bot
from .table import Table

HANGING = f"""{READY_AT_ONCE}
import time
from gipfbot import app, watchdog
from gipfbot.ui.bot import GipfBot
watch, watchdog.MOST_MISSED = app.LoopWatch, 100
app.LoopWatch = lambda told: watch(told, 0.05)
async def on_ready(self):
    time.sleep(3600)
GipfBot.on_ready = on_ready
"""
TOLD = r"\* The bot failed {times} since \d{{4}}-\d\d-\d\d \d\d:\d\d UTC, the last time with code {code}: {said}"


async def told(bot: Bot, discord: StandIn, table: Table, **words: str) -> None:
    """Wait until the owner is told, once, and the file is gone."""
    await discord.wait_for(lambda: discord.dm(table.cara).messages, what="a direct message to the owner")
    (message,) = discord.dm(table.cara).messages
    assert re.search(TOLD.format(**words), message.content), message.content
    assert not bot.heartbeat.with_name("heartbeat.failed").exists()


async def test_the_owner_is_told_of_failed_starts(bot: Bot, discord: StandIn, table: Table) -> None:
    bot.settings |= {"GIPFBOT_OWNER": str(table.cara.id), "GIPFBOT_SHARDS": "5-9/8"}
    assert [await (await bot.launch()).wait() for _ in range(2)] == [10, 10]
    counted = bot.heartbeat.with_name("heartbeat.failed")
    assert counted.stat().st_mode & 0o777 == 0o600
    del bot.settings["GIPFBOT_SHARDS"]
    bot.settings["GIPFBOT_DATABASE_URL"], right = "sqlite+aiosqlite:////nowhere/g", bot.settings["GIPFBOT_DATABASE_URL"]
    assert await (await bot.launch()).wait() == 2  # without settings, nobody knows where to count
    bot.settings["GIPFBOT_DATABASE_URL"] = right
    await bot.start(READY_AT_ONCE)
    await told(bot, discord, table, times="2 times", code="10", said="GIPFBOT_SHARDS is 5-9/8")
    assert await bot.end() == 0
    assert not counted.exists()


async def test_the_owner_is_told_of_kills(bot: Bot, discord: StandIn, table: Table) -> None:
    """As by a system that is out of memory. A bot that was told to stop has not failed."""
    bot.settings["GIPFBOT_OWNER"] = str(table.cara.id)
    await bot.start(READY_AT_ONCE)
    await bot.kill()
    await bot.start(READY_AT_ONCE)
    await told(bot, discord, table, times="once", code="137", said="it was killed, or its machine went down")
    assert await bot.end() == 0
    await bot.start(READY_AT_ONCE)
    stood = bot.heartbeat.stat().st_mtime_ns
    await discord.wait_for(lambda: bot.heartbeat.stat().st_mtime_ns > stood, what="a heartbeat")
    assert bot.log.count("The bot failed") == 1


@pytest.mark.parametrize("owner", [False, True])
async def test_a_bot_that_hangs_ends_and_says_so_later(bot: Bot, discord: StandIn, table: Table, owner: bool) -> None:
    if owner:
        bot.settings["GIPFBOT_OWNER"] = str(table.cara.id)
    bot.expect("the event loop has not turned for a minute")
    assert await (await bot.launch(HANGING)).wait() == HANGS
    assert re.search(r"CRITICAL .*the event loop has not turned for a minute, in .* on_ready, called in ", bot.log)
    await discord.gone()
    await bot.start(READY_AT_ONCE)
    if owner:
        await told(bot, discord, table, times="once", code="13", said="the event loop has not turned for a minute")
    await discord.wait_for(lambda: "The bot failed once since " in bot.log, what="a line about it")
    await table.play(3)
