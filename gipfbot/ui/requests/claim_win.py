"""`/gipf claim`: win a game without a time limit in which the opponent has stopped playing."""

from discord import app_commands

from gipfbot.ui.kit.autocomplete import claimable_games, complete_claimable_game
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.game_picker import handles_picked_game, pick_game_or_ask
from gipfbot.ui.kit.interactions import Reply, answers_privately, handles
from gipfbot.ui.kit.respond import show_reply
from gipfbot.ui.kit.widgets import Button
from gipfbot.values import StoredGame

from . import claim_win_texts


@app_commands.command(
    name="claim", description="End a game without time limit in which your opponent has not played for 30 days"
)
@app_commands.describe(game="Which game, such as #a7")
@app_commands.autocomplete(game=complete_claimable_game)
@answers_privately
async def claim_win_command(interaction: Interaction, game: str = "") -> None:
    """Ask whether to claim a game; with several that can be claimed, ask which one."""
    app, user, named = interaction.client.app, interaction.user.id, game.strip()
    waiting = claimable_games(await app.games.running_games(user), user)
    none = claim_win_texts.NOTHING_TO_CLAIM
    if len(waiting) > 1 and not named:
        ready, first = await app.win_claims.claimable_games([brief.id for brief in waiting], user)
        none = claim_win_texts.first_claimable_text(*first) if first else claim_win_texts.ALL_CLAIMED
        waiting = [brief for brief in waiting if brief.id in ready]
    ask = claim_win_texts.WHICH_GAME_TO_CLAIM
    if game_id := await pick_game_or_ask(interaction, named, waiting, "claim_win", none, ask):
        await _confirm_claim(interaction, game_id)


@handles_picked_game("claim_win")
async def _confirm_claim_in(interaction: Interaction, game_id: int, _: str) -> None:
    await _confirm_claim(interaction, game_id)


async def _confirm_claim(interaction: Interaction, game_id: int, version: int | None = None) -> None:
    """Ask whether to claim a game, which stood at this version when a button was drawn for it."""
    app = interaction.client.app
    stored = await app.games.game(game_id)
    await app.win_claims.check_claim_win(stored, interaction.user.id, version)
    drawn_for = f"claim_win:{game_id}:{stored.game.version}"
    claim = Button(claim_win_texts.CLAIM_WIN_LABEL, f"{drawn_for}:claim", "danger")
    keep = Button(claim_win_texts.NOT_NOW_LABEL, f"{drawn_for}:keep")
    await show_reply(interaction, claim_win_texts.confirm_claim_text(stored.game), rows=((claim, keep),))


async def claim_win_button(interaction: Interaction, stored: StoredGame) -> tuple[Button, ...]:
    """Return the button that asks whether to claim a game; none where the person may not do so now."""
    game = stored.game
    ask = Button(claim_win_texts.CLAIM_WIN_LABEL, f"ask_claim_win:{game.id}:{game.version}", "danger")
    return (ask,) if await interaction.client.app.win_claims.may_claim_win(stored, interaction.user.id) else ()


@handles("ask_claim_win", "{game}:{version}", Reply.APART)
async def press_ask_claim_win(interaction: Interaction, game: int, version: int) -> None:
    """Ask whether to claim a game, apart from the board with the button."""
    await _confirm_claim(interaction, game, version)


@handles("claim_win", "{game}:{version}:{verb:claim|keep}")
async def press_claim_win(interaction: Interaction, game: int, version: int, verb: str) -> None:
    """Claim a game as it stood when it was asked, or leave it."""
    if verb == "keep":
        await show_reply(interaction, claim_win_texts.NOTHING_CLAIMED)
        return
    claimed = await interaction.client.app.win_claims.claim_win(game, interaction.user.id, version)
    posted = await interaction.client.delivery.deliver(claimed.owed)
    await show_reply(interaction, claim_win_texts.claim_made_text(claimed.game, claimed.until, posted=posted))
