"""Vacations as they are stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Vacation:
    """A vacation. It goes on until `ended_at` is set.

    `allowed` maps server ids to the days a year that each server allowed when the vacation began. Servers that
    had set no number are left out.
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
        """The moment at which the vacation ended or will end."""
        return self.until if self.ended_at is None else self.ended_at
