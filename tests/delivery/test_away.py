"""The bot is cut off: from Discord's gateway for an hour, or from a server that removes and invites it."""

import asyncio
from collections.abc import Callable

import pytest

from tests.support.routes import MESSAGES
from tests.support.terms import THREE_DAYS
from tests.support.times import HANGS, HOUR, MINUTE

from .house import House, said


async def pass_by(house: House, seconds: int = 0) -> None:
    """Let time pass, and the bot do all that is due."""
    house.clock.moved += seconds
    await house.bot.sweep.coro(house.bot)


async def deadline(house: House, game: int) -> int:
    """Return the deadline of the player to move."""
    clock = (await house.game(game)).clock
    assert clock
    assert clock.deadline
    return clock.deadline


async def until(house: House, holds: Callable[[], bool], what: str) -> None:
    """Wait until something is so, and until the bot has done what follows from it."""
    await house.discord.wait_for(holds, what)
    handlers = [task for task in asyncio.all_tasks() if task.get_name().startswith("discord.py: on_")]
    await asyncio.wait_for(asyncio.gather(*handlers), HANGS)


async def test_an_hour_without_the_gateway_costs_nobody_time(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """What is owed is posted meanwhile. No clock runs, and afterwards the games go on."""
    await house.connect()
    await until(house, lambda: house.bot.connected, "the gateway")
    game = await house.begin(terms=THREE_DAYS, thread=False)
    await pass_by(house)
    house.discord.fail_next("POST", MESSAGES, status=503)
    assert not await house.play(game)
    due = await deadline(house, game)
    await house.discord.gateway_down()
    await until(house, lambda: not house.bot.connected, "the loss of the gateway")

    for _ in range(6):
        await pass_by(house, 10 * MINUTE)
    assert said(house.channel)[1:] == ["board 0", "board 1"]
    assert not (await house.stored(game)).unreachable

    house.discord.gateway_up()
    await until(house, lambda: house.bot.connected, "the gateway again")
    await pass_by(house)
    assert HOUR - MINUTE <= await deadline(house, game) - due <= HOUR
    assert await house.play(game)
    assert [each for each in said(house.channel) if each.startswith("board")] == ["board 0", "board 1", "board 2"]
    caplog.clear()  # discord.py logs its attempts to reconnect as errors


async def test_games_go_on_after_the_bot_is_kicked_and_invited_again(house: House) -> None:
    """A turn that was played meanwhile has its board in the first sweep."""
    await house.connect()
    await until(house, lambda: house.bot.connected, "the gateway")
    games = [await house.begin(terms=THREE_DAYS, thread=False) for _ in range(2)]
    await house.discord.kick(house.discord.guild)
    await until(house, lambda: not house.bot.guilds, "the removal")
    assert all([(await house.stored(game)).unreachable for game in games])
    assert not await house.play(games[0])
    await pass_by(house, MINUTE)
    boards = said(house.channel).count("board 1")

    await house.discord.invite(house.discord.guild)
    await until(house, lambda: bool(house.bot.guilds), "the invitation")
    await pass_by(house, MINUTE)
    assert (boards, said(house.channel).count("board 1")) == (0, 1)
    assert not any([(await house.stored(game)).unreachable for game in games])
    for game in games:
        assert await house.play(game)


async def test_a_server_that_discord_cannot_show_keeps_its_games(house: House) -> None:
    """During an outage of Discord, servers are unavailable. The bot was not removed from them."""
    await house.connect()
    await until(house, lambda: house.bot.connected, "the gateway")
    game, server = await house.begin(terms=THREE_DAYS, thread=False), house.discord.guild
    await house.discord.gateway.dispatch("GUILD_DELETE", {"id": str(server.id), "unavailable": True})
    await until(house, lambda: house.bot.guilds[0].unavailable, "the outage")
    await pass_by(house, MINUTE)
    assert not (await house.stored(game)).unreachable
    assert await house.play(game)
    await house.discord.gateway.dispatch("GUILD_CREATE", server.json())
    await until(house, lambda: not house.bot.guilds[0].unavailable, "the end of the outage")
    assert await house.play(game)
    assert said(house.channel)[1:] == ["board 0", "board 1", "board 2"]
