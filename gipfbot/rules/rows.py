"""Rows and their stretches (R4.1, R4.2, R4.6, R4.7)."""

from collections.abc import Iterator
from typing import NamedTuple

from .geometry import LINES, SHIFTS, Line
from .position import Position


class Row(NamedTuple):
    """A row of the player to move, on a line that was not yet dealt with in this removal step. Spots are bits."""

    line: Line
    core: int  # the pieces of the row itself: at least 4 of one colour
    stretch: int  # the core and its extensions
    must: int  # the basic pieces and used potentials of the stretch, which must be removed (R4.3, R7.5)
    may: int  # the GIPF-pieces and loaded pieces of the stretch; each may stay (R4.4, R7.4)
    loss: int = 0  # spots of which at least one must be cleared; none if anything goes (R7.4)

    @property
    def due(self) -> bool:
        """Whether the row must be removed. A row that may stay is an offer (R4.7)."""
        return self.must != 0 or self.loss != 0


def loaded_spots(position: Position) -> int:
    """Return the spots (bits) with a loaded piece on top, which may stay in a row like a GIPF-piece (R7.4)."""
    return sum([bit for bit, piece in position.odd if piece.kind.loaded])


def has_row(own: int) -> bool:
    """Return whether the spots in `own` (bits) include four adjacent spots of a line (R4.1)."""
    pairs = own & own >> 1
    if pairs & pairs >> 2:
        return True
    pairs = own & own >> 8
    if pairs & pairs >> 16:
        return True
    pairs = own & own >> 9
    return pairs & pairs >> 18 != 0


def cores(own: int) -> Iterator[tuple[Line, int]]:
    """Yield the line and the core (bits) of each row in the spots `own` (bits), in the order of `LINES` (R4.1)."""
    for shift, lines in _LINES.items():
        pairs = own & own >> shift
        if fours := pairs & pairs >> 2 * shift:
            pairs = fours | fours << shift
            found = pairs | pairs << 2 * shift
            yield from ((line, found & line.mask) for line in lines if found & line.mask)


_LINES = {shift: tuple(line for line in LINES if line.shift == shift) for shift in SHIFTS.values()}


def open_rows(position: Position) -> tuple[Row, ...]:
    """Return the mover's rows on lines not yet dealt with in this removal step, in the order of `LINES`."""
    own, dealt = position.owned[position.mover], position.dealt
    if not has_row(own):
        return ()
    occupied, loaded = position.owned[0] | position.owned[1], loaded_spots(position) if position.odd else 0
    may_stay = position.gipf | loaded
    return tuple(
        _build_row(line, core, occupied & line.mask, may_stay, core & loaded)
        for line, core in cores(own)
        if not dealt >> line.number & 1
    )


def _build_row(line: Line, core: int, occupied: int, may_stay: int, loaded: int) -> Row:
    stretch = core
    while (grown := (stretch | stretch << line.shift | stretch >> line.shift) & occupied) != stretch:
        stretch = grown
    loss = core if loaded and not core & ~may_stay else 0
    return Row(line, core, stretch, stretch & ~may_stay, stretch & may_stay, loss)
