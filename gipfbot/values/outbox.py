"""Messages to post, and other work that is owed: due rows, deletions, batches of old rows."""

from dataclasses import dataclass
from typing import Any, NamedTuple

THREAD = "thread"  # in rows of this kind `message` is a thread, which has the id of the message it was made from


@dataclass(frozen=True)
class OutboxRow:
    """A leased row of the outbox. `attempts` includes this lease; `first_tried_at` is the time of the first lease.

    `mark` is a random text. It is the nonce of the post, and the message carries it too. Times are UTC seconds.

    >>> row = OutboxRow(5, "board:7:3", "a1b2c3d4", "board", 2, 7, {"game": 7}, 1, 1_800_000_000, 1_800_000_000)
    >>> row.payload["game"] == row.game
    True
    """

    id: int
    key: str
    mark: str
    kind: str
    channel: int
    game: int | None
    payload: dict[str, Any]
    attempts: int
    created_at: int
    first_tried_at: int


class StoredMessage(NamedTuple):
    """A row of the outbox, owed or settled. `message` is what was posted; `dropped` says why nothing was."""

    id: int
    key: str
    kind: str
    channel: int
    game: int | None
    payload: dict[str, Any]
    message: int | None
    created_at: int
    done_at: int | None
    dropped: str | None


class LastOwed(NamedTuple):
    """The newest of some rows of the outbox."""

    id: int
    channel: int
    payload: dict[str, Any]
    attempts: int
    not_before: int
    done_at: int | None

    @property
    def is_untried(self) -> bool:
        """Whether nobody has tried to post it yet, so that it can still change."""
        return self.done_at is None and not self.attempts

    @property
    def posted_about(self) -> int:
        """When it was settled, or else when it is tried next."""
        return self.done_at or self.not_before


class SettledRow(NamedTuple):
    """A row of the outbox that is posted or dropped. `done_at` is when, in UTC seconds."""

    id: int
    key: str
    kind: str
    game: int | None
    done_at: int


@dataclass(frozen=True)
class DueRow:
    """An unfinished task. `key` identifies the task, and `at` is when it is due, in UTC seconds."""

    id: int
    key: str
    game: int | None
    user: int
    at: int


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


class Place(NamedTuple):
    """A place in an order by time and then by id."""

    at: int = 0  # UTC seconds
    id: int = 0


class Batch(NamedTuple):
    """The next rows of a table to look at: those behind a place whose time is at `until` or earlier."""

    until: int  # UTC seconds
    behind: Place = Place()
    limit: int = 50  # other writers wait for so many rows
