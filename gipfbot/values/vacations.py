"""Vacations as they are stored."""

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Vacation:
    """A vacation. It goes on until `ended_at` is set."""

    id: int
    user: int
    since: int
    until: int
    ended_at: int | None = None

    @property
    def over_at(self) -> int:
        """The moment at which the vacation ended or will end."""
        return self.until if self.ended_at is None else self.ended_at


class VacationGame(NamedTuple):
    """What a person's vacation depends on in one of their running games.

    `deadline` is the end of their time, or of their grace if they are `flagged`; None unless it is their turn and their
    clock runs.
    """

    id: int
    began: int
    allowed: int  # vacation days a year, by the terms of the game
    deadline: int | None
    flagged: bool

    @property
    def days(self) -> tuple[int, int]:
        """What the vacation days in the game depend on: how many are allowed, and when the game began."""
        return self.allowed, self.began
