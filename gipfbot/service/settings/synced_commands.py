"""The version of the bot's commands that Discord has, and the ids that Discord has given them."""

import json
from collections.abc import Mapping

from gipfbot.store import Store, meta

_DIGEST_KEY, _IDS_KEY = "commands", "command_ids"


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
