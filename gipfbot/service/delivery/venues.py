"""Where games are played, when that has to change."""

from collections.abc import Callable

from gipfbot.service.clock import downtime, pause
from gipfbot.service.delivery.owed_boards import owe_board
from gipfbot.service.kit.game_update import GameUpdate
from gipfbot.service.kit.loaded_games import require_game
from gipfbot.store import Store, Venue, games, outbox

from .requeue import requeue_requests


class Venues:
    """The places of all games. `now` tells UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def note_unreachable(self, game_id: int, reason: str) -> None:
        """Note that a game cannot go on where it is."""
        async with self.store.transaction() as db:
            await games.set_unreachable(db, game_id, reason)

    async def relocate(self, game_id: int, venue: Venue) -> GameUpdate:
        """Move a game to another channel, and owe its board there; what was owed to the old one is dropped."""
        async with self.store.transaction() as db:
            game = (await require_game(db, game_id)).game
            if game.asked is not None and game.clock:  # what its old board has cost him is known by that alone
                await pause.save_clock_and_reminder(
                    db, await downtime.credit_downtime(db, game, game.position.mover, self.now())
                )
            await outbox.drop_rows_of_game(db, game_id, "relocated", self.now())
            await games.set_venue(db, game_id, venue)
            stored = await require_game(db, game_id)
            owed = await owe_board(db, stored, self.now(), reposted_at=self.now())
            await requeue_requests(db, stored, self.now())
        return GameUpdate(stored, owed)
