"""Rows of the table `due`: what must be done at a set time."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DueRow:
    """Something whose time has come."""

    id: int
    key: str
    game: int | None
    user: int
    at: int
