"""Spell the pushes and removals of a turn, as completions show them and as a person may type them."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from gipfbot.rules import Act, Position, Remove, Row, open_rows
from gipfbot.rules.geometry import BIT, names

from .julio974 import Julio974
from .notations import JULIO974, NOTATIONS, Notation

_new = tuple.__new__  # faster than the constructor of a named tuple


class SpeltPart(NamedTuple):
    """A push or removal as text: `text` is shown in a completion, and `spelt` is one way to type it, normalised."""

    text: str
    spelt: str


def join_parts(joint: str, first: str, second: str) -> str:
    """Return two texts with `joint` between them. Without `joint` if one of them is empty."""
    return f"{first}{joint}{second}" if first and second else first or second


def spell_push(notation: Notation, position: Position, push: Act) -> SpeltPart:
    """Return the only spelling of a push or a use in a notation."""
    text = notation.act_text(position, push)
    return _new(SpeltPart, (text, text.lower()))


def spell_removal(notation: Notation, position: Position, row: Row, remove: Remove) -> Sequence[SpeltPart]:
    """Return the spellings of a removal, the shortest first.

    Official notation has one spelling. In Julio974's notation, the row's code may always be typed, too. A removal that
    need not be written there may be left out, or typed as a bare `X`.
    """
    text = notation.removal_text(position, remove)
    if not notation.keeps_unwritten:
        return (_new(SpeltPart, (text, text.lower())),)
    full = f"X{row.line.code}{''.join(names(remove.taken & row.may))}"
    offered = full if row.may and not text else text
    return [SpeltPart(offered, spelt.lower()) for spelt in dict.fromkeys((text, text or "X", full))]


class _ExplicitJulio974(Julio974):
    """Julio974's notation, but it always writes the row's code when a removal keeps all GIPF-pieces of its row.

    Without the code, the bot would ask the player which GIPF-pieces to take.
    """

    def removal_text(self, position: Position, remove: Remove) -> str:
        row = next(row for row in open_rows(position) if row.line.number == remove.line)
        return spell_removal(JULIO974, position, row, remove)[0].text


# The notations by name, each in the form that leaves nothing to ask.
EXPLICIT_NOTATIONS: dict[str, Notation] = {**NOTATIONS, JULIO974.name: _ExplicitJulio974()}


_FIRST_LIST = re.compile("[;x]*([^;x]*)(.?)")
_POINT = re.compile("[a-i][1-9]")
_ALL = sum(BIT.values())


@lru_cache(maxsize=64)
def named_spots(plain: str) -> tuple[int, bool]:
    """Return the spots (bits) that the first removal in a text names, and whether any text follows that removal.

    If the removal names a point that is not a spot, all spots are returned, so that no removal fits.
    """
    if not plain:
        return 0, False
    first, end = _FIRST_LIST.findall(plain)[0]
    points = {*_POINT.findall(first)}
    return sum(map(BIT.__getitem__, points)) if points <= BIT.keys() else _ALL, end != ""
