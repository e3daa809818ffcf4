"""Notes that players make on their games; nobody else ever sees them."""

from collections.abc import Collection

from gipfbot.match import Refused, Why
from gipfbot.service.kit.loaded_games import require_own_game
from gipfbot.store import Store, users

LONGEST_NOTE = 500  # characters


class Notes:
    """Everybody's notes. `note` and `set_note` raise Refused, and change nothing, for games of others."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def note(self, game: int, user: int) -> str:
        """Return a player's note on their game, empty if there is none."""
        async with self.store.reading() as db:
            await require_own_game(db, game, user)
            return (await users.notes_on_games(db, user, [game])).get(game, "")

    async def note_unchecked(self, game: int, user: int) -> str:
        """Return a person's note on a game, empty if there is none. Not checked: whether they play it."""
        return (await self.notes_on_games([game], user)).get(game, "")

    async def notes_on_games(self, games: Collection[int], user: int) -> dict[int, str]:
        """Return a person's notes on these games, by game."""
        async with self.store.reading() as db:
            return await users.notes_on_games(db, user, games)

    async def set_note(self, game: int, user: int, text: str) -> None:
        """Save a player's note on their game instead of the one there was; an empty text removes it."""
        text = text.strip()
        if len(text) > LONGEST_NOTE:
            raise Refused(Why.NOTE_TOO_LONG, most=LONGEST_NOTE)
        async with self.store.transaction() as db:
            await require_own_game(db, game, user)
            await users.set_note(db, user, game, text or None)
