"""Vital signs: whether the database can be written, and figures about what the bot has to do."""

from collections.abc import Callable

from gipfbot.store import Store, game_lists, health, servers, try_writing
from gipfbot.values import HostFigures, ServerState

MOST_CHANNELS = 20  # that refuse boards, for one server


class VitalSigns:
    """Reads the vital signs. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    @property
    def commits(self) -> int:
        """How many transactions were committed since the start."""
        return self.store.commits

    @property
    def disk_faults(self) -> int:
        """How many statements failed since the start because the file could not be read or written."""
        return self.store.troubles.count

    @property
    def last_disk_fault(self) -> str:
        """Why the last of them failed."""
        return self.store.troubles.last_said

    async def write_trial(self) -> str:
        """Write one row, as games are written. Return why it failed; empty if it did not."""
        return await try_writing(self.store, self.now())

    async def host_figures(self) -> HostFigures:
        """Return the figures about the bot as a whole."""
        async with self.store.reading() as db:
            owed, oldest = await health.owed_messages(db)
            return HostFigures(
                await game_lists.count_all_running(db),
                owed,
                oldest,
                await health.count_undeliverable_servers(db),
                await health.database_bytes(db),
            )

    async def server_state(self, server: int) -> ServerState:
        """Return what the bot has to do on one server."""
        async with self.store.reading() as db:
            return ServerState(
                await servers.count_running_on_server(db, server),
                await health.count_owed_on_server(db, server),
                tuple(await health.refusing_channels(db, server, MOST_CHANNELS)),
            )
