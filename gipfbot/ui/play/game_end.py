"""Giving a game up, cancelling it, and why there are no draws."""

from discord import app_commands

from gipfbot.match import Status, check_running
from gipfbot.service.kit.game_names import game_name
from gipfbot.store import StoredGame
from gipfbot.ui.kit import text_parts, texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import handles_kind
from gipfbot.ui.kit.game_picker import _in_running_game, handles_picked_game
from gipfbot.ui.kit.groups import gipf_group
from gipfbot.ui.kit.respond import run_guarded, show_reply
from gipfbot.ui.kit.widgets import Button
from gipfbot.ui.play import game_texts
from gipfbot.ui.play.private_board import _show_private_board


@handles_picked_game("resign")
async def _resign_picked_game(interaction: Interaction, game_id: int, _: str) -> None:
    await _confirm_resign(interaction, await interaction.client.app.games.game(game_id))


@gipf_group.command(name="resign", description="Give up a game; asks once")
@app_commands.describe(game="Which game, such as #a7")
async def resign_command(interaction: Interaction, game: str = "") -> None:
    """Ask whether to resign, or to call the game off."""
    await interaction.response.defer(ephemeral=True)
    await run_guarded(interaction, _in_running_game(interaction, game.strip(), "resign"))


async def _confirm_resign(interaction: Interaction, stored: StoredGame, note: str = "") -> None:
    game = stored.game
    colour = game.colour_of(interaction.user.id)
    if colour is None:
        await show_reply(interaction, texts.NOT_YOUR_GAME)
        return
    check_running(game)
    call_off = (Button(game_texts.CANCEL_GAME_LABEL, "cancel"),) if game.may_cancel else ()
    buttons = (
        Button(game_texts.RESIGN_LABEL, "resign", "danger"),
        *call_off,
        Button(game_texts.KEEP_PLAYING_LABEL, "keep"),
    )
    text = game_texts.confirm_resign_text(game_name(game.id), game.seats[colour.other].name, game.may_cancel)
    await show_reply(
        interaction, text_parts.join_lines(note, text), rows=(buttons,), prefix=f"e:{game.id}:{game.version}:"
    )


@handles_kind("e")
async def press_end_game(interaction: Interaction, rest: str) -> None:
    """The answer to whether a game shall end; one that was asked for an older version is not carried out."""

    async def work() -> None:
        await interaction.response.defer()
        bot, user = interaction.client, interaction.user.id
        number, drawn_for, verb = rest.split(":")
        id, version = int(number), int(drawn_for)
        stored, name = await bot.app.games.game(id), game_name(id)
        if stored.game.status is not Status.RUNNING:
            await _show_private_board(interaction, stored)
            return
        if verb == "keep":
            await show_reply(interaction, game_texts.GAME_GOES_ON)
            return
        if stored.game.version != version:
            await _confirm_resign(interaction, stored, game_texts.ASKED_AGAIN)
            return
        done = await (bot.app.games.cancel_game if verb == "cancel" else bot.app.games.resign)(id, user, version)
        await bot.delivery.deliver(done.owed)
        await show_reply(
            interaction, game_texts.cancelled_text(name) if verb == "cancel" else game_texts.resigned_text(name)
        )

    await run_guarded(interaction, work())


@gipf_group.command(name="draw", description="Whether a game can end in a draw, and how else it can end")
async def draw_command(interaction: Interaction) -> None:
    """Say that there is no draw."""
    await interaction.response.send_message(game_texts.NO_DRAWS, ephemeral=True)
