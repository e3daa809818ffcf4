"""The version of the bot's commands that Discord has."""

from gipfbot.store import Store, meta


class SyncedCommands:
    """Remembers which commands were last sent to Discord, by a hash of the commands (`digest`)."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def commands_synced(self, digest: str) -> bool:
        """Return whether the commands with this hash were the last sent to Discord."""
        async with self.store.reading() as db:
            return await meta.load_value(db, "commands") == digest

    async def note_commands(self, digest: str) -> None:
        """Store the hash of the commands that were sent to Discord."""
        async with self.store.transaction() as db:
            await meta.save_value(db, "commands", digest)
