"""Counts of the requests to Discord: how many went out lately, and how many of them were invalid."""

import asyncio
import time
from collections import deque
from collections.abc import Callable

INVALID_SECONDS, MOST_INVALID = 600, 5_000  # Discord bans the host's address at 10,000 invalid requests in that time
FEW_INVALID = 2_500  # after a stop, requests go on when no more than these are left
RECENT_SECONDS, MOST_RECENT = 1, 20  # Discord allows 50 requests a second
MOST_A_SECOND = 45  # of several processes together, as requests do not arrive as evenly as they go out


class SlidingCount:
    """How often something happened within the last `seconds`.

    `steady` returns the seconds of a clock that cannot be set.
    """

    def __init__(self, seconds: float, steady: Callable[[], float] = time.monotonic) -> None:
        self.seconds, self.steady = seconds, steady
        self._moments = deque[float]()

    def add(self) -> None:
        """Count one more, now."""
        self._forget_old()
        self._moments.append(self.steady())

    @property
    def count(self) -> int:
        """How often it happened within the last seconds."""
        self._forget_old()
        return len(self._moments)

    def _forget_old(self) -> None:
        latest_forgotten = self.steady() - self.seconds
        while self._moments and self._moments[0] <= latest_forgotten:
            self._moments.popleft()


class InvalidRequests(SlidingCount):
    """The invalid requests of the last INVALID_SECONDS: those that Discord answered with 401, 403 or 429.

    `share` is how much of what Discord allows is for this process.
    """

    def __init__(self, steady: Callable[[], float] = time.monotonic, share: float = 1) -> None:
        super().__init__(INVALID_SECONDS, steady)
        self._share, self._stopped = share, False

    @property
    def few(self) -> int:
        """How many may be left when requests go on after a stop."""
        return int(FEW_INVALID * self._share)

    @property
    def stopped(self) -> bool:
        """Whether only answers to interactions may go out: from the share of MOST_INVALID on, until few are left."""
        self._stopped = self.count > self.few if self._stopped else self.count >= MOST_INVALID * self._share
        return self._stopped


class RecentRequests(SlidingCount):
    """The requests of the last second that count for Discord's limit. Answers to interactions do not count."""

    def __init__(self, steady: Callable[[], float] = time.monotonic, share: float = 1) -> None:
        super().__init__(RECENT_SECONDS, steady)
        self._share = share

    @property
    def busy(self) -> bool:
        """Whether so many went out that a request which can be spared should not be made."""
        return self.count > MOST_RECENT * self._share


class Pace:
    """Spreads requests, so that at most `most` go out in a second, in the order in which they come."""

    def __init__(self, most: int, steady: Callable[[], float] = time.monotonic) -> None:
        self.most, self._steady = most, steady
        self._moments = deque[float](maxlen=most)  # of the last requests
        self._head = asyncio.Lock()  # of the queue

    async def wait(self) -> None:
        """Wait until the next request may go out. One that is given up meanwhile takes nothing from the others."""
        async with self._head:
            await asyncio.sleep(self._delay())
            self._moments.append(self._steady())

    def _delay(self) -> float:
        """Return in how many seconds the next request may go out."""
        is_full = len(self._moments) == self.most
        return max(0, self._moments[0] + RECENT_SECONDS - self._steady()) if is_full else 0
