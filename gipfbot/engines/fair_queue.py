"""A queue for one job at a time, in which people are served in rotation."""

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from itertools import count


class FairQueue:
    """A queue for one job at a time. The next job is the cheapest of the person who was served longest ago.

    So a new person's job waits only for the running job, and for one job of each person who waited before.
    """

    def __init__(self) -> None:
        self._served: Hashable | None = None  # whose job is running; None if no job is
        # Of each person a heap of costs, numbers and places. The person who is served next comes first.
        self._waiting = dict[Hashable, list[tuple[int, int, asyncio.Future[None]]]]()
        self._numbers = count()

    @asynccontextmanager
    async def slot(self, person: Hashable | None = None, cost: int = 0) -> AsyncIterator[None]:
        """Wait for the slot, and hold it until the end of the `with` block. Each None counts as a new person.

        Of a person's jobs with the same cost, the first to come goes first.
        """
        await self._wait_for_slot(object() if person is None else person, cost)
        try:
            yield
        finally:
            self._pass_on()

    @property
    def length(self) -> int:
        """How many jobs wait for the slot. Any thread may ask."""
        return sum(not place.cancelled() for places in [*self._waiting.values()] for _, _, place in [*places])

    async def _wait_for_slot(self, person: Hashable, cost: int) -> None:
        if self._served is None:
            self._served = person
            return
        place = asyncio.get_running_loop().create_future()
        heappush(self._waiting.setdefault(person, []), (cost, next(self._numbers), place))
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():  # the slot was given just before the cancellation
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """Let the next job begin. The person whose job has ended goes to the end of the queue with their others."""
        if others := self._waiting.pop(self._served, None):
            self._waiting[self._served] = others
        self._served = None
        while self._waiting and self._served is None:
            person, places = next(iter(self._waiting.items()))
            _, _, place = heappop(places)
            if not places:
                del self._waiting[person]
            if not place.cancelled():
                self._served = person
                place.set_result(None)
