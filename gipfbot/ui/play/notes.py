"""A player's private note on a game, and the form to edit it.

The form opens at once, with the note as it was last shown. After a restart, the bot does not know the last shown note.
Then the form is empty, and sending it empty changes nothing.
"""

import discord

from gipfbot.languages import say
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.play.games import LONGEST_NOTE
from gipfbot.ui.kit import (
    Button,
    Interaction,
    Reply,
    handles,
    handles_picked_game,
    show_reply,
    texts,
)
from gipfbot.ui.kit.components import build_form, form_answers, text_field
from gipfbot.ui.kit.game_picker import pick_game_or_ask, running_unless_named

from . import game_texts

EDIT_VERB, ADD_VERB = "edit", "add"  # a form that opened with the note in it, and one without


async def note_game_meant(interaction: Interaction, named: str) -> None:
    """Show the person's note on the game `named`. If it is empty and several games are possible, ask which one."""
    running = await running_unless_named(interaction, named)
    none, ask = say(texts.NO_RUNNING_GAMES), say(game_texts.WHICH_GAME_TO_NOTE)
    if picked := await pick_game_or_ask(interaction, named, running, "note", none, ask):
        await _show_stored_note(interaction, picked)


@handles_picked_game("note")
async def _show_stored_note(interaction: Interaction, game: int, _: str = "") -> None:
    await _show_note(interaction, game, await interaction.client.app.notes.note(game, interaction.user.id))


async def _show_note(interaction: Interaction, game: int, note: str) -> None:
    """Show a note with a button to edit it."""
    keep_shown_note(interaction, game, note)
    label = say(game_texts.EDIT_NOTE_LABEL) if note else say(game_texts.WRITE_NOTE_LABEL)
    buttons = Button(label, f"note:{game}", "primary"), Button(say(texts.BACK_TO_GAME_LABEL), f"more:{game}::")
    await show_reply(interaction, game_texts.note_text(game, note), rows=(buttons,))


def note_button(game: int) -> Button:
    """Return the button that opens the form for the user's note on a game.

    If there is a note, call `keep_shown_note` first.
    """
    return Button(say(game_texts.NOTE_LABEL), f"note:{game}")


def keep_shown_note(interaction: Interaction, game: int, note: str) -> None:
    """Keep a note that the user sees in memory, for the form that opens without a query."""
    interaction.client.kept_texts.keep(interaction.user.id, _note_purpose(game), note)


def _note_purpose(game: int) -> str:
    return f"note:{game}"


@handles("note", "{game}", Reply.FORM)
async def press_note(interaction: Interaction, game: int) -> None:
    """Open the form to edit a note."""
    known = interaction.client.kept_texts.find(interaction.user.id, _note_purpose(game))
    await interaction.response.send_modal(_note_form(game, known))


def _note_form(game: int, known: str | None) -> discord.ui.Modal:
    """Return the form to edit a note. `known` is the note as last shown; None if the bot does not know it."""
    is_known = known is not None
    verb, hint = (EDIT_VERB, game_texts.NOTE_HINT) if is_known else (ADD_VERB, game_texts.UNKNOWN_NOTE_HINT)
    field = text_field(
        "text",
        say(game_texts.NOTE_FIELD),
        say(hint, count=LONGEST_NOTE),
        style=discord.TextStyle.paragraph,
        max_length=LONGEST_NOTE,
        default=known,
        required=False,
    )
    return build_form(f"{say(game_texts.NOTE_TITLE)} · {game_name(game)}", f"note_form:{game}:{verb}", field)


@handles("note_form", f"{{game}}:{{verb:{EDIT_VERB}|{ADD_VERB}}}:.*")
async def submit_note(interaction: Interaction, game: int, verb: str) -> None:
    """Save the note from a submitted form.

    An empty form removes the note, but only if the form had opened with the note in it.
    """
    text = form_answers(interaction)["text"].strip()
    if text or verb == EDIT_VERB:
        await interaction.client.app.notes.set_note(game, interaction.user.id, text)
        await _show_note(interaction, game, text)
    else:
        await _show_stored_note(interaction, game)
