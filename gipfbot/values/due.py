"""What becomes due by itself at some time."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DueRow:
    """Something whose time has come."""

    id: int
    key: str
    game: int | None
    user: int
    at: int
