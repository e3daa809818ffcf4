"""What a person could not be told in a message, and the answer to their next command says.

In a private game nothing is posted. An end that the bot brought about has been seen only if a message of its player has
shown it. A reminder has no channel to go to if its player takes no direct messages. Such a game is noted by a due row
that no sweep does, until its player is told or has seen the game.
"""

from collections.abc import Callable
from typing import NamedTuple

from gipfbot.service.kit.loaded_games import readable_game
from gipfbot.store import Connection, Store, due
from gipfbot.store.due import UNTOLD
from gipfbot.values import StoredGame

NEVER = 253_370_764_800  # when such a row is due: in the year 9999


async def note_untold(db: Connection, game: int, user: int) -> None:
    """Note that a person does not know how a private game of theirs stands."""
    await due.schedule(db, untold_key(game), UNTOLD, NEVER, user, game)


def untold_key(game: int) -> str:
    """Return the key of the due row of a game about which its player was not told."""
    return f"{UNTOLD}:{game}"


class UntoldGames(NamedTuple):
    """The private games about which a person was not told: those that are over, and those that wait for them."""

    over: tuple[StoredGame, ...]
    waiting: tuple[StoredGame, ...]


class Untold:
    """What people still have to be told about their private games. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def take(self, user: int, waited_for: int) -> UntoldGames:
        """Return the games about which a person was not told, and note that they are told now.

        A running game counts if it has waited for them for `waited_for` seconds.
        """
        async with self.store.transaction() as db:
            found = [await readable_game(db, game) for game in await due.take_games(db, UNTOLD, user)]
        games, since = [stored for stored in found if stored], self.now() - waited_for
        over = tuple(stored for stored in games if stored.waiting_since is None)
        return UntoldGames(over, tuple(each for each in games if each.waiting_since and each.waiting_since <= since))

    async def note_seen(self, game: int) -> None:
        """Note that a message has shown its player how a private game stands."""
        async with self.store.transaction() as db:
            await due.unschedule(db, untold_key(game))
