"""Where things are in a picture of a given width. A unit is the distance between neighbouring points."""

from functools import lru_cache
from math import sqrt

from gipfbot.rules.geometry import CENTRE, DOTS, POINTS, axial

Place = tuple[int, int]
SMALLEST, LARGEST = 200, 2000
ACROSS = 8.56  # the width of a picture in units
ABOVE = 0.9  # from the top of the picture to e9, and from e1 to the caption's band
BAND = 0.74  # the height of the caption's band
SMALLEST_TEXT = 0.33  # the least font size, in units: 11 pixels where Discord shows a picture 302 pixels wide
LABEL = 0.54  # from a dot to the middle of its name


class Layout:
    """The places of things in a picture `size` pixels wide. `flipped` shows the board from Black's side.

    All points are on whole pixels and `unit` is even, so every spot has the same surroundings.
    """

    def __init__(self, size: int, flipped: bool) -> None:
        self.width = size
        self._turn = -1 if flipped else 1
        self.unit = 2 * int(size / ACROSS / 2)
        self.column = round(self.unit * sqrt(3) / 2)
        self.band = round(BAND * self.unit)
        self.margin = round(ABOVE * self.unit)
        self.height = 8 * self.unit + 2 * self.margin + self.band
        self.point = {point: self._place(point) for point in POINTS}
        self.label = {dot: self._outside(dot) for dot in DOTS}

    def px(self, units: float) -> int:
        """Return a length in units as whole pixels, at least 1."""
        return max(1, round(units * self.unit))

    def towards(self, start: str, end: str, units: float) -> Place:
        """Return the place that is `units` away from the point `start`, on the line to its neighbour `end`."""
        (x, y), (to_x, to_y) = self.point[start], self.point[end]
        return round(x + (to_x - x) * units), round(y + (to_y - y) * units)

    def _place(self, point: str) -> Place:
        x, y = axial(point)
        across, up = x - axial(CENTRE)[0], 2 * y - x - 4
        middle = self.margin + 4 * self.unit
        return self.width // 2 + self._turn * across * self.column, middle - self._turn * up * self.unit // 2

    def _outside(self, dot: str) -> Place:
        """Return the place of a dot's name: straight out from the side of the board, or diagonally at a corner."""
        x, y = axial(dot)
        sides = [(-1.0, 0.0)] * (x == 0) + [(1.0, 0.0)] * (x == 8)
        sides += [(-0.5, -0.866)] * (y - x == 4) + [(0.5, 0.866)] * (x - y == 4)
        sides += [(0.5, -0.866)] * (y == 8) + [(-0.5, 0.866)] * (y == 0)
        across, down = (self._turn * sum(side[way] for side in sides) for way in (0, 1))
        reach = LABEL * self.unit / sqrt(across**2 + down**2)
        px, py = self.point[dot]
        return round(px + across * reach), round(py + down * reach)


@lru_cache(maxsize=64)
def layout_for(size: int, flipped: bool = False) -> Layout:
    """Return the layout for a width in pixels; `flipped` shows it from Black's side. Does not check the width."""
    return Layout(size, flipped)


def check_size(size: int) -> None:
    """Raise ValueError if a width is outside 200 to 2000 pixels."""
    if not SMALLEST <= size <= LARGEST:
        raise ValueError(f"a picture is {SMALLEST} to {LARGEST} pixels wide, not {size}")
