"""What the host of the bot is told by direct message: at most once an hour, all at once."""

from collections.abc import Callable, Sequence

from gipfbot.store import Store, meta, outbox

OWNER_NEWS = "owner_news"
TOLD_KEY = "owner_told_at"  # the key of the time of the last message
TELL_SECONDS = 3600


class OwnerNews:
    """Queues the messages to the host. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def tell(self, owner: int, sentences: Sequence[str]) -> bool:
        """Queue a direct message with these sentences. Return False if the last one is less than an hour ago."""
        now = self.now()
        async with self.store.transaction() as db:
            if 0 <= now - int(await meta.load_value(db, TOLD_KEY) or 0) < TELL_SECONDS:
                return False
            await meta.save_value(db, TOLD_KEY, str(now))
            await outbox.owe(db, f"{OWNER_NEWS}:{now}", OWNER_NEWS, owner, {"sentences": [*sentences]}, now)
        return True
