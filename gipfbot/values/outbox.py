"""Messages to post, as a deliverer sees them."""

from dataclasses import dataclass
from typing import Any

THREAD = "thread"  # in rows of this kind `message` is a thread, which has the id of the message it was made from


@dataclass(frozen=True)
class OutboxRow:
    """A leased row. `attempts` counts this lease too; `first_tried_at` is the time of the first lease.

    `mark` is random. The message carries it, and is posted with it as the nonce.
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
