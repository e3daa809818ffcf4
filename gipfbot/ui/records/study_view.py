"""The message of a study: a place in its record, the turns tried from there, and the analysis of that place."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gipfbot.languages import say
from gipfbot.match import Game, Refused
from gipfbot.match.analysis import Actions, GameAnalysis, JudgedTurn, Mark
from gipfbot.match.study import Study, go_to_place, perform_in_study, study_game
from gipfbot.notation import Notation, turn_text
from gipfbot.rules import play
from gipfbot.service.delivery.board_message import new_board_message
from gipfbot.ui.desk.screens import (
    BACK_ONE_TURN_LABEL,
    NO_FOCUS,
    Focus,
    Screen,
    buttons_beside,
    desk_screen,
    replay_study_aside,
)
from gipfbot.ui.kit import Button, Interaction, notation_of, refusal_texts, show_reply, texts
from gipfbot.ui.kit.components import with_note_above
from gipfbot.ui.kit.pictures import board_picture
from gipfbot.ui.kit.refusal_texts import removal_why_buttons
from gipfbot.ui.kit.respond import show_here_buttons
from gipfbot.ui.requests import conditionals
from gipfbot.values import StoredStudy
from render import Picture

from . import analysis_texts, study_texts
from .explorer import explore_study_button

ANALYSIS_STEPS = ("better", "markbefore", "markafter")


@dataclass(frozen=True)
class StudyAnalysis:
    """The analysis of a study's game. `judged` is None if it must not be shown; `why_not` says why."""

    judged: GameAnalysis | None
    why_not: str = ""


async def analysis_of_study(interaction: Interaction, stored: StoredStudy) -> StudyAnalysis | None:
    """Return the analysis of a study's game. None if it is not done, or if the study is not of a finished game."""
    if stored.game is None or stored.result is None:
        return None
    try:
        view = await interaction.client.app.analyses.view(stored.game, interaction.user.id)
    except Refused as refusal:
        return StudyAnalysis(None, refusal_texts.refusal_text(refusal))
    return StudyAnalysis(view.judged) if view and view.judged else None


def marked_turn(analysis: StudyAnalysis | None, place: int) -> JudgedTurn | None:
    """Return the turning point before a place; None if the turn there has no mark."""
    marked = analysis.judged.marked if analysis and analysis.judged else ()
    return next((turn for turn in marked if turn.place == place), None)


def study_analysis_text(analysis: StudyAnalysis | None, study: Study, notation: Notation) -> str:
    """Return the analysis's text for the place that a study shows. Empty if there is no analysis."""
    if analysis is None or analysis.judged is None:
        return analysis.why_not if analysis else ""
    return analysis_texts.study_point_text(analysis.judged, study.place, notation)


def analysis_buttons(analysis: StudyAnalysis | None, stored: StoredStudy) -> tuple[Button, ...]:
    """Return the buttons for the line of the best turn, for the turning points around, and for the overview."""
    if analysis is None or analysis.judged is None:
        return ()
    turn, places = marked_turn(analysis, stored.study.place), _marked_places(analysis.judged)
    label = analysis_texts.BEST_LINE_LABEL if turn and turn.mark is Mark.ONLY else analysis_texts.BETTER_LINE_LABEL
    better = (Button(say(label), "better:-", "primary"),) if turn else ()
    before, after = _nearest(places, stored.study.place)
    return (
        *better,
        Button(say(analysis_texts.MARK_BEFORE_LABEL), "markbefore:-", disabled=before is None),
        Button(say(analysis_texts.MARK_AFTER_LABEL), "markafter:-", disabled=after is None),
        Button(say(analysis_texts.ANALYSIS_LABEL), f"analysis:{stored.game}", is_custom_id=True),
    )


def _marked_places(judged: GameAnalysis) -> Sequence[int]:
    return [turn.place for turn in judged.marked]


def _nearest(places: Sequence[int], place: int) -> tuple[int | None, int | None]:
    """Return the nearest two of these places, one before a place and one after it."""
    before, after = [at for at in places if at < place], [at for at in places if at > place]
    return max(before, default=None), min(after, default=None)


def step_by_analysis(analysis: StudyAnalysis | None, study: Study, verb: str) -> Study:
    """Return a study at the turning point before or after its place, or with the best line instead of its last turn.

    Without the analysis, the study stays as it is.
    """
    if analysis is None or analysis.judged is None:
        return study
    if verb == "better":
        turn = marked_turn(analysis, study.place)
        return _try_line(go_to_place(study, study.place - 1), turn.best[0].line) if turn else study
    before, after = _nearest(_marked_places(analysis.judged), study.place)
    place = before if verb == "markbefore" else after
    return study if place is None else go_to_place(study, place)


def _try_line(study: Study, line: Sequence[Actions]) -> Study:
    version = study.version
    for actions in line:
        study = perform_in_study(study, actions)
    return replace(study, version=version)


def shown_with_mark(stored: StoredStudy, analysis: StudyAnalysis | None) -> StoredStudy:
    """Return a study with the analysis's mark on the turn before its place, as if the record had that mark."""
    turn, place = marked_turn(analysis, stored.study.place), stored.study.place
    if turn is None:
        return stored
    return replace(stored, notes={**stored.notes, place: stored.note(place)._replace(mark=str(turn.mark))})


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
    showing = () if study.draft else show_here_buttons(interaction, f"study:{study.id}:{study.version}")
    if focus is None and not study.trying:
        analysis = await analysis_of_study(interaction, stored)
        shown = _record_screen(shown_with_mark(stored, analysis), game, notation, analysis, beside, showing)
        note = texts.join_lines(note, study_texts.record_fault_text(stored, game))
    else:
        may_keep, why_not = await _may_keep(interaction, stored)
        shown = _trying_screen(stored, game, focus or NO_FOCUS, notation, beside, showing, may_keep=may_keep)
        note = texts.join_lines(note, why_not)
    text = texts.join_lines(study_texts.study_heading(stored), shown.text)
    rows = with_note_above(note, shown.rows)
    await show_reply(interaction, text, shown.picture, rows, f"study:{study.id}:{study.version}:")


async def _may_keep(interaction: Interaction, stored: StoredStudy) -> tuple[bool, str]:
    """Return whether the turns tried in a study can be saved as conditional turns, and a sentence that says why not.

    The sentence is also empty if the turns are just not a complete conditional line yet.
    """
    try:
        return await interaction.client.app.conditionals.may_add_from_study(stored), ""
    except Refused as refusal:
        return False, refusal_texts.refusal_text(refusal)


def _record_screen(
    stored: StoredStudy,
    game: Game,
    notation: Notation,
    analysis: StudyAnalysis | None,
    beside: tuple[Button, ...],
    showing: tuple[Button, ...],
) -> Screen:
    """Return the screen of a place in the record.

    The button that explains the last removal gives way to `beside`, which explains why the record breaks off here.
    """
    study = stored.study
    start, end = study.place == 0, study.place == len(study.turns)
    turn = f"{stored.game}:{study.place}" if stored.game else ""
    steps = (
        Button(study_texts.FIRST_TURN_LABEL, "first:-", disabled=start),
        Button(study_texts.PREVIOUS_TURN_LABEL, "prev:-", disabled=start),
        Button(study_texts.NEXT_TURN_LABEL, "next:-", "primary", disabled=end),
        Button(study_texts.LAST_TURN_LABEL, "last:-", disabled=end),
        *(removal_why_buttons(game.last, turn) if game.last and not beside else ()),
    )
    others = (
        study_form_button(study, say(study_texts.JUMP_LABEL), "jump", disabled=not study.turns),
        Button(say(study_texts.TRY_TURN_LABEL), "try:-", disabled=game.asked is None),
        explore_study_button(study),
        *beside,
        *showing,
    )
    where, said = study_texts.study_place_text(stored, game, notation), study_analysis_text(analysis, study, notation)
    rows = filter(None, (steps, others, analysis_buttons(analysis, stored)))
    return Screen(texts.join_lines(where, said), _study_picture(stored, game), tuple(rows))


def study_form_id(study: Study, verb: str) -> str:
    """Return the `custom_id` of the button that opens this form of a study. A text that was refused is kept under it.

    It does not have the prefix of the other study buttons, because its handler must open the form at once, without a
    database query.
    """
    return f"open_study_form:{study.id}:{study.version}:{verb}"


def study_form_button(study: Study, label: str, verb: str, *, disabled: bool = False) -> Button:
    """Return the button that opens this form of a study."""
    return Button(label, study_form_id(study, verb), disabled=disabled, is_custom_id=True)


def _study_picture(stored: StoredStudy, game: Game) -> Picture:
    return board_picture(new_board_message(game), study_texts.study_caption(stored, game))


def _trying_screen(
    stored: StoredStudy,
    game: Game,
    focus: Focus,
    notation: Notation,
    beside: tuple[Button, ...],
    showing: tuple[Button, ...],
    *,
    may_keep: bool,
) -> Screen:
    """Return the screen on which the next turn of a study is tried.

    The picture marks the last turn until something is chosen. `may_keep` says whether the tried turns can be saved as
    conditional turns.
    """
    tried = study_texts.tried_turns_text(stored, game, _tried_turn_texts(stored.study, game, notation))
    desk = desk_screen(game, focus) if game.question else Screen("", _study_picture(stored, game))
    room = buttons_beside(desk.rows, focus)
    *others, leave = _trying_buttons(stored, game, beside, may_keep=may_keep)[-room:]
    rows = (*desk.rows, (*others, *(showing if len(others) + 1 < room else ()), leave))
    return Screen(texts.join_lines(tried, desk.text), desk.picture, rows)


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
    untry = (Button(say(BACK_ONE_TURN_LABEL), "untry:-"),) if study.trying else ()
    typed = (study_form_button(study, say(study_texts.TYPE_TURN_LABEL), "type"),) if game.asked is not None else ()
    kept = (Button(say(conditionals.KEEP_CONDITIONALS_LABEL), "keep:-"),) if may_keep else ()
    explorer = () if study.draft else (explore_study_button(study),)  # left out first if there is no room
    return (*explorer, *untry, *typed, *kept, *beside, Button(study_texts.leave_trying_label(stored), "leave:-"))
