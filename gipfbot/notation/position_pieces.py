"""Read and write the pieces of a position line: `Zc3`, `c4[G]`, `pc4[P]` (notation.md section 4)."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gipfbot.rules import Colour, Kind, Piece, Position, Ruleset
from gipfbot.rules.geometry import BIT, names
from gipfbot.rules.position import kind_at, piece_at
from gipfbot.rules.powers import POWERS

_PIECE = re.compile(r"([A-Za-z]?)([a-i][1-9])(?:\[([A-Za-z]+)\])?")


class PlacedPiece(NamedTuple):
    """A piece with its spot, as a position line writes it."""

    piece: Piece
    spot: str


def pieces_text(position: Position, colour: Colour) -> str:
    """Return one player's pieces as a position line writes them."""
    spots = names(position.owned[colour])
    if not position.odd:
        return ",".join(f"{kind_at(position, BIT[spot])}{spot}" for spot in spots)
    return ",".join(_stack_text(spot, piece_at(position, BIT[spot])) for spot in spots)


def _stack_text(spot: str, piece: Piece) -> str:
    under = "".join(one.kind for one in piece.under)
    return f"{piece.kind}{spot}[{under}]" if under else f"{piece.kind}{spot}"


def read_piece(text: str, owner: Colour, rules: Ruleset) -> PlacedPiece | None:
    """Return the piece of a text such as `c2`, `Gc2`, `Zc3` or `pc4[P]`. None if it is none of this rule set.

    Does not check that such a stack is possible.
    """
    found = _PIECE.fullmatch(text)
    if not found or found[2] not in BIT:
        return None
    kinds, letters = [found[1], *(found[3] or "")], [letter for letter, _ in rules.potentials]
    if not all(kind in ("", Kind.GIPF) or kind.upper() in letters for kind in kinds):
        return None
    top, *under = (Piece((owner, owner.other)[depth % 2], Kind(kind)) for depth, kind in enumerate(kinds))
    return PlacedPiece(top._replace(under=tuple(under)), found[2])


def stack_faults(position: Position) -> Iterator[str]:
    """Yield a sentence for each stack that no game leads to (R7.8)."""
    for bit, piece in position.odd:
        if not _is_possible(piece):
            yield f"There is no such piece or stack as {_stack_text(names(bit)[0], piece)}."


def _is_possible(piece: Piece) -> bool:
    """Return whether a stack can be: GIPF-pieces and at most one basic piece on them, or a PÜNCT under used ones."""
    *upper, lowest = (piece.kind, *(one.kind for one in piece.under))
    if lowest.used:
        return not upper and not POWERS[lowest.upper()].covers
    if lowest.loaded:
        return not upper or (POWERS[lowest].covers and all(kind == lowest.lower() for kind in upper))
    return lowest is Kind.GIPF and all(kind is Kind.GIPF for kind in upper[1:]) and upper[0] in (Kind.BASIC, Kind.GIPF)


def count_potentials(position: Position, colour: Colour) -> dict[str, int]:
    """Return how many potentials of each kind a player has on the board and still to bring in."""
    found = dict.fromkeys((letter for letter, _ in position.rules.potentials), 0)
    for letter, count in zip(found, position.left[colour] if position.left else (), strict=True):
        found[letter] += count
    for _, top in position.odd:
        for piece in (top, *top.under):
            if piece.owner is colour and (piece.kind.loaded or piece.kind.used):
                found[piece.kind.upper()] += 1
    return found


def left_text(position: Position) -> str:
    """Return the potentials still to enter, such as `Z2P6-Z0P5`."""
    letters = [letter for letter, _ in position.rules.potentials]
    sides = (zip(letters, counts, strict=True) for counts in position.left)
    return "-".join("".join(f"{letter}{count}" for letter, count in side) for side in sides)


def read_left(text: str, rules: Ruleset) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the potentials still to enter of a text such as `Z2P6-Z0P5`. None if it is no such text."""
    side = "".join(f"{letter}([0-9])" for letter, _ in rules.potentials)
    found = re.fullmatch(f"{side}-{side}", text)
    if not found:
        return None
    counts, kinds = [int(group) for group in found.groups()], len(rules.potentials)
    return tuple(counts[:kinds]), tuple(counts[kinds:])
