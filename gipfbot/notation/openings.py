"""Openings: the first two turns of games, taken as the same if a symmetry of their start maps one to the other."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from gipfbot.rules import ByColour, Ruleset
from gipfbot.rules.symmetries import Symmetry, start_symmetries

OpeningTurns: TypeAlias = tuple[str, str]  # White's first turn and Black's, in official notation
_POINT = re.compile("[a-i][1-9]")


def most_played_opening(games: Mapping[OpeningTurns, int], ruleset: Ruleset) -> tuple[OpeningTurns, int] | None:
    """Return the opening that was played most, in the form that was most frequent, and how often it was played.

    `games` counts the games of one rule set by their openings. None if there are none. If two openings are equally
    frequent, the one that comes first in the alphabet is returned.
    """
    forms = defaultdict[OpeningTurns, Counter[OpeningTurns]](Counter)
    for turns, number in games.items():
        forms[opening_key(turns, ruleset.setup)][turns] += number
    if not forms:
        return None
    most = min(forms, key=lambda key: (-forms[key].total(), key))
    return min(forms[most], key=lambda turns: (-forms[most][turns], turns)), forms[most].total()


@lru_cache(maxsize=4096)
def opening_key(turns: OpeningTurns, setup: ByColour[tuple[str, ...]]) -> OpeningTurns:
    """Return the first in the alphabet of all openings that symmetries of the start map this one to."""
    return min((_mapped_turn(turns[0], to), _mapped_turn(turns[1], to)) for to in start_symmetries(setup))


def _mapped_turn(text: str, to: Symmetry) -> str:
    return _POINT.sub(lambda point: to[point[0]], text)
