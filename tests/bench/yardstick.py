"""The yardstick: a fixed loop of integer and tuple work in plain Python, like the work of the rules.

A yard is the time that one pass of the loop takes. It is about 3.4 ms on a machine that plays 6,070 random games of
Standard a second. The yardstick is run again and again between the steps of the measured work. A slow machine, or a
slow moment, slows the yardstick as much as the work. So a figure in yards, and its limit, mean the same on every
machine.

How the limits were found: each group was measured at least five times on a machine half as fast, while other work kept
both cores busy. (`overdue` was measured with 1,000 games.) Over six runs, games a second differed by 55 per cent. Games
a yard differed by 12 per cent over all six runs, and by 2 per cent over five of them. Each limit is the worst figure in
yards plus about a fifth. The older limits in seconds, converted at 3.4 ms a yard, are wider, except for one that
`calls` names.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from multiprocessing import get_context
from statistics import fmean
from time import perf_counter, process_time
from typing import NamedTuple, ParamSpec

from gipfbot.compiled import FROM_SOURCE

P = ParamSpec("P")
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
    """Return `(mask, distance)` for each distance in `_SHIFTS` at which four set bits follow one another.

    `mask` has only the lowest bit that begins such a run. Distances without a run are left out. The rules find rows in
    the same way.
    """
    found: tuple[tuple[int, int], ...] = ()
    for shift in _SHIFTS:
        pairs = bits & bits >> shift
        if fours := pairs & pairs >> 2 * shift:
            found += ((fours & -fours, shift),)
    return found


def yard_seconds(clock: Callable[[], float] = process_time) -> float:
    """Return the seconds of one pass of the loop. They are processor time unless another clock is given."""
    begun = clock()
    run_yardstick()
    return clock() - begun


class Pace(NamedTuple):
    """The amount of work done, the seconds it took, and the mean seconds of a yard meanwhile."""

    done: int
    seconds: float
    yard: float

    @property
    def per_second(self) -> float:
        """The work done in a second."""
        return self.done / self.seconds

    @property
    def yards(self) -> float:
        """The time that the work took, in yards."""
        return self.seconds / self.yard

    @property
    def per_yard(self) -> float:
        """The work done in a yard, the time of one pass of the yardstick's loop."""
        return self.done / self.yards


def measure_steps(steps: Iterable[int]) -> Pace:
    """Return the pace of work that is done in steps, in processor time. Each step yields its amount of work.

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


def pace_from_source(measure: Callable[P, Pace], *args: P.args, **kwargs: P.kwargs) -> Pace:
    """Return a pace that is measured in a process of its own, in which nothing is compiled."""
    os.environ[FROM_SOURCE] = "yes"
    try:
        with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
            return fresh.submit(measure, *args, **kwargs).result()
    finally:
        del os.environ[FROM_SOURCE]


@asynccontextmanager
async def take_yards(taken: list[float]) -> AsyncIterator[None]:
    """Measure a yard in real time, at once and then every `TAKEN_EVERY` seconds until the end of the `with` block.

    The yards are measured on the event loop. Their seconds are appended to `taken`.
    """

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
