"""Read a turn from text: `parse_turn` strictly, for records and tools, `read_remaining_turn` for play."""

from collections.abc import Iterable

from gipfbot.rules import Action, Position, Push

from .interpret import TurnReading
from .normalise import WrittenTurn
from .notations import OFFICIAL, Notation
from .open_choices import check_remaining_push, unfinished_turn_error
from .removal_steps import Way, play_along


def parse_turn(position: Position, text: str, notation: Notation = OFFICIAL) -> tuple[Action, ...]:
    """Return the actions of a turn from its text.

    If `position` is in the middle of a turn, return the actions of the rest. The inverse of `turn_text`. Raises
    ParseError, IllegalTurn, or OpenTurn with the choices.
    """
    written = notation.read(text)
    reading = TurnReading(notation, text, keep=notation.keeps_unwritten)
    reached = reading.play_whole(position, written)
    if reached.way.end.mover is position.mover:
        raise unfinished_turn_error(reading, position, reached.ways, written)
    return reached.way.actions


def read_remaining_turn(
    reading: TurnReading, start: Position, done: Iterable[Action], written: WrittenTurn
) -> tuple[Action, ...]:
    """Return the actions that a text adds to a turn after `done`, up to the first choice it leaves open.

    Raises IllegalTurn, also if the text's push is illegal whatever is chosen before it.
    """
    way = play_along(start, done)
    rest = reading.remaining_part(start, way.actions, written)
    added = reading.play_written(Way((), way.end), rest).way
    if rest.push and not any(isinstance(action, Push) for action in added.actions):
        check_remaining_push(reading, added.end, rest)
    return added.actions
