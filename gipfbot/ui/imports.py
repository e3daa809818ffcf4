"""Importing a record: a form takes it as a file or as a text, and a study is made of it."""

import asyncio
import io

import discord

from gipfbot.match.study import MOST
from gipfbot.notation import LARGEST_RECORD, NotationError, Record, read_record

from . import study_texts, texts
from .delivery import OUTAGE, TRY_FOR
from .forms import Upload, answers, file_field, form, text_field, uploaded
from .items import handles
from .replies import Interaction, guarded, show
from .studies import show_study

LONGEST = 4000  # characters of a field, Discord's limit
NO_RULES = "-"


class _NoRecord(Exception):
    """Nothing can be imported; the text says why."""


async def ask_for_record(interaction: Interaction, rules: str) -> None:
    """Open the form into which a record is put; `rules` is the name of its rule set, empty to go by what it says."""
    paste = text_field(
        "text",
        study_texts.TEXT_FIELD,
        style=discord.TextStyle.paragraph,
        placeholder=study_texts.TEXT_HINT,
        required=False,
        max_length=LONGEST,
    )
    upload = file_field("file", study_texts.FILE_FIELD, study_texts.FILE_HINT)
    await interaction.response.send_modal(form(study_texts.IMPORT_TITLE, f"i:{rules or NO_RULES}", upload, paste))


@handles("i")
async def import_record(interaction: Interaction, rest: str) -> None:
    """A record was put into the form: make a study of it, or tell why not, and give back what was pasted."""
    rules = rest.partition(":")[0]

    async def work() -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        pasted, file = answers(interaction).get("text", ""), uploaded(interaction, "file")
        try:
            record = await _read(interaction, await _given(interaction, pasted, file), rules)
        except _NoRecord as reason:
            lost = [discord.File(io.BytesIO(pasted.encode(errors="replace")), "pasted.gipf")] if pasted.strip() else []
            await show(interaction, texts.join(str(reason), study_texts.PASTED if lost else ""), files=lost)
            return
        cut = file is None and len(pasted) == LONGEST
        await _study(interaction, record, study_texts.MAY_BE_CUT if cut else "")

    await guarded(interaction, work())


async def _given(interaction: Interaction, pasted: str, file: Upload | None) -> str:
    """Return the text of the record. Raises _NoRecord without one, and for a file and a text that differ."""
    if file is None:
        if not pasted.strip():
            raise _NoRecord(study_texts.NEITHER)
        return pasted
    text = await _content(interaction, file)
    if pasted.strip() and pasted.split() != text.removeprefix("\ufeff").split():
        raise _NoRecord(study_texts.BOTH)
    return text


async def _content(interaction: Interaction, file: Upload) -> str:
    if file.size > LARGEST_RECORD:
        raise _NoRecord(study_texts.FILE_TOO_BIG)
    try:
        async with asyncio.timeout(TRY_FOR):
            text = (await interaction.client.http.get_from_cdn(file.url)).decode()
    except (discord.HTTPException, *OUTAGE) as error:
        raise _NoRecord(study_texts.NOT_FETCHED) from error
    except UnicodeDecodeError as error:
        raise _NoRecord(study_texts.NOT_UTF8) from error
    if not text.removeprefix("\ufeff").strip():
        raise _NoRecord(study_texts.FILE_EMPTY)
    return text


async def _read(interaction: Interaction, text: str, rules: str) -> Record:
    """Return a record of which at least one turn can be played. Raises _NoRecord."""
    try:
        record = await interaction.client.aside(read_record, text, None if rules == NO_RULES else rules)
    except NotationError as fault:
        raise _NoRecord(study_texts.unreadable(fault)) from fault
    if record.broken and not record.turns:
        raise _NoRecord(texts.join(study_texts.broken(record), study_texts.NOTHING_IMPORTED))
    if not record.turns:
        raise _NoRecord(study_texts.NO_TURNS)
    return record


async def _study(interaction: Interaction, record: Record, note: str) -> None:
    fault = study_texts.broken(record)
    stored, gone = await interaction.client.studies.add(interaction.user.id, record, fault)
    await show_study(
        interaction, stored, note=texts.join(study_texts.report(record), note, study_texts.made_room(gone, MOST))
    )
