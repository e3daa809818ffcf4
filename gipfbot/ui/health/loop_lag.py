"""How late the event loop is: a call that should come every half second is compared with the clock."""

import asyncio

TICK_SECONDS = 0.5


class LoopLag:
    """Measures the lag while it runs."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._most = 0.0
        self._due = self._loop.time() + TICK_SECONDS
        self._handle = self._loop.call_at(self._due, self._tick)

    def take_most(self) -> float:
        """Return the greatest lag in seconds since the last call, and begin anew."""
        most, self._most = max(self._most, self._loop.time() - self._due), 0.0
        return max(0.0, most)

    def stop(self) -> None:
        """Stop measuring."""
        self._handle.cancel()

    def _tick(self) -> None:
        now = self._loop.time()
        self._most = max(self._most, now - self._due)
        self._due = now + TICK_SECONDS
        self._handle = self._loop.call_at(self._due, self._tick)
