"""Things that become due at a time."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DueRow:
    """Something whose time has come."""

    id: int
    key: str
    game: int | None
    user: int
    at: int
