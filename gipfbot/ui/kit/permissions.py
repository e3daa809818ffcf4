"""Check permissions in channels and on servers: of the bot, of managers, players and spectators.

A manager is a person with the permission Manage Server. Discord checks it, too, but a server may open its commands to
anybody.

A game in a private chat, or whose channel is gone, is seen by its players only. The bot knows all channels of a server,
but not its archived threads. A person who sees the channel of a public thread sees the thread, too.

A person may make the bot write only where they may write themselves. Turns are exempt: the game was agreed on, and the
clock runs.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

import discord

from gipfbot.match import Refused, Why
from gipfbot.values import ListedGame, StoredGame, Venue

from . import texts
from .client import AppClient, Interaction
from .respond import show_reply

GONE_CODES = (10004, 50001)  # unknown server, missing access

NEEDED_PERMISSIONS = {
    "view_channel": "see the channel",
    "send_messages": "send messages",
    "attach_files": "attach files",
}

THREAD_PERMISSIONS = {"create_public_threads": "make threads", "send_messages_in_threads": "send messages in threads"}

GONE_OR_HIDDEN_CODES = (10003, 50001)  # unknown channel, missing access

Game = TypeVar("Game", bound=ListedGame)
_MEMBERS = "members"  # key in `extras`: the person who acts as a member of other servers


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


async def _ask_discord(client: AppClient, server: int) -> discord.Guild | None:
    assert client.user, "the bot is logged in"
    await client.app.end_snapshot()  # Discord may take seconds, and others need the connection
    try:
        guild = await client.fetch_guild(server, with_counts=False)
        for channel in await guild.fetch_channels():
            guild._add_channel(channel)
        guild._add_member(await guild.fetch_member(client.user.id))
        for thread in await guild.active_threads():
            guild._add_thread(thread)
    except discord.HTTPException as error:
        if error.code in GONE_CODES:
            return None
        raise
    return guild


async def check_manager(interaction: Interaction, **_: object) -> bool:
    """Return whether the person manages the server at this moment. If not, tell them so."""
    if interaction.guild is None:
        await show_reply(interaction, texts.ONLY_ON_SERVERS)
    elif not interaction.permissions.manage_guild:
        await show_reply(interaction, texts.ONLY_FOR_MANAGERS)
    return interaction.guild is not None and interaction.permissions.manage_guild


def venue_of(interaction: Interaction) -> Venue:
    """Return the venue that an interaction comes from: server, channel, and the parent channel of a thread."""
    assert interaction.channel_id is not None
    parent = interaction.channel.parent_id if isinstance(interaction.channel, discord.Thread) else None
    return Venue(interaction.guild_id, interaction.channel_id, parent)


def missing_permissions(interaction: Interaction) -> list[str]:
    """Return in words the permissions that the bot lacks in the channel of an interaction."""
    allowed, needed = interaction.app_permissions, dict(NEEDED_PERMISSIONS)
    if isinstance(interaction.channel, discord.Thread):
        needed["send_messages_in_threads"] = needed.pop("send_messages") + " in threads"
    return [words for name, words in needed.items() if not getattr(allowed, name)]


def missing_permissions_in(
    channel: object, needed: Mapping[str, str] = MappingProxyType(NEEDED_PERMISSIONS)
) -> list[str]:
    """Return in words which of the permissions `needed` the bot lacks in a channel of a server.

    Anything but a server's channel, such as None, counts as a channel that the bot cannot see.
    """
    if not isinstance(channel, discord.abc.GuildChannel):
        return [NEEDED_PERMISSIONS["view_channel"]]
    allowed = channel.permissions_for(channel.guild.me)
    return [words for name, words in needed.items() if not getattr(allowed, name)]


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


_VIEW_ORDER = {False: -1, None: 0, True: 1}  # an overwrite that forbids, leaves open, or allows


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
            if error.code in GONE_OR_HIDDEN_CODES:
                return None
            raise
    me = channel.guild.me if isinstance(channel, discord.Thread | discord.abc.GuildChannel) else None
    # The bot is no member of an unknown server, whose shard belongs to another process.
    return channel if me is None or can_see_channel(channel, me) else None


def member_sees_venue(member: discord.Member, venue: Venue) -> bool:
    """Return whether a member of the venue's server sees the venue. False if its channel is gone."""
    channel = member.guild.get_channel_or_thread(venue.channel)
    if channel is None and venue.parent is not None:
        channel = member.guild.get_channel(venue.parent)
    return can_see_channel(channel, member)


def channels_seen(member: discord.Member) -> list[int]:
    """Return the channels of a server that a member sees, without threads."""
    return [channel.id for channel in member.guild.channels if can_see_channel(channel, member)]


async def find_member(client: AppClient, server: int | None, user: int) -> discord.Member | None:
    """Return a person as a member of a server; None if they or the bot are not in it.

    Raises ConnectionError as long as the bot does not know its servers, and discord.HTTPException if Discord cannot
    tell.
    """
    guild = await find_server(client, server) if server is not None else None
    if guild is None:
        return None
    try:
        return await guild.fetch_member(user)
    except discord.NotFound:
        return None


async def user_sees_venue(client: AppClient, user: int, venue: Venue) -> bool:
    """Ask Discord whether a person sees a venue.

    Raises ConnectionError as long as the bot does not know its servers, and discord.HTTPException if Discord cannot
    tell.
    """
    member = await find_member(client, venue.server, user)
    return member is not None and member_sees_venue(member, venue)


async def can_see_venue(interaction: Interaction, venue: Venue) -> bool:
    """Return whether the person who acts sees a venue, wherever they act. False if Discord cannot tell."""
    if venue.server is None:
        return False
    if interaction.channel_id == venue.channel:
        return True
    member = await member_who_acts(interaction, venue.server)
    return member is not None and member_sees_venue(member, venue)


async def member_who_acts(interaction: Interaction, server: int) -> discord.Member | None:
    """Return the person who acts as a member of a server; None if they are not in it, or if Discord cannot tell.

    Discord is asked only about other servers than the interaction's, once in an interaction.
    """
    if isinstance(interaction.user, discord.Member) and interaction.guild_id == server:
        return interaction.user
    known: dict[int, discord.Member | None] = interaction.extras.setdefault(_MEMBERS, {})
    if server not in known:
        await interaction.client.app.end_snapshot()  # Discord may take seconds, and others need the connection
        try:
            known[server] = await find_member(interaction.client, server, interaction.user.id)
        except (discord.HTTPException, ConnectionError):
            known[server] = None
    return known[server]


async def why_game_hidden(interaction: Interaction, stored: StoredGame) -> str:
    """Return why the person who acts may not see a game; empty if they may."""
    if stored.game.colour_of(interaction.user.id) is not None or await can_see_venue(interaction, stored.venue):
        return ""
    return texts.PLAYED_ELSEWHERE if stored.venue.server != interaction.guild_id else texts.CANNOT_SEE_GAME


async def visible_games(interaction: Interaction, games: Sequence[Game]) -> list[Game]:
    """Return the games that the person who acts may see, in the same order."""
    user = interaction.user.id
    venues = {game.venue for game in games if user not in game.users}
    seen = {venue for venue in venues if await can_see_venue(interaction, venue)}
    return [game for game in games if user in game.users or game.venue in seen]


async def watchable_games(interaction: Interaction, most: int) -> list[ListedGame]:
    """Return running games of this server that the person who acts sees and does not play, the last moved first.

    At most `most` are returned. Empty outside a server.
    """
    user = interaction.user
    if not isinstance(user, discord.Member):
        return []
    live = interaction.client.app.live
    return await visible_games(
        interaction, await live.listed_of_others(user.guild.id, channels_seen(user), user.id, most)
    )


async def all_of_channel_see_venue(client: AppClient, channel: int, venue: Venue) -> bool:
    """Return whether all who see a channel of the venue's server surely see the venue, too.

    False in doubt, for a private thread, and if the venue or the channel is gone. Raises ConnectionError as long as the
    bot does not know the server's channels, and discord.HTTPException if Discord cannot tell.
    """
    guild = await find_server(client, venue.server) if venue.server is not None else None
    watching = guild.get_channel(channel) if guild else None
    watched = await _channel_to_see(guild, venue) if guild else None
    if watching is None or watched is None:
        return False
    return is_seen_by_everybody(watched) or is_seen_by_all_of(watched, watching)


async def _channel_to_see(guild: discord.Guild, venue: Venue) -> discord.abc.GuildChannel | None:
    """Return the channel whose viewers can see the venue. None for a private thread or a venue that is gone."""
    found: object | None = guild.get_channel_or_thread(venue.channel)
    if found is None and venue.parent is not None:  # an archived thread, which may be private
        try:
            found = await guild.fetch_channel(venue.channel)
        except (discord.NotFound, discord.Forbidden):
            return None
    if isinstance(found, discord.Thread):
        found = None if found.is_private() else found.parent
    return found if isinstance(found, discord.abc.GuildChannel) else None


async def check_may_post(interaction: Interaction, venue: Venue) -> None:
    """Raise Refused unless the person who acts may send messages at a venue.

    Does nothing for direct messages, and for a channel that is gone.
    """
    if venue.server is None:
        return
    member = await member_who_acts(interaction, venue.server)
    if member is None:
        raise Refused(Why.MAY_NOT_POST, channel=venue.channel, until=None)
    if member.is_timed_out() and member.timed_out_until:
        raise Refused(Why.MAY_NOT_POST, channel=venue.channel, until=int(member.timed_out_until.timestamp()))
    allowed = _permissions_at(interaction, member, venue)
    needed = "send_messages_in_threads" if venue.parent is not None else "send_messages"
    if allowed and not (allowed.view_channel and getattr(allowed, needed)):
        raise Refused(Why.MAY_NOT_POST, channel=venue.channel, until=None)


async def check_may_make_thread(interaction: Interaction, venue: Venue) -> None:
    """Raise Refused unless the person who acts may make public threads at a venue."""
    member = await member_who_acts(interaction, venue.server) if venue.server is not None else None
    allowed = _permissions_at(interaction, member, venue) if member else None
    if allowed is None or not allowed.create_public_threads:
        raise Refused(Why.MAY_NOT_MAKE_THREADS, channel=venue.channel)


def _permissions_at(interaction: Interaction, member: discord.Member, venue: Venue) -> discord.Permissions | None:
    """Return the permissions of the person who acts at a venue; None if its channel is gone."""
    if interaction.channel_id == venue.channel:
        return interaction.permissions
    channel = member.guild.get_channel_or_thread(venue.channel)
    if channel is None and venue.parent is not None:
        channel = member.guild.get_channel(venue.parent)
    return channel.permissions_for(member) if channel else None
