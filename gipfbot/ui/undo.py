"""Taking a turn back: `/gipf undo`, the message that asks the opponent, and its buttons."""

from discord import app_commands

from gipfbot.match import Refused, Undo, Why
from gipfbot.service.offers import Offered

from . import lobby_texts, texts, undo_texts
from .choices import complete_game
from .items import handles
from .replies import Interaction, guarded, message_address, show
from .screens import Button
from .which import game_or_ask, picked_for


@app_commands.command(name="undo", description="Ask to take your last turn back; your opponent has to agree")
@app_commands.describe(game="Which game, such as #a7")
@app_commands.autocomplete(game=complete_game)
async def undo(interaction: Interaction, game: str = "") -> None:
    """Ask the opponent to let a turn be taken back."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        running = await interaction.client.service.running(interaction.user.id)
        none, ask = lobby_texts.NO_GAMES, lobby_texts.WHICH_GAME
        if id := await game_or_ask(interaction, game.strip(), running, "undo", none, ask):
            await _ask(interaction, id, "")

    await guarded(interaction, work())


@picked_for("undo")
async def _ask(interaction: Interaction, id: int, _: str) -> None:
    bot = interaction.client
    try:
        offered = await bot.offers.ask(id, interaction.user.id)
    except Refused as refusal:
        if refusal.why not in (Why.UNDO_ASKED, Why.UNDO_TO_ANSWER):
            raise
        await _show_open(interaction, await bot.offers.offered(refusal.facts["offer"]))
        return
    posted = await bot.delivery.deliver(offered.owed)
    offered = await bot.offers.offered(offered.offer.id)
    text = undo_texts.asked(offered.offer, offered.stored.game, _url(offered)) if posted else undo_texts.POSTED_LATER
    await show(interaction, text)


async def _show_open(interaction: Interaction, found: Offered) -> None:
    """Show a request that still has to be answered to either player, with the buttons that are his."""
    offer, game = found.offer, found.stored.game
    if offer.by == interaction.user.id:
        withdraw = Button(texts.WITHDRAW, f"u:{offer.id}:withdraw")
        await show(interaction, undo_texts.asked_already(offer, game, _url(found)), rows=((withdraw,),))
    else:
        accept, decline, _ = undo_buttons(offer)
        await show(interaction, undo_texts.answer_first(offer, game), rows=((accept, decline),))


def _url(found: Offered) -> str | None:
    return message_address(found.stored.home.server, *found.message) if found.message else None


def undo_buttons(offer: Undo) -> tuple[Button, Button, Button]:
    """Return the buttons of an open request."""
    return (
        Button(texts.ACCEPT, f"u:{offer.id}:accept", "success"),
        Button(texts.DECLINE, f"u:{offer.id}:decline"),
        Button(texts.WITHDRAW, f"u:{offer.id}:withdraw"),
    )


@handles("u")
async def press_undo(interaction: Interaction, rest: str) -> None:
    """A button of a request: the answer, and the message without its buttons."""
    number, verb = rest.split(":")

    async def work() -> None:
        await interaction.response.defer()
        bot, id, user = interaction.client, int(number), interaction.user.id
        answer = {"accept": bot.offers.accept, "decline": bot.offers.decline, "withdraw": bot.offers.withdraw}[verb]
        try:
            found = await answer(id, user)
        except Refused as refusal:
            if refusal.why in (Why.UNDO_CLOSED, Why.OVER):
                await refresh(interaction, await bot.offers.offered(id))
            raise
        try:
            await refresh(interaction, found)
        finally:
            await bot.delivery.deliver(found.owed)

    await guarded(interaction, work())


async def refresh(interaction: Interaction, found: Offered) -> None:
    """Make the public message of a settled request say so, and the one that was pressed, if that is another."""
    text = undo_texts.settled(found.offer, found.stored.game)
    pressed = interaction.message and interaction.message.id
    await interaction.edit_original_response(content=text, view=None)
    if found.message and found.message[1] != pressed:
        await interaction.client.delivery.strip(*found.message, text)
