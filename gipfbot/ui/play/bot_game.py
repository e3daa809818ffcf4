"""`/gipf bot`: begin a game against the bot, ask for a rematch of it, or move a private one into a channel."""

from collections.abc import Mapping
from typing import Any

from discord import app_commands

from gipfbot.languages import say
from gipfbot.match import check_running_player
from gipfbot.service.clock.reminders import WEEK
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.delivery.venues import relocate_game
from gipfbot.ui.kit import (
    Button,
    Interaction,
    answers_privately,
    handles,
    join_lines,
    show_reply,
    slash_command,
    texts,
)
from gipfbot.ui.kit.interactions import chosen_value, told_after_commands
from gipfbot.ui.kit.permissions import is_private_thread
from gipfbot.ui.kit.respond import person_of
from gipfbot.ui.lobby import lobby_texts
from gipfbot.ui.lobby.challenge import why_not_challenger
from gipfbot.ui.lobby.open_challenges import seat_of_user
from gipfbot.ui.lobby.other_terms import CODE, read_terms
from gipfbot.ui.lobby.play_bot import (
    BEGIN_KIND,
    USUAL_LEVEL,
    ChosenLevel,
    begin_against_bot,
    complete_level,
    is_offered,
    read_level,
    show_game_in_direct_messages,
)
from gipfbot.ui.lobby.rematch import ask_or_accept_rematch
from gipfbot.values import StoredGame

from . import game_texts
from .desk_view import show_desk
from .private_board import show_private_board


@slash_command("gipf bot", 15, "Play the bot at once; on a server, only you see the game")
@app_commands.describe(level="How well the bot plays (default: 2)")
@app_commands.autocomplete(level=complete_level)
@answers_privately
async def bot_command(interaction: Interaction, level: str = "") -> None:
    """Begin a game against the bot at a level, in the server's version."""
    await _begin_at(interaction, level or f"{USUAL_LEVEL.level}", {})


@handles(BEGIN_KIND, f"{{level:[^:]*}}:{CODE}")
async def press_begin(interaction: Interaction, level: str, code: str) -> None:
    """Begin a game against the bot at the level of the button, or at the one chosen from a list."""
    await _begin_at(interaction, level or chosen_value(interaction), read_terms(code))


async def _begin_at(interaction: Interaction, level: str, chosen: Mapping[str, Any]) -> None:
    house = interaction.client.app.house
    read = read_level(level, house.choosable_engines)
    if read is None:
        await show_reply(interaction, lobby_texts.no_level_text(level, house.choosable_engines))
    elif not read.engine and not is_offered(house, read.level):
        await show_reply(interaction, lobby_texts.slow_level_text(read.level, house.thinking_seconds(read.level)))
    else:
        await _begin(interaction, read, chosen)


async def _begin(interaction: Interaction, level: ChosenLevel, chosen: Mapping[str, Any]) -> None:
    begun = await begin_against_bot(interaction, chosen, level)
    if begun.stored.venue.is_private:
        assert begun.game.terms.house
        await show_desk(interaction, begun.stored, note=lobby_texts.private_game_begins_text(begun.game.terms.house))
    else:
        await show_game_in_direct_messages(interaction, begun)


@handles("bot_rematch", "{game}")
async def press_bot_rematch(interaction: Interaction, game: int) -> None:
    """Begin the rematch of a private game, in place of the message that was pressed."""
    if not (await interaction.client.app.games.game(game)).venue.is_private:
        await ask_or_accept_rematch(interaction, game)
        return
    begun, _ = await interaction.client.app.lobby.rematch(game, seat_of_user(interaction.user))
    assert begun.game is not None, "the bot accepts at once"
    await show_desk(interaction, await interaction.client.app.games.game(begun.game))


# ── Into a channel ──


@handles("play_in_channel", "{game}")
async def press_play_in_channel(interaction: Interaction, game: int) -> None:
    """Ask whether to move a private game into this channel, where it stays."""
    stored = await _own_private_game(interaction, game)
    if stored is not None:
        channel = interaction.channel_id or 0
        buttons = (
            Button(say(game_texts.MOVE_TO_CHANNEL_LABEL), f"move_to_channel:{game}", "primary"),
            Button(say(game_texts.KEEP_PRIVATE_LABEL), f"open_desk:{game}"),
        )
        await show_reply(interaction, game_texts.confirm_channel_text(game_name(game), channel), rows=(buttons,))


@handles("move_to_channel", "{game}")
async def press_move_to_channel(interaction: Interaction, game: int) -> None:
    """Move a private game into this channel for good, if its player may challenge and post there."""
    if stored := await _own_private_game(interaction, game):
        said = await _why_not_here(interaction) or await relocate_game(interaction, stored)
        back = (Button(say(texts.BOARD_LABEL), f"open_desk:{game}"),)
        await show_reply(interaction, said, rows=(back,))


async def _own_private_game(interaction: Interaction, game: int) -> StoredGame | None:
    """Return a person's own running private game. If it is not private any more, show it and return None.

    Raises Refused for other people's games, and for games that are over.
    """
    stored = await interaction.client.app.games.game(game)
    check_running_player(stored.game, interaction.user.id)
    if stored.venue.is_private:
        return stored
    await show_private_board(interaction, stored)
    return None


async def _why_not_here(interaction: Interaction) -> str:
    """Return why a private game cannot go on in this channel, besides what `relocate_game` checks. Empty if it can."""
    if interaction.guild_id is None:
        return say(game_texts.NO_CHANNEL_HERE)
    if is_private_thread(interaction.channel):
        return say(lobby_texts.IN_PRIVATE_THREAD)
    settings = await interaction.client.app.servers.settings(interaction.guild_id)
    await interaction.client.app.lobby.check_cap(interaction.guild_id, interaction.user.id)
    return why_not_challenger(interaction, settings) or ""


# ── What the next command says ──


@told_after_commands
async def tell_untold_games(interaction: Interaction) -> str:
    """Return what a person does not know yet of their private games. It is shown once."""
    if not (await person_of(interaction)).has_untold_games:
        return ""
    found = await interaction.client.app.untold.take(interaction.user.id, WEEK)
    return join_lines(*map(game_texts.ended_unseen_text, found.over), *map(game_texts.waits_long_text, found.waiting))
