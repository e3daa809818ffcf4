"""Claiming a game without a time limit in which the opponent does not play any more."""

from discord import app_commands

from gipfbot.service.service import Stored

from . import lobby_texts, undo_texts
from .choices import complete_game
from .items import handles
from .replies import Interaction, guarded, show, tell
from .screens import Button
from .which import game_or_ask, picked_for


@app_commands.command(description="End a game without time limit in which your opponent has not played for 30 days")
@app_commands.describe(game="Which game, such as #a7")
@app_commands.autocomplete(game=complete_game)
async def claim(interaction: Interaction, game: str = "") -> None:
    """Claim a game; the opponent is warned first."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        running = await interaction.client.service.running(interaction.user.id)
        none, ask = lobby_texts.NO_GAMES, lobby_texts.WHICH_GAME
        if id := await game_or_ask(interaction, game.strip(), running, "claim", none, ask):
            await _claim_in(interaction, id, "")

    await guarded(interaction, work())


@picked_for("claim")
async def _claim_in(interaction: Interaction, id: int, _: str) -> None:
    await show(interaction, await _claimed(interaction, id))


async def _claimed(interaction: Interaction, id: int, version: int | None = None) -> str:
    bot = interaction.client
    until, owed = await bot.claims.claim(id, interaction.user.id, version)
    posted = await bot.delivery.deliver(owed)
    return undo_texts.claimed((await bot.service.game(id)).game, until, posted=posted)


async def claim_button(interaction: Interaction, stored: Stored) -> tuple[Button, ...]:
    """Return the button that claims a game, for whoever may do so now."""
    may = await interaction.client.claims.possible(stored, interaction.user.id)
    return (Button(undo_texts.CLAIM, f"x:{stored.game.id}:{stored.game.version}", "danger"),) if may else ()


@handles("x")
async def press_claim(interaction: Interaction, rest: str) -> None:
    """The button that claims a game as it stood."""
    id, version = map(int, rest.split(":"))

    async def work() -> None:
        await interaction.response.defer()
        await tell(interaction, await _claimed(interaction, id, version))

    await guarded(interaction, work())
