"""Counts of the requests to Discord: how many went out lately, and how many of them were invalid."""

import time
from collections import deque
from collections.abc import Callable

INVALID_SECONDS, MOST_INVALID = 600, 5_000  # Discord bans the host's address at 10,000 invalid requests in that time
FEW_INVALID = 2_500  # after a stop, requests go on when no more than these are left
RECENT_SECONDS, MOST_RECENT = 1, 20  # Discord allows 50 requests a second


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
    """The invalid requests of the last INVALID_SECONDS: those that Discord answered with 401, 403 or 429."""

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        super().__init__(INVALID_SECONDS, steady)
        self._stopped = False

    @property
    def stopped(self) -> bool:
        """Whether only answers to interactions may go out: from MOST_INVALID on, until FEW_INVALID are left."""
        self._stopped = self.count > FEW_INVALID if self._stopped else self.count >= MOST_INVALID
        return self._stopped


class RecentRequests(SlidingCount):
    """The requests of the last second that count for Discord's limit. Answers to interactions do not count."""

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        super().__init__(RECENT_SECONDS, steady)

    @property
    def busy(self) -> bool:
        """Whether so many went out that a request which can be spared should not be made."""
        return self.count > MOST_RECENT
