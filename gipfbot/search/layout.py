"""The board as tables of plain integers, for the search. They are made from `rules.geometry`, which knows the layout.

All names here are for hot loops: sets of spots are bits, directions are the shifts of their steps. `i64` is an integer
of 64 bits for mypyc, and `int` for everything else. No number here is larger than 62 bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gipfbot.rules.geometry import ALL_SPOTS, CENTRE, ENTRIES, LINES, SHIFTS, SPOTS as SPOT_NAMES, axial, bits

if TYPE_CHECKING:
    from mypy_extensions import i64

BOARD: Final = ALL_SPOTS
STEPS: Final[list[int]] = list(SHIFTS.values())
# For each direction, the spots where a window of four spots of a line begins.
WINDOWS: Final[list[int]] = [BOARD & BOARD >> step & BOARD >> 2 * step & BOARD >> 3 * step for step in STEPS]
# Every entry: its first spot, its line, its shift (negative: to the right), and its number in `rules.geometry.ENTRIES`.
PUSH_ENTRIES: Final[list[tuple[i64, i64, i64, i64]]] = [
    (entry.first, entry.mask, entry.shift, number) for number, entry in enumerate(ENTRIES)
]
# The direction of each of them: 0 to 2 with the shifts in `STEPS` to the left, 3 to 5 to the right.
ENTRY_DIRECTIONS: Final[list[i64]] = [
    STEPS.index(abs(entry.shift)) + (0 if entry.shift > 0 else 3) for entry in ENTRIES
]
# For each direction in `STEPS`: the bit of the line's number, and its spots.
LINES_BY_STEP: Final[list[list[tuple[i64, i64]]]] = [
    [(1 << line.number, line.mask) for line in LINES if line.shift == shift] for shift in STEPS
]
_LOW: Final = 0x3FFF
_COUNTS: Final = bytes(number.bit_count() for number in range(_LOW + 1))


def _distance(spot: str) -> int:
    (x, y), (centre_x, centre_y) = axial(spot), axial(CENTRE)
    across, up = x - centre_x, y - centre_y
    return max(abs(across), abs(up), abs(across - up))


# The spots at distance 0, 1, 2 and 3 from the centre.
RINGS: Final[list[int]] = [bits(spot for spot in SPOT_NAMES if _distance(spot) == far) for far in range(4)]


def count_bits(spots: i64) -> i64:
    """Return how many spots a set has."""
    return _COUNTS[spots & _LOW] + _COUNTS[spots >> 14 & _LOW] + _COUNTS[spots >> 28 & _LOW] + _COUNTS[spots >> 42]


def four_in_line(own: i64) -> bool:
    """Return whether these spots include four adjacent spots of a line (R4.1).

    This repeats `rules.rows.has_row`, because only this room is compiled.
    """
    pairs = own & own >> 1
    if pairs & pairs >> 2:
        return True
    pairs = own & own >> 8
    if pairs & pairs >> 16:
        return True
    pairs = own & own >> 9
    return pairs & pairs >> 18 != 0
