"""Courses of a turn other than the official one: how their turns and positions are read, written and completed.

The official course has its code in `turns`, `completion`, `suggest` and `positions`. In a position of another course
these modules call the functions of its row here.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from gipfbot.rules import Action, Position
from gipfbot.rules.rulesets import OVERBOARD_COURSE

from .normalise import WrittenTurn
from .notations import OFFICIAL, Notation
from .overboard_completion import Distance, fitting_parts, resembling_turns
from .overboard_positions import PositionFault, overboard_faults
from .overboard_turns import overboard_text, parse_overboard, parse_overboard_part, read_overboard
from .removal_steps import Way


class Course(NamedTuple):
    """The functions of one course. Their arguments are those of the functions of the official course."""

    turn_text: Callable[[Position, Iterable[Action], Notation], str]  # in canonical form
    played_text: Callable[[Position, Iterable[Action]], str]  # in official notation, in the order played
    read: Callable[[str, Notation], WrittenTurn]
    parse_whole: Callable[[Position, WrittenTurn, str, Notation], tuple[Action, ...]]
    # From the start of the turn, the actions played, the text in one notation, and the notation of the errors.
    parse_part: Callable[[Position, Iterable[Action], WrittenTurn, str, Notation, Notation], tuple[Action, ...]]
    # How well each way fits, its text, and the way.
    fitting_parts: Callable[[Position, Sequence[Action], str, Notation], Iterator[tuple[int, str, Way]]]
    # With True, a turn stops before the first question to the other player.
    resembling_turns: Callable[[Position, Sequence[Action], str, Notation, Distance, bool], Iterator[str]]
    position_faults: Callable[[Position], Iterator[PositionFault]]


COURSES = {
    OVERBOARD_COURSE: Course(
        overboard_text,
        partial(overboard_text, notation=OFFICIAL, played=True),
        read_overboard,
        parse_overboard,
        parse_overboard_part,
        fitting_parts,
        resembling_turns,
        overboard_faults,
    )
}


def other_course(position: Position) -> Course | None:
    """Return the row of a position's course; None for the official one, which has none."""
    return COURSES.get(position.rules.course)
