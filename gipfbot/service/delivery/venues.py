"""Where games are played, when that has to change."""

from collections.abc import Callable

from gipfbot.service.kit.followups import Followups
from gipfbot.service.kit.game_update import GameUpdate
from gipfbot.service.kit.loaded_games import require_game
from gipfbot.store import Connection, Store, games, outbox
from gipfbot.values import StoredGame, Venue

from .owed_boards import owe_board
from .requeue import requeue_messages

# Run while the boards owed to the old channel are still known: (db, game, now).
before_relocation = Followups[[Connection, StoredGame, int]]()


class Venues:
    """The places of all games. `now` tells UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def note_unreachable(self, game_id: int, reason: str) -> None:
        """Note that nothing can be posted where a game is played."""
        async with self.store.transaction() as db:
            await games.set_unreachable(db, game_id, reason)

    async def relocate(self, game_id: int, venue: Venue) -> GameUpdate:
        """Move a game to another channel and owe its board there; drop what is owed to the old one."""
        async with self.store.transaction() as db:
            await before_relocation.run(db, await require_game(db, game_id), self.now())
            await outbox.drop_rows_of_game(db, game_id, "relocated", self.now())
            await games.set_venue(db, game_id, venue)
            stored = await require_game(db, game_id)
            owed = await owe_board(db, stored, self.now(), reposted_at=self.now())
            await requeue_messages.run(db, stored, self.now())
        return GameUpdate(stored, owed)
