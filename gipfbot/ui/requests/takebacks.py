"""Takebacks: `/gipf undo`, the request to the opponent, and its buttons."""

import asyncio

from discord import app_commands

from gipfbot.match import Game, Refused, RequestState, TakebackRequest, Why
from gipfbot.service.requests.takebacks import TakebackUpdate
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.client import AppClient, Interaction
from gipfbot.ui.kit.components import Button, PrivateRow
from gipfbot.ui.kit.game_picker import complete_running_game, handles_picked_game, pick_running_game_or_ask
from gipfbot.ui.kit.interactions import answers_privately, handles, slash_command
from gipfbot.ui.kit.permissions import check_may_post
from gipfbot.ui.kit.request_log import note_refusal
from gipfbot.ui.kit.respond import message_address, show_reply

from . import request_texts

MOST_STALE = 5  # requests closed in one sweep: Discord takes few edits in a channel, and the sweep has more to do


async def close_stale_takebacks(bot: AppClient) -> None:
    """Close takeback requests that are too old, or whose game has gone on, at most MOST_STALE.

    Their messages say so and lose their buttons.
    """
    closed = await bot.app.takebacks.close_stale_requests(MOST_STALE)
    await asyncio.gather(*(_show_stale(bot, stale, *stale.message) for stale in closed if stale.message))


async def _show_stale(bot: AppClient, stale: TakebackUpdate, channel: int, message: int) -> None:
    text = request_texts.takeback_settled_text(stale.request, stale.stored.game)
    await bot.delivery.strip_buttons(channel, message, text)


@slash_command("gipf undo", 100, "Ask to take your last turn back; your opponent has to agree")
@app_commands.describe(game="Which game, such as #a7")
@app_commands.autocomplete(game=complete_running_game)
@answers_privately
async def takeback_command(interaction: Interaction, game: str = "") -> None:
    """Ask the user whether to request a takeback of their last turn."""
    await take_back_in_game_meant(interaction, game.strip())


async def take_back_in_game_meant(interaction: Interaction, named: str) -> None:
    """Ask whether to request a takeback in the game `named`.

    If it is empty and several games are possible, ask which one.
    """
    if game_id := await pick_running_game_or_ask(interaction, named, "takeback"):
        await press_ask_takeback(interaction, game_id)


@handles_picked_game("takeback")
async def _take_back_in_picked_game(interaction: Interaction, game_id: int, _: str) -> None:
    await press_ask_takeback(interaction, game_id)


async def _request_takeback(interaction: Interaction, game_id: int) -> None:
    takebacks = interaction.client.app.takebacks
    try:
        planned = await takebacks.plan_takeback(game_id, interaction.user.id)
        await check_may_post(interaction, planned.stored.venue)
        made = await takebacks.request_takeback(game_id, interaction.user.id)
    except Refused as refusal:
        note_refusal(interaction, refusal)
        await _show_pending_takeback(interaction, refusal)
        return
    is_posted = await interaction.client.delivery.deliver(made.owed)
    if made.request.state is RequestState.ACCEPTED:  # by the bot, at once
        text = request_texts.takeback_settled_text(made.request, made.stored.game)
    elif is_posted:
        posted = await takebacks.current_request(made.request.id)
        text = request_texts.takeback_sent_text(posted.request, posted.stored.game, _takeback_url(posted))
    else:
        text = request_texts.TAKEBACK_POSTED_LATER
    await show_reply(interaction, text)


async def _show_pending_takeback(interaction: Interaction, refusal: Refused) -> None:
    """Show the open takeback request for which a new one was refused. Raises any other refusal again."""
    if refusal.why not in (Why.TAKEBACK_REQUESTED, Why.TAKEBACK_TO_ANSWER):
        raise refusal
    pending = await interaction.client.app.takebacks.current_request(refusal.facts["request"])
    text, buttons = _text_and_buttons(pending, interaction.user.id)
    await show_reply(interaction, text, rows=(buttons,))


def _text_and_buttons(pending: TakebackUpdate, user: int) -> tuple[str, tuple[Button, ...]]:
    """Return the text of an open takeback request for one of the players, and the buttons that they may press."""
    request, game = pending.request, pending.stored.game
    accept, decline, withdraw = takeback_buttons(request)
    if request.by == user:
        return request_texts.takeback_pending_text(request, game, _takeback_url(pending)), (withdraw,)
    return request_texts.takeback_to_answer_text(request, game), (accept, decline)


async def open_takeback_rows(interaction: Interaction, game: Game) -> tuple[PrivateRow, ...]:
    """Return the text of a game's open takeback request and its buttons for a player. Empty without a request."""
    takebacks = interaction.client.app.takebacks
    if request := (await takebacks.open_requests([game])).get(game.id):
        return _text_and_buttons(await takebacks.current_request(request.id), interaction.user.id)
    return ()


async def takeback_note(interaction: Interaction, game: Game) -> str:
    """Return the line for a desk if the player has a takeback request to answer in the game. Else it is empty."""
    request = (await interaction.client.app.takebacks.open_requests([game])).get(game.id)
    return request_texts.takeback_hint(request, game) if request and request.by != interaction.user.id else ""


def _takeback_url(found: TakebackUpdate) -> str | None:
    return message_address(found.stored.venue.server, *found.message) if found.message else None


def takeback_buttons(request: TakebackRequest) -> tuple[Button, Button, Button]:
    """Return the buttons of an open takeback request: accept, decline, withdraw."""
    return (
        Button(texts.ACCEPT_LABEL, f"takeback:{request.id}:accept", "success"),
        Button(texts.DECLINE_LABEL, f"takeback:{request.id}:decline"),
        Button(texts.WITHDRAW_LABEL, f"takeback:{request.id}:withdraw"),
    )


@handles("ask_takeback", "{game}")
async def press_ask_takeback(interaction: Interaction, game: int) -> None:
    """Ask the player whether to request a takeback. Nothing is public yet. If a request is open, show that one."""
    try:
        planned = await interaction.client.app.takebacks.plan_takeback(game, interaction.user.id)
    except Refused as refusal:
        note_refusal(interaction, refusal)
        await _show_pending_takeback(interaction, refusal)
        return
    text = request_texts.confirm_takeback_text(planned.request, planned.stored.game)
    action = f"request_takeback:{game}:{planned.request.turn_serial}"
    request = Button(request_texts.REQUEST_TAKEBACK_LABEL, action)
    await show_reply(interaction, text, rows=((request, Button(request_texts.BACK_LABEL, f"more:{game}::")),))


@handles("request_takeback", "{game}:{turn_serial}")
async def press_request_takeback(interaction: Interaction, game: int, turn_serial: int) -> None:
    """Request a takeback. If the game has moved on since the player was asked, ask them again."""
    stored = await interaction.client.app.games.game(game)
    if stored.game.turn_serial == turn_serial:
        await _request_takeback(interaction, game)
    else:
        await press_ask_takeback(interaction, game)


@handles("takeback", "{request}:{verb:accept|decline|withdraw}")
async def press_takeback(interaction: Interaction, request: int, verb: str) -> None:
    """Accept, decline or withdraw a takeback request. Its message then shows the outcome and loses its buttons."""
    takebacks = interaction.client.app.takebacks
    settle = {
        "accept": takebacks.accept_takeback,
        "decline": takebacks.decline_takeback,
        "withdraw": takebacks.withdraw_takeback,
    }[verb]
    try:
        settled = await settle(request, interaction.user.id)
    except Refused as refusal:
        if refusal.why in (Why.TAKEBACK_CLOSED, Why.OVER):
            await _show_settled_takeback(interaction, await takebacks.current_request(request))
        raise
    try:
        await _show_settled_takeback(interaction, settled)
    finally:
        await interaction.client.delivery.deliver(settled.owed)


async def _show_settled_takeback(interaction: Interaction, settled: TakebackUpdate) -> None:
    """Show the outcome of a takeback request in the pressed message and in the request's public message.

    Both lose their buttons.
    """
    text = request_texts.takeback_settled_text(settled.request, settled.stored.game)
    await show_reply(interaction, text)
    pressed = interaction.message and interaction.message.id
    if settled.message and settled.message[1] != pressed:
        await interaction.client.delivery.strip_buttons(*settled.message, text)
