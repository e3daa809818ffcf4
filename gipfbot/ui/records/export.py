"""`/gipf record` and the Record button of a last board: a game's record, as a file and as text."""

import io

import discord
from discord import app_commands

from gipfbot.match import Refused, Why
from gipfbot.notation import NOTATIONS, Notation, Record, record_text
from gipfbot.ui.kit import permissions, texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import Button
from gipfbot.ui.kit.game_picker import (
    MOST_CHOICES,
    complete_any_game,
    handles_picked_game,
    pick_seen_game_or_ask,
    running_unless_named,
)
from gipfbot.ui.kit.interactions import Reply, answers_privately, handles
from gipfbot.ui.kit.permissions import find_server
from gipfbot.ui.kit.rate_limits import one_job
from gipfbot.ui.kit.respond import notation_of, show_reply
from gipfbot.ui.kit.slash_commands import NOTATION_CHOICES
from gipfbot.ui.records import export_texts
from gipfbot.values import StoredGame


@app_commands.command(name="record", description="A game's record, as a file and as text")
@app_commands.describe(
    game="Which game, such as #a7, running or over", notation="How its turns are written (default: your setting)"
)
@app_commands.choices(notation=NOTATION_CHOICES)
@app_commands.autocomplete(game=complete_any_game)
@answers_privately
async def record_command(interaction: Interaction, game: str = "", notation: str = "") -> None:
    """Send the record of a game. If it is not clear which game is meant, ask."""
    picked = await pick_played_game(interaction, game, f"record:{notation}", export_texts.WHICH_RECORD)
    if picked:
        await send_record(interaction, picked, notation)


async def pick_played_game(interaction: Interaction, named: str, action: str, ask_text: str) -> int | None:
    """Return the game called `named`, or else the one that the user must mean.

    If it is not clear which game is meant, ask and return None. Games of others that the user sees are offered, too.
    The user's finished games are offered only if they have no running game. `action` and `ask_text` are those of
    `pick_game_or_ask`.
    """
    named = named.strip()
    games = await running_unless_named(interaction, named)
    if not named and not games:
        games = await interaction.client.app.studies.ended_games(interaction.user.id, MOST_CHOICES)
    return await pick_seen_game_or_ask(interaction, named, games, action, export_texts.NO_GAMES_PLAYED, ask_text)


@handles("record", "{game}", Reply.APART)
async def press_record(interaction: Interaction, game: int) -> None:
    """Send the record of a game to the person who presses the button of its last board."""
    await send_record(interaction, game, "")


@handles_picked_game("record")
async def send_record(interaction: Interaction, game_id: int, notation_name: str) -> None:
    """Send the record of a game. If the user may not see the game, say so instead.

    If `notation_name` is empty, the user's own notation is used. Raises Refused for an unknown notation, or while
    something else is being made for the user.
    """
    with one_job(interaction):
        await _make_record(interaction, game_id, notation_name)


async def _server_name(interaction: Interaction, server: int | None) -> str | None:
    """Return the name of a server; None if the bot is not there, or if Discord cannot tell."""
    try:
        found = await find_server(interaction.client, server) if server is not None else None
    except (discord.HTTPException, ConnectionError):
        return None
    return found.name if found else None


async def _make_record(interaction: Interaction, game_id: int, notation_name: str) -> None:
    stored, record = await interaction.client.app.studies.record(game_id, interaction.user.id)
    if reason := await permissions.why_game_hidden(interaction, stored):
        await show_reply(interaction, reason)
        return
    if notation_name and notation_name not in NOTATIONS:
        raise Refused(Why.NOT_OFFERED, option="notation", value=notation_name)
    notation = NOTATIONS[notation_name] if notation_name else await notation_of(interaction)
    server = await _server_name(interaction, stored.venue.server)
    record = record._replace(headers=export_texts.record_headers(stored, server))
    sheet, text = await interaction.client.app.aside.run(
        interaction.user.id, _sheet_and_record, stored, record, notation
    )
    file = discord.File(io.BytesIO(text.encode()), export_texts.record_file_name(game_id))
    await show_reply(interaction, sheet, rows=((study_button(game_id),),), files=[file])


def _sheet_and_record(stored: StoredGame, record: Record, notation: Notation) -> tuple[str, str]:
    return export_texts.record_sheet(stored, record, notation), record_text(record, notation)


def study_button(game: int) -> Button:
    """Return the button that opens the user's study of a game."""
    return Button(texts.STUDY_LABEL, f"study_game:{game}")
