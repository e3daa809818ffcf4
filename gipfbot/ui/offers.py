"""Challenges and open seeks: posting them, and their buttons."""

import discord

from gipfbot.match import Seat, Side, State
from gipfbot.rules import Ruleset
from gipfbot.service.service import Owed, StoredChallenge

from . import texts
from .homes import home_of, lacking, sees
from .items import handles, view_of
from .replies import Interaction, guarded, show, tell
from .screens import Button, Row

SEEKS_SHOWN = 5  # each takes a row of buttons


def seat_of(user: discord.abc.User) -> Seat:
    """Return a person as a player."""
    return Seat(user.id, user.display_name)


def refusal(interaction: Interaction, opponent: discord.Member | discord.User | None) -> str | None:
    """Return why no challenge can be posted here, None when it can."""
    if interaction.guild_id is None:
        return texts.NO_SERVER
    if missing := lacking(interaction):
        return texts.i_lack(missing)
    if opponent is None:
        return None
    if opponent.id == interaction.user.id:
        return texts.ONESELF
    if opponent.bot:
        return texts.A_BOT
    if not isinstance(opponent, discord.Member) or not sees(interaction.channel, opponent):
        return texts.cannot_see(opponent.display_name)
    return None


async def challenge(
    interaction: Interaction, opponent: discord.Member | discord.User | None, ruleset: Ruleset, side: Side
) -> None:
    """Post a challenge, or an open seek without an opponent; a refusal comes before anything is posted."""
    await interaction.response.defer(ephemeral=True)
    if reason := refusal(interaction, opponent):
        await show(interaction, reason)
        return
    bot = interaction.client
    to = seat_of(opponent) if opponent else None
    new, owed = await bot.service.challenge(seat_of(interaction.user), to, ruleset, side, home_of(interaction))
    await bot.delivery.deliver(owed)
    posted = await bot.service.stored_challenge(new.challenge.id)
    if link := message_url(posted):
        await show(interaction, texts.challenge_sent(to.name if to else None, link))
    else:
        await show(interaction, texts.POSTED_LATER if posted.challenge.state is State.OPEN else texts.NOT_POSTED)


def message_url(stored: StoredChallenge) -> str | None:
    """Return the address of a challenge's message, None before it is posted."""
    home = stored.home
    return (
        f"https://discord.com/channels/{home.server or '@me'}/{home.channel}/{stored.message}"
        if stored.message
        else None
    )


@handles("c")
async def press_challenge(interaction: Interaction, rest: str) -> None:
    """A button of a challenge: the answer, and the message without its buttons."""
    id, verb = rest.split(":")

    async def work() -> None:
        service, user = interaction.client.service, interaction.user
        owed: tuple[Owed, ...] = ()
        if verb == "accept":
            stored, done = await service.accept(int(id), seat_of(user))
            owed = done.owed
        elif verb == "decline":
            stored = await service.decline(int(id), user.id)
        else:
            stored = await service.withdraw(int(id), user.id)
        await _answered(interaction, stored)
        await interaction.client.delivery.deliver(owed)

    await guarded(interaction, work())


async def _answered(interaction: Interaction, stored: StoredChallenge) -> None:
    """Make the challenge's public message say what became of it; from a private list it is another message."""
    text = texts.challenge(stored.challenge)
    if interaction.message and interaction.message.id == stored.message:
        await interaction.response.edit_message(content=text, view=None)
        return
    await tell(interaction, text)
    if stored.message:
        await interaction.client.delivery.strip(stored.home.channel, stored.message, text)


async def seeks(interaction: Interaction) -> None:
    """List the open seeks of this server, with buttons to take them."""
    await interaction.response.defer(ephemeral=True)
    found = await interaction.client.service.open_seeks(interaction.guild_id)
    shown = found[:SEEKS_SHOWN]
    rows: tuple[Row, ...] = tuple(row for seek in shown for row in _seek_rows(seek, interaction.user.id))
    lines = [(seek.challenge, message_url(seek)) for seek in found]
    await interaction.edit_original_response(content=texts.seeks(lines), view=view_of(rows))


def _seek_rows(seek: StoredChallenge, user: int) -> tuple[Row, ...]:
    offer = seek.challenge
    verb = "withdraw" if offer.by.user == user else "accept"
    return ((Button(texts.seek_label(offer, user), f"c:{offer.id}:{verb}"),),)
