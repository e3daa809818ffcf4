"""A bot and a backup of its database, on which another bot can be started."""

from pathlib import Path

from gipfbot.service.app import App, create_app
from gipfbot.service.clock import downtime
from gipfbot.store import Store, timelines
from gipfbot.store.database_file import TIMELINE, file_beside
from gipfbot.values import NO_LIMITS
from tests.service.helpers import Host, begin_game
from tests.support.stores import back_up, database_url, put_back


class Copied:
    """A bot with a backup of its database. `go_back` starts another bot on the backup."""

    def __init__(self, store: Store, host: Host, file: Path) -> None:
        self.store, self.host = store, host
        self.file, self.backup = file, file.with_name("backup.sqlite3")
        self.app = self._app(store)

    def _app(self, store: Store) -> App:
        timeline_file = file_beside(self.file, TIMELINE)
        return create_app(store, lambda: self.host.now, lambda: True, limits=NO_LIMITS, timeline_file=timeline_file)

    async def begin(self) -> None:
        """Start the bot."""
        async with self.store.transaction() as db:
            await downtime.note_alive(db, self.host.now)
        await self.app.timelines.begin()

    async def back_up(self) -> None:
        """Make the backup."""
        await back_up(self.file, self.backup)

    async def go_back(self, *, is_clean: bool = True) -> App:
        """End the bot, put the backup in the place of its database, and start it again."""
        if is_clean:
            await self.app.timelines.end()
        await self.store.close()
        await put_back(self.backup, self.file)
        return await self.restart()

    async def restart(self) -> App:
        """Start another bot on the database as it is."""
        await self.store.close()
        self.store = await Store.open_database(database_url(self.file))
        self.app = self._app(self.store)
        await self.app.timelines.begin()
        return self.app

    async def last_ids(self) -> dict[str, int]:
        """Return the last id of each table."""
        async with self.store.reading() as db:
            return await timelines.last_ids(db)


async def begin_several(app: App, number: int) -> list[int]:
    return [(await begin_game(app)).game.id for _ in range(number)]
