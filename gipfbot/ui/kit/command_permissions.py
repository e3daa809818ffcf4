"""Who may use `/gipf-server`: what a server has decided in its integrations, or else who has Manage Server.

Discord itself lets nobody else give the command. The bot reads the same overwrites, and keeps them for the buttons and
selects that do what the command does. Overwrites about the command go before those about all commands of the bot, a
person before their roles, a role before everybody, and a channel before all channels.
"""

import asyncio
import logging
from collections.abc import Iterable

import aiohttp
import discord
from discord import AppCommandPermissionType as Target

from .client import CommandOverwrites, Interaction, Overwrites

log = logging.getLogger(__name__)
SERVER_COMMAND = "gipf-server"
KEPT_SECONDS = 60  # how long the overwrites of a server are kept
ASK_SECONDS = 3  # for Discord's answer: a person waits for it


async def _overwrites_of(interaction: Interaction, server: int, command: int) -> CommandOverwrites:
    """Return the overwrites of a server. Raises discord.HTTPException or OSError if Discord cannot tell."""
    bot, now = interaction.client, interaction.client.app.now()
    for each in [each for each, known in bot.command_overwrites.items() if not 0 <= now - known.read_at < KEPT_SECONDS]:
        del bot.command_overwrites[each]
    if server not in bot.command_overwrites:
        await bot.app.end_snapshot()  # Discord may take seconds, and others need the connection
        asked = [_ask_discord(interaction, server, target) for target in (command, interaction.application_id)]
        async with asyncio.timeout(ASK_SECONDS):
            bot.command_overwrites[server] = CommandOverwrites(now, *await asyncio.gather(*asked))
    return bot.command_overwrites[server]


async def _ask_discord(interaction: Interaction, server: int, target: int) -> Overwrites:
    """Ask Discord what a server has decided about a command, or about all if `target` is the bot's application.

    A refusal (403) counts as no overwrite, because each one counts towards Discord's ban, and so is not repeated.
    """
    http, application = interaction.client.http, interaction.application_id
    try:
        said = await http.get_application_command_permissions(application, server, target)
    except (discord.NotFound, discord.Forbidden):  # the former says that nothing is decided
        return {}
    return {(each["type"], int(each["id"])): each["permission"] for each in said["permissions"]}


async def may_use_server_command(interaction: Interaction) -> bool:
    """Return whether the person who acts on a server may use `/gipf-server` where they are.

    If Discord cannot tell what the server has decided, people with Manage Server may.
    """
    bot, person, by_default = interaction.client, interaction.user, interaction.permissions.manage_guild
    command = _server_command(interaction)
    if command is None or not isinstance(person, discord.Member) or interaction.permissions.administrator:
        return by_default
    server = person.guild.id
    if interaction.command:
        bot.command_overwrites.pop(server, None)  # Discord has just let them give a command: by newer ones, perhaps
    try:
        decided = await _overwrites_of(interaction, server, command)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.info("who may use /%s on server %d is not known now: %r", SERVER_COMMAND, server, error)
        return by_default
    return is_allowed(decided, person, _channel_of(interaction), by_default=by_default)


async def may_role_use_server_command(interaction: Interaction, role: discord.Role) -> bool:
    """Return whether a server lets a role use `/gipf-server` by name. Raises discord.HTTPException or OSError."""
    command = _server_command(interaction)
    if command is None:
        return False
    interaction.client.command_overwrites.pop(role.guild.id, None)  # what was kept may be older
    decided = await _overwrites_of(interaction, role.guild.id, command)
    return decided.of_command.get((Target.role.value, role.id)) is True


def _server_command(interaction: Interaction) -> int | None:
    """Return the id of `/gipf-server`, None if it is not known."""
    ids = interaction.client.command_ids
    return next((ids[name] for name in ids if name.split()[0] == SERVER_COMMAND), None)


def _channel_of(interaction: Interaction) -> int:
    """Return the channel of an interaction, or that of its thread."""
    channel = interaction.channel
    return (channel.parent_id if isinstance(channel, discord.Thread) else interaction.channel_id) or 0


def is_allowed(decided: CommandOverwrites, person: discord.Member, channel: int, *, by_default: bool) -> bool:
    """Return whether a person who is no administrator may use a command in a channel.

    `by_default` is whether they may where nothing is decided. What is allowed for all commands of the bot does not
    widen that.
    """
    server = person.guild.id
    places = [(Target.channel.value, channel), (Target.channel.value, server - 1)]  # the latter is all channels
    if _first(each.get(place) for each in (decided.of_command, decided.of_all) for place in places) is False:
        return False
    said = _of_person(decided.of_command, person)
    return by_default and _of_person(decided.of_all, person) is not False if said is None else said


def _of_person(decided: Overwrites, person: discord.Member) -> bool | None:
    """Return what is decided for a person; None if nothing is. If one of their roles may, they may."""
    user, role = Target.user.value, Target.role.value
    everybody = person.guild.id
    roles = [decided[role, each.id] for each in person.roles if each.id != everybody and (role, each.id) in decided]
    return _first((decided.get((user, person.id)), any(roles) if roles else None, decided.get((role, everybody))))


def _first(answers: Iterable[bool | None]) -> bool | None:
    """Return the first answer that is not None; None if there is none."""
    return next((answer for answer in answers if answer is not None), None)
