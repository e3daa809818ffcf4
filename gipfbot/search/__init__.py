"""The house player's search: the best turn of a position, as a pure function of plain integers.

Uses no clock, no chance and no disk. Strength is a number of nodes, and the caller passes in what ends a search early.
The hot modules can be compiled (`make compile`); nothing depends on that.
"""

from gipfbot.compiled import use_compiled

__compiled__ = use_compiled(__name__, __path__[0], "layout")  # Python has to know first where from

from . import layout

if not __compiled__:  # Python's own bit count is faster. Set before others import it.
    vars(layout)["count_bits"] = int.bit_count

from .explain import explain_turn
from .requests import (
    LEVELS,
    Answer,
    FoundTurn,
    Level,
    Proof,
    Request,
    best_turn,
    best_turns,
    level_request,
    prove_win,
)

__all__ = [
    "LEVELS", "Answer", "FoundTurn", "Level", "Proof", "Request", "best_turn", "best_turns",
    "explain_turn", "level_request", "prove_win",
]  # fmt: skip
