"""The table of powers: what each potential may do when it is used (R7.7, R7.8).

A potential is one row of `POWERS`. The row says where a potential can jump to; what a jump does is the same for all of
them (`loaded_games.use_power`). Rules and notation know a potential by its letter only.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from .geometry import ALL_SPOTS, LINES, NAME, SHIFTS, bits, each_bit, neighbours
from .pieces import Kind
from .position import Position
from .sentences import Sentence


class Target(NamedTuple):
    """A spot (one bit) that a potential can jump to.

    Without `put`, the used potential stands there, on top of what stood there before. Otherwise so many basic pieces of
    the reserve are put there, two of them as a GIPF-piece, and the potential is out of the game.
    """

    to: int
    put: int = 0


class Power(NamedTuple):
    """What one kind of potential may do.

    `targets` lists what the mover's potential on a spot (one bit) can do now.
    """

    name: str
    targets: Callable[[Position, int], Sequence[Target]]
    covers: bool = False  # it can cover GIPF-pieces, so R6.2 is tested only when the turn ends
    jump: str = ""  # what it may do, in words that follow its name
    jump_sentence: Sentence | None = None  # the same as a whole sentence


def zertz_targets(position: Position, at: int) -> tuple[Target, ...]:
    """Return the first vacancy behind each unbroken stretch next to the piece (R7.7). Never a dot."""
    return _jumps(at, (position.owned[0] | position.owned[1]) & _STARS[at])


@lru_cache(20_000)
def _jumps(at: int, occupied: int) -> tuple[Target, ...]:
    found = []
    for shift in SHIFTS.values():
        above, below = at << shift, at >> shift
        if above & occupied:
            while above & occupied:
                above <<= shift
            found.append(above)
        if below & occupied:
            while below & occupied:
                below >>= shift
            found.append(below)
    return tuple(Target(to) for to in found if to & ALL_SPOTS)


# For each spot: the spots on its three lines, itself too. What stands elsewhere changes no jump from it.
_STARS = {bit: bits(spot for line in LINES if line.mask & bit for spot in line.spots) for bit in NAME}


def punct_targets(position: Position, at: int) -> list[Target]:
    """Return what a PÜNCT-potential can be used on: the opponent's GIPF-pieces and PÜNCTs next to it (R7.8).

    A used PÜNCT always stands on one of the mover's own.
    """
    if not (near := neighbours(at) & position.owned[position.mover.other]):
        return []
    found = [Target(to) for to, piece in position.odd if to & near and piece.kind in PUNCTS]
    if gipf := near & position.gipf:
        most = min(2, position.reserve[position.mover])
        found += [Target(to, put) for to in each_bit(gipf) for put in range(1, most + 1)]
    return found


PUNCTS = (Kind("P"), Kind("p"))
POWERS = {
    "Z": Power(
        "ZÈRTZ",
        zertz_targets,
        jump="jumps in a straight line over pieces to the first vacant spot",
        jump_sentence=Sentence("A ZÈRTZ-potential jumps in a straight line over pieces to the first vacant spot."),
    ),
    "P": Power(
        "PÜNCT",
        punct_targets,
        covers=True,
        jump="jumps onto an adjacent PÜNCT or GIPF-piece of the opponent",
        jump_sentence=Sentence("A PÜNCT-potential jumps onto an adjacent PÜNCT or GIPF-piece of the opponent."),
    ),
}
