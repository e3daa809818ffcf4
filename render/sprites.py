"""Soft-edged shapes, and the marks on the board that are made of them. Each is drawn once for each size."""

from collections.abc import Sequence
from functools import lru_cache
from math import hypot
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw

from .theme import STEPS, Palette

PenPoint = tuple[float, float]
FINE = 4  # shapes are drawn this many times larger and then reduced, which softens their edges


class Shape(NamedTuple):
    """A soft-edged shape: one mask for each degree of cover.

    `left` and `top` are the offset of the masks' upper left corner from the origin of the shape.
    """

    degrees: tuple[tuple[int, Image.Image], ...]
    left: int
    top: int


def mask_shape(mask: Image.Image, left: int = 0, top: int = 0) -> Shape:
    """Return the shape of a mask (mode L, 255 is full cover).

    `left` and `top` are the offset of the mask's upper left corner from the origin of the shape.
    """
    box = mask.getbbox()
    if box is None:
        return Shape((), 0, 0)
    mask = mask.crop(box)
    bands = [[255 * ((value * STEPS + 127) // 255 == step) for value in range(256)] for step in range(1, STEPS + 1)]
    cut = ((step, mask.point(band, "1")) for step, band in enumerate(bands, start=1))
    return Shape(tuple((step, part) for step, part in cut if part.getbbox()), left + box[0], top + box[1])


class Canvas:
    """An image of palette entries, stored as plain numbers (mode L). `finished` applies the palette."""

    def __init__(self, image: Image.Image, palette: Palette) -> None:
        self.image = image
        self.palette = palette

    @classmethod
    def blank(cls, width: int, height: int, palette: Palette, colour: str) -> "Canvas":
        """Return a canvas filled with one colour."""
        return cls(Image.new("L", (width, height), palette.index(colour)), palette)

    def finished(self) -> Image.Image:
        """Return the image in its colours (mode P). Do not draw on the canvas after that."""
        self.image.putpalette(self.palette.flat)
        return self.image

    def stamp(self, form: Shape, colour: str, at: tuple[int, int] = (0, 0)) -> None:
        """Draw a shape in one colour, with its origin at `at`."""
        if not form.degrees:
            return
        left, top = at[0] + form.left, at[1] + form.top
        size = width, height = form.degrees[0][1].size
        box = left, top, left + width, top + height
        below = self.image.crop(box).tobytes()
        for step, part in form.degrees:
            if step == STEPS:
                self.image.paste(self.palette.index(colour), box, part)
            else:
                self.image.paste(
                    Image.frombytes("L", size, below.translate(self.palette.over(colour, step))), box, part
                )


class Pen:
    """A pen that draws one shape.

    The drawing reaches at least `across` pixels to the left and right of the origin, and `down` pixels above and below
    it. `down` defaults to `across`.
    """

    def __init__(self, across: float, down: float | None = None) -> None:
        self.across = int(across) + 2
        self.down = self.across if down is None else int(down) + 2
        self._mask = Image.new("L", (2 * self.across * FINE, 2 * self.down * FINE))
        self._draw = ImageDraw.Draw(self._mask)

    def disc(self, radius: float, at: PenPoint = (0, 0), *, clear: bool = False) -> "Pen":
        """Fill a disc; with `clear`, erase it."""
        x, y = self._fine(at)
        reach = max(0.5, radius * FINE)  # Pillow raises for less
        self._draw.ellipse((x - reach, y - reach, x + reach - 1, y + reach - 1), fill=0 if clear else 255)
        return self

    def ring(self, radius: float, width: float, at: PenPoint = (0, 0)) -> "Pen":
        """Draw a ring and clear its inside. `radius` is the mean of its inner and outer radius."""
        return self.disc(radius + width / 2, at).disc(radius - width / 2, at, clear=True)

    def polygon(self, corners: Sequence[PenPoint], *, clear: bool = False) -> "Pen":
        """Fill a polygon; with `clear`, erase it."""
        self._draw.polygon([self._fine(corner) for corner in corners], fill=0 if clear else 255)
        return self

    def stroke(self, start: PenPoint, end: PenPoint, width: float, *, clear: bool = False) -> "Pen":
        """Draw a straight line with square ends; with `clear`, erase it."""
        along = (end[0] - start[0], end[1] - start[1])
        length = hypot(*along) or 1
        x, y = -along[1] / length * width / 2, along[0] / length * width / 2
        (x1, y1), (x2, y2) = start, end
        return self.polygon([(x1 + x, y1 + y), (x2 + x, y2 + y), (x2 - x, y2 - y), (x1 - x, y1 - y)], clear=clear)

    def capsule(self, start: PenPoint, end: PenPoint, radius: float, *, clear: bool = False) -> "Pen":
        """Fill the area within `radius` of a straight line; with `clear`, erase it."""
        self.disc(radius, start, clear=clear).disc(radius, end, clear=clear)
        return self.stroke(start, end, 2 * radius, clear=clear)

    def rounded(self, corners: Sequence[PenPoint], radius: float) -> "Pen":
        """Fill the area within `radius` of a polygon."""
        self.polygon(corners)
        for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
            self.capsule(start, end, radius)
        return self

    def without(self, other: "Pen") -> "Pen":
        """Erase what the other pen has drawn. Both must have the same reach."""
        self._mask.paste(ImageChops.subtract(self._mask, other._mask))
        return self

    def shape(self, strength: float = 1) -> Shape:
        """Return the drawing as a shape. A `strength` below 1 makes it partly transparent."""
        mask = self._mask.reduce(FINE)
        if strength < 1:
            mask = mask.point([round(value * strength) for value in range(256)])
        return mask_shape(mask, -self.across, -self.down)

    def _fine(self, at: PenPoint) -> PenPoint:
        return (at[0] + self.across) * FINE, (at[1] + self.down) * FINE


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
