"""The yardstick: a fixed loop of integer and tuple work in plain Python, like that of the rules.

A yard is the time that one pass takes: about 3.4 ms on a machine that plays 6,070 random games of Standard a second.
The yardstick runs again and again between the steps of the measured work. A machine that is slow, or slow for a moment,
is slow for both. So a figure in yards means the same on every machine, and so does its limit.

How the limits were found: each group was measured at least five times on a machine half as fast, while other work kept
both cores busy; `overdue` with 1,000 games. Over six runs games a second differed by 55 per cent. Games a yard differed
by 2 per cent in five of the runs and by 12 in all six. Each limit is the worst figure in yards plus about a fifth. The
older limits in seconds, converted at the speed above, are wider, except for one that `calls` names.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from statistics import fmean
from time import perf_counter, process_time
from typing import NamedTuple

STEPS = 5_000
TAKEN_EVERY = 0.1  # seconds
_MASK = (1 << 62) - 1
_SHIFTS = (1, 8, 9)


def run_yardstick() -> int:
    """Run the loop once; return a number that depends on every step."""
    bits = total = 1
    for _ in range(STEPS):
        bits = (bits * 6364136223846793005 + 1442695040888963407) & _MASK
        for low, shift in _runs_of_four(bits):
            total += low.bit_length() + shift
    return total


def _runs_of_four(bits: int) -> tuple[tuple[int, int], ...]:
    """Return the lowest four bits in a row for each shift, found the way the rules find rows."""
    found: tuple[tuple[int, int], ...] = ()
    for shift in _SHIFTS:
        pairs = bits & bits >> shift
        if fours := pairs & pairs >> 2 * shift:
            found += ((fours & -fours, shift),)
    return found


def yard_seconds(clock: Callable[[], float] = process_time) -> float:
    """Return the seconds of one pass, in processor time unless another clock is given."""
    begun = clock()
    run_yardstick()
    return clock() - begun


class Pace(NamedTuple):
    """The amount of work done, its seconds, and the seconds of a yard meanwhile."""

    done: int
    seconds: float
    yard: float

    @property
    def per_second(self) -> float:
        """The work done in a second."""
        return self.done / self.seconds

    @property
    def yards(self) -> float:
        """The time in yards."""
        return self.seconds / self.yard

    @property
    def per_yard(self) -> float:
        """The work done in a yard."""
        return self.done / self.yards


def measure_steps(steps: Iterable[int]) -> Pace:
    """Return the pace of some work in processor time; each step yields the amount of work it did.

    A yard is measured before each step and after the last.
    """
    work, yards, done, seconds = iter(steps), list[float](), 0, 0.0
    step: int | None = 0
    while step is not None:
        done += step
        yards.append(yard_seconds())
        begun = process_time()
        step = next(work, None)
        seconds += process_time() - begun
    return Pace(done, seconds, fmean(yards))


@asynccontextmanager
async def take_yards(taken: list[float]) -> AsyncIterator[None]:
    """Measure a yard in real time now, and then on the event loop every `TAKEN_EVERY` seconds."""

    async def take() -> None:
        while True:
            await asyncio.sleep(TAKEN_EVERY)
            taken.append(yard_seconds(perf_counter))

    taken.append(yard_seconds(perf_counter))
    taking = asyncio.create_task(take())
    try:
        yield
    finally:
        taking.cancel()
