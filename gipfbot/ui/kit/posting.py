"""Check that a person may write where they would make the bot write: a challenge, a request, a nudge.

Turns are not checked: the game was agreed on, and the clock runs.
"""

import discord

from gipfbot.match import Refused, Why
from gipfbot.values import Venue

from .client import Interaction
from .visibility import member_who_acts


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
    """Return what the person who acts may do at a venue; None if its channel is gone."""
    if interaction.channel_id == venue.channel:
        return interaction.permissions
    channel = member.guild.get_channel_or_thread(venue.channel)
    if channel is None and venue.parent is not None:
        channel = member.guild.get_channel(venue.parent)
    return channel.permissions_for(member) if channel else None
