"""Resign or cancel a game."""

from discord import app_commands

from gipfbot.languages import say
from gipfbot.match import Status, check_running_player
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.kit import (
    Button,
    Interaction,
    answers_privately,
    handles,
    handles_picked_game,
    join_lines,
    show_reply,
    slash_command,
    texts,
)
from gipfbot.ui.kit.game_picker import complete_running_game, pick_game_or_ask, picked_game, running_unless_named
from gipfbot.values import StoredGame

from . import game_texts
from .private_board import show_private_board


@slash_command("gipf resign", 30, "Give up a game, or cancel it before both have moved; asks first")
@app_commands.describe(game="Which game, such as #a7")
@app_commands.autocomplete(game=complete_running_game)
@answers_privately
async def resign_command(interaction: Interaction, game: str = "") -> None:
    """Ask whether to resign a game. If not both players have moved, offer to cancel it first."""
    await resign_game_meant(interaction, game.strip())


async def resign_game_meant(interaction: Interaction, named: str) -> None:
    """Ask whether to resign the game `named`. If it is empty and several games are possible, ask which one."""
    running = await running_unless_named(interaction, named)
    none, ask = say(texts.NO_RUNNING_GAMES), say(texts.WHICH_GAME)
    if picked := await pick_game_or_ask(interaction, named, running, "resign", none, ask):
        await _ask_to_end_game(interaction, await picked_game(interaction, picked, running))


@handles_picked_game("resign")
async def _resign_picked_game(interaction: Interaction, game: int, _: str) -> None:
    await _ask_to_end_game(interaction, await interaction.client.app.games.game(game))


@handles("ask_end_game", "{game}")
async def press_ask_end_game(interaction: Interaction, game: int) -> None:
    """Ask whether to resign a game, or to cancel it."""
    await _resign_picked_game(interaction, game, "")


async def _ask_to_end_game(interaction: Interaction, stored: StoredGame, note: str = "") -> None:
    game = stored.game
    colour = check_running_player(game, interaction.user.id)
    buttons = (
        *((Button(say(game_texts.CANCEL_GAME_LABEL), "cancel", "primary"),) if game.may_cancel else ()),
        Button(say(game_texts.RESIGN_LABEL), "resign", "danger"),
        Button(say(game_texts.KEEP_PLAYING_LABEL), "keep"),
    )
    text = game_texts.confirm_resign_text(game_name(game.id), game.seats[colour.other].name, game.may_cancel)
    await show_reply(interaction, join_lines(note, text), rows=(buttons,), prefix=f"end_game:{game.id}:{game.version}:")


async def _is_asked_as_it_stands(interaction: Interaction, game: int, version: int, verb: str) -> bool:
    """Return whether the answer to a resign question is still valid. If not, show the game or ask again.

    The game must be running. For an answer other than `keep`, it must also be unchanged since the question.
    """
    stored = await interaction.client.app.games.game(game)
    if stored.game.status is not Status.RUNNING:
        await show_private_board(interaction, stored)
        return False
    if verb != "keep" and stored.game.version != version:
        await _ask_to_end_game(interaction, stored, say(game_texts.ASKED_AGAIN))
        return False
    return True


@handles("end_game", "{game}:{version}:{verb:resign|cancel|keep}", guard=_is_asked_as_it_stands)
async def press_end_game(interaction: Interaction, game: int, version: int, verb: str) -> None:
    """Carry out the answer to a resign question: resign the game, cancel it, or keep playing."""
    if verb == "keep":
        await show_reply(interaction, say(game_texts.GAME_GOES_ON))
        return
    games, name = interaction.client.app.games, game_name(game)
    done = await (games.cancel_game if verb == "cancel" else games.resign)(game, interaction.user.id, version)
    await interaction.client.delivery.deliver(done.owed)
    said = game_texts.cancelled_text(name) if verb == "cancel" else game_texts.resigned_text(name)
    await show_reply(interaction, said)
