"""Deletions of people's data, as they are stored while they run."""

from typing import NamedTuple


class Deletion(NamedTuple):
    """The deletion of a person's data, which began at `began_at`, in UTC seconds.

    If `games_done` is negative, what is theirs alone is not deleted yet. Then follow their challenges with ids up to
    `challenges_left`, the newest first; then their games with ids above `games_done`; then the outbox rows with ids up
    to `rows_left`, the newest first. Challenges and rows behind those were made after the deletion had begun.
    """

    user: int
    pseudonym: int
    began_at: int
    games_done: int
    rows_left: int
    challenges_left: int = 0
