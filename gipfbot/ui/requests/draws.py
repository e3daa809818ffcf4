"""Draws: `/gipf draw`, the offer to the opponent, and its buttons."""

from discord import app_commands

from gipfbot.match import DrawStep, Game, Refused, Why
from gipfbot.service.requests.draws import DrawUpdate
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import Button, PrivateRow
from gipfbot.ui.kit.game_picker import complete_running_game, handles_picked_game, pick_game_or_ask
from gipfbot.ui.kit.interactions import answers_privately, handles, slash_command
from gipfbot.ui.kit.permissions import check_may_post
from gipfbot.ui.kit.refusal_texts import NO_DRAWS
from gipfbot.ui.kit.request_log import note_refusal
from gipfbot.ui.kit.respond import message_address, show_reply

from . import request_texts

DRAW_STEPS = {"accept": DrawStep.ACCEPTED, "decline": DrawStep.DECLINED, "withdraw": DrawStep.WITHDRAWN}


@slash_command("gipf draw", 70, "Offer a draw, where the rules of a game know one")
@app_commands.describe(game="Which game, such as #a7")
@app_commands.autocomplete(game=complete_running_game)
@answers_privately
async def draw_command(interaction: Interaction, game: str = "") -> None:
    """Ask the user whether to offer a draw. If none of their games can be drawn, explain that."""
    running = await interaction.client.app.games.running_games(interaction.user.id)
    drawable = [brief for brief in running if brief.agreed_draw]
    if not game.strip() and not drawable:
        raise Refused(Why.NO_DRAWS)
    if game_id := await pick_game_or_ask(interaction, game.strip(), drawable, "draw", NO_DRAWS, texts.WHICH_GAME):
        await press_ask_draw(interaction, game_id)


@handles_picked_game("draw")
async def _offer_draw_in_picked_game(interaction: Interaction, game_id: int, _: str) -> None:
    await press_ask_draw(interaction, game_id)


@handles("ask_draw", "{game}")
async def press_ask_draw(interaction: Interaction, game: int) -> None:
    """Ask the player whether to offer a draw. Nothing is public yet. If an offer is open, show that one."""
    try:
        stored = await interaction.client.app.draws.check_offer(game, interaction.user.id)
    except Refused as refusal:
        note_refusal(interaction, refusal)
        await _show_open_offer(interaction, game, refusal)
        return
    text = request_texts.confirm_draw_text(stored.game, interaction.user.id)
    offer = Button(request_texts.OFFER_DRAW_LABEL, f"offer_draw:{game}:{stored.game.turn_serial}")
    await show_reply(interaction, text, rows=((offer, Button(request_texts.BACK_LABEL, f"more:{game}::")),))


async def _show_open_offer(interaction: Interaction, game: int, refusal: Refused) -> None:
    """Show the open draw offer for which a new one was refused. Raises any other refusal again."""
    standing = await interaction.client.app.draws.open_offer(game)
    if standing is None or refusal.why not in (Why.DRAW_OFFERED, Why.DRAW_TO_ANSWER):
        raise refusal
    text, buttons = _offer_and_buttons(standing, interaction.user.id)
    await show_reply(interaction, text, rows=(buttons,))


def _offer_and_buttons(standing: DrawUpdate, user: int) -> tuple[str, tuple[Button, ...]]:
    """Return the text of an open draw offer for one of the players, and the buttons that they may press."""
    game, offer = standing.stored.game, standing.step
    accept, decline, withdraw = draw_buttons(game)
    if offer.by == user:
        return request_texts.draw_sent_text(game, user, _offer_url(standing)), (withdraw,)
    return request_texts.draw_to_answer_text(game, offer), (accept, decline)


def _offer_url(found: DrawUpdate) -> str | None:
    return message_address(found.stored.venue.server, *found.message) if found.message else None


async def open_draw_rows(interaction: Interaction, game: Game) -> tuple[PrivateRow, ...]:
    """Return the text of a game's open draw offer and its buttons for a player. Empty without an offer."""
    if not game.ruleset.agreed_draw:
        return ()
    standing = await interaction.client.app.draws.open_offer(game.id)
    return _offer_and_buttons(standing, interaction.user.id) if standing else ()


def draw_buttons(game: Game) -> tuple[Button, Button, Button]:
    """Return the buttons of an open draw offer: accept, decline, withdraw."""
    drawn_for = f"draw:{game.id}:{game.turn_serial}"
    return (
        Button(texts.ACCEPT_LABEL, f"{drawn_for}:accept", "success"),
        Button(texts.DECLINE_LABEL, f"{drawn_for}:decline"),
        Button(texts.WITHDRAW_LABEL, f"{drawn_for}:withdraw"),
    )


@handles("offer_draw", "{game}:{turn_serial}")
async def press_offer_draw(interaction: Interaction, game: int, turn_serial: int) -> None:
    """Offer a draw. If the game has moved on since the player was asked, ask them again."""
    app, user = interaction.client.app, interaction.user.id
    if (await app.games.game(game)).game.turn_serial != turn_serial:
        await press_ask_draw(interaction, game)
        return
    try:
        checked = await app.draws.check_offer(game, user)
        await check_may_post(interaction, checked.venue)
        made = await app.draws.offer(game, user)
    except Refused as refusal:
        note_refusal(interaction, refusal)
        await _show_open_offer(interaction, game, refusal)
        return
    delivered = await interaction.client.delivery.deliver(made.owed)
    if declined := await app.draws.declined_by_house(game, turn_serial):
        await show_reply(interaction, request_texts.draw_settled_text(declined.stored.game, declined.step))
        return
    if not delivered:
        await show_reply(interaction, request_texts.DRAW_POSTED_LATER)
        return
    posted = await app.draws.open_offer(game) or made
    await show_reply(interaction, request_texts.draw_sent_text(made.stored.game, user, _offer_url(posted)))


@handles("draw", f"{{game}}:{{turn_serial}}:{{verb:{'|'.join(DRAW_STEPS)}}}")
async def press_draw(interaction: Interaction, game: int, turn_serial: int, verb: str) -> None:
    """Accept, decline or withdraw a draw offer. Its message then shows the outcome and loses its buttons."""
    app = interaction.client.app
    stored = await app.games.game(game)
    if stored.game.turn_serial != turn_serial or await app.draws.open_offer(game) is None:
        await show_reply(interaction, request_texts.draw_closed_text(game))
        return
    settled = await app.draws.answer(game, interaction.user.id, DRAW_STEPS[verb])
    text = request_texts.draw_settled_text(settled.stored.game, settled.step)
    try:
        await show_reply(interaction, text)
        pressed = interaction.message and interaction.message.id
        if settled.message and settled.message[1] != pressed:
            await interaction.client.delivery.strip_buttons(*settled.message, text)
    finally:
        await interaction.client.delivery.deliver(settled.owed)
