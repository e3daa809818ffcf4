"""Per-person state in memory: tokens, interactions being handled, texts for the next form, names. A restart loses it.

One person's requests never take all connections to the database or all threads. If a person sends too many at once,
the surplus requests are acknowledged, and wait until one is done.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

TOKEN = 60  # parts of a token: `per_minute` parts come back in a second

MOST_AT_ONCE = 4

MOST_KEPT_TEXTS = 1_000
MOST_KNOWN_NAMES = 10_000


class TokenBuckets:
    """A bucket of tokens for each person. Each use takes a token, and tokens come back with time.

    A bucket holds `size` tokens, and `per_minute` of them come back in a minute. Full buckets are forgotten, so only
    recent users take up memory.
    """

    def __init__(self, size: int, per_minute: int) -> None:
        self._full, self._per_second = size * TOKEN, per_minute
        self._buckets = dict[int, tuple[int, int]]()  # parts of tokens, and when they were counted; the latest last

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, person: int, now: int) -> int:
        """Take a token of a person and return 0. If there is none, return the seconds until there is one.

        `now` is in seconds. If it is earlier than in a call before, no tokens come back for that time.
        """
        parts = self._parts_now(person, now)
        self._buckets.pop(person, None)
        self._forget_full_buckets(now)
        has_token = parts >= TOKEN
        self._buckets[person] = parts - TOKEN * has_token, now
        return 0 if has_token else -(-(TOKEN - parts) // self._per_second)

    def _parts_now(self, person: int, now: int) -> int:
        parts, counted_at = self._buckets.get(person, (self._full, now))
        return min(self._full, parts + self._per_second * max(0, now - counted_at))

    def _forget_full_buckets(self, now: int) -> None:
        """Forget full buckets, the least recently used first. Stop at the first bucket that is not full."""
        while self._buckets:
            person = next(iter(self._buckets))
            if self._parts_now(person, now) < self._full:
                return
            del self._buckets[person]


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


class KeptTexts:
    """The last text of each person for each purpose, such as `note:12`. The oldest ones are dropped, above `most`."""

    def __init__(self, most: int = MOST_KEPT_TEXTS) -> None:
        self._texts, self._most = OrderedDict[tuple[int, str], str](), most

    def keep(self, user: int, purpose: str, text: str) -> None:
        """Store a person's text for a purpose. It replaces their earlier one.

        If there are too many now, the oldest text of all people is dropped.
        """
        self._texts[user, purpose] = text
        self._texts.move_to_end((user, purpose))
        if len(self._texts) > self._most:
            self._texts.popitem(last=False)

    def find(self, user: int, purpose: str) -> str | None:
        """Return the text that is kept for a person and a purpose; None if there is none."""
        return self._texts.get((user, purpose))

    def forget(self, user: int, purpose: str) -> None:
        """Drop the text that is kept for a person and a purpose, if there is one."""
        self._texts.pop((user, purpose), None)
