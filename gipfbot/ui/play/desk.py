"""Handlers of the buttons that play a turn: on public boards, in direct messages, and on the desk."""

from collections.abc import Sequence

from gipfbot.languages import say
from gipfbot.match import Game, Refused, Status, Why, check_turn, perform
from gipfbot.rules import Action
from gipfbot.rules.pending import question
from gipfbot.ui.board.public_board import board_url
from gipfbot.ui.desk.screens import PLAY_ANYWAY_VERB, START_OVER_VERB, desk_actions, desk_focus, offered_actions
from gipfbot.ui.kit import Interaction, Reply, handles, show_reply, visibility
from gipfbot.values import StoredGame

from . import game_texts
from .desk_view import note_turn_is_seen, show_after_turn, show_desk, show_stale_desk, show_turn_to_confirm
from .private_board import show_private_board


@handles("board", "{game}:{turn_serial}", Reply.APART)
async def press_board(interaction: Interaction, game: int, turn_serial: int) -> None:
    """Open the desk from the newest board. A spectator sees the game instead.

    An outdated board links to the newest one and loses its buttons.
    """
    stored = await interaction.client.app.games.game(game)
    if reason := await visibility.why_game_hidden(interaction, stored):
        await show_reply(interaction, reason)
    elif not _is_newest(stored.game, turn_serial):
        await show_reply(interaction, game_texts.newest_board_text(board_url(stored)))
        if interaction.message and not interaction.message.flags.ephemeral:
            await interaction.edit_original_response(view=None)
    elif stored.game.colour_of(interaction.user.id) is None:
        await show_private_board(interaction, stored, note=game_texts.watched_game_text(stored.game))
    else:
        await show_desk(interaction, stored)


def _is_newest(game: Game, turn_serial: int) -> bool:
    return game.status is Status.RUNNING and game.turn_serial == turn_serial


@handles("open_desk", "{game}")
async def press_open_desk(interaction: Interaction, game: int) -> None:
    """Open a game's desk on the private message that was pressed."""
    await show_desk(interaction, await interaction.client.app.games.game(game))


@handles("message_desk", "{game}{page:(?::[0-9]*)?}", Reply.APART)
async def press_message_desk(interaction: Interaction, game: int, page: str) -> None:
    """Open a game's desk in a new private message, from a direct message or below a turn. That message stays."""
    await show_desk(interaction, await interaction.client.app.games.game(game), page=page.removeprefix(":"))


@handles("desk", "{game}:{version}:{page:[0-9]*}:{verb:[a-z]+}:{what:.*}")
async def press_desk(interaction: Interaction, game: int, version: int, page: str, verb: str, what: str) -> None:
    """Handle a press on the desk: play its actions, start the turn over, or show its selection.

    A press on an outdated desk plays nothing and shows the current desk.
    """
    stored = await interaction.client.app.games.game(game)
    if stored.game.status is not Status.RUNNING or stored.game.version != version:
        if not await _ask_again(interaction, stored, offered_actions(verb, what), page):
            await show_stale_desk(interaction, stored, page)
        return
    check_turn(stored.game, interaction.user.id)
    asked = question(stored.game.current)
    assert asked is not None
    if verb == START_OVER_VERB:
        after = await interaction.client.app.games.start_turn_over(game, interaction.user.id, version)
        await show_desk(interaction, after, note=game_texts.started_over_text(after.game), page=page)
    elif actions := desk_actions(stored.game, asked, verb, what):
        await _play_pressed(interaction, stored, actions, page, sure=verb == PLAY_ANYWAY_VERB)
    else:
        await show_desk(interaction, stored, desk_focus(verb, what), page=page)


async def _ask_again(interaction: Interaction, stored: StoredGame, actions: Sequence[Action], page: str) -> bool:
    """Ask on the current board whether to play a turn that was offered on an earlier one.

    Return False, and ask nothing, if none was offered, or if it cannot be played now.
    """
    try:
        after = perform(stored.game, interaction.user.id, actions)
    except Refused:
        return False
    if actions:
        stored = await note_turn_is_seen(interaction, stored)
        await show_turn_to_confirm(interaction, stored, actions, after, page=page, note=say(game_texts.OFFERED_BEFORE))
    return bool(actions)


async def _play_pressed(
    interaction: Interaction, stored: StoredGame, actions: Sequence[Action], page: str, *, sure: bool
) -> None:
    """Play the actions of a desk button. If the game would be lost on time, ask first, unless `sure`."""
    game, user = stored.game, interaction.user.id
    try:
        done = await interaction.client.app.games.play_actions(game.id, user, actions, game.version, sure=sure)
    except Refused as refusal:
        if refusal.why is not Why.LOSES_ON_TIME:
            raise
        await show_turn_to_confirm(interaction, stored, actions, perform(game, user, actions), page=page)
    else:
        await show_after_turn(interaction, done, page=page)
