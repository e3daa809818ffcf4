"""How many interactions of one person are handled at once. The others wait, acknowledged, until one of them is done.

So the requests of one person, however many, leave connections to the database and threads to everybody else.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

MOST_AT_ONCE = 4


class HandledAtOnce:
    """Slots for the interactions of each person. They are served in the order in which they came."""

    def __init__(self) -> None:
        self._slots: WeakValueDictionary[int, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def slot(self, person: int) -> AsyncIterator[None]:
        """Wait for one of a person's MOST_AT_ONCE slots, and hold it until the end of the `with` block.

        A task that holds a slot must not wait for another one of the same person.
        """
        slots = self._slots.setdefault(person, asyncio.Semaphore(MOST_AT_ONCE))
        async with slots:
            yield
