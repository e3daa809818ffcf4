"""The outlines of potentials: one row of `OUTLINES` for each letter. A letter without a row has a hexagon.

An outline is a function of a pen, a radius and an inset, both in pixels. It fills what lies more than `inset` inside of
the outline, or with a negative inset less than that outside. The letter is drawn on top, so that a potential is known
by two shapes.
"""

from collections.abc import Callable
from functools import lru_cache
from math import cos, pi, sin

from gipfbot.rules.pieces import Kind

from .ink import Pen, Shape
from .text import STRONG, text_shape

Outline = Callable[[Pen, float, float], Pen]


def notched_disc(pen: Pen, radius: float, inset: float) -> Pen:
    """Fill a disc with six notches at its edge, as the PÜNCT-potential has them."""
    pen.disc(radius - inset)
    notch = max(0.25, 0.23 * radius + inset)
    for turn in range(6):
        angle = (turn + 0.5) * pi / 3
        pen.disc(notch, (radius * cos(angle), radius * sin(angle)), clear=True)
    return pen


def rounded_square(pen: Pen, radius: float, inset: float) -> Pen:
    """Fill a square with round corners."""
    side, corner = 0.87 * radius - inset, max(0.5, 0.2 * radius - inset)
    reach = side - corner
    return pen.rounded([(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)], corner)


def rounded_hexagon(pen: Pen, radius: float, inset: float) -> Pen:
    """Fill a hexagon with round corners."""
    corner = max(0.5, 0.15 * radius - inset)
    reach = radius - 1.15 * inset - corner
    angles = [turn * pi / 3 for turn in range(6)]
    return pen.rounded([(reach * cos(angle), reach * sin(angle)) for angle in angles], corner)


OUTLINES: dict[str, Outline] = {"Z": rounded_square, "P": notched_disc}


def potential_shape(kind: Kind, radius: float, inset: float = 0) -> Shape:
    """Return the shape of a potential, loaded or used. Its radius and its inset are in pixels."""
    return _outline_shape(potential_outline(kind), radius, inset)


def potential_outline(kind: Kind) -> Outline:
    """Return the outline of a potential, loaded or used."""
    return OUTLINES.get(kind.upper(), rounded_hexagon)


@lru_cache(maxsize=256)
def _outline_shape(outline: Outline, radius: float, inset: float) -> Shape:
    return outline(Pen(radius + max(0.0, -inset)), radius, inset).shape()


@lru_cache(maxsize=256)
def faded_potential(outline: Outline, radius: float, inset: float) -> Shape:
    """Return the faint shape of a removed potential."""
    return outline(Pen(radius), radius, inset).shape(0.45)


@lru_cache(maxsize=256)
def dashed_potential(outline: Outline, radius: float, thickness: float) -> Shape:
    """Return the broken outline of a removed potential."""
    pen = outline(Pen(radius), radius, 0).without(outline(Pen(radius), radius, thickness))
    for across, down in ((1.0, 0.0), (0.5, 0.866), (0.5, -0.866)):
        reach = 1.3 * radius
        pen.stroke((-across * reach, -down * reach), (across * reach, down * reach), 0.25 * radius, clear=True)
    return pen.shape()


@lru_cache(maxsize=256)
def letter_shape(letter: str, size: int, down: int = 0) -> Shape:
    """Return a letter around the origin, or `down` pixels below it. `size` is the font size in pixels."""
    form = text_shape(letter, STRONG, size)
    width, height = form.degrees[0][1].size
    return form._replace(left=-(width // 2), top=down - height // 2)
