"""A running bot in a simulated Discord for each test; whatever it logs as an error fails the test."""

import asyncio
import logging
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import simcord

from gipfbot.app import bot_of
from gipfbot.store import Store
from gipfbot.ui.bot import GipfBot

from .world import World


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("database") / "empty.sqlite3"

    async def create() -> None:
        await (await Store.open(f"sqlite+aiosqlite:///{path}")).close()

    asyncio.run(create())
    return path


@pytest.fixture
async def store(empty_database: Path, tmp_path: Path) -> AsyncIterator[Store]:
    path = shutil.copy(empty_database, tmp_path / "gipf.sqlite3")
    opened = await Store.open(f"sqlite+aiosqlite:///{path}")
    yield opened
    await opened.close()


@pytest.fixture
def simcord_bot(store: Store, request: pytest.FixtureRequest) -> GipfBot:
    """What SimCord's plugin asks for: its fixture `simcord_env` runs this bot.

    With the marker `looks_every` it looks round after so many hours only: each look costs real time.
    """
    bot = bot_of(store)
    if marker := request.node.get_closest_marker("looks_every"):
        hours = marker.args[0]
        for loop in (bot.sweep, bot.pulse):
            loop.change_interval(hours=hours)
        bot.timekeeper.away = (hours + 1) * 3600
    return bot


@pytest.fixture
async def world(simcord_env: simcord.Env, simcord_bot: GipfBot, store: Store) -> AsyncIterator[World]:
    guild = simcord_env.create_guild("Club")
    ann, bob, cara = (
        guild.add_member(simcord_env.create_user(name, global_name=name.capitalize()))
        for name in ("ann", "bob", "cara")
    )
    world = World(simcord_env, simcord_bot, store, guild, guild.create_text_channel("gipf"), ann, bob, cara)
    try:
        yield world
        world.assert_nobody_else_was_pinged()
    finally:
        await world.bot.close()


@pytest.fixture(autouse=True)
def nothing_fails_unseen(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """An exception in a button is only logged by discord.py; a test that expects one clears `caplog`."""
    yield
    assert [r.getMessage() for r in caplog.get_records("call") if r.levelno >= logging.ERROR] == []
