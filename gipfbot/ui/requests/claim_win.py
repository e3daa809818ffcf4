"""Claiming a game without a time limit in which the opponent does not play any more."""

from discord import app_commands

from gipfbot.store import StoredGame
from gipfbot.ui.kit.autocomplete import claimable_games, complete_claimable_game
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import build_view, handles_kind
from gipfbot.ui.kit.game_picker import handles_picked_game, pick_game_or_ask
from gipfbot.ui.kit.respond import run_guarded, show_reply
from gipfbot.ui.kit.widgets import Button

from . import claim_win_texts


@app_commands.command(
    name="claim", description="End a game without time limit in which your opponent has not played for 30 days"
)
@app_commands.describe(game="Which game, such as #a7")
@app_commands.autocomplete(game=complete_claimable_game)
async def claim_win_command(interaction: Interaction, game: str = "") -> None:
    """Ask whether to claim a game; the opponent is warned first."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        bot, named = interaction.client, game.strip()
        waiting = claimable_games(await bot.app.games.running_games(interaction.user.id), interaction.user.id)
        none = claim_win_texts.NOTHING_TO_CLAIM
        if len(waiting) > 1 and not named:
            open, first = await bot.app.win_claims.claimable_games([brief.id for brief in waiting], interaction.user.id)
            none = claim_win_texts.first_claimable_text(*first) if first else claim_win_texts.ALL_CLAIMED
            waiting = [brief for brief in waiting if brief.id in open]
        if id := await pick_game_or_ask(
            interaction, named, waiting, "claim", none, claim_win_texts.WHICH_GAME_TO_CLAIM
        ):
            await _confirm_claim(interaction, id, "")

    await run_guarded(interaction, work())


@handles_picked_game("claim")
async def _confirm_claim(interaction: Interaction, game_id: int, _: str) -> None:
    bot = interaction.client
    stored = await bot.app.games.game(game_id)
    await bot.app.win_claims.check_claim_win(stored, interaction.user.id)
    await show_reply(
        interaction, claim_win_texts.confirm_claim_text(stored.game), rows=(_confirm_claim_buttons(stored),)
    )


def _confirm_claim_buttons(stored: StoredGame) -> tuple[Button, ...]:
    drawn_for = f"x:{stored.game.id}:{stored.game.version}"
    claim = Button(claim_win_texts.CLAIM_WIN_LABEL, f"{drawn_for}:claim", "danger")
    return claim, Button(claim_win_texts.NOT_NOW_LABEL, f"{drawn_for}:keep")


async def claim_win_button(interaction: Interaction, stored: StoredGame) -> tuple[Button, ...]:
    """Return the button that asks whether to claim a game, for whoever may do so now."""
    may = await interaction.client.app.win_claims.may_claim_win(stored, interaction.user.id)
    return (
        (Button(claim_win_texts.CLAIM_WIN_LABEL, f"x:{stored.game.id}:{stored.game.version}:ask", "danger"),)
        if may
        else ()
    )


@handles_kind("x")
async def press_claim_win(interaction: Interaction, rest: str) -> None:
    """The buttons that claim a game as it stood: the first one asks, the second does it."""
    number, version, verb = rest.split(":")

    async def work() -> None:
        await interaction.response.defer()
        if verb == "keep":
            await show_reply(interaction, claim_win_texts.NOTHING_CLAIMED)
        elif verb == "claim":
            await show_reply(interaction, await _claim_and_report(interaction, int(number), int(version)))
        else:
            await _confirm_claim_apart(interaction, int(number), int(version))

    await run_guarded(interaction, work())


async def _confirm_claim_apart(interaction: Interaction, game_id: int, version: int) -> None:
    """Ask in a message of its own: what shows the board stays."""
    bot = interaction.client
    stored = await bot.app.games.game(game_id)
    await bot.app.win_claims.check_claim_win(stored, interaction.user.id, version)
    view = build_view((_confirm_claim_buttons(stored),))
    assert view
    await interaction.followup.send(claim_win_texts.confirm_claim_text(stored.game), view=view, ephemeral=True)


async def _claim_and_report(interaction: Interaction, game_id: int, version: int) -> str:
    bot = interaction.client
    until, owed = await bot.app.win_claims.claim_win(game_id, interaction.user.id, version)
    posted = await bot.delivery.deliver(owed)
    return claim_win_texts.claim_made_text((await bot.app.games.game(game_id)).game, until, posted=posted)
