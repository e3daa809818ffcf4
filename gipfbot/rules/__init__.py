"""The rules of GIPF as pure functions on immutable values: no clock, no randomness, no network."""

from .actions import PASS, PUSHES, Action, Pass, Push, Remove
from .engine import legal, play
from .full_turns import Turn, distinct_pushes, removal_ways, turns
from .pieces import ByColour, Colour, Kind, Piece, Reason, Result
from .position import Position, build, start
from .rows import Row, open_rows
from .rulesets import BASIC, PRESETS, STANDARD, TOURNAMENT, Ruleset
from .turn_counts import Count, perft

__all__ = [
    "BASIC", "PASS", "PRESETS", "PUSHES", "STANDARD", "TOURNAMENT",
    "Action", "ByColour", "Colour", "Count", "Kind", "Pass", "Piece", "Position", "Push", "Reason", "Remove", "Result",
    "Row", "Ruleset", "Turn",
    "build", "distinct_pushes", "legal", "open_rows", "perft", "play", "removal_ways", "start", "turns",
]  # fmt: skip
