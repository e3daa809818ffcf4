"""Claiming a game without a time limit in which the opponent does not play any more."""

from discord import app_commands

from gipfbot.service.service import Stored

from . import claim_texts
from .choices import claimable, complete_claimable
from .items import handles, view_of
from .replies import Interaction, guarded, show
from .screens import Button
from .which import game_or_ask, picked_for


@app_commands.command(name="claim", description="End a game without time limit in which your opponent has not played for 30 days")
@app_commands.describe(game="Which game, such as #a7")
@app_commands.autocomplete(game=complete_claimable)
async def claim(interaction: Interaction, game: str = "") -> None:
    """Ask whether to claim a game; the opponent is warned first."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        bot, named = interaction.client, game.strip()
        waiting = claimable(await bot.service.running(interaction.user.id), interaction.user.id)
        none = claim_texts.NONE
        if len(waiting) > 1 and not named:
            open, first = await bot.claims.which([brief.id for brief in waiting], interaction.user.id)
            none = claim_texts.not_yet(*first) if first else claim_texts.ALL_CLAIMED
            waiting = [brief for brief in waiting if brief.id in open]
        if id := await game_or_ask(interaction, named, waiting, "claim", none, claim_texts.WHICH):
            await _ask_in(interaction, id, "")

    await guarded(interaction, work())


@picked_for("claim")
async def _ask_in(interaction: Interaction, id: int, _: str) -> None:
    bot = interaction.client
    stored = await bot.service.game(id)
    await bot.claims.check(stored, interaction.user.id)
    await show(interaction, claim_texts.ask(stored.game), rows=(_choice(stored),))


def _choice(stored: Stored) -> tuple[Button, ...]:
    drawn_for = f"x:{stored.game.id}:{stored.game.version}"
    claim = Button(claim_texts.CLAIM, f"{drawn_for}:claim", "danger")
    return claim, Button(claim_texts.NOT_NOW, f"{drawn_for}:keep")


async def claim_button(interaction: Interaction, stored: Stored) -> tuple[Button, ...]:
    """Return the button that asks whether to claim a game, for whoever may do so now."""
    may = await interaction.client.claims.possible(stored, interaction.user.id)
    return (Button(claim_texts.CLAIM, f"x:{stored.game.id}:{stored.game.version}:ask", "danger"),) if may else ()


@handles("x")
async def press_claim(interaction: Interaction, rest: str) -> None:
    """The buttons that claim a game as it stood: the first one asks, the second does it."""
    number, version, verb = rest.split(":")

    async def work() -> None:
        await interaction.response.defer()
        if verb == "keep":
            await show(interaction, claim_texts.KEPT)
        elif verb == "claim":
            await show(interaction, await _claimed(interaction, int(number), int(version)))
        else:
            await _ask_for(interaction, int(number), int(version))

    await guarded(interaction, work())


async def _ask_for(interaction: Interaction, id: int, version: int) -> None:
    """Ask in a message of its own: what shows the board stays."""
    bot = interaction.client
    stored = await bot.service.game(id)
    await bot.claims.check(stored, interaction.user.id, version)
    view = view_of((_choice(stored),))
    assert view
    await interaction.followup.send(claim_texts.ask(stored.game), view=view, ephemeral=True)


async def _claimed(interaction: Interaction, id: int, version: int) -> str:
    bot = interaction.client
    until, owed = await bot.claims.claim(id, interaction.user.id, version)
    posted = await bot.delivery.deliver(owed)
    return claim_texts.claimed((await bot.service.game(id)).game, until, posted=posted)
