"""A typed dot without a direction: it names two pushes, unless its reader writes Julio974's notation."""

import re
from typing import NamedTuple

from gipfbot.rules import Kind
from gipfbot.rules.geometry import ENTRIES_BY_DOT

_BARE_DOT = re.compile(r"\s*([Gg]?)([a-iA-I][1-9])\s*")


class BareDot(NamedTuple):
    """A dot from which two pushes lead, and the kind of piece to push."""

    kind: Kind
    dot: str


def parse_bare_dot(text: str) -> BareDot | None:
    """Return the dot that a text consists of; None for a dot with one direction, and for any other text."""
    found = _BARE_DOT.fullmatch(text)
    if found is None or len(ENTRIES_BY_DOT.get(found[2].lower(), ())) < 2:
        return None
    return BareDot(Kind.GIPF if found[1] else Kind.BASIC, found[2].lower())
