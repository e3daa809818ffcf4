"""Challenges and open seeks: their buttons, and the list of them; rematches."""

from dataclasses import replace
from typing import TYPE_CHECKING

import discord

from gipfbot.match import Challenge, Refused, Seat, State, Why, expire
from gipfbot.service.ids import game_name
from gipfbot.service.service import Done, StoredChallenge

from . import lobby_texts, texts
from .desk import board_url
from .homes import seen
from .items import handles, view_of
from .posts import challenge_rows
from .replies import Interaction, guarded, message_address, show, tell
from .screens import Button, Row

if TYPE_CHECKING:
    from .bot import GipfBot

SEEKS_SHOWN = 5  # each takes a row of buttons


def seat_of(user: discord.abc.User) -> Seat:
    """Return a person as a player."""
    return Seat(user.id, user.display_name)


@handles("m")
async def press_rematch(interaction: Interaction, rest: str) -> None:
    """The button of a game's last board that asks for another one with colours swapped."""

    async def work() -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await rematch(interaction, int(rest))

    await guarded(interaction, work())


async def rematch(interaction: Interaction, id: int) -> None:
    """Ask the opponent for another game, or accept that he has asked; the acknowledged interaction tells which."""
    bot = interaction.client
    offered, owed = await bot.service.rematch(id, seat_of(interaction.user))
    await bot.delivery.deliver(owed)
    if offered.game is None:
        posted = await bot.service.stored_challenge(offered.challenge.id)
        await show(interaction, lobby_texts.challenge_sent(posted.challenge, posted.home.channel, message_url(posted)))
        return
    if offered.message:
        await bot.delivery.strip(offered.home.channel, offered.message, await closed(bot, offered))
    link = board_url(await bot.service.game(offered.game))
    await show(interaction, lobby_texts.rematch_begins(game_name(offered.game), link))


async def closed(bot: "GipfBot", stored: StoredChallenge) -> str:
    """Return the text of the message of a challenge that is open no more."""
    return lobby_texts.closed(stored.challenge, await _vacation(bot, stored.home.server))


async def _vacation(bot: "GipfBot", server: int | None) -> int:
    return (await bot.servers.settings(server)).vacation


def message_url(stored: StoredChallenge) -> str | None:
    """Return the address of a challenge's message, None before it is posted."""
    home = stored.home
    return message_address(home.server, home.channel, stored.message) if stored.message else None


@handles("c")
async def press_challenge(interaction: Interaction, rest: str) -> None:
    """A button of a challenge: the answer, and the message without its buttons."""

    async def work() -> None:
        await interaction.response.defer()
        number, verb = rest.split(":")
        id = int(number)
        try:
            await _answer(interaction, id, verb)
        except Refused as refusal:
            await _refused(interaction, id, verb, refusal)

    await guarded(interaction, work())


async def _answer(interaction: Interaction, id: int, verb: str) -> None:
    service, delivery, user = interaction.client.service, interaction.client.delivery, interaction.user
    done: Done | None = None
    if verb == "accept":
        if not await seen(interaction, (await service.stored_challenge(id)).home):
            await tell(interaction, lobby_texts.CANNOT_SEE_SEEK)
            return
        stored, done = await service.accept(id, seat_of(user))
    else:
        stored = await (service.decline if verb == "decline" else service.withdraw)(id, user.id)
    try:
        public = await _refresh(interaction, stored)
    finally:
        await delivery.deliver(done.owed if done else ())
    if done and (stored.challenge.to is None or not public):
        await tell(interaction, await _taken(interaction, stored, done))
    elif not public:
        await tell(interaction, await closed(interaction.client, stored))


async def _refused(interaction: Interaction, id: int, verb: str, refusal: Refused) -> None:
    """Explain a refusal that the challenge itself makes clear; raise any other again."""
    if refusal.why is Why.CHALLENGE_CLOSED:
        stored = await interaction.client.service.stored_challenge(id)
        if stored.challenge.state is State.OPEN:  # its time is over, which the next look round will note
            stored = replace(stored, challenge=expire(stored.challenge))
        await _refresh(interaction, stored)
    elif refusal.why is Why.NOT_FOR_YOU and verb == "decline":
        stored = await interaction.client.service.stored_challenge(id)
        if stored.challenge.by.user == interaction.user.id:
            await tell(interaction, texts.OWN_DECLINED)
            return
    raise refusal


async def _refresh(interaction: Interaction, stored: StoredChallenge) -> bool:
    """Make the challenge's public message say what became of it; return whether it is the one that was pressed.

    A list of seeks, in which it was pressed else, shows those that there are now.
    """
    bot, offer, rows = interaction.client, stored.challenge, tuple[Row, ...]()
    if offer.state is State.OPEN:
        text = lobby_texts.challenge(offer, await _vacation(bot, stored.home.server))
        rows = challenge_rows(offer.id, offer.to is None)
    else:
        text = await closed(bot, stored)
    if interaction.message and interaction.message.id == stored.message:
        await interaction.edit_original_response(content=text, view=view_of(rows))
        return True
    if stored.message:
        await bot.delivery.strip(stored.home.channel, stored.message, text, rows)
    if interaction.message and interaction.message.flags.ephemeral:
        await _show_seeks(interaction, stored.home.server)
    return False


async def _taken(interaction: Interaction, stored: StoredChallenge, done: Done) -> str:
    link = board_url(await interaction.client.service.game(done.game.id))
    return lobby_texts.seek_taken(stored.challenge.by.name, game_name(done.game.id), link, done.stored.home.channel)


async def seeks(interaction: Interaction) -> None:
    """List the open seeks of this server that the person sees, with buttons to take them."""
    await interaction.response.defer(ephemeral=True)
    if interaction.guild_id is None:
        await show(interaction, lobby_texts.SEEKS_NEED_SERVER)
        return
    await _show_seeks(interaction, interaction.guild_id)


async def _show_seeks(interaction: Interaction, server: int | None) -> None:
    bot, user = interaction.client, interaction.user.id
    there = await bot.service.open_seeks(server)
    places = {home: await seen(interaction, home) for home in {seek.home for seek in there}}
    found = [seek for seek in there if places[seek.home]]
    rows = tuple(_seek_row(number, seek.challenge, user) for number, seek in enumerate(found[:SEEKS_SHOWN], 1))
    lines = [(seek.challenge, message_url(seek)) for seek in found]
    await show(interaction, lobby_texts.seeks(lines, SEEKS_SHOWN, await _vacation(bot, server)), rows=rows)


def _seek_row(number: int, offer: Challenge, user: int) -> Row:
    verb = "withdraw" if offer.by.user == user else "accept"
    return (Button(texts.seek_label(number, offer, user), f"c:{offer.id}:{verb}"),)
