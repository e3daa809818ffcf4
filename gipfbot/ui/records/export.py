"""The record of a game, sent to one person: as a file, and as a sheet to be read."""

import io
from collections.abc import Sequence

import discord
from discord import app_commands

from gipfbot.match import Refused, Why
from gipfbot.notation import NOTATIONS, Notation, Record, record_text
from gipfbot.service.records.studies import ListedGame
from gipfbot.store import StoredGame
from gipfbot.ui.kit import permissions, texts
from gipfbot.ui.kit.autocomplete import MOST_CHOICES
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.command_options import NOTATION_CHOICES
from gipfbot.ui.kit.components import handles_kind
from gipfbot.ui.kit.game_picker import handles_picked_game, pick_game_or_ask
from gipfbot.ui.kit.groups import gipf_group
from gipfbot.ui.kit.respond import notation_of, run_guarded, show_reply
from gipfbot.ui.kit.widgets import Button
from gipfbot.ui.records import export, study_texts

from . import study_texts


@handles_kind("r")
async def press_record(interaction: Interaction, rest: str) -> None:
    """The button of a game's last board: sends its record to whoever presses it."""

    async def work() -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await send_record(interaction, int(rest), "")

    await run_guarded(interaction, work())


@handles_picked_game("record")
async def send_record(interaction: Interaction, game_id: int, notation_name: str) -> None:
    """Send the record of a game in this notation, without a name in the person's own, if he may look at it."""
    stored, record = await interaction.client.app.studies.record(game_id)
    if reason := await permissions.why_game_hidden(interaction, stored):
        await show_reply(interaction, reason)
        return
    if notation_name and notation_name not in NOTATIONS:
        raise Refused(Why.NOT_OFFERED, option="notation", value=notation_name)
    notation = NOTATIONS[notation_name] if notation_name else await notation_of(interaction)
    guild = interaction.client.get_guild(stored.venue.server) if stored.venue.server else None
    record = record._replace(headers=study_texts.record_headers(stored, guild.name if guild else None))
    sheet, text = await interaction.client.run_aside(_sheet_and_record, stored, record, notation)
    file = discord.File(io.BytesIO(text.encode()), study_texts.record_file_name(game_id))
    own = stored.game.colour_of(interaction.user.id) is not None
    await show_reply(interaction, sheet, rows=((study_button(game_id),),) if own else (), files=[file])


def _sheet_and_record(stored: StoredGame, record: Record, notation: Notation) -> tuple[str, str]:
    return study_texts.record_sheet(stored, record, notation), record_text(record, notation)


def study_button(game: int) -> Button:
    """Return the button that opens a player's study of his game."""
    return Button(texts.STUDY_LABEL, f"v:{game}")


@gipf_group.command(name="record", description="The record of a game, as a file and to be read")
@app_commands.describe(
    game="Which game, such as #a7, also one that is over", notation="How its turns are written (default: your setting)"
)
@app_commands.choices(notation=NOTATION_CHOICES)
async def record_command(interaction: Interaction, game: str = "", notation: str = "") -> None:
    """Send the record of a game."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        user, none, ask = interaction.user.id, study_texts.NO_GAMES_PLAYED, study_texts.WHICH_RECORD
        mine: Sequence[ListedGame] = await interaction.client.app.games.running_games(user)
        mine = mine or await interaction.client.app.studies.ended_games(user, MOST_CHOICES)
        if id := await pick_game_or_ask(interaction, game.strip(), mine, f"record:{notation}", none, ask):
            await export.send_record(interaction, id, notation)

    await run_guarded(interaction, work())
