"""The role that seeks mention: which role can be it, who has it, and how players join and leave it."""

from collections.abc import Iterator
from typing import NamedTuple

import aiohttp
import discord

from gipfbot.languages import say
from gipfbot.service.settings.servers import ServerSettings
from gipfbot.ui.kit import Button, Interaction
from gipfbot.ui.kit.command_permissions import may_role_use_server_command
from gipfbot.ui.kit.discord_codes import NO_PLACE, Means, meaning
from gipfbot.ui.kit.respond import CannotTell

from . import seeker_texts

UNKNOWN_ROLE = 10011  # Discord's code
JOIN, LEAVE = "join", "leave"
AUDITED_AS = "by /gipf seeks"  # in the server's audit log


class Seekers(NamedTuple):
    """The role that seeks mention, as a person finds it. The role is None if there is none, or if it is gone."""

    role: discord.Role | None
    joined: bool = False  # whether the person has it
    note: str = ""  # what the person should know of it


async def find_seekers(interaction: Interaction, settings: ServerSettings) -> Seekers:
    """Return the role that seeks mention on the server of an interaction. `role_for_seeks` says what happens to it."""
    role, note = await role_for_seeks(interaction, settings)
    return Seekers(role, role is not None and _has_role(interaction, role), note)


async def role_for_seeks(interaction: Interaction, settings: ServerSettings) -> tuple[discord.Role | None, str]:
    """Return the role that seeks mention on the server of an interaction, and what the person should know of it.

    The role is None if none is set. If the server does not have it any more, the setting goes off.
    """
    guild = interaction.guild
    if guild is None or settings.seekers is None or guild.unavailable:
        return None, ""
    if role := guild.get_role(settings.seekers):
        return role, ""
    return None, await _forget_role(interaction, guild)


async def _forget_role(interaction: Interaction, guild: discord.Guild) -> str:
    """Unset the role that seeks mention, because it is gone. Return the sentence about it."""
    await interaction.client.app.servers.change(guild.id, {"seekers": None})
    return say(seeker_texts.SEEKERS_GONE)


def _has_role(interaction: Interaction, role: discord.Role) -> bool:
    """Return whether the person who acts had a role when they began to act."""
    return isinstance(interaction.user, discord.Member) and interaction.user.get_role(role.id) is not None


def seekers_button(*, joined: bool) -> Button:
    """Return the button by which somebody joins the role that seeks mention, or leaves it if they have `joined`."""
    if joined:
        return Button(say(seeker_texts.LEAVE_SEEKERS_LABEL), f"seekers:{LEAVE}")
    return Button(say(seeker_texts.JOIN_SEEKERS_LABEL), f"seekers:{JOIN}")


async def join_or_leave(interaction: Interaction, role: discord.Role, verb: str, settings: ServerSettings) -> Seekers:
    """Give the person who acts a role, or take it from them. Return it as they find it then, with what came of it.

    Nobody gets a role that gives more than being mentioned. Raises CannotTell, and discord.HTTPException if Discord
    fails.
    """
    before = Seekers(role, _has_role(interaction, role))
    if verb == JOIN and (reason := await why_unfit_now(interaction, role, settings)):
        return before._replace(note=seeker_texts.cannot_join_text(reason))
    await interaction.client.app.end_snapshot()  # Discord may take seconds, and others need the connection
    http = interaction.client.http
    change = http.add_role if verb == JOIN else http.remove_role
    try:
        await change(role.guild.id, interaction.user.id, role.id, reason=AUDITED_AS)
    except discord.HTTPException as error:
        if error.code == UNKNOWN_ROLE:
            return Seekers(None, note=await _forget_role(interaction, role.guild))
        if meaning(error) in NO_PLACE | {Means.ABSENT}:
            return before._replace(note=say(seeker_texts.MAY_NOT_GIVE_ROLE))
        raise
    return Seekers(role, verb == JOIN, say(seeker_texts.SEEKERS_JOINED if verb == JOIN else seeker_texts.SEEKERS_LEFT))


async def why_unfit_now(interaction: Interaction, role: discord.Role, settings: ServerSettings) -> str:
    """Return why a role cannot be the one that seeks mention, as `why_unfit` does.

    Also asks Discord whether it may use `/gipf-server`. Raises CannotTell if Discord does not answer.
    """
    if reason := why_unfit(role, settings):
        return reason
    try:
        manages = await may_role_use_server_command(interaction, role)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        raise CannotTell from error
    return seeker_texts.role_unfit_text(role.id, seeker_texts.ROLE_MANAGES) if manages else ""


def why_unfit(role: discord.Role, settings: ServerSettings) -> str:
    """Return why a role cannot be the one that seeks mention. Empty if it can be.

    Everybody may join that role. So it may give nothing.
    """
    guild, unfit_text = role.guild, seeker_texts.role_unfit_text
    if role.is_default():
        return unfit_text(role.id, seeker_texts.ROLE_IS_EVERYONE)
    if role.managed:
        return unfit_text(role.id, seeker_texts.ROLE_IS_MANAGED)
    if role >= guild.me.top_role:
        return unfit_text(role.id, seeker_texts.ROLE_IS_ABOVE)
    if more := discord.Permissions(role.permissions.value & ~guild.default_role.permissions.value):
        return seeker_texts.role_may_more_text(role.id, [name for name, is_on in more if is_on])
    if channel := next(_channels_that_allow(role), None):
        return seeker_texts.role_is_allowed_text(role.id, channel.id)
    if role.id == settings.organisers:
        return unfit_text(role.id, seeker_texts.ROLE_ORGANISES)
    return unfit_text(role.id, seeker_texts.ROLE_CHALLENGES) if role.id == settings.challengers else ""


def _channels_that_allow(role: discord.Role) -> Iterator[discord.abc.GuildChannel]:
    """Yield the channels and categories of a server whose overwrites allow a role something."""
    for channel in role.guild.channels:
        if channel.overwrites_for(role).pair()[0].value:
            yield channel


def seekers_warnings(role: discord.Role, settings: ServerSettings) -> Iterator[str]:
    """Yield what hinders the role that seeks mention from being mentioned, and from being joined."""
    mine, games = role.guild.me.guild_permissions, role.guild.get_channel(settings.channel or 0)
    there = games.permissions_for(role.guild.me) if games else mine
    if reason := why_unfit(role, settings):
        yield seeker_texts.nobody_joins_text(reason)
    elif not mine.manage_roles:
        yield say(seeker_texts.MAY_NOT_GIVE_SEEKERS)
    if not (role.mentionable or there.mention_everyone):
        yield say(seeker_texts.MAY_NOT_MENTION_SEEKERS)
