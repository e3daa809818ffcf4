"""Rows of the table `due`: what must be done at a set time."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DueRow:
    """An unfinished task. `key` identifies the task, and `at` is when it is due, in UTC seconds."""

    id: int
    key: str
    game: int | None
    user: int
    at: int
