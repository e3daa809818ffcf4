"""What players read about the course of a turn, where it is not the same in all games: one row for each course."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from gipfbot.rules import Colour, Kind, Ruleset
from gipfbot.rules.rulesets import OFFICIAL_COURSE, OVERBOARD_COURSE

RemovedText = Callable[[Colour, Sequence[Kind], Sequence[Kind]], str]


class CourseTexts(NamedTuple):
    """The texts of one course."""

    changes: str  # what a challenge says of it; empty for the official course
    no_potentials: str  # the note on chosen potentials that it does not have; empty if it has them
    push_moves: str  # what a push moves
    row_rule: str  # the rule by which pieces leave the board
    removed: RemovedText  # how many pieces left, of the mover, the kinds that came back, and those that were lost
    lost_label: str  # in front of the spots of lost pieces; empty if they are not listed


def _official_removed_text(mover: Colour, back: Sequence[Kind], lost: Sequence[Kind]) -> str:
    counts = _worth_text(back, f"back to {mover}"), _worth_text(lost, f"captured from {mover.other}")
    return ", ".join(filter(None, counts))


def _worth_text(kinds: Sequence[Kind], what: str) -> str:
    """Return how many basic pieces some pieces are worth, such as `3 back to White`. Empty if they are worth none."""
    worth = sum(kind.worth for kind in kinds)
    note = " (a GIPF-piece counts as 2)" if Kind.GIPF in kinds else ""
    return f"{worth} {what}{note}" if worth else ""


def _overboard_removed_text(mover: Colour, back: Sequence[Kind], lost: Sequence[Kind]) -> str:
    sides = (len(back), "sent home"), (len(lost), f"GIPF-piece{'' if len(lost) == 1 else 's'} given up")
    return ", ".join(f"{number} {what}" for number, what in sides if number)


COURSES = {
    OFFICIAL_COURSE: CourseTexts(
        changes="",
        no_potentials="",
        push_moves="Pieces in its way move along.",
        row_rule="R4.2",
        removed=_official_removed_text,
        lost_label="Captured",
    ),
    OVERBOARD_COURSE: CourseTexts(
        changes="**Overboard** contradicts the designer's rules: a push moves its whole line, and a GIPF-piece is only "
        "ever given up by its owner. You may agree on a draw.",
        no_potentials="Overboard has no potentials.",
        push_moves="All pieces on the line move one spot. A basic piece at its far end goes home.",
        row_rule="R8.3",
        removed=_overboard_removed_text,
        lost_label="",
    ),
}


def texts_of_course(ruleset: Ruleset) -> CourseTexts:
    """Return the texts of a rule set's course."""
    return COURSES[ruleset.course]
