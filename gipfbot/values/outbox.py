"""What has to be posted, as whoever delivers it sees it."""

from dataclasses import dataclass
from typing import Any

THREAD = "thread"  # the kind of row whose `message` is a thread, which has the id of the message it was made from


@dataclass(frozen=True)
class OutboxRow:
    """A leased row. `attempts` counts this lease too; `first_tried_at` is the time of the first one.

    `mark` is random and stands in the message; the post is made with it as its nonce.
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
