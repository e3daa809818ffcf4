"""The bot as a process, in its own folder."""

import asyncio
import os
import re
import sys
from pathlib import Path
from signal import SIGKILL, SIGTERM, Signals
from typing import Any, NamedTuple

from tests.standin import StandIn, World
from tests.standin.interaction import PATIENCE, eventually
from tests.support import stores
from tests.support.paths import HOUSE
from tests.support.stores import database_url, no_longer, run_statement, stalling, wait_until_unused

from .fork_server import ForkedProcess, Start, fork_process

# What each forked bot has changed, which costs less: its pictures are small, and it knows how fast its search is.
CHANGED_IN_ALL = """
from gipfbot import app
from gipfbot.engines.speed import Speed
from gipfbot.ui.kit import pictures
from render.layout import SMALLEST
draw = pictures.png
pictures.png = lambda picture, size, **style: draw(picture, size=min(size, SMALLEST), **style)
app.measure_speed = lambda: Speed(plain=80_000, slow=4_000)
"""
# Changes that a test may make in the program before it starts.
# The stand-in tells of all servers at once, so the bot does not wait two seconds for one more.
READY_AT_ONCE = """
from discord.state import ConnectionState
prepare = ConnectionState.__init__
def __init__(self, **options):
    options.setdefault("guild_ready_timeout", 0.1)
    prepare(self, **options)
ConnectionState.__init__ = __init__
"""
# What is due, and work in the background, comes soon.
WAKEFUL = f"""{READY_AT_ONCE}
from gipfbot.ui.bot import GipfBot
GipfBot.sweep.change_interval(seconds=0.3)
"""
# Short waits for what would take minutes: a hung post, a postponed post.
HURRIED = """
from gipfbot.service.delivery import outbox
from gipfbot.ui.bot import GipfBot
from gipfbot.ui.delivery import delivery
outbox.FIRST_WAIT, delivery.TRY_SECONDS, delivery.STRIP_SECONDS = 0, 5, 0.5
GipfBot.sweep.change_interval(seconds=0.1)
GipfBot.pulse.change_interval(seconds=0.1)
"""
# Very long waits for Discord: a bot that waited for it at its own end would never end.
PATIENT = """
import aiohttp
from gipfbot.ui.delivery import delivery
delivery.TRY_SECONDS = 3600
connect = aiohttp.ClientSession.ws_connect
aiohttp.ClientSession.ws_connect = lambda self, url, **options: connect(self, url, **{**options, "timeout": 3600})
"""
# An SQL function that never returns; the file `stalled` shows that it was called. PostgreSQL has one of its own.
STALLING = """
import pathlib, time
from sqlalchemy import Engine, event
def stall():
    pathlib.Path("stalled").touch()
    time.sleep(3600)
def add(connection, _):
    if hasattr(connection, "create_function"):
        connection.create_function("stall", 0, stall)
event.listen(Engine, "connect", add)
"""
OWED = "SELECT count(*) FROM outbox WHERE done_at IS NULL"  # how many messages are owed
COMPLAINT = re.compile(r" (ERROR|CRITICAL) |^[A-Za-z.]*(Error|Warning): |was never (awaited|retrieved)|Unclosed")


class Bot:
    """`python bot.py` with its settings, its database and its output. It may be started several times."""

    def __init__(self, folder: Path, discord: StandIn, fork_server: Path | None = None) -> None:
        """Prepare a bot. With the socket of a fork server it starts in a tenth of the time."""
        self.folder, self.discord, self.fork_server = folder, discord, fork_server
        self.database, self.heartbeat, self._log = folder / "gipf.sqlite3", folder / "heartbeat", folder / "log"
        self.settings = {
            "GIPFBOT_TOKEN": discord.token,
            "GIPFBOT_API_URL": discord.api_url,
            "GIPFBOT_GATEWAY_URL": discord.gateway_url,
            "GIPFBOT_DATABASE_URL": database_url(self.database),
            "GIPFBOT_HEARTBEAT": str(self.heartbeat),
            "GIPFBOT_INTERACTION_BURST": "1000",  # tests are faster than people
            "GIPFBOT_PINGS_A_DAY": "1000",
        }
        self.command = [sys.executable, str(HOUSE / "bot.py")]
        self.expected: list[str] = []
        self._stalls = ""  # the table at which a transaction hangs
        self.process: asyncio.subprocess.Process | ForkedProcess | None = None

    @property
    def pid(self) -> int:
        """The number of the running process."""
        assert self.process
        return self.process.pid

    @property
    def log(self) -> str:
        """All that it has written to the standard error, in all its runs."""
        return self._log.read_text() if self._log.exists() else ""

    @property
    def complaints(self) -> list[str]:
        """The lines of the log with errors, except those that the test expects."""
        lines = [line for line in self.log.splitlines() if COMPLAINT.search(line)]
        return [line for line in lines if not any(words in line for words in self.expected)]

    @property
    def exit_code(self) -> int | None:
        """The exit code of its last run, negative after a signal; None while it runs."""
        return None if self.process is None else self.process.returncode

    def expect(self, *words: str) -> None:
        """Expect log lines with these words."""
        self.expected += words

    async def launch(self, changes: str = "") -> asyncio.subprocess.Process | ForkedProcess:
        """Start the process without waiting for it. `changes` is one of this module's changes."""
        environment = {"PATH": os.environ["PATH"], **self.settings}
        if self.fork_server:
            start = Start(str(self.folder), environment, str(self._log), CHANGED_IN_ALL + changes)
            self.process = await fork_process(self.fork_server, start)
            return self.process
        assert not changes, "only a forked bot can be changed"
        with self._log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *self.command, cwd=self.folder, env=environment, stdout=log, stderr=log
            )
        return self.process

    async def start(self, changes: str = "") -> None:
        """Start the bot and wait until it is connected to the gateway."""
        process = await self.launch(changes)
        await eventually(
            lambda: process.returncode is not None or any(s.sent > 1 for s in self.discord.gateway.live), "a start"
        )
        assert process.returncode is None, self.log

    async def ended(self) -> int:
        """Wait until the bot ends by itself; return its exit code."""
        assert self.process is not None
        return await asyncio.wait_for(self.process.wait(), PATIENCE)

    async def end(self, signal: Signals = SIGTERM) -> int:
        """Send the bot a signal if it still runs, and wait for its end; return its exit code."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.send_signal(signal)
        code = await self.ended()
        await self.discord.gone()
        if not self._stalls:
            await asyncio.to_thread(wait_until_unused, self.database)
        return code

    async def kill(self) -> None:
        """Kill the bot, like a power cut."""
        if self.process is not None:
            await self.end(SIGKILL)

    async def restart(self, changes: str = "") -> None:
        """Kill the bot and start it again."""
        await self.kill()
        await self.start(changes)

    def rows(self, query: str, *values: object) -> list[Any]:
        """Return the rows of a query; for a single column, its values."""
        return run_statement(self.database, query, *values)

    def change(self, statement: str, *values: object) -> None:
        """Change the database behind the bot's back."""
        run_statement(self.database, statement, *values)

    def stall(self, when: str) -> None:
        """Make a statement such as `INSERT ON outbox` take for ever, in a transaction of a STALLING bot."""
        for statement in stalling(when):
            self.change(statement)
        self._stalls = when.rpartition(" ")[2]

    async def stalled(self) -> None:
        """Wait until the bot hangs inside the transaction."""
        if stores.POSTGRES:
            asleep = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
            await eventually(lambda: self.rows(asleep) == [1], "a transaction that hangs")
        else:
            await eventually((self.folder / "stalled").exists, "a transaction that hangs")

    def go_on(self) -> None:
        """Undo `stall`."""
        if stores.POSTGRES:
            asleep = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
            self.rows(asleep)
        self.change(no_longer("stall", self._stalls))
        self._stalls = ""


async def run_command(bot: Bot, *words: str) -> tuple[int, str]:
    """Run a command as the host does, without a token; return its exit code and all that it says."""
    environment = {"PATH": os.environ["PATH"], "GIPFBOT_DATABASE_URL": bot.settings["GIPFBOT_DATABASE_URL"]}
    (bot.folder / "data").mkdir(exist_ok=True)
    output = bot.folder / f"output-of-{words[0]}"
    output.unlink(missing_ok=True)
    assert bot.fork_server
    process = await fork_process(bot.fork_server, Start(str(bot.folder), environment, str(output), arguments=words))
    return await process.wait(), output.read_text()


class Begun(NamedTuple):
    """A bot that was stopped: what Discord knows, the database, and how its run went."""

    world: World
    database: Path
    syncs: int
    ended: int
