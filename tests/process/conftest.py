"""An installed bot with a running game. Each test has its own folder and its own Discord."""

import copy
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.standin import StandIn
from tests.support.stores import find_faults, keep_copy, use_copy

from .fork_server import run_server
from .running import Begun, Bot
from .table import Table


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def begun(tmp_path_factory: pytest.TempPathFactory) -> Begun:
    """Run `python bot.py` itself; return the bot with synced commands and a game after two turns."""
    folder = tmp_path_factory.mktemp("begun")
    async with StandIn() as discord:
        bot, table = Bot(folder, discord), Table(discord)
        await bot.start()
        await discord.wait_for(lambda: discord.world.commands, what="the commands")
        await table.begin(colour="white")
        await table.play(1, 2)
        code = await bot.end()
        bot.change("DELETE FROM meta WHERE key = 'timeline'")  # so that copies of the file are no restored ones
        syncs = discord.called("PUT", "/applications/{app}/commands")
        assert (discord.violations, bot.complaints) == ([], [])
    keep_copy(bot.database, folder / "kept")
    return Begun(discord.world, folder / "kept", len(syncs), code)


@pytest.fixture(scope="session")
def fork_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Run a server that starts bots; return its socket."""
    with run_server(tmp_path_factory.mktemp("forks") / "socket") as address:
        yield address


@pytest.fixture
async def discord(begun: Begun) -> AsyncIterator[StandIn]:
    """Return Discord as the bot left it. At the end, fail if it got anything that it does not accept."""
    async with StandIn(copy.deepcopy(begun.world)) as discord:
        yield discord
    assert discord.violations == []


@pytest.fixture
async def bot(begun: Begun, discord: StandIn, tmp_path: Path, fork_server: Path) -> AsyncIterator[Bot]:
    """Return the stopped bot with its folder. At the end, fail if it has logged an unexpected error."""
    use_copy(begun.database, tmp_path / "gipf.sqlite3")
    bot = Bot(tmp_path, discord, fork_server)
    yield bot
    await bot.kill()
    assert bot.complaints == []
    assert find_faults(bot.database) == []


@pytest.fixture
def table(discord: StandIn) -> Table:
    return Table(discord)
