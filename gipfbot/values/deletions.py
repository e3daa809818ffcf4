"""Deletions of people's data, as they are stored while they run."""

from typing import NamedTuple


class Deletion(NamedTuple):
    """The deletion of a person's data, which began at `began_at`, in UTC seconds.

    Their games with ids up to `games_done` are done. Then follow the outbox rows with ids up to `rows_left`, the newest
    first. Rows behind those were written after the deletion had begun.
    """

    user: int
    pseudonym: int
    began_at: int
    games_done: int
    rows_left: int
