"""Importing a record: a form takes it as a file or as a text, and a study is made of it."""

import asyncio
import io

import discord
from discord import app_commands

from gipfbot.match.study import MOST_STUDIES
from gipfbot.notation import LARGEST_RECORD, NotationError, Record, read_record
from gipfbot.ui.delivery.delivery import OUTAGE_ERRORS, TRY_SECONDS
from gipfbot.ui.kit import text_parts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.command_options import RULES_CHOICES
from gipfbot.ui.kit.components import handles_kind
from gipfbot.ui.kit.forms import UploadedFile, build_form, file_field, form_answers, text_field, uploaded_file
from gipfbot.ui.kit.groups import gipf_group
from gipfbot.ui.kit.respond import run_guarded, show_reply
from gipfbot.ui.records import import_record

from . import study_texts
from .study import show_study

LONGEST_PASTE = 4000  # characters of a field, Discord's limit
RULES_OF_RECORD = "-"


class _NothingToImport(Exception):
    """Nothing can be imported; the text says why."""


async def open_import_form(interaction: Interaction, rules: str) -> None:
    """Open the form into which a record is put; `rules` is the name of its rule set, empty to go by what it says."""
    paste = text_field(
        "text",
        study_texts.TEXT_FIELD,
        style=discord.TextStyle.paragraph,
        placeholder=study_texts.TEXT_HINT,
        required=False,
        max_length=LONGEST_PASTE,
    )
    upload = file_field("file", study_texts.FILE_FIELD, study_texts.FILE_HINT)
    await interaction.response.send_modal(
        build_form(study_texts.IMPORT_TITLE, f"i:{rules or RULES_OF_RECORD}", upload, paste)
    )


@handles_kind("i")
async def submit_import(interaction: Interaction, rest: str) -> None:
    """A record was put into the form: make a study of it, or tell why not, and give back what was pasted."""
    rules = rest.partition(":")[0]

    async def work() -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        pasted, file = form_answers(interaction).get("text", ""), uploaded_file(interaction, "file")
        try:
            record = await _read_import(interaction, await _pasted_or_uploaded(interaction, pasted, file), rules)
        except _NothingToImport as reason:
            lost = [discord.File(io.BytesIO(pasted.encode(errors="replace")), "pasted.gipf")] if pasted.strip() else []
            await show_reply(
                interaction,
                text_parts.join_lines(str(reason), study_texts.PASTED_TEXT_RETURNED if lost else ""),
                files=lost,
            )
            return
        cut = file is None and len(pasted) == LONGEST_PASTE
        await _open_imported_study(interaction, record, study_texts.MAY_BE_CUT if cut else "")

    await run_guarded(interaction, work())


async def _pasted_or_uploaded(interaction: Interaction, pasted: str, file: UploadedFile | None) -> str:
    """Return the text of the record. Raises _NoRecord without one, and for a file and a text that differ."""
    if file is None:
        if not pasted.strip():
            raise _NothingToImport(study_texts.NO_FILE_NOR_TEXT)
        return pasted
    text = await _uploaded_text(interaction, file)
    if pasted.strip() and pasted.split() != text.removeprefix("\ufeff").split():
        raise _NothingToImport(study_texts.FILE_AND_TEXT_DIFFER)
    return text


async def _uploaded_text(interaction: Interaction, file: UploadedFile) -> str:
    if file.size > LARGEST_RECORD:
        raise _NothingToImport(study_texts.FILE_TOO_BIG)
    try:
        async with asyncio.timeout(TRY_SECONDS):
            text = (await interaction.client.http.get_from_cdn(file.url)).decode()
    except (discord.HTTPException, *OUTAGE_ERRORS) as error:
        raise _NothingToImport(study_texts.NOT_FETCHED) from error
    except UnicodeDecodeError as error:
        raise _NothingToImport(study_texts.NOT_UTF8) from error
    if not text.removeprefix("\ufeff").strip():
        raise _NothingToImport(study_texts.FILE_EMPTY)
    return text


async def _read_import(interaction: Interaction, text: str, rules: str) -> Record:
    """Return a record of which at least one turn can be played. Raises _NoRecord."""
    try:
        record = await interaction.client.run_aside(read_record, text, None if rules == RULES_OF_RECORD else rules)
    except NotationError as fault:
        raise _NothingToImport(study_texts.unreadable_record_text(fault)) from fault
    if record.broken and not record.turns:
        raise _NothingToImport(
            text_parts.join_lines(study_texts.broken_record_text(record), study_texts.NOTHING_IMPORTED)
        )
    if not record.turns:
        raise _NothingToImport(study_texts.NO_TURNS_TO_STUDY)
    return record


async def _open_imported_study(interaction: Interaction, record: Record, note: str) -> None:
    fault = study_texts.broken_record_text(record)
    stored, gone = await interaction.client.app.studies.add_study(interaction.user.id, record, fault)
    await show_study(
        interaction,
        stored,
        note=text_parts.join_lines(
            study_texts.import_report_text(record), note, study_texts.dropped_study_text(gone, MOST_STUDIES)
        ),
    )


@gipf_group.command(name="import", description="Study a record: step through it and try turns, on a private message")
@app_commands.describe(rules="Which version of GIPF (default: what the record says)")
@app_commands.choices(rules=RULES_CHOICES)
async def import_command(interaction: Interaction, rules: str = "") -> None:
    """Ask for a record."""
    await run_guarded(interaction, import_record.open_import_form(interaction, rules))
