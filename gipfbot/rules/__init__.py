"""The rules of GIPF as pure functions on immutable values: no clock, no randomness, no network.

All but the dataclasses can be compiled (`make compile`); nothing depends on that.
"""

from gipfbot.compiled import use_compiled

__compiled__ = use_compiled(__name__, __path__[0], "geometry")  # Python has to know first where from

from .actions import PASS, PUSHES, Act, Action, Pass, Push, Remove, Use
from .engine import legal, play
from .full_turns import Turn, distinct_acts, distinct_pushes, removal_ways, turns
from .pieces import ByColour, Colour, Kind, Piece, Reason, Result
from .position import NotedRow, Position, Stage, build, start, with_stacks
from .rows import Row, open_rows
from .ruleset_names import ruleset_named, ruleset_words, with_potentials
from .rulesets import BASIC, OVERBOARD, PRESETS, RULESETS, STANDARD, TOURNAMENT, Ruleset
from .turn_counts import Count, perft

__all__ = [
    "BASIC", "OVERBOARD", "PASS", "PRESETS", "PUSHES", "RULESETS", "STANDARD", "TOURNAMENT",
    "Act", "Action", "ByColour", "Colour", "Count", "Kind", "NotedRow", "Pass", "Piece", "Position", "Push", "Reason",
    "Remove", "Result", "Row", "Ruleset", "Stage", "Turn", "Use",
    "build", "distinct_acts", "distinct_pushes", "legal", "open_rows", "perft", "play", "removal_ways", "ruleset_named",
    "ruleset_words", "start", "turns", "with_potentials", "with_stacks",
]  # fmt: skip
