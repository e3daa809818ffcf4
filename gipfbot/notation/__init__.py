"""Text and its meaning: turns, positions and files of turns. Pure."""

from .codes import action_code, parse_code
from .completion import Completion, completions
from .either import read_part
from .errors import IllegalTurn, ImpossiblePosition, NotationError, OpenTurn, ParseError
from .notations import JULIO974, NOTATIONS, OFFICIAL, Notation
from .official import action_text, removal_text
from .positions import parse_position, position_text
from .reading import parse_turn
from .records import BrokenRecord, Sheet, Step, read_sheet, replay
from .writing import played_text, turn_text

__all__ = [
    "JULIO974",
    "NOTATIONS",
    "OFFICIAL",
    "BrokenRecord",
    "Completion",
    "IllegalTurn",
    "ImpossiblePosition",
    "Notation",
    "NotationError",
    "OpenTurn",
    "ParseError",
    "Sheet",
    "Step",
    "action_code",
    "action_text",
    "completions",
    "parse_code",
    "parse_position",
    "parse_turn",
    "played_text",
    "position_text",
    "read_part",
    "read_sheet",
    "removal_text",
    "replay",
    "turn_text",
]  # fmt: skip
