"""What people show to everybody in a channel: once for each private message, and not too often.

A person's own rows of the outbox are counted, so the limit holds in all processes and after a restart.
"""

from collections.abc import Callable, Mapping
from typing import Any

from gipfbot.match import DAY, Refused, Why
from gipfbot.service.kit.message_kinds import MessageKind, owe_to_caller
from gipfbot.store import Store, outbox
from gipfbot.values import OutboxRow

SHOWN = MessageKind("shown", "what you showed in a channel", people=("by", "player", "against", "seats", "names"))
MOST_SHOWN, SHOWN_WITHIN = 5, 10 * 60  # of one person within so many seconds
SHOWABLE = 7 * DAY  # the age of the oldest private message that can be shown: its row is kept longer than that


class Showing:
    """Queues what people show. `now` returns UTC seconds. Does not check who may see it, or who may post there."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def show(
        self, by: int, message: int, sent_at: int, which: str, channel: int, payload: Mapping[str, Any]
    ) -> tuple[OutboxRow, ...]:
        """Queue what a person shows from their private message, which was sent at `sent_at`. Lease its row.

        `which` tells the things apart that one message can show. Raises Refused if they have shown it from this
        message (unless Discord did not take it), if the message is older than SHOWABLE, or if they have shown
        MOST_SHOWN things within SHOWN_WITHIN seconds.
        """
        own, now = f"{SHOWN}:{by}:", self.now()
        if sent_at + SHOWABLE < now:
            raise Refused(Why.SHOWN_TOO_LATE)
        async with self.store.transaction() as db:
            if await outbox.is_used(db, key := f"{own}{message}:{which}"):
                raise Refused(Why.SHOWN_ALREADY)
            await outbox.forget_dropped(db, key)
            lately = await outbox.owed_lately(db, own, f"{own}~", now - SHOWN_WITHIN, MOST_SHOWN)
            if len(lately) == MOST_SHOWN:
                raise Refused(Why.SHOWN_TOO_OFTEN, most=MOST_SHOWN, at=min(lately) + SHOWN_WITHIN + 1)
            return await owe_to_caller(db, key, SHOWN, channel, {**payload, "by": by}, now, by=by)

    async def shown_with(self, mark: str) -> Mapping[str, Any] | None:
        """Return the payload of a posted row with this mark; None if it has lost it after some days, or is gone."""
        async with self.store.reading() as db:
            return await outbox.payload_with_mark(db, SHOWN, mark)
