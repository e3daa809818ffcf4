"""The way of a potential that jumps: an arc beside the straight line, so that it is unlike the arrow of a push."""

from functools import lru_cache
from itertools import pairwise
from math import hypot

from .ink import Pen, PenPoint, Shape

BULGE = 0.42  # how far the arc is from the straight line, in units; the pieces of the next line are not reached
TO = 0.44  # where the arrow ends, in units from the middle of the spot
STEPS = 64  # the arc is drawn with so many straight lines


def jump_place(across: float, down: float, unit: float, part: float) -> PenPoint:
    """Return where a potential is after a part of its jump, from 0 to 1, relative to where it jumps from.

    `across` and `down` are the pixels to where it jumps to. The arc is above the straight line, or left of it.
    """
    length = hypot(across, down)
    x, y = down / length, -across / length
    if y > 0.01 or (abs(y) <= 0.01 and x > 0):
        x, y = -x, -y
    aside = 4 * min(BULGE * unit, 0.34 * length) * part * (1 - part)
    return across * part + x * aside, down * part + y * aside


@lru_cache(maxsize=256)
def jump_arrow(across: int, down: int, unit: int, start: float, margin: float = 0) -> Shape:
    """Return the arrow of a jump that begins `start` pixels from the origin. `margin` makes it larger on every side.

    All lengths are in pixels.
    """
    way = [jump_place(across, down, unit, step / STEPS) for step in range(STEPS + 1)]
    way = [at for at in way if hypot(*at) >= start and _away(at, across, down) >= TO * unit]
    tip, thickness = way[-1], 0.085 * unit
    shaft = [at for at in way if hypot(at[0] - tip[0], at[1] - tip[1]) >= 2.2 * thickness]
    pen = Pen(abs(across) + unit, abs(down) + unit)
    for one, other in pairwise(shaft):
        pen.capsule(one, other, thickness / 2 + margin)
    return pen.polygon(_head_corners(shaft[-1], tip, 1.75 * thickness, margin)).shape()


def _away(at: PenPoint, across: float, down: float) -> float:
    return hypot(at[0] - across, at[1] - down)


def _head_corners(neck: PenPoint, tip: PenPoint, wing: float, margin: float) -> list[PenPoint]:
    length = hypot(tip[0] - neck[0], tip[1] - neck[1])
    x, y = (tip[0] - neck[0]) / length, (tip[1] - neck[1]) / length
    wide, back = wing + 1.9 * margin, (neck[0] - x * margin, neck[1] - y * margin)
    end = tip[0] + 1.7 * margin * x, tip[1] + 1.7 * margin * y
    return [end, (back[0] - y * wide, back[1] + x * wide), (back[0] + y * wide, back[1] - x * wide)]
