"""The house player's search: the best turn of a position, as a pure function of plain integers.

No clock, no chance, no disk: strength is a number of nodes, and what ends a search early is passed in. The hot modules
can be compiled (`make compile`); nothing depends on that.
"""

from . import layout

if layout.__file__.endswith(".py"):  # not compiled: then Python counts bits faster itself. Before the others import it.
    vars(layout)["count_bits"] = int.bit_count

from .explain import explain_turn
from .requests import (
    LEVELS,
    Answer,
    FoundTurn,
    Level,
    Proof,
    Request,
    affordable_nodes,
    best_turn,
    best_turns,
    level_request,
    prove_win,
)

__all__ = [
    "LEVELS", "Answer", "FoundTurn", "Level", "Proof", "Request", "affordable_nodes", "best_turn", "best_turns",
    "explain_turn", "level_request", "prove_win",
]  # fmt: skip
