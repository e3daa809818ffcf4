"""The evaluation: a short sum of named terms, seen by the player to move.

Each term is a difference, mine minus yours. The weights were fitted on games of the search against itself, see
`tests/search/fit.py`, and then scaled so that one basic piece is worth 100.
"""

from __future__ import annotations

from typing import Final

from .layout import RINGS, STEPS, WINDOWS, count_bits
from .packed import i64, vec
from .threats import most_taken

NAMES: Final = (
    "pieces",  # basic pieces on the board and in reserve; a GIPF-piece counts two
    "reserve",
    "low",  # the square of the number of pieces by which a reserve is below LOW
    "gipf",  # GIPF-pieces on the board
    "last",  # whether only one is left
    "second",  # whether only two are left
    "centre",  # basic pieces on the spots of each ring, by their distance from the centre
    "inner",
    "middle",
    "gipf_in",  # GIPF-pieces: 3 in the centre, 2 and 1 on the rings around it
    "threes",  # windows of four spots of a line with three pieces, the fourth spot vacant
    "blocked",  # the same, with a piece of the opponent on the fourth spot
    "twos",  # windows with two pieces and two vacancies
    "prey",  # pieces of the opponent next to threes, and in blocked ones
    "danger",  # minus what the opponent could take by one row if it were their turn; a GIPF-piece counts 3
    "turn",  # always 1: it is my turn
)
LOW: Final = 6
OPENING_GIPF: Final = 3  # GIPF-pieces that the bot brings in, in Tournament
_ANY_THREE: Final = 0xFFFF  # of `_shapes`: no row can be made without three pieces in a window


class Weights:
    """What each term is worth, in hundredths of a basic piece, in the order of `NAMES`."""

    def __init__(self, values: tuple[int, ...]) -> None:
        self.values: vec[i64] = vec[i64](values)
        self.terms: vec[i64] = vec[i64](values)  # of the position that was evaluated last


def evaluate(me: i64, you: i64, gipf: i64, reserve: i64, other: i64, rights: i64, weights: Weights) -> i64:
    """Return the evaluation of a position in hundredths of a piece. The arguments are those of `find_terms`."""
    found = weights.terms
    values = weights.values
    find_terms(me, you, gipf, reserve, other, rights, found)
    total: i64 = 0
    for number in range(len(NAMES)):
        total += found[number] * values[number]
    return total


def terms(me: i64, you: i64, gipf: i64, reserve: i64, other: i64, rights: i64) -> list[int]:
    """Return the terms of a position, in the order of `NAMES`. The arguments are those of `find_terms`."""
    found = vec[i64]([0] * len(NAMES))
    find_terms(me, you, gipf, reserve, other, rights, found)
    return list(found)


def find_terms(me: i64, you: i64, gipf: i64, reserve: i64, other: i64, rights: i64, found: vec[i64]) -> None:
    """Put the terms of a position into `found`, in the order of `NAMES`.

    `rights` is 1 if I may still bring in GIPF-pieces (R5.2), plus 2 if the opponent may. The GIPF-pieces that a player
    will bring in count as if they stood on the board, except in the terms about spots.
    """
    my_gipf: i64 = 0
    your_gipf: i64 = 0
    if gipf:
        my_gipf, your_gipf = count_bits(me & gipf), count_bits(you & gipf)
    found[0] = count_bits(me) + my_gipf + reserve - count_bits(you) - your_gipf - other
    if rights & 1 and my_gipf < OPENING_GIPF:
        reserve -= 2 * (OPENING_GIPF - my_gipf)
        my_gipf = OPENING_GIPF
    if rights & 2 and your_gipf < OPENING_GIPF:
        other -= 2 * (OPENING_GIPF - your_gipf)
        your_gipf = OPENING_GIPF
    low: i64 = LOW - reserve if reserve < LOW else 0
    other_low: i64 = LOW - other if other < LOW else 0
    found[1] = reserve - other
    found[2] = low * low - other_low * other_low
    found[3] = my_gipf - your_gipf
    found[4] = (1 if my_gipf == 1 else 0) - (1 if your_gipf == 1 else 0)
    found[5] = (1 if my_gipf == 2 else 0) - (1 if your_gipf == 2 else 0)
    basic, others = me & ~gipf, you & ~gipf
    found[6] = count_bits(basic & RINGS[0]) - count_bits(others & RINGS[0])
    found[7] = count_bits(basic & RINGS[1]) - count_bits(others & RINGS[1])
    found[8] = count_bits(basic & RINGS[2]) - count_bits(others & RINGS[2])
    found[9] = _gipf_in(me & gipf) - _gipf_in(you & gipf) if gipf else 0
    mine, yours = _shapes(me, you), _shapes(you, me)
    found[10] = (mine & 255) - (yours & 255)
    found[11] = (mine >> 8 & 255) - (yours >> 8 & 255)
    found[12] = (mine >> 16 & 255) - (yours >> 16 & 255)
    found[13] = (mine >> 24) - (yours >> 24)
    found[14] = -most_taken(you, me, gipf) if yours & _ANY_THREE else 0
    found[15] = 1


def _gipf_in(spots: i64) -> i64:
    return 3 * count_bits(spots & RINGS[0]) + 2 * count_bits(spots & RINGS[1]) + count_bits(spots & RINGS[2])


def _shapes(own: i64, others: i64) -> i64:
    """Return the numbers of threes, blocked threes, twos and prey, eight bits each from the lowest."""
    found: i64 = 0
    for number in range(3):
        step, window = STEPS[number], WINDOWS[number]
        first, second = own, own >> step
        third, fourth = second >> step, second >> 2 * step
        near, far = first & second, third & fourth
        one_near, one_far = first ^ second, third ^ fourth
        closed = others | others >> step
        free = window & ~(closed | closed >> 2 * step)
        threes = (near & one_far | one_near & far) & window
        if threes:
            prey = threes >> step & others | (threes & others >> 4 * step) << 4 * step
            blocked = count_bits(threes & ~free)
            found += count_bits(threes & free) + (blocked << 8) + (count_bits(prey) + blocked << 24)
        twos = (one_near & one_far | (near ^ far) & ~(one_near | one_far)) & free
        if twos:
            found += count_bits(twos) << 16
    return found


# Basic, and the two versions with GIPF-pieces. "last" and "second" were set by matches. The fit had "last" with the
# wrong sign, since players who win often take their own GIPF-pieces back: with it the search lost 20 to 80.
BASIC_WEIGHTS: Final = Weights((100, -5, -7, 0, 0, 0, 21, 17, 6, 0, 6, 0, 2, 11, 22, 1))
GIPF_WEIGHTS: Final = Weights((100, -5, -7, -60, -80, -40, 21, 17, 6, 14, 6, 0, 2, 11, 22, 1))
# Overboard: reserves never decide, and GIPF-pieces are only given up (R8.5, R8.7).
OVERBOARD_WEIGHTS: Final = Weights((100, 0, 0, 100, -250, -60, 21, 17, 6, 14, 6, 0, 2, 11, 22, 1))
