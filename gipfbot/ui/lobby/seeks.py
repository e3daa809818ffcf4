"""`/gipf seeks`: the open seeks of a server, with buttons to take them. Also small helpers for challenges."""

from collections import Counter
from collections.abc import Sequence

import discord

from gipfbot.match import Challenge, Seat
from gipfbot.match.game import clean_name
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import MOST_ROWS, Button, ComponentRow
from gipfbot.ui.kit.interactions import answers_privately, slash_command
from gipfbot.ui.kit.permissions import can_see_venue
from gipfbot.ui.kit.respond import message_address, show_reply
from gipfbot.values import StoredChallenge

from . import lobby_texts

MOST_SEEKS_SHOWN = 5  # each takes a row of buttons


def seat_of_user(user: discord.abc.User) -> Seat:
    """Return a Discord user as a player: their id and display name."""
    return Seat(user.id, clean_name(user.display_name))


def challenge_url(stored: StoredChallenge) -> str | None:
    """Return the address of a challenge's message, None if it is not posted."""
    home = stored.venue
    return message_address(home.server, home.channel, stored.message) if stored.message else None


@slash_command("gipf seeks", 10, "Who is looking for a game on this server")
@answers_privately
async def seeks_command(interaction: Interaction) -> None:
    """List the open seeks of this server whose channels the user can see."""
    if interaction.guild_id is None:
        await show_reply(interaction, lobby_texts.SEEKS_NEED_SERVER)
    else:
        await show_open_seeks(interaction, interaction.guild_id)


async def show_open_seeks(interaction: Interaction, server: int | None) -> None:
    """Show the open seeks of a server in the user's private message.

    Seeks in channels that the user cannot see are left out. If there is room, a button posts a seek of the user's own.
    """
    bot, user = interaction.client, interaction.user.id
    there = await bot.app.lobby.open_seeks(server)
    places = {venue: await can_see_venue(interaction, venue) for venue in {seek.venue for seek in there}}
    found = _in_turns([seek for seek in there if places[seek.venue]])
    lines = [(seek.challenge, challenge_url(seek)) for seek in found]
    text = lobby_texts.seek_list_text(lines, MOST_SEEKS_SHOWN)
    rows = tuple(_seek_row(number, seek.challenge, user) for number, seek in enumerate(found[:MOST_SEEKS_SHOWN], 1))
    post = (Button(lobby_texts.POST_SEEK_LABEL, "post_seek", "primary"),)
    await show_reply(interaction, text, rows=(*rows, post)[:MOST_ROWS])


def _in_turns(seeks: Sequence[StoredChallenge]) -> list[StoredChallenge]:
    """Return the seeks in an order in which everybody's first comes before anybody's second, and so on."""
    rounds, counts = list[int](), Counter[int]()
    for seek in seeks:
        rounds.append(counts[seek.challenge.by.user])
        counts[seek.challenge.by.user] += 1
    return [seeks[at] for at in sorted(range(len(seeks)), key=rounds.__getitem__)]


def _seek_row(number: int, challenge: Challenge, user: int) -> ComponentRow:
    verb = "withdraw" if challenge.by.user == user else "accept"
    return (Button(lobby_texts.seek_button_label(number, challenge, user), f"challenge:{challenge.id}:{verb}"),)
