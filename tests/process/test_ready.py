"""What systemd hears of the running bot: that its event loop turns, whatever Discord and the database do."""

import asyncio
import os
import signal
import socket
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing

import pytest

from gipfbot.store.schema import known_revisions
from tests.standin import StandIn

from .running import READY_AT_ONCE, Bot

# It looks often, and takes its loop for one that hangs after 5 seconds.
LOOKING_OFTEN = f"""{READY_AT_ONCE}
from gipfbot import app, watchdog
watch, watchdog.MOST_MISSED = app.LoopWatch, 100
app.LoopWatch = lambda told: watch(told, 0.05)
"""


class Systemd:
    """Listens as systemd does, and counts what it hears."""

    def __init__(self, listening: socket.socket) -> None:
        self._listening, self.heard = listening, Counter[str]()

    async def hears(self, state: str) -> None:
        """Wait until it hears this state anew, or one that begins so."""
        loop, said = asyncio.get_running_loop(), ""
        while not said.startswith(state):
            said = (await asyncio.wait_for(loop.sock_recv(self._listening, 1000), 60)).decode()
            self.heard[said] += 1


@pytest.fixture
def systemd(bot: Bot) -> Iterator[Systemd]:
    address = str(bot.folder / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(address)
        listening.setblocking(False)
        bot.settings["NOTIFY_SOCKET"] = address
        yield Systemd(listening)


async def test_a_bot_is_ready_before_its_login(bot: Bot, discord: StandIn, systemd: Systemd) -> None:
    """An outage of Discord neither delays that nor counts as a loop that hangs."""
    gate = discord.hold("GET", "/gateway/bot")
    await bot.launch(LOOKING_OFTEN)
    await systemd.hears("READY=1")
    await discord.wait_for(lambda: gate.held, what="the bot to ask")
    for _ in range(30):
        await systemd.hears("WATCHDOG=1")
    assert await bot.end() == 0
    assert systemd.heard["READY=1"] == 1


@pytest.mark.sqlite
async def test_a_bot_is_ready_before_it_has_its_database(bot: Bot, systemd: Systemd) -> None:
    """New tables, or a lock of another program, may take their time."""
    with closing(sqlite3.connect(bot.database, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        await bot.launch(LOOKING_OFTEN)
        await systemd.hears("READY=1")
        for _ in range(30):
            await systemd.hears("WATCHDOG=1")
        assert bot.exit_code is None
        assert "the bot starts" not in bot.log
        await bot.kill()


async def test_systemd_reads_what_a_start_waits_for(bot: Bot, systemd: Systemd) -> None:
    """`make update` reads it, too."""
    await bot.start(READY_AT_ONCE)
    await systemd.hears("STATUS=healthy")
    said = [state.removeprefix("STATUS=") for state in systemd.heard if state.startswith("STATUS=")]
    tables = known_revisions()[0]
    assert said == [
        "opening the database",
        f"waiting for Discord (tables={tables})",
        f"connecting to Discord (tables={tables}, shards=1)",
        f"healthy (tables={tables}, shards=1)",
    ]


async def test_systemd_reads_why_a_start_failed(bot: Bot, discord: StandIn, systemd: Systemd) -> None:
    """An outage of Discord is told apart from all else."""
    discord.fail_next("GET", "/users/@me", status=503)
    assert await (await bot.launch()).wait() == 1
    await systemd.hears("STATUS=connecting")
    await systemd.hears("STATUS=waiting for Discord: DiscordServerError: 503")
    bot.settings["GIPFBOT_SHARDS"] = "5-9/8"
    assert await (await bot.launch()).wait() == 10
    await systemd.hears("STATUS=GIPFBOT_SHARDS is 5-9/8, but ")


@pytest.mark.slow
async def test_a_bot_goes_on_after_sleep(bot: Bot, systemd: Systemd) -> None:
    """Its clocks went on, but it has not looked meanwhile."""
    await bot.start(LOOKING_OFTEN)
    os.kill(bot.pid, signal.SIGSTOP)
    await asyncio.sleep(10)
    os.kill(bot.pid, signal.SIGCONT)
    for _ in range(300):  # those from before the sleep, and many more
        await systemd.hears("WATCHDOG=1")
    assert await bot.end() == 0
