"""Much of the same work, a little of it at a time: while it is done, other people's commands go on."""

import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TypeVar

from gipfbot.store import Connection, Store, UnreadableGame

log = logging.getLogger(__name__)
BATCH_SIZE = 50  # in one transaction; whoever writes meanwhile waits for no more than one
Item = TypeVar("Item")


def split_into_batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Return the items in order, so many at a time."""
    return (items[first : first + size] for first in range(0, len(items), size))


async def for_each(store: Store, items: Sequence[Item], do: Callable[[Connection, Item], Awaitable[None]]) -> None:
    """Do something for each item, in transactions of some of them.

    What fails is undone and logged by itself: it keeps none of the others from being done. Games that cannot be read
    are passed over.
    """
    for some in split_into_batches(items, BATCH_SIZE):
        async with store.transaction() as db:
            for item in some:
                try:
                    async with db.begin_nested():
                        await do(db, item)
                except UnreadableGame:
                    pass  # it was logged when it was first met
                except Exception:
                    log.exception("%s failed", item)
