"""The shapes of marks on the board, such as rings and arrows. Each is drawn once for each size, then cached."""

from functools import lru_cache
from math import hypot

from .ink import Pen, PenPoint, Shape


@lru_cache(maxsize=256)
def disc_shape(radius: float, down: float = 0) -> Shape:
    """Return a disc. Its centre is `down` pixels below the origin."""
    return Pen(radius, radius + abs(down)).disc(radius, (0, down)).shape()


@lru_cache(maxsize=256)
def ring_shape(radius: float, thickness: float, down: float = 0) -> Shape:
    """Return a ring. Its centre is `down` pixels below the origin.

    `radius` is the mean of the inner and the outer radius.
    """
    return Pen(radius + thickness, radius + thickness + abs(down)).ring(radius, thickness, (0, down)).shape()


@lru_cache(maxsize=256)
def cross_shape(unit: float) -> Shape:
    """Return the cross on a captured piece."""
    reach, thickness = 0.17 * unit, 0.09 * unit
    return (
        Pen(unit / 2)
        .stroke((-reach, -reach), (reach, reach), thickness)
        .stroke((-reach, reach), (reach, -reach), thickness)
        .shape()
    )


@lru_cache(maxsize=256)
def arrow_shape(across: float, down: float, start: float, tip: float, thickness: float, margin: float = 0) -> Shape:
    """Return an arrow in the direction (`across`, `down`).

    The arrow begins `start` pixels from the origin and ends `tip` pixels from the origin. `margin` makes the
    arrow larger on every side. All lengths are in pixels.
    """
    length = hypot(across, down)
    x, y = across / length, down / length

    def at(along: float, aside: float) -> PenPoint:
        return x * along - y * aside, y * along + x * aside

    neck, wing = tip - 2.3 * thickness, 1.75 * thickness + 1.9 * margin
    back = neck - margin
    pen = Pen(tip + 2 * margin).capsule(at(start, 0), at(neck, 0), thickness / 2 + margin)
    return pen.polygon([at(tip + 1.7 * margin, 0), at(back, wing), at(back, -wing)]).shape()


@lru_cache(maxsize=256)
def row_outline(across: int, down: int, radius: float, thickness: float) -> Shape:
    """Return the outline around a row. Its first spot is the origin; its last is `across` and `down` pixels away."""
    pen, end = Pen(abs(across) + 2 * radius, abs(down) + 2 * radius), (across, down)
    pen.capsule((0, 0), end, radius + thickness / 2)
    return pen.capsule((0, 0), end, radius - thickness / 2, clear=True).shape()


@lru_cache(maxsize=256)
def pill_shape(length: int, radius: float) -> Shape:
    """Return a bar with round ends around a horizontal line of this length. The origin is the left end of the line."""
    return Pen(length + radius, radius).capsule((0, 0), (length, 0), radius).shape()
