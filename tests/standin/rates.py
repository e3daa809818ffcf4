"""How often a bot may ask Discord: 50 requests a second in all, and 5 messages in 5 seconds for each channel.

Answers to interactions do not count. Without `Rates`, the stand-in answers as often as it is asked.
"""

import re
import time
from collections import defaultdict, deque
from typing import NamedTuple

from .errors import Json

IN_ALL, SECOND = 50, 1.0
IN_CHANNEL, WINDOW = 5, 5.0
EXEMPT = ("/interactions/", "/webhooks/")
_MESSAGES = re.compile(r"/channels/(\d+)/messages(/\d+)?")
_METHODS = {"POST", "PATCH", "DELETE"}


class Admission(NamedTuple):
    """What Discord says of a request: the headers of its answer, and whether it is refused with 429."""

    headers: dict[str, str]
    refused: Json | None = None


class Rates:
    """Counts requests. A request that is refused counts, too, as on Discord."""

    def __init__(self) -> None:
        self.refused = 0
        self._all = deque[float]()
        self._windows: dict[tuple[str, str], tuple[float, int]] = defaultdict(lambda: (0.0, 0))

    def admit(self, method: str, path: str) -> Admission:
        """Count a request, and return what Discord says of it."""
        if path.startswith(EXEMPT):
            return Admission({})
        now = time.monotonic()
        while self._all and self._all[0] <= now - SECOND:
            self._all.popleft()
        self._all.append(now)
        if len(self._all) > IN_ALL:
            return self._refuse(self._all[0] + SECOND - now, {"X-RateLimit-Global": "true"}, everywhere=True)
        found = _MESSAGES.fullmatch(path)
        if method not in _METHODS or not found:
            return Admission({})
        return self._admit_to_channel((f"{method}{'/' if found[2] else ''}", found[1]), now)

    def _admit_to_channel(self, bucket: tuple[str, str], now: float) -> Admission:
        begun, used = self._windows[bucket]
        if now >= begun + WINDOW:
            begun, used = now, 0
        self._windows[bucket] = begun, used + 1
        left = begun + WINDOW - now
        headers = {
            "X-RateLimit-Bucket": ":".join(bucket),
            "X-RateLimit-Limit": str(IN_CHANNEL),
            "X-RateLimit-Remaining": str(max(IN_CHANNEL - used - 1, 0)),
            "X-RateLimit-Reset": f"{time.time() + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
        }
        return Admission(headers) if used < IN_CHANNEL else self._refuse(left, headers, everywhere=False)

    def _refuse(self, seconds: float, headers: dict[str, str], *, everywhere: bool) -> Admission:
        self.refused += 1
        content = {"code": 0, "message": "You are being rate limited.", "retry_after": seconds, "global": everywhere}
        return Admission({**headers, "Retry-After": f"{seconds:.3f}", "Via": "1.1 stand-in"}, content)
