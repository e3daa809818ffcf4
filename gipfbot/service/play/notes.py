"""What a player notes for himself on a game of his; nobody else ever sees it."""

from collections.abc import Collection

from gipfbot import match
from gipfbot.match import Refused, Why
from gipfbot.store import Connection, Store, games, users

LONGEST_NOTE = 500  # characters


class Notes:
    """Everybody's notes. Raises Refused, and changes nothing then, for games of others."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def note(self, game: int, user: int) -> str:
        """Return the note of a player, empty where there is none."""
        async with self.store.reading() as db:
            await _check_note_owner(db, game, user)
        return await self.note_unchecked(game, user)

    async def note_unchecked(self, game: int, user: int) -> str:
        """Return a person's note, empty where there is none. Not checked: whether there is such a game of his."""
        return (await self.notes_on_games([game], user)).get(game, "")

    async def notes_on_games(self, games: Collection[int], user: int) -> dict[int, str]:
        """Return the notes of a person on these games, as far as there are any."""
        async with self.store.reading() as db:
            return await users.notes_on_games(db, user, games)

    async def set_note(self, game: int, user: int, text: str) -> None:
        """Keep a note instead of the one there was; an empty one removes it."""
        text = text.strip()
        if len(text) > LONGEST_NOTE:
            raise Refused(Why.NOTE_TOO_LONG, most=LONGEST_NOTE)
        async with self.store.transaction() as db:
            await _check_note_owner(db, game, user)
            await users.set_note(db, user, game, text or None)


async def _check_note_owner(db: Connection, game: int, user: int) -> None:
    stored = await games.load_game(db, game)
    if stored is None:
        raise Refused(Why.NO_GAME)
    match.check_player(stored.game, user)
