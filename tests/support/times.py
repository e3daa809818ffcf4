"""Lengths of time in seconds, and the moment at which tests begin."""

from datetime import UTC, datetime

MINUTE, HOUR, DAY = 60, 3600, 24 * 3600
WEEK, MONTH = 7 * DAY, 30 * DAY
NOW = 1_800_000_000


def parse_moment(text: str) -> int:
    """Return a moment in UTC, written `2026-01-05 12:00`."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


HANGS = 60  # seconds; on any machine, only what waits for ever takes as long
