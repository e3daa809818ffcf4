"""Store state for Discord's gateway: when shards identified, and which commands were sent."""

import json
from collections.abc import Callable, Mapping

from gipfbot.store import Store, meta

IDENTIFY_SECONDS = 7  # Discord wants 5; clocks are read in whole seconds, and a request may take one
LONGEST_WAIT = 1800  # seconds; a turn after that was planned while the clock of a machine was wrong

_DIGEST_KEY, _IDS_KEY = "commands", "command_ids"


class IdentifyTurns:
    """The turns of the shards to identify. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def reserve(self, shard: int, groups: int = 1) -> int:
        """Return the seconds until a shard may identify. No other shard of its group gets the same turn.

        A shard belongs to one of `groups` groups. If a process dies before its turn, its successor gets the turn, so
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


class SyncedCommands:
    """Remembers which commands were last sent to Discord, by a hash of the commands (`digest`), and their ids."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def command_ids(self, digest: str) -> dict[str, int] | None:
        """Return the ids of the commands with this hash, by name. A group of commands has one id.

        Return None unless they were the last sent to Discord, and their ids are known.
        """
        async with self.store.reading() as db:
            last, ids = await meta.load_value(db, _DIGEST_KEY), await meta.load_value(db, _IDS_KEY)
        return None if last != digest or ids is None else json.loads(ids)

    async def note_commands(self, digest: str, ids: Mapping[str, int]) -> None:
        """Store the hash of the commands that were sent to Discord, and the ids that they got."""
        async with self.store.transaction() as db:
            await meta.save_value(db, _DIGEST_KEY, digest)
            await meta.save_value(db, _IDS_KEY, json.dumps(ids))
