"""Token buckets: how fast one person may use something. Pure: `now` is an argument."""

TOKEN = 60  # parts of a token: as many come back in a second as tokens in a minute


class TokenBuckets:
    """A bucket of tokens for each person. Each use takes a token, and tokens come back with time.

    A bucket holds `size` tokens, and `per_minute` of them come back in a minute. Full buckets are forgotten, so only
    the people who were here lately take up memory.
    """

    def __init__(self, size: int, per_minute: int) -> None:
        self._full, self._per_second = size * TOKEN, per_minute
        self._buckets = dict[int, tuple[int, int]]()  # parts of tokens, and when they were counted; the latest last

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, person: int, now: int) -> int:
        """Take a token of a person. Return 0, or the seconds until there is one if there is none now.

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
        """Forget buckets, the least lately used first, up to the first bucket that is not full again."""
        while self._buckets:
            person = next(iter(self._buckets))
            if self._parts_now(person, now) < self._full:
                return
            del self._buckets[person]
