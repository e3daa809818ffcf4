"""Whether the bot is on a server, what it may do in a channel, who manages a server, and who can see a channel."""

from collections.abc import Iterable
from contextlib import suppress

import aiohttp
import discord

from gipfbot.languages import mark, say, say_name
from gipfbot.match import Refused, Why
from gipfbot.values import Venue

from . import texts
from .client import AppClient, Interaction
from .command_permissions import may_use_server_command
from .discord_codes import NO_PLACE, Means, meaning
from .discord_internals import fetch_whole_guild
from .respond import show_reply

NEEDED_PERMISSIONS = {
    "view_channel": mark("View Channel"),
    "send_messages": mark("Send Messages"),
    "attach_files": mark("Attach Files"),
}

THREAD_PERMISSIONS = {
    "create_public_threads": mark("Create Public Threads"),
    "send_messages_in_threads": mark("Send Messages in Threads"),
}

INVITED_WITH = {**NEEDED_PERMISSIONS, **THREAD_PERMISSIONS, "read_message_history": mark("Read Message History")}

_NAMES = {**INVITED_WITH, "manage_guild": mark("Manage Server"), "moderate_members": mark("Timeout Members")}
_VIEW_ORDER = {False: -1, None: 0, True: 1}  # an overwrite that forbids, leaves open, or allows


def permission_name(flag: str) -> str:
    """Return Discord's name of a permission. It is English for one that the bot never asks for.

    >>> permission_name("manage_guild"), permission_name("manage_roles")
    ('Manage Server', 'Manage Roles')
    """
    return say_name(_NAMES[flag]) if flag in _NAMES else flag.replace("_", " ").title()


async def find_server(client: AppClient, server: int) -> discord.Guild | None:
    """Return a server with its channels, its active threads and the bot as a member. None if the bot is not in it.

    Raises ConnectionError as long as the bot does not know its servers, and discord.HTTPException if Discord cannot
    tell.
    """
    if client.own_shards and not client.own_shards.has_server(server):
        return await _ask_discord(client, server)
    guild = client.get_guild(server)
    if not client.is_ready() or (guild and guild.unavailable):
        raise ConnectionError(f"server {server} is not known yet")
    return guild


async def server_name(client: AppClient, server: int | None) -> str | None:
    """Return the name of a server; None if the bot is not there, or if Discord cannot tell."""
    try:
        found = await find_server(client, server) if server is not None else None
    except (discord.HTTPException, ConnectionError):
        return None
    return found.name if found else None


async def _ask_discord(client: AppClient, server: int) -> discord.Guild | None:
    assert client.user, "the bot is logged in"
    await client.app.end_snapshot()  # Discord may take seconds, and others need the connection
    try:
        return await fetch_whole_guild(client, server, client.user.id)
    except discord.HTTPException as error:
        if meaning(error) in NO_PLACE:
            return None
        raise


async def fetch_member(guild: discord.Guild, user: int) -> discord.Member | None:
    """Ask Discord for a member of a server. None if the person is not there. Raises discord.HTTPException."""
    try:
        return await guild.fetch_member(user)
    except discord.HTTPException as error:
        if meaning(error) in (Means.ABSENT, Means.GONE):
            return None
        raise


async def check_bot_is_on(interaction: Interaction, server: int | None) -> None:
    """Raise Refused, with the link that invites the bot, unless it is a member of a server.

    A server can have the bot's commands without the bot. Does nothing if `server` is None, or if Discord cannot tell.
    """
    with suppress(discord.HTTPException, aiohttp.ClientError, OSError):
        if server is not None and await find_server(interaction.client, server) is None:
            invited_with = discord.Permissions(**dict.fromkeys(INVITED_WITH, True))
            app, guild = interaction.application_id, discord.Object(server)
            link = discord.utils.oauth_url(app, permissions=invited_with, guild=guild)
            raise Refused(Why.BOT_NOT_INVITED, link=link, here=server == interaction.guild_id)


async def check_manager(interaction: Interaction, **_: object) -> bool:
    """Return whether the person may use `/gipf-server` here at this moment. If not, tell them so.

    Raises Refused if the bot itself is not on the server.
    """
    if interaction.guild_id is None:
        await show_reply(interaction, say(texts.ONLY_ON_SERVERS))
        return False
    await check_bot_is_on(interaction, interaction.guild_id)
    if await may_use_server_command(interaction):
        return True
    await show_reply(interaction, say(texts.ONLY_FOR_MANAGERS))
    return False


def venue_of(interaction: Interaction) -> Venue:
    """Return the venue that an interaction comes from: server, channel, and the parent channel of a thread."""
    assert interaction.channel_id is not None
    parent = interaction.channel.parent_id if isinstance(interaction.channel, discord.Thread) else None
    return Venue(interaction.guild_id, interaction.channel_id, parent)


def missing_permissions(interaction: Interaction) -> list[str]:
    """Return in words the permissions that the bot lacks in the channel of an interaction."""
    needed = [*NEEDED_PERMISSIONS]
    if isinstance(interaction.channel, discord.Thread):
        needed = ["view_channel", "attach_files", "send_messages_in_threads"]
    return [permission_name(flag) for flag in needed if not getattr(interaction.app_permissions, flag)]


def missing_permissions_in(channel: object, needed: Iterable[str] = tuple(NEEDED_PERMISSIONS)) -> list[str]:
    """Return in words which of the permissions `needed` the bot lacks in a channel of a server.

    Anything but a server's channel, such as None, counts as a channel that the bot cannot see.
    """
    if not isinstance(channel, discord.abc.GuildChannel):
        return [permission_name("view_channel")]
    allowed = channel.permissions_for(channel.guild.me)
    return [permission_name(flag) for flag in needed if not getattr(allowed, flag)]


def is_private_thread(channel: object) -> bool:
    """Return whether a channel is a private thread, which only its members can see."""
    return isinstance(channel, discord.Thread) and channel.is_private()


def can_see_channel(channel: object, member: discord.Member) -> bool:
    """Return whether a member can see a channel or thread of a server.

    Only the bot itself counts as able to see a private thread.
    """
    if is_private_thread(channel) and member != member.guild.me:
        return False
    if isinstance(channel, discord.Thread):
        channel = channel.parent
    return isinstance(channel, discord.abc.GuildChannel) and channel.permissions_for(member).view_channel


def is_seen_by_everybody(channel: discord.abc.GuildChannel) -> bool:
    """Return whether everybody on the server surely sees a channel: no overwrite keeps anybody out."""
    everybody = channel.permissions_for(channel.guild.default_role)
    return everybody.view_channel and False not in _view_overwrites(channel).values()


def is_seen_by_all_of(channel: discord.abc.GuildChannel, other: discord.abc.GuildChannel) -> bool:
    """Return whether all who see another channel of the server surely see this one, too.

    This holds if each role and each person is allowed at least as much here as there, whatever roles people have. So
    the members need not be known. Return False in doubt.
    """
    here, there = _view_overwrites(channel), _view_overwrites(other)
    return all(_VIEW_ORDER[here.get(target)] >= _VIEW_ORDER[there.get(target)] for target in {*here, *there})


def _view_overwrites(channel: discord.abc.GuildChannel) -> dict[int, bool | None]:
    """Return a channel's view overwrites by role and member: True allows, False forbids. The bot's own are left out."""
    me = channel.guild.me
    own = {me.id, *(role.id for role in me.roles if role.is_bot_managed())}
    return {target.id: said.view_channel for target, said in channel.overwrites.items() if target.id not in own}


async def find_channel(interaction: Interaction, channel_id: int, server: discord.Guild | None = None) -> object | None:
    """Return a channel or thread, of this server if one is given; None if it is gone or hidden from the bot.

    Raises discord.HTTPException if Discord cannot tell.
    """
    client = interaction.client
    channel: object | None = server.get_channel_or_thread(channel_id) if server else client.get_channel(channel_id)
    if channel is None:
        try:
            channel = await (server or client).fetch_channel(channel_id)
        except discord.HTTPException as error:
            if meaning(error) in NO_PLACE:
                return None
            raise
    me = channel.guild.me if isinstance(channel, discord.Thread | discord.abc.GuildChannel) else None
    # The bot is no member of an unknown server, whose shard belongs to another process.
    return channel if me is None or can_see_channel(channel, me) else None
