"""Messages to post, as a deliverer sees them."""

from dataclasses import dataclass
from typing import Any, NamedTuple

THREAD = "thread"  # in rows of this kind `message` is a thread, which has the id of the message it was made from


@dataclass(frozen=True)
class OutboxRow:
    """A leased row of the outbox. `attempts` includes this lease; `first_tried_at` is the time of the first lease.

    `mark` is a random text. It is the nonce of the post, and the message carries it too.
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
