"""Challenges and open seeks: their buttons, and the list of them; rematches."""

from dataclasses import replace

import discord

from gipfbot.match import Challenge, Refused, RequestState, Seat, Why, expire_challenge
from gipfbot.service.kit.game_names import game_name
from gipfbot.service.kit.game_update import GameUpdate
from gipfbot.store import StoredChallenge
from gipfbot.ui.board.game_view import board_url
from gipfbot.ui.kit.client import AppClient, Interaction
from gipfbot.ui.kit.components import build_view, handles_kind
from gipfbot.ui.kit.groups import gipf_group
from gipfbot.ui.kit.outbox_messages import challenge_buttons
from gipfbot.ui.kit.permissions import can_see_venue
from gipfbot.ui.kit.respond import message_address, run_guarded, show_reply, tell_privately
from gipfbot.ui.kit.widgets import Button, ComponentRow
from gipfbot.ui.lobby import lobby_texts, seeks

from . import lobby_texts

MOST_SEEKS_SHOWN = 5  # each takes a row of buttons


def seat_of_user(user: discord.abc.User) -> Seat:
    """Return a person as a player."""
    return Seat(user.id, user.display_name)


async def closed_challenge_message(bot: AppClient, stored: StoredChallenge) -> str:
    """Return the text of the message of a challenge that is open no more."""
    return lobby_texts.challenge_closed_text(stored.challenge, await _vacation_days_allowed(bot, stored.venue.server))


async def _vacation_days_allowed(bot: AppClient, server: int | None) -> int:
    return (await bot.app.servers.settings(server)).vacation


def challenge_url(stored: StoredChallenge) -> str | None:
    """Return the address of a challenge's message, None before it is posted."""
    home = stored.venue
    return message_address(home.server, home.channel, stored.message) if stored.message else None


@handles_kind("c")
async def press_challenge(interaction: Interaction, rest: str) -> None:
    """A button of a challenge: the answer, and the message without its buttons."""

    async def work() -> None:
        await interaction.response.defer()
        number, verb = rest.split(":")
        id = int(number)
        try:
            await _answer_challenge(interaction, id, verb)
        except Refused as refusal:
            await _explain_challenge_refusal(interaction, id, verb, refusal)

    await run_guarded(interaction, work())


async def _answer_challenge(interaction: Interaction, challenge_id: int, verb: str) -> None:
    service, delivery, user = interaction.client.app, interaction.client.delivery, interaction.user
    done: GameUpdate | None = None
    if verb == "accept":
        if not await can_see_venue(interaction, (await service.lobby.stored_challenge(challenge_id)).venue):
            await tell_privately(interaction, lobby_texts.CANNOT_SEE_SEEK)
            return
        stored, done = await service.lobby.accept_challenge(challenge_id, seat_of_user(user))
    else:
        stored = await (service.lobby.decline_challenge if verb == "decline" else service.lobby.withdraw_challenge)(
            challenge_id, user.id
        )
    try:
        public = await _refresh_challenge(interaction, stored)
    finally:
        await delivery.deliver(done.owed if done else ())
    if done and (stored.challenge.to is None or not public):
        await tell_privately(interaction, await _taken_seek_reply(interaction, stored, done))
    elif not public:
        await tell_privately(interaction, await closed_challenge_message(interaction.client, stored))


async def _explain_challenge_refusal(interaction: Interaction, challenge_id: int, verb: str, refusal: Refused) -> None:
    """Explain a refusal that the challenge itself makes clear; raise any other again."""
    if refusal.why is Why.CHALLENGE_CLOSED:
        stored = await interaction.client.app.lobby.stored_challenge(challenge_id)
        if stored.challenge.state is RequestState.OPEN:  # its time is over, which the next look round will note
            stored = replace(stored, challenge=expire_challenge(stored.challenge))
        await _refresh_challenge(interaction, stored)
    elif refusal.why is Why.NOT_FOR_YOU and verb == "decline":
        stored = await interaction.client.app.lobby.stored_challenge(challenge_id)
        if stored.challenge.by.user == interaction.user.id:
            await tell_privately(interaction, lobby_texts.OWN_CHALLENGE_DECLINED)
            return
    raise refusal


async def _refresh_challenge(interaction: Interaction, stored: StoredChallenge) -> bool:
    """Make the challenge's public message say what became of it; return whether it is the one that was pressed.

    A list of seeks, in which it was pressed else, shows those that there are now.
    """
    bot, offer, rows = interaction.client, stored.challenge, tuple[ComponentRow, ...]()
    if offer.state is RequestState.OPEN:
        text = lobby_texts.challenge_text(offer, await _vacation_days_allowed(bot, stored.venue.server))
        rows = challenge_buttons(offer.id, offer.to is None)
    else:
        text = await closed_challenge_message(bot, stored)
    if interaction.message and interaction.message.id == stored.message:
        await interaction.edit_original_response(content=text, view=build_view(rows))
        return True
    if stored.message:
        await bot.delivery.strip_buttons(stored.venue.channel, stored.message, text, rows)
    if interaction.message and interaction.message.flags.ephemeral:
        await _show_open_seeks(interaction, stored.venue.server)
    return False


async def _taken_seek_reply(interaction: Interaction, stored: StoredChallenge, done: GameUpdate) -> str:
    link = board_url(await interaction.client.app.games.game(done.game.id))
    return lobby_texts.seek_taken_text(
        stored.challenge.by.name, game_name(done.game.id), link, done.stored.venue.channel
    )


async def list_seeks(interaction: Interaction) -> None:
    """List the open seeks of this server that the person sees, with buttons to take them."""
    await interaction.response.defer(ephemeral=True)
    if interaction.guild_id is None:
        await show_reply(interaction, lobby_texts.SEEKS_NEED_SERVER)
        return
    await _show_open_seeks(interaction, interaction.guild_id)


async def _show_open_seeks(interaction: Interaction, server: int | None) -> None:
    bot, user = interaction.client, interaction.user.id
    there = await bot.app.lobby.open_seeks(server)
    places = {home: await can_see_venue(interaction, home) for home in {seek.venue for seek in there}}
    found = [seek for seek in there if places[seek.venue]]
    rows = tuple(_seek_row(number, seek.challenge, user) for number, seek in enumerate(found[:MOST_SEEKS_SHOWN], 1))
    lines = [(seek.challenge, challenge_url(seek)) for seek in found]
    await show_reply(
        interaction,
        lobby_texts.seek_list_text(lines, MOST_SEEKS_SHOWN, await _vacation_days_allowed(bot, server)),
        rows=rows,
    )


def _seek_row(number: int, challenge: Challenge, user: int) -> ComponentRow:
    verb = "withdraw" if challenge.by.user == user else "accept"
    return (Button(lobby_texts.seek_button_label(number, challenge, user), f"c:{challenge.id}:{verb}"),)


@gipf_group.command(name="seeks", description="Who looks for a game on this server")
async def seeks_command(interaction: Interaction) -> None:
    """List open seeks."""
    await run_guarded(interaction, seeks.list_seeks(interaction))
