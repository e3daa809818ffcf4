"""Facts about whole games that depend on the course of a turn: one row for each course.

Who decides in a position, and whether the players may agree on a draw, are facts of the rules: `Position.decider`,
`Ruleset.asks_opponent` and `Ruleset.agreed_draw`.
"""

from typing import NamedTuple

from gipfbot.rules import Ruleset
from gipfbot.rules.rulesets import OFFICIAL_COURSE, OVERBOARD_COURSE


class Course(NamedTuple):
    """The games of one course."""

    pool: str | None = None  # of all its games; None if it depends on the rest of the rule set
    potentials: bool = False  # whether its games may have potentials (R7, R8.6)
    puzzles: bool = False  # whether puzzles are made with it
    rated: bool = True  # whether its games may be rated


COURSES = {OFFICIAL_COURSE: Course(potentials=True, puzzles=True), OVERBOARD_COURSE: Course("overboard", rated=False)}


def course_of(ruleset: Ruleset) -> Course:
    """Return the row of a rule set's course."""
    return COURSES[ruleset.course]
