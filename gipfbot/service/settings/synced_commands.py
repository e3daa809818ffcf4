"""Which commands Discord knows."""

from gipfbot.store import Store, meta


class SyncedCommands:
    """The commands that Discord knows, by their digest."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def commands_synced(self, digest: str) -> bool:
        """Return whether Discord knows these commands."""
        async with self.store.reading() as db:
            return await meta.load_value(db, "commands") == digest

    async def note_commands(self, digest: str) -> None:
        """Note that Discord knows these commands."""
        async with self.store.transaction() as db:
            await meta.save_value(db, "commands", digest)
