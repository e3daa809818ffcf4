"""Records: `/gipf record` sends one as a file and as text, and `/gipf import` makes a study from one."""

import asyncio
import io

import discord
from discord import app_commands

from gipfbot.languages import say
from gipfbot.match import Refused, Why
from gipfbot.match.study import MOST_STUDIES
from gipfbot.notation import (
    LARGEST_RECORD,
    NOTATIONS,
    Notation,
    NotationError,
    Record,
    decode_record,
    read_record,
    record_text,
)
from gipfbot.rules import RULESETS
from gipfbot.ui.delivery.delivery import OUTAGE_ERRORS, TRY_SECONDS
from gipfbot.ui.kit import (
    Button,
    Interaction,
    Reply,
    answers_privately,
    handles,
    handles_picked_game,
    notation_of,
    show_reply,
    slash_command,
    texts,
    visibility,
)
from gipfbot.ui.kit.components import UploadedFile, build_form, file_field, form_answers, text_field, uploaded_file
from gipfbot.ui.kit.game_picker import MOST_CHOICES, complete_any_game, pick_seen_game_or_ask, running_unless_named
from gipfbot.ui.kit.permissions import server_name
from gipfbot.ui.kit.rate_limits import one_job
from gipfbot.ui.kit.refusal_texts import refusal_text, why_buttons
from gipfbot.ui.kit.request_log import note_refusal
from gipfbot.ui.kit.respond import run_guarded, show_here_buttons
from gipfbot.ui.kit.slash_commands import NOTATION_CHOICES, RULES_CHOICES
from gipfbot.values import EndedGame, StoredGame

from . import record_texts, study_texts
from .study_view import show_study

LONGEST_PASTE = 4000  # characters, Discord's limit for a field
RULES_OF_RECORD = "-"  # stands for the rule set that the record itself names
_RULES = "|".join((RULES_OF_RECORD, *RULESETS))


@slash_command("gipf record", 40, "A game's record, as a file and as text")
@app_commands.describe(
    game="Which game, such as #a7, running or over", notation="How its turns are written (default: your setting)"
)
@app_commands.choices(notation=NOTATION_CHOICES)
@app_commands.autocomplete(game=complete_any_game)
@answers_privately
async def record_command(interaction: Interaction, game: str = "", notation: str = "") -> None:
    """Send the record of a game. If it is not clear which game is meant, ask."""
    picked = await pick_played_game(interaction, game, f"record:{notation}", say(record_texts.WHICH_RECORD))
    if picked:
        await send_record(interaction, picked, notation)


async def pick_played_game(interaction: Interaction, named: str, action: str, ask_text: str) -> int | None:
    """Return the game called `named`, or else the one that the user must mean.

    If it is not clear which game is meant, ask and return None. Games of others that the user sees are offered, too.
    The user's finished games are offered only if they have no running game. `action` and `ask_text` are those of
    `pick_game_or_ask`.
    """
    named, none, ended = named.strip(), say(record_texts.NO_GAMES_PLAYED), list[EndedGame]()
    running = await running_unless_named(interaction, named)
    if not named and not running:
        ended = await interaction.client.app.studies.ended_games(interaction.user.id, MOST_CHOICES)
    return await pick_seen_game_or_ask(interaction, named, running or ended, action, none, ask_text)


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


async def _make_record(interaction: Interaction, game_id: int, notation_name: str) -> None:
    stored, record = await interaction.client.app.studies.record(game_id, interaction.user.id)
    if reason := await visibility.why_game_hidden(interaction, stored):
        await show_reply(interaction, reason)
        return
    if notation_name and notation_name not in NOTATIONS:
        raise Refused(Why.NOT_OFFERED, option="notation", value=notation_name)
    notation = NOTATIONS[notation_name] if notation_name else await notation_of(interaction)
    server = await server_name(interaction.client, stored.venue.server)
    tournament = await interaction.client.app.tournaments.part_of(stored.game)
    record = record._replace(headers=record_texts.record_headers(stored, server, tournament))
    sheet, text = await interaction.client.app.aside.run(
        interaction.user.id, sheet_and_record, stored, record, notation
    )
    file = discord.File(io.BytesIO(text.encode()), record_texts.record_file_name(game_id))
    buttons = study_button(game_id), *show_here_buttons(interaction, f"record:{game_id}:{notation.name}")
    await show_reply(interaction, sheet, rows=(buttons,), files=[file])


def sheet_and_record(stored: StoredGame, record: Record, notation: Notation) -> tuple[str, str]:
    """Return the message that comes with the file of a record, and the text of the file."""
    return record_texts.record_sheet(stored, record, notation), record_text(record, notation)


def study_button(game: int) -> Button:
    """Return the button that opens the user's study of a game."""
    return Button(say(texts.STUDY_LABEL), f"study_game:{game}")


class _NothingToImport(Exception):
    """A record cannot be imported. The message of the exception tells the user why.

    `fault` is the error of the notation behind it, if there is one.
    """

    def __init__(self, said: str, fault: NotationError | None = None) -> None:
        super().__init__(said)
        self.fault = fault


@slash_command("gipf import", 50, "Study a record: step through it and try turns, privately")
@app_commands.describe(rules="Which version of GIPF (default: what the record says)")
@app_commands.choices(rules=RULES_CHOICES)
async def import_command(interaction: Interaction, rules: str = "") -> None:
    """Open the form in which the user imports a record."""
    await run_guarded(interaction, _open_import_form(interaction, rules))


async def _open_import_form(interaction: Interaction, rules: str, kept: str | None = None) -> None:
    """Open the form for a record, filled with the text `kept`.

    `rules` is the name of its rule set, empty to use the one that the record names.
    """
    paste = text_field(
        "text",
        say(record_texts.TEXT_FIELD),
        style=discord.TextStyle.paragraph,
        placeholder=record_texts.TEXT_HINT,
        required=False,
        max_length=LONGEST_PASTE,
        default=kept,
    )
    upload = file_field("file", say(record_texts.FILE_FIELD), record_texts.file_hint())
    form = build_form(say(record_texts.IMPORT_TITLE), f"import_record:{rules or RULES_OF_RECORD}", upload, paste)
    await interaction.response.send_modal(form)


def _import_purpose(rules: str) -> str:
    """Return the `custom_id` of the button that opens the form again. A refused text is kept under it."""
    return f"import_again:{rules}"


@handles("import_again", f"{{rules:{_RULES}}}", Reply.FORM)
async def press_import_again(interaction: Interaction, rules: str) -> None:
    """Open the form for a record again, filled with the text that was refused last."""
    kept = interaction.client.kept_texts.find(interaction.user.id, _import_purpose(rules))
    await _open_import_form(interaction, rules, kept)


@handles("import_record", f"{{rules:{_RULES}}}:.*")
async def submit_import(interaction: Interaction, rules: str) -> None:
    """Make a study of the record in the form. If that fails, say why and send the pasted text back."""
    pasted, file = form_answers(interaction).get("text", ""), uploaded_file(interaction, "file")
    try:
        with one_job(interaction):
            record = await _read_import(interaction, await _pasted_or_uploaded(interaction, pasted, file), rules)
    except _NothingToImport as reason:
        note_refusal(interaction, reason.fault or reason)
        await _send_back_pasted_text(interaction, reason, pasted, rules)
        return
    except Refused as refusal:
        note_refusal(interaction, refusal)
        await _send_back_pasted_text(interaction, _NothingToImport(refusal_text(refusal)), pasted, rules)
        return
    interaction.client.kept_texts.forget(interaction.user.id, _import_purpose(rules))
    is_cut = file is None and len(pasted) == LONGEST_PASTE
    await _open_imported_study(interaction, record, say(record_texts.MAY_BE_CUT) if is_cut else "")


async def _send_back_pasted_text(interaction: Interaction, reason: _NothingToImport, pasted: str, rules: str) -> None:
    """Say why nothing was imported, with a button that opens the form again with any pasted text.

    The text is attached as a file, too, because a restart of the bot loses it.
    """
    why = why_buttons(reason.fault) if reason.fault else ()
    again = ((Button(say(record_texts.TRY_AGAIN_LABEL), _import_purpose(rules), "primary"), *why),)
    if not pasted.strip():
        await show_reply(interaction, str(reason), rows=again)
        return
    interaction.client.kept_texts.keep(interaction.user.id, _import_purpose(rules), pasted)
    file = discord.File(io.BytesIO(pasted.encode(errors="replace")), "pasted.gipf")
    said = texts.join_lines(str(reason), say(record_texts.PASTED_TEXT_RETURNED))
    await show_reply(interaction, said, rows=again, files=[file])


async def _pasted_or_uploaded(interaction: Interaction, pasted: str, file: UploadedFile | None) -> str:
    """Return the text of the record, pasted or from the file.

    Raises _NothingToImport if there is no text, if the file cannot be read, or if both are given and differ.
    """
    if file is None:
        if not pasted.strip():
            raise _NothingToImport(say(record_texts.NO_FILE_NOR_TEXT))
        return pasted
    text = await _uploaded_text(interaction, file)
    if pasted.strip() and pasted.split() != text.split():
        raise _NothingToImport(say(record_texts.FILE_AND_TEXT_DIFFER))
    return text


async def _uploaded_text(interaction: Interaction, file: UploadedFile) -> str:
    if file.size > LARGEST_RECORD:
        raise _NothingToImport(record_texts.file_too_big_text())
    try:
        async with asyncio.timeout(TRY_SECONDS):
            text = decode_record(await interaction.client.http.get_from_cdn(file.url))
    except (discord.HTTPException, *OUTAGE_ERRORS) as error:
        raise _NothingToImport(say(record_texts.NOT_FETCHED)) from error
    except UnicodeError as error:
        raise _NothingToImport(say(record_texts.NO_TEXT)) from error
    if not text.strip():
        raise _NothingToImport(say(record_texts.FILE_EMPTY))
    return text


async def _read_import(interaction: Interaction, text: str, rules: str) -> Record:
    """Return the record in a text. `rules` is the name of a rule set, or RULES_OF_RECORD.

    Raises _NothingToImport if the text is not a record, or has neither a turn that can be played nor a start position.
    """
    try:
        known = None if rules == RULES_OF_RECORD else rules
        record = await interaction.client.app.aside.run(interaction.user.id, read_record, text, known)
    except NotationError as fault:
        raise _NothingToImport(record_texts.unreadable_record_text(fault), fault) from fault
    if record.broken and not record.turns and not record.start_position:
        said = texts.join_lines(record_texts.broken_record_text(record.broken), say(record_texts.NOTHING_IMPORTED))
        raise _NothingToImport(said, record.broken)
    if not record.turns and not record.start_position:
        raise _NothingToImport(record_texts.no_turns_text())
    return record


async def _open_imported_study(interaction: Interaction, record: Record, note: str) -> None:
    stored, gone = await interaction.client.app.studies.add_study(interaction.user.id, record)
    dropped = study_texts.dropped_study_text(gone, MOST_STUDIES)
    report = texts.join_lines(record_texts.import_report_text(record), note, dropped)
    await show_study(interaction, stored, note=report, beside=why_buttons(record.broken) if record.broken else ())
