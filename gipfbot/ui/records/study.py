"""The buttons and forms of a study: stepping through its record, and trying turns from any place in it.

The database stores the place in the record and the turns tried. The `custom_id`s store what the person has selected
but not yet tried. The desk, on which a player plays a turn, works in the same way.
"""

from collections.abc import Callable
from functools import partial

import discord

from gipfbot.languages import say
from gipfbot.match import Refused, Why
from gipfbot.match.study import (
    MOST_STUDIES,
    Study,
    drop_tried,
    go_to_place,
    parse_place,
    perform_in_study,
    read_study_turn,
    step_back,
    study_game,
)
from gipfbot.notation import NotationError, bare_dot_pushes
from gipfbot.rules.pending import question
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.desk.screens import NO_FOCUS, Focus, desk_focus, pressed_step, replay_study_aside
from gipfbot.ui.kit import (
    Button,
    Interaction,
    Reply,
    handles,
    notation_of,
    refusal_texts,
    show_reply,
    texts,
    visibility,
)
from gipfbot.ui.kit.components import build_form, form_answers, text_field
from gipfbot.ui.kit.refusal_texts import why_buttons
from gipfbot.ui.kit.request_log import note_refusal
from gipfbot.ui.kit.respond import read_aside
from gipfbot.ui.requests.conditionals import keep_tried_line
from gipfbot.values import StoredStudy

from . import study_texts
from .practice import show_practice
from .study_view import (
    ANALYSIS_STEPS,
    analysis_of_study,
    show_study,
    step_by_analysis,
    study_form_button,
    study_form_id,
)

LONGEST_TRIED_TURN = 200

# The actions of the step buttons, by verb.
STUDY_STEPS: dict[str, Callable[[Study], Study]] = {
    "first": lambda study: go_to_place(study, 0),
    "prev": lambda study: go_to_place(study, study.place - 1),
    "next": lambda study: go_to_place(study, study.place + 1),
    "last": lambda study: go_to_place(study, len(study.turns)),
    "leave": drop_tried,
    "untry": step_back,
}


# ── Pressing ──


@handles("study", "{study}:{version}:{verb:[a-z]+}:{what:.*}")
async def press_study(interaction: Interaction, study: int, version: int, verb: str, what: str) -> None:
    """Step through a study, try a turn or a better line, or keep the tried turns as conditional turns.

    If the button is outdated, only show the study as it is now.
    """
    stored = await _find_fresh_study(interaction, study, version)
    if stored is None:
        return
    if verb in STUDY_STEPS:
        changed = await _change_study(interaction, stored, STUDY_STEPS[verb])
        await show_study(interaction, changed, NO_FOCUS if verb == "untry" else None)
    elif verb in ANALYSIS_STEPS:
        analysis = await analysis_of_study(interaction, stored)
        step = partial(step_by_analysis, analysis, verb=verb)
        await show_study(interaction, await _change_study(interaction, stored, step))
    elif verb == "keep":
        await keep_tried_line(interaction, stored)
    else:
        await _try_pressed(interaction, stored, verb, what)


async def _find_fresh_study(interaction: Interaction, study: int, version: int) -> StoredStudy | None:
    """Return a study if its version is still `version`. Otherwise show the study as it is now, and return None."""
    stored = await interaction.client.app.studies.study(study, interaction.user.id)
    if stored.study.version == version:
        await replay_study_aside(interaction, stored.study)
        return stored
    await show_study(interaction, stored, note=study_texts.stale_study_text(""))
    return None


async def _change_study(interaction: Interaction, stored: StoredStudy, change: Callable[[Study], Study]) -> StoredStudy:
    """Save a change of a study, and return the changed study.

    The user's settings are read first, because saving ends the snapshot of the database that they are read from.
    """
    await notation_of(interaction)
    study = stored.study
    changed = await interaction.client.app.studies.change(study.id, interaction.user.id, study.version, change)
    await replay_study_aside(interaction, changed.study)
    return changed


async def _try_pressed(interaction: Interaction, stored: StoredStudy, verb: str, what: str) -> None:
    if study_game(stored.study).question is None:
        await show_study(interaction, stored)
    elif step := pressed_step(stored.study, verb, what):
        await show_study(interaction, await _change_study(interaction, stored, step), NO_FOCUS)
    else:
        await show_study(interaction, stored, desk_focus(verb, what))


# ── Jumping and typing ──


@handles("open_study_form", "{study}:{version}:{verb:jump|type}", Reply.FORM)
async def open_study_form(interaction: Interaction, study: int, version: int, verb: str) -> None:
    """Open the form for a move number (verb `jump`) or for a turn (verb `type`)."""
    kept = interaction.client.kept_texts.find(interaction.user.id, f"open_study_form:{study}:{version}:{verb}")
    await interaction.response.send_modal(STUDY_FORMS[verb](f"study_form:{study}:{version}:{verb}", kept))


def _jump_form(action: str, kept: str | None) -> discord.ui.Modal:
    field = text_field("text", say(study_texts.JUMP_FIELD), say(study_texts.JUMP_HINT), max_length=10, default=kept)
    return build_form(say(study_texts.JUMP_TITLE), action, field)


def _type_form(action: str, kept: str | None) -> discord.ui.Modal:
    hint, longest = say(study_texts.TYPE_HINT), LONGEST_TRIED_TURN
    field = text_field("text", say(study_texts.TYPE_FIELD), placeholder=hint, max_length=longest, default=kept)
    return build_form(say(study_texts.TYPE_TITLE), action, field)


STUDY_FORMS = {"jump": _jump_form, "type": _type_form}


@handles("study_form", "{study}:{version}:{verb:jump|type}:.*")
async def submit_study_form(interaction: Interaction, study: int, version: int, verb: str) -> None:
    """Go to the move whose number was typed, or try the turn that was typed.

    If the study has changed since the form was opened, show it as it is now, and hand the text back.
    """
    text, studies = form_answers(interaction)["text"].strip(), interaction.client.app.studies
    stored = await studies.study(study, interaction.user.id)
    try:
        if stored.study.version != version:
            raise Refused(Why.STALE)
        await replay_study_aside(interaction, stored.study)
        await (_jump_to_move if verb == "jump" else _try_typed)(interaction, stored, text)
    except Refused as refusal:
        if refusal.why is not Why.STALE:
            raise
        note_refusal(interaction, refusal)
        await _hand_back(interaction, await studies.study(study, interaction.user.id), verb, text)


async def _hand_back(interaction: Interaction, stored: StoredStudy, verb: str, text: str) -> None:
    """Show a study as it is now. What was typed for it as it was before is quoted, and fills the next form."""
    study, again = stored.study, tuple[Button, ...]()
    interaction.client.kept_texts.keep(interaction.user.id, study_form_id(study, verb), text)
    if verb == "type" and not study.trying:  # otherwise the screen has this button
        again = (study_form_button(study, say(study_texts.TYPE_AGAIN_LABEL), verb),)
    await show_study(interaction, stored, note=study_texts.stale_study_text(text), beside=again)


async def _jump_to_move(interaction: Interaction, stored: StoredStudy, text: str) -> None:
    place = parse_place(text, stored.study)
    if place is None or place > len(stored.study.turns):
        await show_study(interaction, stored, note=study_texts.bad_move_number_text(text, stored.study))
        return
    await show_study(interaction, await _change_study(interaction, stored, lambda study: go_to_place(study, place)))


async def _try_typed(interaction: Interaction, stored: StoredStudy, text: str) -> None:
    notation = await notation_of(interaction)
    for push in bare_dot_pushes(study_game(stored.study).current, text, notation)[:1]:
        await show_study(interaction, stored, Focus(push.kind, push.dot), desk_texts.bare_dot_text(push.dot))
        return
    await read_aside(interaction, read_study_turn, stored.study, text, notation)
    try:
        now = await _change_study(
            interaction, stored, lambda study: perform_in_study(study, read_study_turn(study, text, notation))
        )
    except NotationError as fault:
        note_refusal(interaction, fault)
        interaction.client.kept_texts.keep(interaction.user.id, study_form_id(stored.study, "type"), text)
        await show_study(
            interaction, stored, NO_FOCUS, refusal_texts.turn_error_text(fault, "tried"), why_buttons(fault)
        )
        return
    done, game = len(now.study.tried) > len(stored.study.tried), study_game(now.study)
    asked = None if done else question(game.current)
    left_out = refusal_texts.typed_warnings_text(game, game.last if done else None, text)
    said = texts.join_lines(left_out, desk_texts.open_turn_text(text, asked) if asked else "")
    await show_study(interaction, now, NO_FOCUS, said)


# ── Opening ──


@handles("study_game", "{game}", Reply.APART)
async def press_study_of_game(interaction: Interaction, game: int) -> None:
    """Open the user's study of a game, in a new private message. If they may not see the game, say so."""
    if reason := await visibility.why_game_hidden(interaction, await interaction.client.app.games.game(game)):
        await show_reply(interaction, reason)
        return
    stored, gone = await interaction.client.app.studies.study_of_game(game, interaction.user.id)
    await show_study(interaction, stored, note=study_texts.dropped_study_text(gone, MOST_STUDIES))


async def show_named_study(interaction: Interaction, study_id: int) -> None:
    """Show the user's study or practice with this id. A study of a game that they may see gets its new turns."""
    app, user = interaction.client.app, interaction.user.id
    game = (await app.studies.study(study_id, user)).game
    studied = None if game is None else await app.games.game(game)
    plays = studied is not None and studied.game.colour_of(user) is not None
    sees = studied is None or plays or await visibility.can_see_venue(interaction, studied.venue)
    stored = await app.studies.reopen(study_id, user, may_see_game=sees)
    await (show_study if stored.level is None else show_practice)(interaction, stored)
