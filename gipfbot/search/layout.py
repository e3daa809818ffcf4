"""The board as tables of plain integers, for the search. They are made from `rules.geometry`, which knows the layout.

All names here are for hot loops: sets of spots are bits, directions are the shifts of their steps.
"""

from __future__ import annotations

from typing import Final

from gipfbot.rules.geometry import ALL_SPOTS, CENTRE, LINES, SHIFTS, SPOTS as SPOT_NAMES, axial, bits

from .packed import i64, vec

BOARD: Final[i64] = ALL_SPOTS
# The three directions of lines. A direction of pushes is twice one of them, plus 1 if they go to the right.
STEPS: Final[vec[i64]] = vec[i64](list(SHIFTS.values()))
DIRECTIONS: Final = 6
# For each direction of lines, the spots where a window of four spots of a line begins.
WINDOWS: Final[vec[i64]] = vec[i64](
    [ALL_SPOTS & ALL_SPOTS >> step & ALL_SPOTS >> 2 * step & ALL_SPOTS >> 3 * step for step in SHIFTS.values()]
)
_LOWEST: Final = [ALL_SPOTS & ~(ALL_SPOTS << step) for step in SHIFTS.values()]
_HIGHEST: Final = [ALL_SPOTS & ~(ALL_SPOTS >> step) for step in SHIFTS.values()]
# For each direction of pushes, the first and the last spot of each line.
FIRST: Final[vec[i64]] = vec[i64]([ends[side] for ends in zip(_LOWEST, _HIGHEST, strict=True) for side in (0, 1)])
LAST: Final[vec[i64]] = vec[i64]([ends[side] for ends in zip(_HIGHEST, _LOWEST, strict=True) for side in (0, 1)])
# The spots of each line by its number in `rules.geometry`: ALONG lines for each direction of lines.
ALONG: Final = 7
LINE_SPOTS: Final[vec[i64]] = vec[i64]([line.mask for line in LINES])


def _distance(spot: str) -> int:
    (x, y), (centre_x, centre_y) = axial(spot), axial(CENTRE)
    across, up = x - centre_x, y - centre_y
    return max(abs(across), abs(up), abs(across - up))


# The spots at distance 0, 1, 2 and 3 from the centre.
RINGS: Final[vec[i64]] = vec[i64]([bits(spot for spot in SPOT_NAMES if _distance(spot) == far) for far in range(4)])


def count_bits(spots: i64) -> i64:
    """Return how many spots a set has. They are added in pairs, then in fours, then in eights, then all."""
    spots -= spots >> 1 & 0x55_5555_5555_5555
    spots = (spots & 0x33_3333_3333_3333) + (spots >> 2 & 0x33_3333_3333_3333)
    spots = spots + (spots >> 4) & 0x0F_0F0F_0F0F_0F0F
    spots += spots >> 8
    spots += spots >> 16
    return spots + (spots >> 32) & 127


def four_in_line(own: i64) -> bool:
    """Return whether these spots include four adjacent spots of a line (R4.1).

    This repeats `rules.rows.has_row`, on numbers that are not boxed.
    """
    pairs = own & own >> 1
    if pairs & pairs >> 2:
        return True
    pairs = own & own >> 8
    if pairs & pairs >> 16:
        return True
    pairs = own & own >> 9
    return pairs & pairs >> 18 != 0


def doubled(numbers: vec[i64]) -> vec[i64]:
    """Return the same numbers with as many zeros behind them."""
    found = vec[i64]([0] * (2 * len(numbers)))
    for at in range(len(numbers)):
        found[at] = numbers[at]
    return found
