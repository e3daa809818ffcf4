"""Rows and their stretches (R4.1, R4.2, R4.6, R4.7)."""

from typing import NamedTuple

from .geometry import LINES, Line
from .position import Position


class Row(NamedTuple):
    """A row of the deciding player on a line not yet dealt with."""

    line: Line
    core: int  # the pieces of the row itself: at least 4 of one colour
    stretch: int  # the core with its extensions
    must: int  # what has to go: the basic pieces of the stretch (R4.3)
    may: int  # what may be left or taken, piece by piece (R4.4)

    @property
    def due(self) -> bool:
        """Whether it has to be removed; otherwise it is an offer (R4.7)."""
        return self.must != 0


def has_row(own: int) -> bool:
    """Return whether a row of this colour stands anywhere: four adjacent spots of a line (R4.1)."""
    pairs = own & own >> 1
    if pairs & pairs >> 2:
        return True
    pairs = own & own >> 8
    if pairs & pairs >> 16:
        return True
    pairs = own & own >> 9
    return pairs & pairs >> 18 != 0


def _core(own: int, line: Line) -> int:
    shift, spots = line.shift, own & line.mask
    pairs = spots & spots >> shift
    fours = pairs & pairs >> 2 * shift
    pairs = fours | fours << shift
    return pairs | pairs << 2 * shift


def _stretch(core: int, occupied: int, shift: int) -> int:
    while (grown := (core | core << shift | core >> shift) & occupied) != core:
        core = grown
    return core


def open_rows(position: Position) -> tuple[Row, ...]:
    """Return the mover's rows on lines not yet dealt with in this step, in the order of `LINES`."""
    if not has_row(own := position.owned[position.mover]):
        return ()
    occupied, found = position.owned[0] | position.owned[1], []
    for line in LINES:
        if (core := _core(own, line)) and not position.dealt >> line.number & 1:
            stretch = _stretch(core, occupied & line.mask, line.shift)
            found.append(Row(line, core, stretch, stretch & ~position.gipf, stretch & position.gipf))
    return tuple(found)
