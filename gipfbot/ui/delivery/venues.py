"""The venue of a game: whether it can be reached, and how the game moves to another one."""

import asyncio
from collections.abc import Sequence

import discord

from gipfbot.match import Refused, Status
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.kit import refusal_texts, texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.permissions import (
    can_see_channel,
    check_may_post,
    find_channel,
    find_server,
    missing_permissions,
    venue_of,
)
from gipfbot.values import PLAYER_LEFT, GameBrief, StoredGame

from . import thread_texts

LONG_WAIT_SECONDS = 24 * 3600  # games that have waited longer are checked
MOST_GAMES_CHECKED = 5  # at a time


async def is_in_server(interaction: Interaction, server: int | None, user: int) -> bool:
    """Return whether a person and the bot are both in a server. True if `server` is None, or if Discord cannot tell."""
    if server is None:
        return True
    try:
        guild = await find_server(interaction.client, server)
        if guild is None:
            return False
        await guild.fetch_member(user)
    except (discord.HTTPException, ConnectionError) as error:
        return not isinstance(error, discord.NotFound)
    return True


async def note_unreachable_games(interaction: Interaction, waiting: Sequence[GameBrief]) -> bool:
    """Record which of the `waiting` games are unreachable. Return whether any is.

    A game is unreachable if the player to move, or the bot, has left its server. Only games that have waited for
    LONG_WAIT_SECONDS are checked, at most MOST_GAMES_CHECKED of them.
    """
    now = interaction.client.app.now()
    old = [brief for brief in waiting if not brief.unreachable and now - brief.waiting_since > LONG_WAIT_SECONDS]
    checked = old[:MOST_GAMES_CHECKED]
    if checked:
        await interaction.client.app.end_snapshot()  # Discord may take seconds, and others need the connection
    there = await asyncio.gather(*(is_in_server(interaction, b.venue.server, b.users[b.asked]) for b in checked))
    for brief, found in zip(checked, there, strict=True):
        if not found:
            await interaction.client.app.venues.note_unreachable(brief.id, PLAYER_LEFT)
    return not all(there)


async def is_game_unreachable(interaction: Interaction, stored: StoredGame) -> bool:
    """Return whether a running game has lost its venue: the channel is gone, or a player or the bot cannot see it.

    Return True also if the game is recorded as unreachable. Return False if Discord cannot tell now.
    """
    if stored.unreachable or stored.game.status is not Status.RUNNING or stored.venue.server is None:
        return stored.unreachable
    await interaction.client.app.end_snapshot()
    try:
        guild = await find_server(interaction.client, stored.venue.server)
        channel = await find_channel(interaction, stored.venue.channel, guild) if guild else None
        if guild is None or channel is None:
            return True
        members = [await guild.fetch_member(seat.user) for seat in stored.game.seats]
    except discord.NotFound:
        return True
    except (discord.HTTPException, ConnectionError):
        return False
    return not all(can_see_channel(channel, member) for member in members)


async def bring_game_back(interaction: Interaction, stored: StoredGame) -> str:
    """Move a game whose venue is unreachable. Return the message to the player, or an empty text if nothing was moved.

    A game in a deleted thread goes to the parent channel. If that channel is unreachable as well, or if the game was
    not in a thread, it goes to the channel of the interaction. If the game cannot be moved there, the message says why.
    """
    said = ""
    if stored.venue.parent is not None and await _is_channel_gone(interaction, stored.venue.channel):
        await interaction.client.app.outbox.leave_thread(stored.game.id)
        await interaction.client.delivery.sweep(stored.game.id)
        stored = await interaction.client.app.games.game(stored.game.id)
        said = thread_texts.thread_gone_text(stored.game.id, stored.venue.channel)
    return await relocate_game(interaction, stored) if await is_game_unreachable(interaction, stored) else said


async def _is_channel_gone(interaction: Interaction, channel: int) -> bool:
    """Return whether a channel or thread is gone, or hidden from the bot. False if Discord cannot tell."""
    try:
        return await find_channel(interaction, channel) is None
    except discord.HTTPException:
        return False


async def relocate_game(interaction: Interaction, stored: StoredGame) -> str:
    """Move a game to the channel of the interaction, if both players can see that channel.

    Return the message to the player: the new place, or the reason why the game stays.
    """
    if interaction.guild is None:
        return texts.NOT_BOTH_SEE_CHANNEL
    if missing := missing_permissions(interaction):
        return texts.missing_permissions_text(missing)
    await interaction.client.app.end_snapshot()
    for seat in stored.game.seats:
        try:
            member = await interaction.guild.fetch_member(seat.user)
        except discord.NotFound:
            return texts.NOT_BOTH_SEE_CHANNEL
        if not can_see_channel(interaction.channel, member):
            return texts.NOT_BOTH_SEE_CHANNEL
    try:
        await check_may_post(interaction, venue_of(interaction))
    except Refused as refusal:
        return refusal_texts.refusal_text(refusal)
    done = await interaction.client.app.venues.relocate(stored.game.id, venue_of(interaction))
    posted = await interaction.client.delivery.deliver(done.owed)
    return texts.relocated_text(game_name(stored.game.id), posted=posted)
