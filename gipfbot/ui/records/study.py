"""Studies: a record on one private message, stepped through with buttons, and turns of one's own tried from any place.

Where somebody stands is in the database. As on the desk, what he has only looked at is in the `custom_id`s.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import discord

from gipfbot.match import Game
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
from gipfbot.notation import Notation, NotationError, turn_text
from gipfbot.rules import Kind, play
from gipfbot.rules.pending import question
from gipfbot.service.play.board_message import new_board_message
from gipfbot.service.records.studies import StoredStudy
from gipfbot.ui.kit import notation_error_texts, texts
from gipfbot.ui.kit.components import chosen_value, handles_kind
from gipfbot.ui.kit.forms import build_form, form_answers, text_field
from gipfbot.ui.kit.pictures import board_picture
from gipfbot.ui.kit.respond import Interaction, notation_of, run_guarded, show_reply
from gipfbot.ui.play.desk import desk_actions, desk_focus, is_legal_kind
from gipfbot.ui.play.desk_screens import (
    MOST_ROWS,
    NO_FOCUS,
    Button,
    ComponentRow,
    Focus,
    Screen,
    desk_screen,
    first_push,
)
from gipfbot.ui.requests import conditional_texts
from gipfbot.ui.requests.conditionals import keep_tried_line
from render import Picture

from . import study_texts

LONGEST_TRIED_TURN = 200

# What the buttons that move about do.
STUDY_STEPS: dict[str, Callable[[Study], Study]] = {
    "first": lambda study: go_to_place(study, 0),
    "prev": lambda study: go_to_place(study, study.place - 1),
    "next": lambda study: go_to_place(study, study.place + 1),
    "last": lambda study: go_to_place(study, len(study.turns)),
    "leave": drop_tried,
    "untry": step_back,
}


# ── Showing ──


async def show_study(interaction: Interaction, stored: StoredStudy, focus: Focus | None = None, note: str = "") -> None:
    """Show a study as it stands; with a focus, or once something was tried, with what can be tried next."""
    notation, study = await notation_of(interaction), stored.study
    game = study_game(study)
    if focus is None and not study.trying:
        shown = _record_screen(stored, game, notation)
    else:
        keep = await interaction.client.conditionals.may_add_from_study(stored)
        shown = _trying_screen(stored, game, focus or NO_FOCUS, notation, keep=keep)
    text = texts.join_lines(note, study_texts.study_heading(stored), shown.text)
    await show_reply(interaction, text, shown.picture, shown.rows, f"y:{study.id}:{study.version}:")


def _record_screen(stored: StoredStudy, game: Game, notation: Notation) -> Screen:
    study = stored.study
    start, end = study.place == 0, study.place == len(study.turns)
    steps = (
        Button(study_texts.FIRST_TURN_LABEL, "first:-", disabled=start),
        Button(study_texts.PREVIOUS_TURN_LABEL, "prev:-", disabled=start),
        Button(study_texts.NEXT_TURN_LABEL, "next:-", "primary", disabled=end),
        Button(study_texts.LAST_TURN_LABEL, "last:-", disabled=end),
    )
    others = (
        Button(study_texts.JUMP_LABEL, "jump:-", disabled=not study.turns),
        Button(study_texts.TRY_TURN_LABEL, "try:-", disabled=game.asked is None),
    )
    return Screen(
        study_texts.study_place_text(stored, game, notation), _study_picture(stored, game, notation), (steps, others)
    )


def _study_picture(stored: StoredStudy, game: Game, notation: Notation) -> Picture:
    return board_picture(new_board_message(game), study_texts.study_caption(stored, game, notation))


def _trying_screen(stored: StoredStudy, game: Game, focus: Focus, notation: Notation, *, keep: bool) -> Screen:
    """Return the desk for the next turn; as long as nothing of it is chosen, the picture marks the last one.

    With `keep` what was tried can be left as answers in the game.
    """
    said = study_texts.tried_turns_text(stored, game, _tried_turn_texts(stored.study, notation))
    asked = game.question
    desk = (
        desk_screen(game, focus, notation, tried=True) if asked else Screen("", _study_picture(stored, game, notation))
    )
    if asked and focus == NO_FOCUS and not game.draft and asked.pushes and not asked.due:
        desk = replace(desk, picture=_study_picture(stored, game, notation))
    rows = (*desk.rows, *_trying_buttons(stored, game, keep))[:MOST_ROWS]
    return Screen(texts.join_lines(said, desk.text), desk.picture, rows)


def _tried_turn_texts(study: Study, notation: Notation) -> list[str]:
    position, written = study_game(replace(study, tried=(), draft=())).position, []
    for actions in study.tried:
        written.append(turn_text(position, actions, notation))
        for action in actions:
            position = play(position, action)
    return written


def _trying_buttons(stored: StoredStudy, game: Game, keep: bool) -> tuple[ComponentRow, ...]:
    undo = (Button(study_texts.BACK_ONE_TURN_LABEL, "untry:-"),) if stored.study.trying else ()
    typed = (Button(study_texts.TYPE_TURN_LABEL, "type:-"),) if game.asked is not None else ()
    kept = (Button(conditional_texts.KEEP_CONDITIONALS_LABEL, "keep:-"),) if keep else ()
    return ((*undo, *typed, *kept, Button(study_texts.leave_trying_label(stored), "leave:-")),)


# ── Pressing ──


@handles_kind("y")
async def press_study(interaction: Interaction, rest: str) -> None:
    """A button of a study."""
    id, version, verb, what = rest.split(":", 3)

    async def work() -> None:
        stored = await _fresh_study(interaction, int(id), int(version))
        if stored is None:
            return
        if verb in STUDY_FORMS:
            await interaction.response.send_modal(STUDY_FORMS[verb](f"t:{id}:{version}:{verb}"))
            return
        if verb == "keep":
            await keep_tried_line(interaction, stored)
            return
        await interaction.response.defer()
        if verb in STUDY_STEPS:
            now = await _change_study(interaction, stored, STUDY_STEPS[verb])
            await show_study(interaction, now, NO_FOCUS if verb == "untry" else None)
        else:
            await _try_pressed(interaction, stored, verb, what)

    await run_guarded(interaction, work())


async def _fresh_study(interaction: Interaction, study_id: int, version: int, typed: str = "") -> StoredStudy | None:
    """Return the study; if it is not as it was drawn, show it as it stands and return None."""
    stored = await interaction.client.studies.study(study_id, interaction.user.id)
    if stored.study.version == version:
        return stored
    await interaction.response.defer()
    await show_study(interaction, stored, note=study_texts.stale_study_text(typed))
    return None


async def _change_study(interaction: Interaction, stored: StoredStudy, change: Callable[[Study], Study]) -> StoredStudy:
    study = stored.study
    return await interaction.client.studies.change(study.id, interaction.user.id, study.version, change)


async def _try_pressed(interaction: Interaction, stored: StoredStudy, verb: str, what: str) -> None:
    game = study_game(stored.study)
    asked = game.question
    if asked is None:
        await show_study(interaction, stored)
    elif actions := desk_actions(game, asked, verb, what):
        await show_study(
            interaction, await _change_study(interaction, stored, partial(perform_in_study, actions=actions)), NO_FOCUS
        )
    elif verb == "kind" and not is_legal_kind(asked, what):
        note = texts.TOO_FEW_FOR_GIPF_PIECE if what == "G" else texts.GIPF_PIECE_REQUIRED
        await show_study(interaction, stored, NO_FOCUS, note)
    else:
        await show_study(interaction, stored, desk_focus(verb, what))


@handles_kind("z")
async def choose_study_dot(interaction: Interaction, rest: str) -> None:
    """A dot was chosen for a turn to be tried."""
    id, version, _, kind = rest.split(":")

    async def work() -> None:
        if stored := await _fresh_study(interaction, int(id), int(version)):
            await interaction.response.defer()
            asked, wanted = question(study_game(stored.study).current), Kind("" if kind == "-" else kind)
            push = asked and first_push(asked, chosen_value(interaction), wanted)
            await show_study(interaction, stored, Focus(kind=wanted, push=push))

    await run_guarded(interaction, work())


# ── Jumping and typing ──


def _jump_form(action: str) -> discord.ui.Modal:
    field = text_field("text", study_texts.JUMP_FIELD, study_texts.JUMP_HINT, max_length=10)
    return build_form(study_texts.JUMP_TITLE, action, field)


def _type_form(action: str) -> discord.ui.Modal:
    field = text_field("text", study_texts.TYPE_FIELD, placeholder=study_texts.TYPE_HINT, max_length=LONGEST_TRIED_TURN)
    return build_form(study_texts.TYPE_TITLE, action, field)


STUDY_FORMS = {"jump": _jump_form, "type": _type_form}


@handles_kind("t")
async def submit_study_form(interaction: Interaction, rest: str) -> None:
    """What was typed in a form of a study: where to jump, or a turn to be tried."""
    id, version, verb, _ = rest.split(":")

    async def work() -> None:
        text = form_answers(interaction)["text"].strip()
        if stored := await _fresh_study(interaction, int(id), int(version), text):
            await interaction.response.defer()
            await (_jump_to_move if verb == "jump" else _try_typed)(interaction, stored, text)

    await run_guarded(interaction, work())


async def _jump_to_move(interaction: Interaction, stored: StoredStudy, text: str) -> None:
    place, total = parse_place(text), len(stored.study.turns)
    if place is None or place > total:
        await show_study(interaction, stored, note=study_texts.bad_move_number_text(text, total))
        return
    await show_study(interaction, await _change_study(interaction, stored, lambda study: go_to_place(study, place)))


async def _try_typed(interaction: Interaction, stored: StoredStudy, text: str) -> None:
    notation = await notation_of(interaction)
    try:
        now = await _change_study(
            interaction, stored, lambda study: perform_in_study(study, read_study_turn(study, text, notation))
        )
    except NotationError as fault:
        await show_study(interaction, stored, NO_FOCUS, notation_error_texts.turn_error_text(fault, "tried"))
        return
    done = len(now.study.tried) > len(stored.study.tried)
    asked = question(study_game(now.study).current)
    await show_study(interaction, now, NO_FOCUS, "" if done or not asked else texts.open_turn_text(text, asked))


# ── Where studies come from ──


@handles_kind("v")
async def press_study_of_game(interaction: Interaction, rest: str) -> None:
    """The button that opens a player's study of his game, on a message of its own."""

    async def work() -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        stored, gone = await interaction.client.studies.study_of_game(int(rest), interaction.user.id)
        await show_study(interaction, stored, note=study_texts.dropped_study_text(gone, MOST_STUDIES))

    await run_guarded(interaction, work())


async def show_named_study(interaction: Interaction, study_id: int) -> None:
    """Show a study that is named."""
    await show_study(interaction, await interaction.client.studies.reopen(study_id, interaction.user.id))
