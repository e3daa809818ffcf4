"""Loading games: whoever asks for one that is not there, or not theirs, is refused."""

from gipfbot.match import Refused, Why, check_player, check_running_player
from gipfbot.store import Connection, games
from gipfbot.values import StoredGame, UnreadableGame


async def require_game(db: Connection, game_id: int) -> StoredGame:
    """Return a game. Raises Refused if it does not exist or cannot be read."""
    stored = await games.load_game(db, game_id)
    if stored is None:
        raise Refused(Why.NO_GAME)
    return stored


async def readable_game(db: Connection, game_id: int) -> StoredGame | None:
    """Return a game that exists, None if it cannot be read."""
    try:
        return await require_game(db, game_id)
    except UnreadableGame:
        return None


async def require_own_game(db: Connection, game_id: int, user: int, turn_serial: int | None = None) -> StoredGame:
    """Return a game that this person plays, running or not; `turn_serial` is that of the button, if there was one.

    Raises Refused.
    """
    stored = await require_game(db, game_id)
    check_player(stored.game, user)
    if turn_serial not in (None, stored.game.turn_serial):
        raise Refused(Why.STALE)
    return stored


async def require_running_game(db: Connection, game_id: int, user: int) -> StoredGame:
    """Return a game that this person plays and that runs. Raises Refused."""
    stored = await require_game(db, game_id)
    check_running_player(stored.game, user)
    return stored
