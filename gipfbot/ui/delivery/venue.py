"""Where a game's boards go: whether that place can still be used, and bringing a game to another."""

import asyncio
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import discord

from gipfbot.match import Status
from gipfbot.service.kit.game_names import game_name
from gipfbot.store import GameBrief, StoredGame, Venue
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.lobby import lobby_texts

from . import thread_texts

NEEDED_PERMISSIONS = {
    "view_channel": "see the channel",
    "send_messages": "send messages",
    "attach_files": "attach files",
}
THREAD_PERMISSIONS = {"create_public_threads": "make threads", "send_messages_in_threads": "send messages in threads"}
GONE_OR_HIDDEN_CODES = (10003, 50001)  # unknown channel, missing access
LONG_WAIT_SECONDS = 24 * 3600  # seconds; a game that has waited so long for another is looked after
MOST_GAMES_CHECKED = 5  # games at a time


def venue_of(interaction: Interaction) -> Venue:
    """Return the place an interaction comes from."""
    assert interaction.channel_id is not None
    parent = interaction.channel.parent_id if isinstance(interaction.channel, discord.Thread) else None
    return Venue(interaction.guild_id, interaction.channel_id, parent)


def missing_permissions(interaction: Interaction) -> list[str]:
    """Return what the bot may not do in this place, in words."""
    allowed, needed = interaction.app_permissions, dict(NEEDED_PERMISSIONS)
    if isinstance(interaction.channel, discord.Thread):
        needed["send_messages_in_threads"] = needed.pop("send_messages") + " in threads"
    return [words for name, words in needed.items() if not getattr(allowed, name)]


def missing_permissions_in(
    channel: object, needed: Mapping[str, str] = MappingProxyType(NEEDED_PERMISSIONS)
) -> list[str]:
    """Return what the bot may not do in a channel of a server, in words; None is a channel that is hidden from it."""
    if not isinstance(channel, discord.abc.GuildChannel):
        return [NEEDED_PERMISSIONS["view_channel"]]
    allowed = channel.permissions_for(channel.guild.me)
    return [words for name, words in needed.items() if not getattr(allowed, name)]


def is_private_thread(channel: object) -> bool:
    """Return whether this is a thread that only those see who were added to it."""
    return isinstance(channel, discord.Thread) and channel.is_private()


def can_see_channel(channel: object, member: discord.Member) -> bool:
    """Return whether a member can see a channel or thread of a server; of a private thread only the bot surely does."""
    if is_private_thread(channel) and member != member.guild.me:
        return False
    if isinstance(channel, discord.Thread):
        channel = channel.parent
    return isinstance(channel, discord.abc.GuildChannel) and channel.permissions_for(member).view_channel


async def find_channel(interaction: Interaction, channel_id: int) -> object | None:
    """Return a channel or thread, None when it is gone or hidden from the bot.

    Raises discord.HTTPException when Discord cannot say.
    """
    channel: object | None = interaction.client.get_channel(channel_id)
    if channel is None:
        try:
            channel = await interaction.client.fetch_channel(channel_id)
        except discord.HTTPException as error:
            if error.code in GONE_OR_HIDDEN_CODES:
                return None
            raise
    if isinstance(channel, discord.Thread | discord.abc.GuildChannel) and not can_see_channel(
        channel, channel.guild.me
    ):
        return None
    return channel


async def can_see_venue(interaction: Interaction, venue: Venue) -> bool:
    """Return whether the person who acts here sees this place of the same server."""
    if interaction.channel_id == venue.channel:
        return True
    if not isinstance(interaction.user, discord.Member) or interaction.guild_id != venue.server:
        return False
    try:
        return can_see_channel(await find_channel(interaction, venue.channel), interaction.user)
    except discord.HTTPException:
        return False


async def why_game_hidden(interaction: Interaction, stored: StoredGame) -> str:
    """Return why the person who acts here may not look at a game; empty where he may, being a player or a spectator."""
    if stored.game.colour_of(interaction.user.id) is not None or await can_see_venue(interaction, stored.venue):
        return ""
    return texts.PLAYED_ELSEWHERE if stored.venue.server != interaction.guild_id else texts.CANNOT_SEE_GAME


async def is_in_server(interaction: Interaction, server: int | None, user: int) -> bool:
    """Return whether a person is in a server that the bot is in, too; without a server there is nobody to miss."""
    if server is None:
        return True
    guild = interaction.client.get_guild(server)
    if guild is None:
        return False
    try:
        await guild.fetch_member(user)
    except discord.HTTPException as error:
        return not isinstance(error, discord.NotFound)
    return True


async def note_unreachable_games(interaction: Interaction, waiting: Sequence[GameBrief]) -> bool:
    """Find out which games that have waited long cannot go on where they are; return whether there are any."""
    now = interaction.client.app.now()
    old = [brief for brief in waiting if not brief.unreachable and now - brief.waiting_since > LONG_WAIT_SECONDS][
        :MOST_GAMES_CHECKED
    ]
    there = await asyncio.gather(*(is_in_server(interaction, b.venue.server, b.users[b.asked]) for b in old))
    for brief, found in zip(old, there, strict=True):
        if not found:
            await interaction.client.app.venues.note_unreachable(brief.id, "a player left")
    return not all(there)


async def is_game_unreachable(interaction: Interaction, stored: StoredGame) -> bool:
    """Return whether a running game cannot go on where it is: its channel is gone, or a player or the bot misses it.

    What Discord cannot tell now counts as in order.
    """
    if stored.unreachable or stored.game.status is not Status.RUNNING or stored.venue.server is None:
        return stored.unreachable
    guild = interaction.client.get_guild(stored.venue.server)
    if guild is None:
        return True
    try:
        channel = await find_channel(interaction, stored.venue.channel)
        if channel is None:
            return True
        members = [await guild.fetch_member(seat.user) for seat in stored.game.seats]
    except discord.NotFound:
        return True
    except discord.HTTPException:
        return False
    return not all(can_see_channel(channel, member) for member in members)


async def bring_game_back(interaction: Interaction, stored: StoredGame) -> str:
    """Bring a running game that cannot go on where it is to where it can; return what to say about it, if anything.

    From a thread that is gone it goes to the channel of that, and if need be on to the one where this is asked for.
    """
    said = ""
    if stored.venue.parent is not None and await _is_channel_gone(interaction, stored.venue.channel):
        await interaction.client.app.outbox.leave_thread(stored.game.id)
        await interaction.client.delivery.sweep(stored.game.id)
        stored = await interaction.client.app.games.game(stored.game.id)
        said = thread_texts.thread_gone_text(stored.game.id, stored.venue.channel)
    return await relocate_game(interaction, stored) if await is_game_unreachable(interaction, stored) else said


async def _is_channel_gone(interaction: Interaction, channel: int) -> bool:
    """Return whether Discord says that a channel or thread is gone or hidden from the bot."""
    try:
        return await find_channel(interaction, channel) is None
    except discord.HTTPException:
        return False


async def relocate_game(interaction: Interaction, stored: StoredGame) -> str:
    """Bring a game that cannot go on where it is to this channel, if both see it; return what to say about it."""
    if interaction.guild is None:
        return texts.NOT_BOTH_SEE_CHANNEL
    if missing := missing_permissions(interaction):
        return lobby_texts.missing_permissions_text(missing)
    for seat in stored.game.seats:
        try:
            member = await interaction.guild.fetch_member(seat.user)
        except discord.NotFound:
            return texts.NOT_BOTH_SEE_CHANNEL
        if not can_see_channel(interaction.channel, member):
            return texts.NOT_BOTH_SEE_CHANNEL
    done = await interaction.client.app.venues.relocate(stored.game.id, venue_of(interaction))
    await interaction.client.delivery.deliver(done.owed)
    return texts.relocated_text(game_name(stored.game.id))
