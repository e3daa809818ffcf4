"""Games as a service method needs them: there, or refused."""

from gipfbot.match import Refused, Why
from gipfbot.store import Connection, StoredGame, games


async def require_game(db: Connection, game_id: int) -> StoredGame:
    """Return a game. Raises Refused where there is none."""
    stored = await games.load_game(db, game_id)
    if stored is None:
        raise Refused(Why.NO_GAME)
    return stored
