"""Who may see a game, and who may make the bot write somewhere: players, spectators, followers.

A game in a private chat, or whose channel is gone, is seen by its players only. The bot knows all channels of a server,
but not its archived threads. Who sees the channel of a public thread sees the thread, too.

A person may make the bot write only where they may write themselves. Turns are not checked: the game was agreed on, and
the clock runs.

Nothing begins with a person who has left the server: Discord is asked once, when it would begin, and not on each turn.
"""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

import aiohttp
import discord

from gipfbot.languages import say
from gipfbot.match import Game, Refused, Seat, Why
from gipfbot.values import ListedGame, StoredGame, Venue
from gipfbot.values.people import is_discord_id

from . import texts
from .client import AppClient, Interaction
from .discord_codes import NO_PLACE, Means, meaning
from .permissions import (
    can_see_channel,
    check_bot_is_on,
    fetch_member,
    find_server,
    is_seen_by_all_of,
    is_seen_by_everybody,
    server_name,
)
from .respond import CannotTell

Listed = TypeVar("Listed", bound=ListedGame)
_MEMBERS = "members"  # key in `extras`: the person who acts as a member of other servers
ASK_SECONDS = 3  # for Discord's answer to whether somebody has left: a person waits for it


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
    return await fetch_member(guild, user) if guild else None


async def user_sees_venue(client: AppClient, user: int, venue: Venue) -> bool:
    """Ask Discord whether a person sees a venue.

    Raises ConnectionError as long as the bot does not know its servers, and discord.HTTPException if Discord cannot
    tell.
    """
    member = await find_member(client, venue.server, user)
    return member is not None and member_sees_venue(member, venue)


async def can_see_venue(interaction: Interaction, venue: Venue) -> bool:
    """Return whether the person who acts sees a venue, wherever they act. False if Discord cannot tell."""
    try:
        return await sees_venue(interaction, venue)
    except CannotTell:
        return False


async def sees_venue(interaction: Interaction, venue: Venue) -> bool:
    """Return whether the person who acts sees a venue, wherever they act. Raises CannotTell."""
    if venue.server is None:
        return False
    if interaction.channel_id == venue.channel:
        return True
    member = await member_who_acts(interaction, venue.server)
    return member is not None and member_sees_venue(member, venue)


async def member_who_acts(interaction: Interaction, server: int) -> discord.Member | None:
    """Return the person who acts as a member of a server; None if they are not in it.

    Discord is asked only about other servers than the interaction's, once in an interaction. Raises CannotTell.
    """
    if isinstance(interaction.user, discord.Member) and interaction.guild_id == server:
        return interaction.user
    known: dict[int, discord.Member | CannotTell | None] = interaction.extras.setdefault(_MEMBERS, {})
    if server not in known:
        await interaction.client.app.end_snapshot()  # Discord may take seconds, and others need the connection
        try:
            known[server] = await find_member(interaction.client, server, interaction.user.id)
        except (discord.HTTPException, ConnectionError):
            known[server] = CannotTell()
    found = known[server]
    if isinstance(found, CannotTell):
        raise found
    return found


async def why_game_hidden(interaction: Interaction, stored: StoredGame) -> str:
    """Return why the person who acts may not see a game; empty if they may.

    Raises CannotTell, and Refused if nobody can tell, because the bot is not on this server.
    """
    if stored.game.colour_of(interaction.user.id) is not None or await sees_venue(interaction, stored.venue):
        return ""
    if stored.venue.is_private:
        return say(texts.PRIVATE_GAME)
    if stored.venue.server != interaction.guild_id:
        return say(texts.PLAYED_ELSEWHERE)
    await check_bot_is_on(interaction, interaction.guild_id)
    return say(texts.CANNOT_SEE_GAME)


async def visible_games(interaction: Interaction, games: Sequence[Listed]) -> list[Listed]:
    """Return the games that the person who acts may see, in the same order."""
    user = interaction.user.id
    seen = await visible_venues(interaction, (game.venue for game in games if user not in game.users))
    return [game for game in games if user in game.users or game.venue in seen]


async def visible_venues(interaction: Interaction, venues: Iterable[Venue]) -> set[Venue]:
    """Return those of these venues that the person who acts sees."""
    return {venue for venue in {*venues} if await can_see_venue(interaction, venue)}


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
        except discord.HTTPException as error:
            if meaning(error) in NO_PLACE:
                return None
            raise
    if isinstance(found, discord.Thread):
        found = None if found.is_private() else found.parent
    return found if isinstance(found, discord.abc.GuildChannel) else None


async def check_may_post(interaction: Interaction, venue: Venue) -> None:
    """Raise Refused unless the person who acts may send messages at a venue, and the bot is on its server.

    Raises CannotTell if Discord does not answer.

    Does nothing for direct messages, and for a channel that is gone.
    """
    if venue.server is None:
        return
    member = await member_who_acts(interaction, venue.server)
    if member is None or venue.server == interaction.guild_id:
        await check_bot_is_on(interaction, venue.server)
    if member is None:
        raise Refused(Why.MAY_NOT_POST, channel=venue.channel, until=None)
    if member.is_timed_out() and member.timed_out_until:
        raise Refused(Why.MAY_NOT_POST, channel=venue.channel, until=int(member.timed_out_until.timestamp()))
    allowed = _permissions_at(interaction, member, venue)
    needed = "send_messages_in_threads" if venue.parent is not None else "send_messages"
    if allowed and not (allowed.view_channel and getattr(allowed, needed)):
        raise Refused(Why.MAY_NOT_POST, channel=venue.channel, until=None)


async def check_may_make_thread(interaction: Interaction, venue: Venue) -> None:
    """Raise Refused unless the person who acts may make public threads at a venue, or CannotTell."""
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


async def check_still_there(
    interaction: Interaction, server: int | None, other: Seat, game: Game | None = None
) -> None:
    """Raise Refused if the other person has left the server on which something would begin with them.

    `game` is their running game; None if a game would begin.
    """
    if await has_left(interaction.client, server, other.user):
        left, end = await name_of_left_server(interaction, server), game and _end_without_opponent(game)
        raise Refused(Why.LEFT_SERVER, name=other.name, server=left, end=end)


async def name_of_left_server(interaction: Interaction, server: int | None) -> str | None:
    """Return the name of a server that somebody has left; None if the person who acts is on that server's pages.

    Elsewhere, "the server" would be another one. The name is empty if the bot does not know it.
    """
    return None if server == interaction.guild_id else await server_name(interaction.client, server) or ""


async def who_has_left(client: AppClient, server: int | None, users: Collection[int]) -> set[int]:
    """Return which of these people have left a server, as far as Discord can tell."""
    return {user for user in users if await has_left(client, server, user)}


async def has_left(bot: AppClient, server: int | None, user: int) -> bool:
    """Ask Discord whether a person has left a server. False if it cannot tell now.

    Also False, without asking, in direct messages, where `server` is None, for the bot itself, and for former players.
    """
    if server is None or not is_discord_id(user) or (bot.user and user == bot.user.id):
        return False
    await bot.app.end_snapshot()  # Discord may take seconds, and others need the connection
    try:
        async with asyncio.timeout(ASK_SECONDS):
            await bot.http.get_member(server, user)
    except discord.HTTPException as error:
        return meaning(error) is Means.ABSENT
    except (discord.DiscordException, aiohttp.ClientError, OSError):
        pass
    return False


def _end_without_opponent(game: Game) -> str:
    """Return how a running game can end whose opponent has left: `cancel`, `time` or `claim`."""
    return "cancel" if game.may_cancel else "time" if game.terms.time_control else "claim"
