"""The message of a study: a place in its record, or the turns tried from there."""

from collections.abc import Sequence
from dataclasses import replace

from gipfbot.match import Game, Refused
from gipfbot.match.study import Study, study_game
from gipfbot.notation import Notation, turn_text
from gipfbot.rules import play
from gipfbot.service.delivery.board_message import new_board_message
from gipfbot.ui.desk.screens import NO_FOCUS, Focus, Screen, desk_screen
from gipfbot.ui.kit import refusal_texts, texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import BUTTONS_PER_ROW, MOST_COMPONENTS, Button, with_note_above
from gipfbot.ui.kit.pictures import board_picture
from gipfbot.ui.kit.refusal_texts import removal_why_buttons
from gipfbot.ui.kit.respond import notation_of, show_reply
from gipfbot.ui.requests import conditional_texts
from gipfbot.values import StoredStudy
from render import Picture

from . import study_texts
from .analysed_study import (
    StudyAnalysis,
    analysis_buttons,
    analysis_of_study,
    shown_with_mark,
    study_analysis_text,
)
from .explorer import explore_study_button

MOST_BESIDE_PUSHES = 1  # button; with a note, all dots and the pushes from one, Discord allows no more components
OTHER_COMPONENTS = 4  # the text, the picture, a note, and the row of the study's own buttons


async def show_study(
    interaction: Interaction,
    stored: StoredStudy,
    focus: Focus | None = None,
    note: str = "",
    beside: tuple[Button, ...] = (),
) -> None:
    """Show a study as it is now, with `note` and the buttons `beside` among its buttons.

    If `focus` is given or something has been tried, show the actions that can be tried next. Otherwise show the place
    in the record.
    """
    notation, study = await notation_of(interaction), stored.study
    await replay_study_aside(interaction, study)
    game = study_game(study)
    if focus is None and not study.trying:
        analysis = await analysis_of_study(interaction, stored)
        shown = _record_screen(shown_with_mark(stored, analysis), game, notation, analysis, beside)
        note = texts.join_lines(note, study_texts.record_fault_text(stored, game))
    else:
        may_keep, why_not = await _may_keep(interaction, stored)
        shown = _trying_screen(stored, game, focus or NO_FOCUS, notation, beside, may_keep=may_keep)
        note = texts.join_lines(note, why_not)
    text = texts.join_lines(study_texts.study_heading(stored), shown.text)
    rows = with_note_above(note, shown.rows)
    await show_reply(interaction, text, shown.picture, rows, f"study:{study.id}:{study.version}:")


async def replay_study_aside(interaction: Interaction, study: Study) -> None:
    """Replay a study in a thread. After that, `study_game` need not replay it, with or without its tried turns."""
    for each in (replace(study, tried=(), draft=()), study):
        await interaction.client.app.aside.run(interaction.user.id, study_game, each)


async def _may_keep(interaction: Interaction, stored: StoredStudy) -> tuple[bool, str]:
    """Return whether the turns tried in a study can be saved as conditional turns, and a sentence that says why not.

    The sentence is empty if they can be saved, and if they only are no such line yet.
    """
    try:
        return await interaction.client.app.conditionals.may_add_from_study(stored), ""
    except Refused as refusal:
        return False, refusal_texts.refusal_text(refusal)


def _record_screen(
    stored: StoredStudy, game: Game, notation: Notation, analysis: StudyAnalysis | None, beside: tuple[Button, ...]
) -> Screen:
    study = stored.study
    start, end = study.place == 0, study.place == len(study.turns)
    steps = (
        Button(study_texts.FIRST_TURN_LABEL, "first:-", disabled=start),
        Button(study_texts.PREVIOUS_TURN_LABEL, "prev:-", disabled=start),
        Button(study_texts.NEXT_TURN_LABEL, "next:-", "primary", disabled=end),
        Button(study_texts.LAST_TURN_LABEL, "last:-", disabled=end),
        *(removal_why_buttons(game.ruleset, game.last.actions) if game.last else ()),
    )
    others = (
        _form_button(study, study_texts.JUMP_LABEL, "jump", disabled=not study.turns),
        Button(study_texts.TRY_TURN_LABEL, "try:-", disabled=game.asked is None),
        explore_study_button(study),
        *beside,
    )
    where, said = study_texts.study_place_text(stored, game, notation), study_analysis_text(analysis, study, notation)
    rows = filter(None, (steps, others, analysis_buttons(analysis, stored)))
    return Screen(texts.join_lines(where, said), _study_picture(stored, game, notation), tuple(rows))


def _form_button(study: Study, label: str, verb: str, *, disabled: bool = False) -> Button:
    """Return the button that opens this form of a study.

    Its `custom_id` does not have the prefix of the other study buttons, because its handler must open the form at once,
    without a database query.
    """
    custom_id = f"open_study_form:{study.id}:{study.version}:{verb}"
    return Button(label, custom_id, disabled=disabled, is_custom_id=True)


def _study_picture(stored: StoredStudy, game: Game, notation: Notation) -> Picture:
    return board_picture(new_board_message(game), study_texts.study_caption(stored, game, notation))


def _trying_screen(
    stored: StoredStudy, game: Game, focus: Focus, notation: Notation, beside: tuple[Button, ...], *, may_keep: bool
) -> Screen:
    """Return the screen on which the next turn of a study is tried.

    The picture marks the last turn until something is chosen. `may_keep` says whether the tried turns can be saved as
    conditional turns.
    """
    tried = study_texts.tried_turns_text(stored, game, _tried_turn_texts(stored.study, game, notation))
    desk = desk_screen(game, focus) if game.question else Screen("", _study_picture(stored, game, notation))
    buttons = _trying_buttons(stored, game, beside, may_keep=may_keep)
    rows = (*desk.rows, buttons[-buttons_beside(desk.rows, focus) :])
    return Screen(texts.join_lines(tried, desk.text), desk.picture, rows)


def buttons_beside(rows: Sequence[tuple[Button, ...]], focus: Focus) -> int:
    """Return how many buttons of a study there is room for beside these rows of the desk."""
    if focus.dot:
        return MOST_BESIDE_PUSHES
    return min(BUTTONS_PER_ROW, MOST_COMPONENTS - OTHER_COMPONENTS - sum(1 + len(row) for row in rows))


def _tried_turn_texts(study: Study, game: Game, notation: Notation) -> list[str]:
    """Return the turns tried in a study as texts, and the unfinished one if both players decide in it (R8.4)."""
    position, written = study_game(replace(study, tried=(), draft=())).position, []
    for actions in (*study.tried, study.draft) if game.handed_over else study.tried:
        written.append(turn_text(position, actions, notation))
        for action in actions:
            position = play(position, action)
    return written


def _trying_buttons(
    stored: StoredStudy, game: Game, beside: tuple[Button, ...], *, may_keep: bool
) -> tuple[Button, ...]:
    study = stored.study
    untry = (Button(study_texts.BACK_ONE_TURN_LABEL, "untry:-"),) if study.trying else ()
    typed = (_form_button(study, study_texts.TYPE_TURN_LABEL, "type"),) if game.asked is not None else ()
    kept = (Button(conditional_texts.KEEP_CONDITIONALS_LABEL, "keep:-"),) if may_keep else ()
    explorer = () if study.draft else (explore_study_button(study),)  # the first to be left out if there is no room
    return (*explorer, *untry, *typed, *kept, *beside, Button(study_texts.leave_trying_label(stored), "leave:-"))
