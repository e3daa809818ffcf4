"""The running games of a server, for those who watch."""

from collections.abc import Collection

from gipfbot.store import Store, game_lists
from gipfbot.values import (
    ListedGame,
    StoredGame,
)


class LiveGames:
    """Lists of the running games of a server, the last moved first. Does not check who asks.

    `channels` are the channels that the person sees. Games in their threads are listed, too.
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    async def listed_of_others(self, server: int, channels: Collection[int], user: int, most: int) -> list[ListedGame]:
        """Return at most `most` running games of a server in which a person does not play, for a choice."""
        async with self.store.reading() as db:
            return await game_lists.listed_of_others(db, server, channels, user, most)

    async def page(self, server: int, channels: Collection[int], most: int, skip: int = 0) -> list[StoredGame]:
        """Return at most `most` running games of a server, without the first `skip`."""
        async with self.store.reading() as db:
            return await game_lists.live_page(db, server, channels, most, skip)
