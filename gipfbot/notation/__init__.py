"""Text and its meaning: turns, positions and files of turns. Pure."""

from .errors import IllegalTurn, NotationError, OpenTurn, ParseError
from .official import action_text, removal_text, turn_text
from .positions import ImpossiblePosition, parse_position, position_text
from .reading import parse_turn, read_part
from .records import BrokenRecord, Sheet, Step, read_sheet, replay

__all__ = [
    "BrokenRecord", "IllegalTurn", "ImpossiblePosition", "NotationError", "OpenTurn", "ParseError", "Sheet", "Step",
    "action_text", "parse_position", "parse_turn", "position_text", "read_part", "read_sheet", "removal_text",
    "replay", "turn_text",
]  # fmt: skip
