"""The twelve symmetries of the board (R1.5), and those that keep the pieces of a start in their places."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TypeAlias

from .geometry import POINTS, axial
from .pieces import ByColour

Symmetry: TypeAlias = Mapping[str, str]  # each point by name, and where it goes
_POINT_AT = {axial(point): point for point in POINTS}


def _symmetry(turns: int, *, mirrored: bool) -> Symmetry:
    """Return the symmetry that mirrors the board if asked to, then turns it by so many sixths about the centre."""
    images = {}
    for point in POINTS:
        x, y = axial(point)
        x, y = (y, x) if mirrored else (x, y)
        for _ in range(turns):
            x, y = y, y - x + 4
        images[point] = _POINT_AT[x, y]
    return MappingProxyType(images)


SYMMETRIES = tuple(_symmetry(turns, mirrored=mirrored) for mirrored in (False, True) for turns in range(6))


@cache
def start_symmetries(setup: ByColour[tuple[str, ...]]) -> tuple[Symmetry, ...]:
    """Return the symmetries that leave a start as it is. `setup` is that of a `Ruleset`."""
    return tuple(symmetry for symmetry in SYMMETRIES if all(_keeps(symmetry, pieces) for pieces in setup))


def _keeps(symmetry: Symmetry, pieces: tuple[str, ...]) -> bool:
    """Return whether a symmetry maps a player's pieces, such as `Gb5`, to each other."""
    return {f"{piece[:-2]}{symmetry[piece[-2:]]}" for piece in pieces} == {*pieces}
