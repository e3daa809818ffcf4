"""A typed dot without a direction: it names two pushes, unless its reader writes Julio974's notation."""

import re
from typing import NamedTuple

from gipfbot.rules import Kind, Position, Push, legal
from gipfbot.rules.geometry import ENTRIES_BY_DOT
from gipfbot.rules.powers import POWERS

from .normalise import normalise_typed
from .notations import JULIO974, Notation

_BARE_DOT = re.compile(r"([a-z]?)([a-i][1-9])(?:\([0-9]{1,2}\)?)?")


class BareDot(NamedTuple):
    """A dot from which two pushes lead, and the kind of piece to push."""

    kind: Kind
    dot: str


def parse_bare_dot(text: str) -> BareDot | None:
    """Return the dot that a text consists of; None for a dot with one direction, and for any other text.

    Move numbers, marks, remarks and a reserve do not count.
    """
    found = _BARE_DOT.fullmatch(normalise_typed(text))
    if found is None or len(ENTRIES_BY_DOT.get(found[2], ())) < 2:
        return None
    letter = found[1].upper()
    return BareDot(Kind(letter), found[2]) if letter in (*Kind, *POWERS) else None


def bare_dot_pushes(position: Position, text: str, notation: Notation) -> tuple[Push, ...]:
    """Return the legal pushes from a typed dot with two directions, the vertical one first. Empty for any other text.

    Also empty for a reader of Julio974's `notation`, in which a dot names one push.
    """
    bare = None if notation is JULIO974 else parse_bare_dot(text)
    pushes = [Push(entry, bare.kind) for entry in ENTRIES_BY_DOT[bare.dot]] if bare else []
    return tuple(push for push in pushes if push in legal(position))
