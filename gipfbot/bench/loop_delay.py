"""How late the event loop is while the bot works, compared with a worker thread that runs the yardstick.

Beside a thread that never waits, the loop waits until the interpreter changes threads, which takes 5 ms on every
machine. It also waits for whatever else the machine does. The same holds while the bot works.

The limit: on a busy machine the bot made the loop at most 0.8 times as late as the yardstick did, in six runs of each
group. On a quiet machine 1.1 to 1.5 times are expected: the bot was 6 to 8 ms late in runs with little disturbance, and
a loop beside a busy thread is about 5.5 ms late. The older limit of 20 ms was 3.6 times as much.
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
    """Sleep a millisecond again and again, and note how late the loop wakes up."""

    def __init__(self) -> None:
        self.delays = list[float]()
        self.yardstick_delays = list[float]()
        self._noting = self.delays

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Probe the loop until the end of the block."""
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
        """Note separately, for so many seconds, how late the loop is while a worker runs the yardstick."""
        stop, self._noting = Event(), self.yardstick_delays
        worker = Thread(target=_run_until, args=(stop,), name="yardstick")
        worker.start()
        await asyncio.sleep(seconds)
        stop.set()
        worker.join()
        self._noting = self.delays

    def figures(self, group: str) -> Iterator[Figure]:
        """Yield the 99.9 % quantile of the delays with the bot and beside the yardstick, and their ratio."""
        late, beside = (quantile(delays, 0.999) for delays in (self.delays, self.yardstick_delays))
        yield Figure(f"{group}.loop_p99.9", 1000 * late, "ms")
        yield Figure(f"{group}.loop_yardstick_p99.9", 1000 * beside, "ms")
        yield Figure(f"{group}.loop_to_yardstick", late / beside, "times", at_most=LATER)


def _run_until(stop: Event) -> None:
    while not stop.is_set():
        run_yardstick()
