"""Long work in small transactions, so that other people's commands go on meanwhile."""

import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TypeVar

from gipfbot.store import Connection, Store
from gipfbot.values import UnreadableGame

log = logging.getLogger(__name__)
BATCH_SIZE = 50  # items in one transaction; other writers wait for no more than one
Item = TypeVar("Item")


def split_into_batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Return the items in order, in batches of this size."""
    return (items[first : first + size] for first in range(0, len(items), size))


async def for_each(store: Store, items: Sequence[Item], do: Callable[[Connection, Item], Awaitable[None]]) -> None:
    """Do something for each item, in transactions of a batch each.

    An item that fails is rolled back and logged alone; all others are still done. Games that cannot be read are
    passed over.
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
