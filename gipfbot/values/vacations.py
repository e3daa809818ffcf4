"""Vacations as they are stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Vacation:
    """A vacation; until `ended_at` is set, it goes on.

    `allowed` tells what the servers that have set it allowed when it began: days a year.
    """

    id: int
    user: int
    since: int
    until: int
    ended_at: int | None = None
    used: int = 0  # days of the year, this vacation included
    allowed: Mapping[int, int] = field(default_factory=dict)

    @property
    def over_at(self) -> int:
        """When it ends, or has ended."""
        return self.until if self.ended_at is None else self.ended_at
