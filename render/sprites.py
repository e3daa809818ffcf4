"""The shapes of pieces, and of marks on the board such as arrows. Each is drawn once for each size, then cached."""

from collections.abc import Iterator
from functools import lru_cache
from math import hypot

from gipfbot.rules.pieces import Colour, Kind

from .ink import Pen, PenPoint, Shape
from .theme import Theme

RADIUS = 0.4  # the radius of a piece, in units
HALO = 0.47  # the outer radius of the ring around a moved piece
LIFT = 0.075  # how far the upper half of a GIPF-piece is shifted up, and its lower half down
OUTLINE = 0.04  # the width of a piece's outline
Layer = tuple[Shape, str]  # a shape and its colour


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


def piece_layers(kind: Kind, owner: Colour, theme: Theme, unit: float, scale: float = 1) -> Iterator[Layer]:
    """Yield the layers of a piece, the lowest first. The origin is the middle of the spot.

    A GIPF-piece is drawn as two stacked pieces, the upper one with a ring and a dot. So it differs from a basic piece
    even if no colours are seen.
    """
    radius, outline, lift = RADIUS * unit * scale, max(1.2, OUTLINE * unit * scale), LIFT * unit * scale
    body, edge, shade, sign = (side[owner] for side in (theme.piece, theme.edge, theme.shade, theme.sign))
    if kind is Kind.BASIC:
        yield disc_shape(radius), edge
        yield disc_shape(radius - outline), body
        return
    yield disc_shape(radius, lift), edge
    yield disc_shape(radius - outline, lift), shade
    yield disc_shape(radius, -lift), edge
    yield disc_shape(radius - outline, -lift), body
    yield ring_shape(radius * 0.6, radius * 0.17, -lift), sign
    yield disc_shape(radius * 0.23, -lift), sign


@lru_cache(maxsize=256)
def dashed_outline(unit: float) -> Shape:
    """Return the broken outline of a removed piece."""
    pen = Pen(unit).ring((RADIUS - OUTLINE) * unit, max(1.5, 0.055 * unit))
    for across, down in ((0, 1), (0.866, 0.5), (0.866, -0.5)):
        pen.stroke((-across * unit, -down * unit), (across * unit, down * unit), 0.1 * unit, clear=True)
    return pen.shape()


@lru_cache(maxsize=256)
def faded_sign_shape(unit: float) -> Shape:
    """Return the faint ring drawn on a removed GIPF-piece."""
    return Pen(unit).ring(RADIUS * 0.6 * unit, RADIUS * 0.17 * unit).shape(0.75)


@lru_cache(maxsize=256)
def veil_shape(unit: float) -> Shape:
    """Return the faint disc of a removed piece."""
    return Pen(unit).disc((RADIUS - OUTLINE) * unit).shape(0.45)


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
