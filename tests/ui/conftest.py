"""A running bot in a simulated Discord for each test; whatever it logs as an error fails the test."""

import logging
from collections.abc import AsyncIterator, Iterator
from typing import Any

import discord
import pytest
import simcord

from gipfbot.app import create_bot
from gipfbot.store import Store
from gipfbot.ui.bot import GipfBot
from gipfbot.values import NO_LIMITS
from tests.support.engines import EngineInThread
from tests.support.pictures import draw_small
from tests.support.simcord_copies import copy_quickly

from .distinct_labels import note_repeated_labels
from .fresh_start import register_commands, start_quickly
from .world import World, add_guild, looks_seldom

PATIENCE = 120  # seconds; only a bot that hangs takes so long
GLANCE = 0.005  # seconds between two looks whether the bot rests; SimCord's 0.05 were half the time of these tests
_settle = simcord.Env._settle_internal
copy_quickly()


async def _settle_patiently(env: simcord.Env, *, timeout: float | None = None, **more: Any) -> None:  # noqa: ASYNC109
    """Settle as SimCord does, but look more often. At its start it waits for 5 seconds; a busy machine takes longer."""
    await _settle(env, timeout=timeout and max(timeout, PATIENCE), **(more | {"idle": GLANCE}))


@pytest.fixture
def simcord_bot(store: Store, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> GipfBot:
    """Return the bot that SimCord's fixture `simcord_env` runs.

    With the marker `looks_every` it looks round only after so many hours: each look costs real time. With the marker
    `full_start` it starts as on any other day.
    """
    monkeypatch.setattr(simcord.Env, "_settle_internal", _settle_patiently)
    bot = create_bot(store, limits=NO_LIMITS, engine=EngineInThread())
    if marker := request.node.get_closest_marker("looks_every"):
        looks_seldom(bot, marker.args[0], monkeypatch)
    if not request.node.get_closest_marker("full_start"):
        start_quickly(bot, monkeypatch)
    return bot


@pytest.fixture
async def world(simcord_env: simcord.Env, simcord_bot: GipfBot, store: Store) -> AsyncIterator[World]:
    simcord_env.settle_timeout = PATIENCE
    if simcord_bot.are_commands_synced and not simcord_bot.command_ids:
        register_commands(simcord_env, simcord_bot)
    guild = await add_guild(simcord_env, simcord_bot, "Club")
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


@pytest.fixture
def boss(world: World) -> simcord.MemberActor:
    """A member who manages the server."""
    role = world.guild.create_role("managers", permissions=discord.Permissions(manage_guild=True))
    return world.guild.add_member(world.env.create_user("boss"), roles=[role])


@pytest.fixture(autouse=True)
def small_pictures(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw small pictures, which costs less; with the marker `full_size` as large as for people."""
    if not request.node.get_closest_marker("full_size"):
        draw_small(monkeypatch)


@pytest.fixture(autouse=True)
def nothing_fails_unseen(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail the test for any error in the log. A test that expects one clears `caplog`.

    An exception in a button is only logged by discord.py.
    """
    yield
    assert [r.getMessage() for r in caplog.get_records("call") if r.levelno >= logging.ERROR] == []


@pytest.fixture(autouse=True)
def labels_differ(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail the test if two buttons of a message say the same, whichever message it is."""
    repeated = note_repeated_labels(monkeypatch)
    yield
    assert not repeated
