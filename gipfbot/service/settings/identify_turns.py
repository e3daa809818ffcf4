"""When a shard may identify to Discord: one every some seconds of each group, whichever process it is in."""

from collections.abc import Callable

from gipfbot.store import Store, meta

IDENTIFY_SECONDS = 7  # Discord wants 5; clocks are read in whole seconds, and a request may take one
LONGEST_WAIT = 1800  # seconds; a turn after that was planned while the clock of a machine was wrong


class IdentifyTurns:
    """The turns of the shards to identify. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def reserve(self, shard: int, groups: int = 1) -> int:
        """Return in how many seconds a shard may identify. No other shard of its group gets the same turn.

        A shard belongs to one of so many groups. A process that dies before leaves the turn to its successor, so that
        processes that die again and again hold up nobody.
        """
        group = shard % groups
        last_key, own_key = f"identified:{group}", f"identifies:{group}:{shard}"
        async with self.store.transaction() as db:
            now, latest = self.now(), self.now() + LONGEST_WAIT
            last, own = [int(await meta.load_value(db, key) or 0) for key in (last_key, own_key)]
            if now < own <= last < latest:
                return own - now
            at = max(now, last + IDENTIFY_SECONDS) if last < latest else now
            for key in (last_key, own_key):
                await meta.save_value(db, key, str(at))
        return at - now
