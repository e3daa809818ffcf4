"""Challenges and open seeks: posting them, and their buttons."""

import discord

from gipfbot.match import Seat, Side
from gipfbot.rules import Ruleset
from gipfbot.service.ids import game_name
from gipfbot.service.service import Home, Stored, StoredChallenge

from . import texts
from .items import handles, view_of
from .replies import Interaction, guarded, show, tell
from .screens import Button, Row

NEEDED = {
    "view_channel": "see the channel",
    "send_messages": "send messages",
    "attach_files": "attach files",
}
SEEKS_SHOWN = 5  # each takes a row of buttons


def seat_of(user: discord.abc.User) -> Seat:
    """Return a person as a player."""
    return Seat(user.id, user.display_name)


def home_of(interaction: Interaction) -> Home:
    """Return the place an interaction comes from."""
    assert interaction.channel_id is not None
    return Home(interaction.guild_id, interaction.channel_id)


def lacking(interaction: Interaction) -> list[str]:
    """Return what the bot may not do in this place, in words."""
    allowed, needed = interaction.app_permissions, dict(NEEDED)
    if isinstance(interaction.channel, discord.Thread):
        needed["send_messages_in_threads"] = needed.pop("send_messages") + " in threads"
    return [words for name, words in needed.items() if not getattr(allowed, name)]


def sees(channel: object, member: discord.Member) -> bool:
    """Return whether a member can see a channel or thread of a server."""
    if isinstance(channel, discord.Thread):
        channel = channel.parent
    return isinstance(channel, discord.abc.GuildChannel) and channel.permissions_for(member).view_channel


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
    await bot.delivery.deliver([owed])
    link = message_url(await bot.service.stored_challenge(new.challenge.id))
    await show(interaction, texts.challenge_sent(to.name if to else None, link) if link else texts.POSTED_LATER)


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
        owed: tuple[int, ...] = ()
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


async def rehome(interaction: Interaction, stored: Stored) -> str:
    """Bring a game whose channel is gone to this one, if both players see it; return what to say about it."""
    if interaction.guild is None:
        return texts.NOT_BOTH_SEE
    if missing := lacking(interaction):
        return texts.i_lack(missing)
    for seat in stored.game.seats:
        try:
            member = await interaction.guild.fetch_member(seat.user)
        except discord.NotFound:
            return texts.NOT_BOTH_SEE
        if not sees(interaction.channel, member):
            return texts.NOT_BOTH_SEE
    done = await interaction.client.service.rehome(stored.game.id, home_of(interaction))
    await interaction.client.delivery.deliver(done.owed)
    return texts.rehomed(game_name(stored.game.id))
