"""`/gipf board`: a game or a study, shown to one person alone."""

from discord import app_commands

from gipfbot.match import Status
from gipfbot.service.delivery.board_message import new_board_message
from gipfbot.service.kit.game_names import parse_study_name
from gipfbot.store import StoredGame
from gipfbot.ui.board import board_texts
from gipfbot.ui.board.game_view import board_url, game_picture
from gipfbot.ui.clock import reminders
from gipfbot.ui.delivery import venue
from gipfbot.ui.kit import permissions, text_parts, texts
from gipfbot.ui.kit.autocomplete import MOST_CHOICES
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.game_picker import _in_running_game, handles_picked_game
from gipfbot.ui.kit.groups import gipf_group
from gipfbot.ui.kit.respond import notation_of, run_guarded, show_reply
from gipfbot.ui.kit.widgets import Button, ComponentRow, Select
from gipfbot.ui.play import game_list_texts, game_texts
from gipfbot.ui.play.back_to_list import with_back_button
from gipfbot.ui.records import export, study, study_texts
from gipfbot.ui.requests.claim_win import claim_win_button
from gipfbot.ui.requests.conditionals import if_button
from render import text_board

SHOWN_AS_TEXT = "text"  # how a board may be shown


@handles_picked_game("board")
async def _show_picked_board(interaction: Interaction, game_id: int, shown: str) -> None:
    await _show_private_board(interaction, await interaction.client.app.games.game(game_id), shown)


@handles_picked_game("study")
async def _show_picked_study(interaction: Interaction, study_id: int, _: str) -> None:
    await study.show_named_study(interaction, study_id)


@gipf_group.command(
    name="board", description="Show a game or a study to you alone; brings a game here when its channel is gone"
)
@app_commands.describe(
    game="Which game, such as #a7, or study, such as study 7",
    text="A game's board as text instead of a picture, for screen readers and terminals",
)
async def board_command(interaction: Interaction, game: str = "", text: bool = False) -> None:
    """Show a board privately, or a study."""
    await interaction.response.defer(ephemeral=True)
    await run_guarded(interaction, _show_board_or_study(interaction, game.strip(), SHOWN_AS_TEXT if text else ""))


async def _show_board_or_study(interaction: Interaction, named: str, shown: str) -> None:
    user, service = interaction.user.id, interaction.client.app
    if study_id := parse_study_name(named):
        await study.show_named_study(interaction, study_id)
    elif (
        not named
        and not await service.games.running_games(user)
        and (known := await interaction.client.app.studies.studies(user))
    ):
        options = tuple((study_texts.study_label(brief), str(brief.id)) for brief in known[:MOST_CHOICES])
        await show_reply(
            interaction, study_texts.WHICH_STUDY, rows=(Select(study_texts.STUDY_PLACEHOLDER, "p:study", options),)
        )
    else:
        await _in_running_game(interaction, named, f"board:{shown}")


async def _show_private_board(interaction: Interaction, stored: StoredGame, shown: str = "") -> None:
    game, user = stored.game, interaction.user.id
    if reason := await permissions.why_game_hidden(interaction, stored):
        await show_reply(interaction, reason)
        return
    said = ""
    own = game.colour_of(user) is not None
    if own and game.status is Status.RUNNING and (said := await venue.bring_game_back(interaction, stored)):
        stored = await interaction.client.app.games.game(game.id)
    asked = game.asked
    mine = asked is not None and game.seats[asked].user == user
    label = texts.REMOVE_LABEL if board_texts.is_removal_due(game.current) else texts.MOVE_LABEL
    nudge, claims = await reminders.nudge_button(interaction, stored), await claim_win_button(interaction, stored)
    waits = (*nudge, *claims, *if_button(game, user))
    move_on = (Button(label, f"o:{game.id}", "primary"),) if mine else waits
    rows: tuple[ComponentRow, ...] = ((*move_on, export.study_button(game.id)),) if own else ()
    rows = with_back_button(interaction, rows)
    noted = (
        game_list_texts.own_note_text(await interaction.client.app.notes.note_unchecked(game.id, user)) if own else ""
    )
    away = await interaction.client.app.vacations.waits_for_vacation_until(stored)
    text = text_parts.join_lines(
        said, _private_board_text(stored, user, away), noted, texts.board_link_text(board_url(stored))
    )
    picture = game_picture(game, await notation_of(interaction))
    if shown == SHOWN_AS_TEXT:
        await show_reply(interaction, text_parts.with_code_block(text, text_board(picture)), rows=rows)
    else:
        await show_reply(interaction, text, picture, rows, colour=game.colour_of(user))


def _private_board_text(stored: StoredGame, user: int, away: int | None) -> str:
    game, board = stored.game, new_board_message(stored.game)
    outcome = "" if game.status is Status.RUNNING else board_texts.outcome_text(board)
    return text_parts.join_lines(
        game_texts.private_board_heading(game, user, outcome, away), board_texts.waiting_player_bank_text(board)
    )
