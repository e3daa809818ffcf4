"""Run slow pure functions beside the event loop. People are served in rotation."""

import asyncio
from collections.abc import Callable, Hashable
from typing import ParamSpec, TypeVar

from gipfbot.engines.fair_queue import FairQueue
from gipfbot.store import end_snapshot

__all__ = ["Aside", "FairQueue"]
P = ParamSpec("P")
T = TypeVar("T")


class Aside:
    """Slow work in a thread, one job at a time: more threads would starve the loop.

    People are served in rotation, so the many jobs of one person delay nobody else.
    """

    def __init__(self) -> None:
        self._queue = FairQueue()

    async def run(self, person: Hashable | None, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what `work` returns. `person` is the person who waits for it; None if nobody in particular does.

        Ends the snapshot of this task: a task that waits must not hold a connection.

        `match.replay_turns` caches replayed games. So code may first replay a game aside, and then call functions that
        replay it again.
        """
        await end_snapshot()
        async with self._queue.slot(person):
            return await asyncio.to_thread(work, *args, **kwargs)
