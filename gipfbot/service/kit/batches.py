"""Long work in small transactions, so that other people's commands are not held up."""

import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TypeVar

from gipfbot.store import Connection, Store
from gipfbot.values import UnreadableGame

log = logging.getLogger(__name__)
BATCH_SIZE = 50  # items in one transaction; other writers wait for at most one transaction
Item = TypeVar("Item")


def split_into_batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Return an iterator over the items in order, in batches of `size` items."""
    return (items[first : first + size] for first in range(0, len(items), size))


async def for_each(store: Store, items: Sequence[Item], do: Callable[[Connection, Item], Awaitable[None]]) -> None:
    """Call `do` with each item, in transactions of BATCH_SIZE items.

    If `do` fails for an item, that item alone is rolled back and logged. An item whose game is unreadable is rolled
    back without a log entry.
    """
    for some in split_into_batches(items, BATCH_SIZE):
        async with store.transaction() as db:
            for item in some:
                try:
                    async with db.begin_nested():
                        await do(db, item)
                except UnreadableGame:
                    pass  # an unreadable game is logged when it is first met
                except Exception:
                    log.exception("%s failed", item)
