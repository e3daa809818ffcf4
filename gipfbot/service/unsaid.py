"""What the players of a game were to be asked or told, and could not be: owed again where its boards go on."""

from gipfbot.store import Connection, Stored

from .claims import warn_again
from .offers import ask_again


async def owe_again(db: Connection, stored: Stored, now: int) -> None:
    """Owe the home of a game the open request and the open claim that were given up elsewhere; its board goes first."""
    await ask_again(db, stored, now)
    await warn_again(db, stored, now)
