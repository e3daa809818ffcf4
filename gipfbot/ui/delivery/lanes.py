"""Lanes: one for each channel and for each person. A lane posts its messages in order, and delays no other lane."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import count
from typing import Generic, TypeVar

log = logging.getLogger(__name__)
Row = TypeVar("Row")
MOST_LANES = 20  # lanes that post at the same time
TURN_SECONDS = 5  # then a lane gives way to lanes that have waited longer


class Lanes(Generic[Row]):
    """Posts the rows of the outbox in lanes. At most MOST_LANES post at once; the others take turns with them.

    `most_a_second` returns how many requests may go out in a second. It also limits how many lanes post at once: some
    messages take five requests, and a message that waits for too long is given up before it goes out.

    `find_rows` returns the rows that are due, by channel or person, in their order. It is asked again after each turn
    of a lane. `post_row` posts one of them, and returns False if its lane has to rest until the next call of `work`,
    because Discord takes no more messages there now.
    """

    def __init__(
        self,
        find_rows: Callable[[], Awaitable[Mapping[int, Sequence[Row]]]],
        post_row: Callable[[Row], Awaitable[bool]],
        most_a_second: Callable[[], int] = lambda: MOST_LANES,
    ) -> None:
        self._find_rows, self._post_row, self._most_a_second = find_rows, post_row, most_a_second
        self._running = dict[int, asyncio.Task[None]]()
        self._resting = set[int]()
        self._turns, self._last_turns = count(1), dict[int, int]()
        self._woken = asyncio.Event()
        self._working: asyncio.Task[None] | None = None

    async def work(self, seconds: float | None = None) -> None:
        """Post all rows that are due. Return when nothing is due any more, or after so many seconds.

        After that, the lanes go on posting in the background. A task with a snapshot of the database must not call
        this, because the lanes would share the snapshot.
        """
        self._resting.clear()
        self._woken.set()
        if self._working is None or self._working.done():
            _log_failure(self._working)
            self._working = asyncio.create_task(self._work(), name="lanes")
        working = self._working
        await asyncio.wait({working}, timeout=seconds)
        if working.done():
            self._working = None
            working.result()

    async def stop(self) -> None:
        """Stop all lanes. Rows that are not posted stay in the outbox."""
        if self._working:
            self._working.cancel()
            await asyncio.wait({self._working})

    async def _work(self) -> None:
        """Start lanes and wait for them until nothing is due."""
        try:
            while await self._start_lanes() or self._woken.is_set():
                await self._wait_for_change()
        finally:
            for lane in self._running.values():
                lane.cancel()
            await asyncio.gather(*self._running.values(), return_exceptions=True)
            self._running.clear()
            self._last_turns.clear()

    async def _start_lanes(self) -> bool:
        """Start a lane for each channel and person with due messages, up to the limit of lanes.

        Lanes whose last turn was longest ago come first. Return whether any lane is running.
        """
        self._woken.clear()
        found = await self._find_rows()
        idle = [each for each in found if each not in self._running and each not in self._resting]
        idle.sort(key=lambda each: self._last_turns.get(each, 0))
        most = min(MOST_LANES, self._most_a_second())
        for each in idle[: most - len(self._running)]:
            self._last_turns[each] = next(self._turns)
            self._running[each] = asyncio.create_task(self._run_lane(each, found[each]), name=f"lane {each}")
        return bool(self._running)

    async def _wait_for_change(self) -> None:
        """Wait until a lane ends, or until `work` is called. Raise the error of a lane that has failed."""
        woken = asyncio.create_task(self._woken.wait())
        try:
            await asyncio.wait({woken, *self._running.values()}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            woken.cancel()
        for each in [each for each, lane in self._running.items() if lane.done()]:
            self._running.pop(each).result()

    async def _run_lane(self, lane: int, rows: Sequence[Row]) -> None:
        """Post rows in order, until the turn of the lane is over."""
        loop = asyncio.get_running_loop()
        until = loop.time() + TURN_SECONDS
        for row in rows:
            if not await self._post_row(row):
                self._resting.add(lane)
                return
            if loop.time() > until:
                return


def _log_failure(ended: asyncio.Task[None] | None) -> None:
    """Log why the lanes have stopped in the background. They are started again."""
    if ended and not ended.cancelled() and (error := ended.exception()):
        log.error("the delivery had stopped", exc_info=error)
