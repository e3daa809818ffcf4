"""The study of an analysed game: the marks of its turns, what is said of them, and the better lines."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gipfbot.match import Refused
from gipfbot.match.analysis import Actions, GameAnalysis, JudgedTurn, Mark
from gipfbot.match.study import Study, go_to_place, perform_in_study
from gipfbot.notation import Notation
from gipfbot.ui.kit import refusal_texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import Button
from gipfbot.values import StoredStudy

from . import analysis_texts


@dataclass(frozen=True)
class StudyAnalysis:
    """What the analysis of a study's game says. `judged` is None if it must not be shown; `why_not` says why."""

    judged: GameAnalysis | None
    why_not: str = ""


async def analysis_of_study(interaction: Interaction, stored: StoredStudy) -> StudyAnalysis | None:
    """Return the analysis of a study's game. None if the study is of no finished game, or if there is none."""
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
    """Return what the analysis says at the place that a study shows. Empty if there is none."""
    if analysis is None or analysis.judged is None:
        return analysis.why_not if analysis else ""
    return analysis_texts.study_point_text(analysis.judged, study.place, notation)


def analysis_buttons(analysis: StudyAnalysis | None, stored: StoredStudy) -> tuple[Button, ...]:
    """Return the buttons for the line of the best turn, for the turning points around, and for the overview."""
    if analysis is None or analysis.judged is None:
        return ()
    turn, places = marked_turn(analysis, stored.study.place), _marked_places(analysis.judged)
    label = analysis_texts.BEST_LINE_LABEL if turn and turn.mark is Mark.ONLY else analysis_texts.BETTER_LINE_LABEL
    better = (Button(label, "better:-", "primary"),) if turn else ()
    before, after = _nearest(places, stored.study.place)
    return (
        *better,
        Button(analysis_texts.MARK_BEFORE_LABEL, "markbefore:-", disabled=before is None),
        Button(analysis_texts.MARK_AFTER_LABEL, "markafter:-", disabled=after is None),
        Button(analysis_texts.ANALYSIS_LABEL, f"analysis:{stored.game}", is_custom_id=True),
    )


def _marked_places(judged: GameAnalysis) -> Sequence[int]:
    return [turn.place for turn in judged.marked]


def _nearest(places: Sequence[int], place: int) -> tuple[int | None, int | None]:
    """Return the nearest of these places before a place and after it."""
    before, after = [at for at in places if at < place], [at for at in places if at > place]
    return max(before, default=None), min(after, default=None)


ANALYSIS_STEPS = ("better", "markbefore", "markafter")


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
    """Return a study with the mark of the turn before its place, as records have marks."""
    turn, place = marked_turn(analysis, stored.study.place), stored.study.place
    if turn is None:
        return stored
    return replace(stored, notes={**stored.notes, place: stored.note(place)._replace(mark=str(turn.mark))})
