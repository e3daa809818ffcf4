"""A queue in which the most urgent goes first. Of two that are as urgent, it is the one that came first."""

import asyncio
import heapq
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import IntEnum
from itertools import count


class Urgency(IntEnum):
    """What goes first."""

    PRACTICE = 0  # it is short, and a person waits for it
    TURN = 1
    ANALYSIS = 2
    PUZZLE = 3


class UrgencyQueue:
    """One task has the slot at a time. What has the slot is never interrupted."""

    def __init__(self) -> None:
        self._taken = False
        self._waiting: list[tuple[Urgency, int, asyncio.Future[None]]] = []
        self._numbers = count()

    @asynccontextmanager
    async def slot(self, urgency: Urgency) -> AsyncIterator[None]:
        """Wait for the slot, and hold it until the end of the `with` block. A cancelled task leaves the queue."""
        await self._wait_for_slot(urgency)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait_for_slot(self, urgency: Urgency) -> None:
        if not self._taken:
            self._taken = True
            return
        place = asyncio.get_running_loop().create_future()
        waiting = (urgency, next(self._numbers), place)
        heapq.heappush(self._waiting, waiting)
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():  # the slot came just before the end
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            _, _, place = heapq.heappop(self._waiting)
            if not place.done():
                place.set_result(None)
                return
        self._taken = False
