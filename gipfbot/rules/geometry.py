"""The board: its points, lines and entries (R1.1-R1.4).

Only this module knows how a set of spots is stored as an integer. The spot with axial coordinates x, y (R1.3) is bit
number 8x+y-9. One step N is a shift by 1, SE by 8, and NE by 9. Bits ascend by column, then by number. At both ends of
every line there is a bit that is never set.
"""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

COLUMN_HEIGHTS = (5, 6, 7, 8, 9, 8, 7, 6, 5)
SHIFTS = {"N": 1, "SE": 8, "NE": 9}
_STEPS = {"N": (0, 1), "S": (0, -1), "NE": (1, 1), "SW": (-1, -1), "SE": (1, 0), "NW": (-1, 0)}


class Line(NamedTuple):
    """One of the 21 lines (R1.4). Its spots run from left to right; on a vertical line, from bottom to top."""

    number: int
    code: str  # b-h vertical, 2-8 falling, 1*-4* and b*-d* rising
    shift: int
    dots: tuple[str, str]
    spots: tuple[str, ...]
    mask: int


class Entry(NamedTuple):
    """One of the 42 ways to enter the board (R1.4): a dot and the direction of the push."""

    dot: str
    direction: str
    spot: str  # the first spot of the line, where the pushed piece ends up
    first: int  # that spot's bit
    mask: int  # the spots of the line, as bits
    shift: int  # left shift that moves a spot's bit one step in the push direction; negative shifts right
    line: int


_AXIAL = {
    f"{'abcdefghi'[x]}{number}": (x, number - 1 + max(0, x - 4))
    for x, height in enumerate(COLUMN_HEIGHTS)
    for number in range(1, height + 1)
}


def axial(point: str) -> tuple[int, int]:
    """Return the axial coordinates of a point by its name (R1.3). Raises ValueError if no point has this name."""
    if point not in _AXIAL:
        raise ValueError(f"{point} is not a point of the board")
    return _AXIAL[point]


def _point_name(x: int, y: int) -> str:
    return f"{'abcdefghi'[x]}{y + 1 - max(0, x - 4)}"


def _is_spot(x: int, y: int) -> bool:
    return 1 <= x <= 7 and 1 <= y <= 7 and abs(x - y) <= 3


POINTS = tuple(_AXIAL)
SPOTS = tuple(point for point in POINTS if _is_spot(*axial(point)))
DOTS = tuple(point for point in POINTS if not _is_spot(*axial(point)))
_LEFT, _RIGHT = (tuple(dot for dot in DOTS if dot[0] == letter) for letter in "ai")
_BOTTOM = tuple(dot for dot in DOTS if dot[1] == "1" and dot[0] not in "ai")
_TOP = tuple(dot for dot in DOTS if dot not in _LEFT + _RIGHT + _BOTTOM)
EDGE = (*_LEFT, *_TOP, *reversed(_RIGHT), *reversed(_BOTTOM))  # the dots clockwise along the edge, from a1
BIT = {spot: 1 << (8 * axial(spot)[0] + axial(spot)[1] - 9) for spot in SPOTS}
NAME = {bit: spot for spot, bit in BIT.items()}
COLUMNS = 7  # with spots
CENTRE = "e5"


def bits(spots: Iterable[str]) -> int:
    """Return a set of named spots as bits. Raises KeyError if any name is not a spot."""
    mask = 0
    for spot in spots:
        mask |= BIT[spot]
    return mask


def each_bit(mask: int) -> Iterator[int]:
    """Yield each spot of a set as a single bit, by column, then by number."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


@lru_cache(4096)
def names(mask: int) -> tuple[str, ...]:
    """Return the names of the spots in `mask` (bits), sorted by column, then by number."""
    return tuple(NAME[bit] for bit in each_bit(mask))


def columns(mask: int) -> bytes:
    """Return a set of spots as a number for each column, from b to h: a bit for each of its spots."""
    return mask.to_bytes(COLUMNS, "little")


def in_column(column: int, spots: int) -> int:
    """Return the spots (bits) of a number by `columns`. `column` is 0 for b."""
    return spots << 8 * column


ALL_SPOTS = sum(NAME)


@cache
def neighbours(bit: int) -> int:
    """Return the spots next to a spot (one bit), as bits."""
    return (bit << 1 | bit >> 1 | bit << 8 | bit >> 8 | bit << 9 | bit >> 9) & ALL_SPOTS


def _walk(dot: str, direction: str) -> tuple[tuple[str, ...], str]:
    (x, y), (dx, dy) = axial(dot), _STEPS[direction]
    spots = []
    while _is_spot(x := x + dx, y := y + dy):
        spots.append(_point_name(x, y))
    return tuple(spots), _point_name(x, y) if spots else dot


def _code(dot: str, direction: str) -> str:
    match direction:
        case "N":
            return dot[0]
        case "SE":
            return dot[1]
        case _:
            return (dot[1] if dot[0] == "a" else dot[0]) + "*"


def _build_lines() -> Iterator[Line]:
    number = 0
    for direction, shift in SHIFTS.items():
        for dot in sorted(DOTS, key=lambda point: (point[0] != "a", point)):
            spots, far = _walk(dot, direction)
            if spots:
                yield Line(number, _code(dot, direction), shift, (dot, far), spots, bits(spots))
                number += 1


LINES = tuple(_build_lines())
LINE = {line.code: line for line in LINES} | {"a*": next(line for line in LINES if line.code == "1*")}
LINE_BY_SPOTS = {(line.mask, line.shift): line for line in LINES}


def _build_entries() -> Iterator[Entry]:
    for dot in DOTS:
        for direction in _STEPS:
            spots, _ = _walk(dot, direction)
            if spots:
                shift = BIT[spots[1]].bit_length() - BIT[spots[0]].bit_length()
                line = LINE_BY_SPOTS[bits(spots), abs(shift)]
                yield Entry(dot, direction, spots[0], BIT[spots[0]], line.mask, shift, line.number)


ENTRIES = tuple(_build_entries())
ENTRIES_BY_DOT = {dot: tuple(entry for entry in ENTRIES if entry.dot == dot) for dot in DOTS}
ENTRIES_BY_SPOT = {
    spot: tuple(entry for entry in ENTRIES if entry.spot == spot)
    for spot in SPOTS
    if any(entry.spot == spot for entry in ENTRIES)
}
