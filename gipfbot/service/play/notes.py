"""Notes of players on their games. Only their author can see them."""

from collections.abc import Collection

from gipfbot.match import Refused, Why
from gipfbot.service.kit.loaded_games import require_own_game
from gipfbot.store import Store, users

LONGEST_NOTE = 500  # characters


class Notes:
    """Players' notes on their games. `note` and `set_note` raise Refused if the person does not play in the game."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def note(self, game: int, user: int) -> str:
        """Return a player's note on their game; empty if there is none."""
        async with self.store.reading() as db:
            await require_own_game(db, game, user)
            return (await users.notes_on_games(db, user, [game])).get(game, "")

    async def note_unchecked(self, game: int, user: int) -> str:
        """Return a person's note on a game; empty if there is none. Does not check that they play in the game."""
        return (await self.notes_on_games([game], user)).get(game, "")

    async def notes_on_games(self, games: Collection[int], user: int) -> dict[int, str]:
        """Return a person's notes on these games, by game id. Games without a note are left out."""
        async with self.store.reading() as db:
            return await users.notes_on_games(db, user, games)

    async def set_note(self, game: int, user: int, text: str) -> None:
        """Save a player's note on their game. It replaces an earlier note. An empty text removes the note.

        Raises Refused if the text is longer than LONGEST_NOTE, or if the person does not play in the game.
        """
        text = text.strip()
        if len(text) > LONGEST_NOTE:
            raise Refused(Why.NOTE_TOO_LONG, most=LONGEST_NOTE)
        async with self.store.transaction() as db:
            await require_own_game(db, game, user)
            await users.set_note(db, user, game, text or None)
