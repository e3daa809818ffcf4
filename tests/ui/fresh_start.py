"""A start of the bot without the work that has no effect in most tests, though it takes longer than they do.

Only the first bot of a world starts so: `World.restart` starts another in full.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import simcord
from simcord.backend import Backend
from simcord.backend.ops.commands import COMMAND_FIELDS
from simcord.http.router import dispatch

from gipfbot.ui.bot import GipfBot
from gipfbot.ui.kit.slash_commands import mentionable_ids

_KNOWN: dict[tuple[Any, ...], Sequence[Mapping[str, Any]]] = {}


def start_quickly(bot: GipfBot, patch: pytest.MonkeyPatch) -> None:
    """Let a bot on an empty database neither send its commands nor release leases, and feel its pulse only in time."""
    bot.are_commands_synced = True
    for service in (bot.app.outbox, bot.app.house):
        _skip_first_release(service)
    _start_pulse_in_time(bot, patch)


def register_commands(env: simcord.Env, bot: GipfBot) -> None:
    """Let the simulated Discord know the commands of a bot, as if it had sent them, and the bot their ids."""
    registered = env.backend.register_commands(None, [dict(command) for command in _known_commands(bot)])
    bot.command_ids = mentionable_ids(bot.tree, {command["name"]: int(command["id"]) for command in registered})


def _known_commands(bot: GipfBot) -> Sequence[Mapping[str, Any]]:
    """Return the commands of a bot as Discord keeps them."""
    commands = tuple(bot.tree.get_commands())
    if commands not in _KNOWN:
        discord = Backend()
        sent = [command.to_dict(bot.tree) for command in commands]
        kept = dispatch(discord, "PUT", f"/applications/{discord.application_id}/commands", json=sent)
        _KNOWN[commands] = [{name: each[name] for name in COMMAND_FIELDS if name in each} for each in kept]
    return _KNOWN[commands]


def _skip_first_release(service: Any) -> None:
    async def release_nothing() -> None:
        del service.release_leases  # from now on it does what it does in the bot

    service.release_leases = release_nothing


def _start_pulse_in_time(bot: GipfBot, patch: pytest.MonkeyPatch) -> None:
    """Let the pulse begin when a test first lets time go by. Until then the simulated time stands still."""
    start, advance_time = bot.pulse.start, simcord.Env.advance_time
    waiting = [start]

    async def start_and_advance(env: simcord.Env, seconds: float) -> None:
        with env._bot_scope():
            while waiting and env.bot is bot:
                waiting.pop()()
        await advance_time(env, seconds)

    patch.setattr(bot.pulse, "start", lambda: None)
    patch.setattr(simcord.Env, "advance_time", start_and_advance)
