"""Sending the commands to Discord: what it refuses, and what it takes too long for."""

import pytest

from gipfbot.ui.commands import COMMANDS
from gipfbot.ui.kit.request_watch import FIRST_HOLD
from tests.support.steady_clock import Seconds

from .house import House

SYNCS = "PUT", "/applications/{app}/commands"
LAUNCH = {"id": "7", "name": "launch", "type": 4, "handler": 2, "description": "", "version": "3"}


async def test_the_entry_point_of_an_activity_is_kept(house: House) -> None:
    """Discord takes no list without it (50240). The bot's own commands are all there."""
    house.discord.world.commands[None] = [dict(LAUNCH)]
    await house.bot.pulse.coro(house.bot)
    known = house.discord.world.commands[None]
    assert [command["name"] for command in known] == [*(command.name for command in COMMANDS), "launch"]
    assert (known[-1]["id"], known[-1]["handler"]) == ("7", 2)
    assert [call.status for call in house.discord.called(*SYNCS)] == [400, 200]
    assert "launch" not in house.bot.command_ids
    assert house.bot.command_ids["gipf games"]
    assert house.bot.are_commands_synced


@pytest.mark.parametrize("code", [40333, 0, 40006, 987654])
async def test_commands_that_are_blocked_are_sent_again(house: House, code: int) -> None:
    """In between, no request is made."""
    seconds = house.bot.watch.holds.steady = Seconds()
    house.discord.fail_next(*SYNCS, status=403, code=code)
    known = []
    for wait in (0, FIRST_HOLD, 0):
        await house.bot.pulse.coro(house.bot)
        known.append("gipf games" in house.bot.command_ids)
        seconds.now += wait
    assert known == [False, False, True]
    assert [call.status for call in house.discord.called(*SYNCS)] == [403, 200]


async def test_commands_that_meet_a_limit_are_sent_again(house: House) -> None:
    house.discord.fail_next(*SYNCS, status=429, times=5)  # discord.py's own tries
    known = []
    for _ in range(2):
        await house.bot.pulse.coro(house.bot)
        known.append("gipf games" in house.bot.command_ids)
    assert known == [False, True]
