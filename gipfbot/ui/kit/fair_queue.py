"""A queue in which people take turns, so that the many jobs of one person hold up nobody else for long."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager


class FairQueue:
    """One job runs at a time. When it ends, the next job is one of the person who has waited longest for a turn.

    So a new job of somebody else waits for the running job only, and for one job of each person who waited before.
    """

    def __init__(self) -> None:
        self._served: Hashable | None = None  # whose job is running; None if no job is
        self._waiting = dict[Hashable, deque[asyncio.Future[None]]]()  # the person whose turn is next comes first

    @asynccontextmanager
    async def turn(self, person: Hashable | None = None) -> AsyncIterator[None]:
        """Wait for a turn, and hold it until the end of the `with` block. None is somebody new at each call."""
        await self._wait_for_turn(object() if person is None else person)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait_for_turn(self, person: Hashable) -> None:
        if self._served is None:
            self._served = person
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(person, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the turn came just before the end
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """Let the next job begin. The person whose job has ended goes to the end of the queue with their others."""
        if others := self._waiting.pop(self._served, None):
            self._waiting[self._served] = others
        self._served = None
        while self._waiting and self._served is None:
            person, turns = next(iter(self._waiting.items()))
            turn = turns.popleft()
            if not turns:
                del self._waiting[person]
            if not turn.cancelled():
                self._served = person
                turn.set_result(None)
