"""Read and write turns, positions and game records as text. Pure functions.

Words of this package:

* A step is the removals before the push of a turn, or the removals after it.
* A way is a sequence of actions, most often the removals of a step, with the position after it.
* A list is one written removal in official notation (`xc2,d3`). A group is one in Julio974's notation (`X5g3`).
* A choice is open if the text does not decide it.
"""

from .action_codes import action_code, parse_action_code
from .beside_turn import line_warnings, typed_warnings
from .completion import Completion, completions
from .conditional_text import parse_conditional_turn, split_conditional
from .errors import IllegalTurn, ImpossiblePosition, NotationError, OpenTurn, ParseError
from .notations import JULIO974, NOTATIONS, OFFICIAL, Notation
from .positions import parse_position, position_text
from .records import BrokenRecord, Record, RecordedTurn, read_record, record_text, turn_number_text
from .sheets import LARGEST_RECORD, MOST_TURNS, Sheet, SheetTurn, decode_record, read_sheet
from .turns import decision_text, parse_turn, played_text, turn_text
from .typed_turns import bare_dot_pushes, read_turn_part

removal_text = OFFICIAL.removal_text

__all__ = [
    "JULIO974", "LARGEST_RECORD", "MOST_TURNS", "NOTATIONS", "OFFICIAL", "BrokenRecord", "Completion", "IllegalTurn",
    "ImpossiblePosition", "Notation", "NotationError", "OpenTurn", "ParseError", "Record", "RecordedTurn", "Sheet",
    "SheetTurn", "action_code", "bare_dot_pushes", "completions", "decision_text", "decode_record",
    "line_warnings", "parse_action_code", "parse_conditional_turn", "parse_position", "parse_turn",
    "played_text", "position_text", "read_record", "read_sheet", "read_turn_part", "record_text",
    "removal_text", "split_conditional", "turn_number_text", "turn_text", "typed_warnings",
]  # fmt: skip
