"""Text and its meaning: turns, positions and files of turns. Pure."""

from .codes import action_code, parse_code
from .completion import Completion, completions
from .either import read_part
from .errors import IllegalTurn, ImpossiblePosition, NotationError, OpenTurn, ParseError
from .notations import JULIO974, NOTATIONS, OFFICIAL, Notation
from .positions import parse_position, position_text
from .reading import parse_turn
from .record_texts import record_text
from .records import BrokenRecord, Record, Step, numbered, read_record
from .sheets import LARGEST_RECORD, MOST_TURNS, Entry, Sheet, read_sheet
from .writing import action_text, played_text, turn_text

removal_text = OFFICIAL.removal_text

__all__ = [
    "JULIO974",
    "LARGEST_RECORD",
    "MOST_TURNS",
    "NOTATIONS",
    "OFFICIAL",
    "BrokenRecord",
    "Completion",
    "Entry",
    "IllegalTurn",
    "ImpossiblePosition",
    "Notation",
    "NotationError",
    "OpenTurn",
    "ParseError",
    "Record",
    "Sheet",
    "Step",
    "action_code",
    "action_text",
    "completions",
    "numbered",
    "parse_code",
    "parse_position",
    "parse_turn",
    "played_text",
    "position_text",
    "read_part",
    "read_record",
    "read_sheet",
    "record_text",
    "removal_text",
    "turn_text",
]  # fmt: skip
