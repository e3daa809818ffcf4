"""Which pushes would make a row at once, for all 42 entries together, on plain integers.

All pushes in one direction touch different lines, so they are computed together. Assumes that the player has no
standing row: it could be taken for a row made by a push.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .layout import BOARD, LINES_BY_STEP, STEPS, WINDOWS, count_bits

if TYPE_CHECKING:
    from mypy_extensions import i64

DIRECTIONS: Final = 6  # 0 to 2 with the shifts in `STEPS` to the left, 3 to 5 to the right
GIPF_TAKEN: Final = 3  # how much a GIPF-piece counts that a row would take
_LOWEST: Final[list[int]] = [BOARD & ~(BOARD << step) for step in STEPS]  # the lowest spot of each line
_HIGHEST: Final[list[int]] = [BOARD & ~(BOARD >> step) for step in STEPS]


def reached(occupied: i64) -> list[i64]:
    """Return the spots that the pushes in each direction change: from the edge to the first vacancy (R3.2, R3.3)."""
    found: list[i64] = []
    for number in range(3):
        step: i64 = STEPS[number]
        last: i64 = _HIGHEST[number]
        first: i64 = _LOWEST[number]
        spots = grown = first
        inner = occupied & ~last
        while grown:
            grown = (grown & inner) << step
            spots |= grown
        found.append(_without_closed(spots, spots & occupied & last, number))
    for number in range(3):
        step = STEPS[number]
        last = _LOWEST[number]
        first = _HIGHEST[number]
        spots = grown = first
        inner = occupied & ~last
        while grown:
            grown = (grown & inner) >> step
            spots |= grown
        found.append(_without_closed(spots, spots & occupied & last, number))
    return found


def _without_closed(spots: i64, ends: i64, number: int) -> i64:
    """Return the spots without those on closed lines, of which `ends` holds the last spots."""
    if ends:
        for _, mask in LINES_BY_STEP[number]:
            if ends & mask:
                spots &= ~mask
    return spots


def moved(own: i64, reach: i64, direction: int, enters: bool) -> i64:
    """Return where pieces are after all pushes in a direction. `enters` says that the pushed pieces are among them."""
    number = direction % 3
    step: i64 = STEPS[number]
    if direction < 3:
        after = (own & reach & ~_HIGHEST[number]) << step
        if enters:
            after |= _LOWEST[number]
    else:
        after = (own & reach & ~_LOWEST[number]) >> step
        if enters:
            after |= _HIGHEST[number]
    return own & ~reach | after & reach


def completing(own: i64) -> list[i64]:
    """Return, for each direction of lines, the spots on which one more piece makes four adjacent ones."""
    found: list[i64] = []
    for number in range(3):
        step: i64 = STEPS[number]
        window: i64 = WINDOWS[number]
        second, third, fourth = own >> step, own >> 2 * step, own >> 3 * step
        near, far = own & second & window, third & fourth & window
        spots = (near & third) << 3 * step | (near & fourth) << 2 * step | (own & far) << step | second & far
        found.append(spots & ~own)
    return found


def row_spots(own: i64, occupied: i64) -> list[i64]:
    """Return, for each direction of a push, spots of the lines on which a push makes a row; nothing if none does."""
    found: list[i64] = []
    ends = completing(own)
    if not (ends[0] or ends[1] or ends[2]):
        return found
    reach = reached(occupied)
    for direction in range(DIRECTIONS):
        number = direction % 3
        after = moved(own, reach[direction], direction, True)
        step: i64 = STEPS[number]
        pairs = after & after >> step
        found.append(pairs & pairs >> 2 * step | after & ~own & (ends[(number + 1) % 3] | ends[(number + 2) % 3]))
    return found


def most_taken(own: i64, others: i64, gipf: i64, reach: list[i64]) -> i64:
    """Return the most that the player can take by making one row with one push; 0 if no push makes a row.

    A piece of the opponent counts 1, and a GIPF-piece `GIPF_TAKEN`.
    """
    most: i64 = 0
    ends = completing(own)
    for direction in range(DIRECTIONS):
        number = direction % 3
        step: i64 = STEPS[number]
        after = moved(own, reach[direction], direction, True)
        pairs = after & after >> step
        made = pairs & pairs >> 2 * step
        if made:
            prey = moved(others, reach[direction], direction, False)
            gipf_prey = moved(others & gipf, reach[direction], direction, False)
            while made:
                spot = made & -made
                made ^= spot
                most = max(most, _taken(spot, after | prey, step, prey, gipf_prey))
        for crossing in range(3):
            spots = after & ends[crossing] if crossing != number else 0
            while spots:
                spot = spots & -spots
                spots ^= spot
                prey = others & ~spot
                most = max(most, _taken(spot, own | prey, STEPS[crossing], prey, prey & gipf))
    return most


def _taken(row: i64, occupied: i64, step: i64, prey: i64, gipf_prey: i64) -> i64:
    """Return how much a row takes, with its extensions (R4.2). `row` holds at least one spot of it."""
    stretch = row
    grown = row
    while grown:
        grown = (stretch << step | stretch >> step) & occupied & ~stretch
        stretch |= grown
    return count_bits(stretch & prey) + (GIPF_TAKEN - 1) * count_bits(stretch & gipf_prey)
