"""Read a turn from text, either as a complete turn or up to the first open choice.

`parse_turn` is for records and tools, and raises an error if a choice is open. `read_remaining_turn` is for a game in
progress, and returns the actions before the open choice.
"""

from collections.abc import Iterable

from gipfbot.rules import Action, Position, Push, Ruleset, Use
from gipfbot.rules.rulesets import OVERBOARD_COURSE

from .interpret import TurnReading
from .normalise import WrittenTurn
from .notations import OFFICIAL, Notation
from .open_choices import check_remaining_push, unfinished_turn_error
from .overboard_turns import parse_overboard, read_overboard, read_overboard_part
from .removal_steps import Way, play_along


def read_written(rules: Ruleset, text: str, notation: Notation) -> WrittenTurn:
    """Split the text of a turn into its parts, as games of this rule set are written.

    Raises ParseError with the offset of the first fault. Does not check legality.
    """
    return read_overboard(text, notation) if rules.course == OVERBOARD_COURSE else notation.read(text)


def parse_turn(position: Position, text: str, notation: Notation = OFFICIAL) -> tuple[Action, ...]:
    """Return the actions of the turn that a text describes. The inverse of `turn_text`.

    If `position` is in the middle of a turn, the text is the rest of that turn. Raises ParseError or IllegalTurn.
    Raises OpenTurn, which lists the choices, if the text leaves a choice open.
    """
    if position.rules.course == OVERBOARD_COURSE:
        return parse_overboard(position, text, notation)
    written = notation.read(text)
    reading = TurnReading(notation, text, keep=notation.keeps_unwritten)
    reached = reading.play_whole(position, written)
    if reached.way.end.mover is position.mover:
        raise unfinished_turn_error(reading, position, reached.ways, written)
    return reached.way.actions


def read_remaining_turn(
    reading: TurnReading, start: Position, done: Iterable[Action], written: WrittenTurn
) -> tuple[Action, ...]:
    """Return the actions that a written turn adds to the actions `done`, up to its first open choice.

    `done` was played from `start`. Raises IllegalTurn if the written turn is illegal, or if no removals before the
    written push can make the push legal.
    """
    if start.rules.course == OVERBOARD_COURSE:
        return read_overboard_part(reading, start, done, written)
    way = play_along(start, done)
    rest = reading.remaining_part(start, way.actions, written)
    added = reading.play_written(Way((), way.end), rest).way
    if rest.push and not any(isinstance(action, Push | Use) for action in added.actions):
        check_remaining_push(reading, added.end, rest)
    return added.actions
