"""What pushes do and which of them would make a row, for all lines of a direction together, on plain integers.

All pushes in one direction touch different lines, so they are computed together. Assumes that the player has no
standing row: it could be taken for a row made by a push.
"""

from __future__ import annotations

from typing import Final

from .layout import ALONG, DIRECTIONS, FIRST, LAST, LINE_SPOTS, STEPS, WINDOWS, count_bits
from .packed import i64

GIPF_TAKEN: Final = 3  # how much a GIPF-piece counts that a row would take


def reached(occupied: i64, direction: i64) -> i64:
    """Return the spots that pushes in a direction change: from the edge to the first vacancy (R3.2, R3.3).

    No spot of a closed line is among them. A line has at most seven spots: the block of pieces that a push moves grows
    by one, two and four of them. A set is shifted to the left only where it stays on the board, here as elsewhere.
    """
    number = direction >> 1
    step, last = STEPS[number], LAST[direction]
    spots = FIRST[direction]
    block = spots & occupied
    if direction & 1 == 0:
        run = occupied & occupied >> step
        block |= (block & run) << step
        run &= run >> step
        block |= (block & run) << 2 * step
        run &= run >> 2 * step
        block |= (block & run) << 4 * step
        spots |= (block & ~last) << step
    else:
        block |= occupied & block >> step
        run = occupied & occupied >> step
        block |= run & block >> 2 * step
        run &= run >> 2 * step
        block |= run & block >> 4 * step
        spots |= (block & ~last) >> step
    closed = block & last
    if closed:
        for line in range(ALONG * number, ALONG * number + ALONG):
            if closed & LINE_SPOTS[line]:
                spots &= ~LINE_SPOTS[line]
    return spots


def moved(own: i64, reach: i64, direction: i64, entering: i64) -> i64:
    """Return where pieces are after all pushes in a direction, which change the spots in `reach`.

    `entering` holds the first spots of the lines if the pushed pieces are among these, else nothing.
    """
    step = STEPS[direction >> 1]
    block = own & reach
    if direction & 1 == 0:
        return own ^ block | (block << step | entering) & reach
    return own ^ block | (block >> step | entering) & reach


def completing(own: i64, number: i64) -> i64:
    """Return the spots on which one more piece makes four adjacent ones on a line of a direction.

    Every push that makes a row changes such a spot, of the row's line or of its own.
    """
    step, window = STEPS[number], WINDOWS[number]
    second, third, fourth = own >> step, own >> 2 * step, own >> 3 * step
    near, far = own & second & window, third & fourth & window
    if not near | far:
        return 0
    spots = (near & third) << 3 * step | (near & fourth) << 2 * step | (own & far) << step | second & far
    return spots & ~own


def rows_made(own: i64, after: i64, step: i64, crossing: i64) -> i64:
    """Return spots of the lines on which a push makes a row. `after` is `moved` along lines with this step.

    `crossing` holds the spots that complete a row on another line, see `completing`.
    """
    pairs = after & after >> step
    return pairs & pairs >> 2 * step | after & crossing & ~own


def most_taken(own: i64, others: i64, gipf: i64) -> i64:
    """Return the most that the player can take by making one row with one push; 0 if no push makes a row.

    A piece of the opponent counts 1, and a GIPF-piece `GIPF_TAKEN`.
    """
    most: i64 = 0
    one, two, three = completing(own, 0), completing(own, 1), completing(own, 2)
    for direction in range(DIRECTIONS):
        reach = reached(own | others, direction)
        if not reach & (one | two | three):
            continue
        number = direction >> 1
        crossing = two | three if number == 0 else one | three if number == 1 else one | two
        after = moved(own, reach, direction, FIRST[direction])
        made = rows_made(own, after, STEPS[number], 0)
        if made:
            prey, precious = moved(others, reach, direction, 0), moved(gipf, reach, direction, 0)
            most = max(most, _most_of_rows(made, after | prey, number, prey, precious))
        spots = after & crossing
        while spots:
            spot = spots & -spots
            spots ^= spot
            prey = others & ~spot
            for other in range(3):
                ends = one if other == 0 else two if other == 1 else three
                if other != number and ends & spot:
                    most = max(most, _taken(spot, own | prey, STEPS[other], prey, gipf))
    return most


def _most_of_rows(made: i64, occupied: i64, number: i64, prey: i64, gipf: i64) -> i64:
    """Return the most that a row takes, of those on lines of a direction. `made` holds a spot of each."""
    most: i64 = 0
    for line in range(ALONG * number, ALONG * number + ALONG):
        row = made & LINE_SPOTS[line]
        if row:
            most = max(most, _taken(row, occupied, STEPS[number], prey, gipf))
    return most


def _taken(row: i64, occupied: i64, step: i64, prey: i64, gipf: i64) -> i64:
    """Return how much a row takes, with its extensions (R4.2). `row` holds at least one spot of it."""
    stretch = grown = row
    while grown:
        grown = ((stretch & occupied >> step) << step | stretch >> step & occupied) & ~stretch
        stretch |= grown
    prey &= stretch
    return count_bits(prey) + (GIPF_TAKEN - 1) * count_bits(prey & gipf) if prey else 0
