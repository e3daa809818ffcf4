"""Taking a turn back: `/gipf undo`, the message that asks the opponent, and its buttons."""

from discord import app_commands

from gipfbot.match import Refused, TakebackRequest, Why
from gipfbot.service.requests.takebacks import TakebackUpdate
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.autocomplete import complete_running_game
from gipfbot.ui.kit.components import handles_kind
from gipfbot.ui.kit.game_picker import handles_picked_game, pick_game_or_ask
from gipfbot.ui.kit.respond import Interaction, message_address, run_guarded, show_reply
from gipfbot.ui.lobby import lobby_texts
from gipfbot.ui.play.desk_screens import Button

from . import takeback_texts


@app_commands.command(name="undo", description="Ask to take your last turn back; your opponent has to agree")
@app_commands.describe(game="Which game, such as #a7")
@app_commands.autocomplete(game=complete_running_game)
async def takeback_command(interaction: Interaction, game: str = "") -> None:
    """Ask the opponent to let a turn be taken back."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        running = await interaction.client.service.running_games(interaction.user.id)
        none, ask = lobby_texts.NO_RUNNING_GAMES, lobby_texts.WHICH_GAME
        if id := await pick_game_or_ask(interaction, game.strip(), running, "takeback", none, ask):
            await _request_takeback_in(interaction, id, "")

    await run_guarded(interaction, work())


@handles_picked_game("takeback")
async def _request_takeback_in(interaction: Interaction, game_id: int, _: str) -> None:
    bot = interaction.client
    try:
        offered = await bot.takebacks.request_takeback(game_id, interaction.user.id)
    except Refused as refusal:
        if refusal.why not in (Why.TAKEBACK_REQUESTED, Why.TAKEBACK_TO_ANSWER):
            raise
        await _show_pending_takeback(interaction, await bot.takebacks.current_request(refusal.facts["request"]))
        return
    posted = await bot.delivery.deliver(offered.owed)
    offered = await bot.takebacks.current_request(offered.request.id)
    text = (
        takeback_texts.takeback_sent_text(offered.request, offered.stored.game, _takeback_url(offered))
        if posted
        else takeback_texts.TAKEBACK_POSTED_LATER
    )
    await show_reply(interaction, text)


async def _show_pending_takeback(interaction: Interaction, found: TakebackUpdate) -> None:
    """Show a request that still has to be answered to either player, with the buttons that are his."""
    offer, game = found.request, found.stored.game
    if offer.by == interaction.user.id:
        withdraw = Button(texts.WITHDRAW_LABEL, f"u:{offer.id}:withdraw")
        await show_reply(
            interaction, takeback_texts.takeback_pending_text(offer, game, _takeback_url(found)), rows=((withdraw,),)
        )
    else:
        accept, decline, _ = takeback_buttons(offer)
        await show_reply(interaction, takeback_texts.answer_takeback_first_text(offer, game), rows=((accept, decline),))


def _takeback_url(found: TakebackUpdate) -> str | None:
    return message_address(found.stored.venue.server, *found.message) if found.message else None


def takeback_buttons(request: TakebackRequest) -> tuple[Button, Button, Button]:
    """Return the buttons of an open request."""
    return (
        Button(texts.ACCEPT_LABEL, f"u:{request.id}:accept", "success"),
        Button(texts.DECLINE_LABEL, f"u:{request.id}:decline"),
        Button(texts.WITHDRAW_LABEL, f"u:{request.id}:withdraw"),
    )


@handles_kind("u")
async def press_takeback(interaction: Interaction, rest: str) -> None:
    """A button of a request: the answer, and the message without its buttons."""
    number, verb = rest.split(":")

    async def work() -> None:
        await interaction.response.defer()
        bot, id, user = interaction.client, int(number), interaction.user.id
        answer = {
            "accept": bot.takebacks.accept_takeback,
            "decline": bot.takebacks.decline_takeback,
            "withdraw": bot.takebacks.withdraw_takeback,
        }[verb]
        try:
            found = await answer(id, user)
        except Refused as refusal:
            if refusal.why in (Why.TAKEBACK_CLOSED, Why.OVER):
                await refresh_takeback_messages(interaction, await bot.takebacks.current_request(id))
            raise
        try:
            await refresh_takeback_messages(interaction, found)
        finally:
            await bot.delivery.deliver(found.owed)

    await run_guarded(interaction, work())


async def refresh_takeback_messages(interaction: Interaction, found: TakebackUpdate) -> None:
    """Make the public message of a settled request say so, and the one that was pressed, if that is another."""
    text = takeback_texts.takeback_settled_text(found.request, found.stored.game)
    pressed = interaction.message and interaction.message.id
    await interaction.edit_original_response(content=text, view=None)
    if found.message and found.message[1] != pressed:
        await interaction.client.delivery.strip_buttons(*found.message, text)
