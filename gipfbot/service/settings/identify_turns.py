"""When a shard may identify to Discord: one every some seconds of each group, whichever process it is in."""

from collections.abc import Callable

from gipfbot.store import Store, meta

IDENTIFY_SECONDS = 7  # Discord wants 5; clocks are read in whole seconds, and a request may take one
LONGEST_WAIT = 1800  # seconds; a turn after that was planned while the clock of a machine was wrong


class IdentifyTurns:
    """The turns of the shards to identify. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def reserve(self, group: int) -> int:
        """Return in how many seconds a shard of this group may identify. No other shard of it gets the same turn.

        A process that dies before leaves its turn unused.
        """
        key = f"identified:{group}"
        async with self.store.transaction() as db:
            now, last = self.now(), int(await meta.load_value(db, key) or 0)
            at = max(now, last + IDENTIFY_SECONDS) if last < now + LONGEST_WAIT else now
            await meta.save_value(db, key, str(at))
        return at - now
