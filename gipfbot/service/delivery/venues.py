"""Changes of the venue in which a game is played."""

from collections.abc import Callable

from gipfbot.service.kit.followups import Followups
from gipfbot.service.kit.loaded_games import GameUpdate, require_game
from gipfbot.store import Connection, Store, games, outbox
from gipfbot.values import StoredGame, Venue

from .owed_boards import owe_board
from .requeue import requeue_messages

# Called with (db, game, now) before the messages queued for the old channel are dropped.
before_relocation = Followups[[Connection, StoredGame, int]]()


class Venues:
    """Operations on the venues of games. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def note_unreachable(self, game_id: int, reason: str) -> None:
        """Store that a game's venue takes no messages, with the reason."""
        async with self.store.transaction() as db:
            await games.set_unreachable(db, game_id, reason)

    async def relocate(self, game_id: int, venue: Venue) -> GameUpdate:
        """Move a game to another venue, and queue its board there. Drop the messages queued for the old venue."""
        async with self.store.transaction() as db:
            await before_relocation.run(db, await require_game(db, game_id), self.now())
            await outbox.drop_rows_of_game(db, game_id, "relocated", self.now())
            await games.set_venue(db, game_id, venue)
            stored = await require_game(db, game_id)
            owed = await owe_board(db, stored, self.now(), reposted_at=self.now())
            await requeue_messages.run(db, stored, self.now())
        return GameUpdate(stored, owed)
