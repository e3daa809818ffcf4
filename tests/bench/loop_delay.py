"""Measure how late the event loop is while the bot works, and how late beside a thread that runs the yardstick.

Beside a busy thread, the loop must wait until the interpreter switches threads: 5 ms on every machine. The loop also
waits for other load on the machine. Both waits occur while the bot works, too. So the limit `LATER` is a ratio: the
delay while the bot works, divided by the delay while the yardstick runs.

On a busy machine, the ratio was at most 0.8 in six runs of each group. On a quiet machine, it is estimated at 1.1 to
1.5. In runs with little disturbance the bot made the loop 6 to 8 ms late, and a loop beside a busy thread is about 5.5
ms late. The older limit of 20 ms would be a ratio of 3.6.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from threading import Event, Thread
from time import perf_counter

from .figures import Figure, quantile
from .yardstick import run_yardstick

PROBE = 0.001  # seconds
LATER = 2  # times as late, at most


class LoopProbe:
    """A measurement of how late the loop wakes up. It sleeps a millisecond again and again, and records each delay."""

    def __init__(self) -> None:
        self.delays = list[float]()
        self.yardstick_delays = list[float]()
        self._noting = self.delays

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Measure the delays of the loop until the end of the `with` block."""
        asking = asyncio.create_task(self._ask())
        try:
            yield
        finally:
            asking.cancel()

    async def _ask(self) -> None:
        while True:
            begun, noting = perf_counter(), self._noting
            await asyncio.sleep(PROBE)
            noting.append(perf_counter() - begun - PROBE)

    async def run_beside_yardstick(self, seconds: float) -> None:
        """Run the yardstick in a worker thread for `seconds`.

        Record the delays of the loop during this time separately.
        """
        stop, self._noting = Event(), self.yardstick_delays
        worker = Thread(target=_run_until, args=(stop,), name="yardstick")
        worker.start()
        await asyncio.sleep(seconds)
        stop.set()
        worker.join()
        self._noting = self.delays

    def figures(self, group: str) -> Iterator[Figure]:
        """Yield the 99.9 % quantiles of the delays while the bot works and beside the yardstick, and their ratio."""
        late, beside = (quantile(delays, 0.999) for delays in (self.delays, self.yardstick_delays))
        yield Figure(f"{group}.loop_p99.9", 1000 * late, "ms")
        yield Figure(f"{group}.loop_yardstick_p99.9", 1000 * beside, "ms")
        yield Figure(f"{group}.loop_to_yardstick", late / beside, "times", at_most=LATER)


def _run_until(stop: Event) -> None:
    while not stop.is_set():
        run_yardstick()
