"""Load a game, and refuse if it does not exist or if the person may not use it."""

from gipfbot.match import Refused, Why, check_player, check_running_player
from gipfbot.store import Connection, games
from gipfbot.values import StoredGame, UnreadableGame


async def require_game(db: Connection, game_id: int) -> StoredGame:
    """Return a game. Raises Refused if it does not exist, or UnreadableGame if its stored data makes no sense."""
    stored = await games.load_game(db, game_id)
    if stored is None:
        raise Refused(Why.NO_GAME)
    return stored


async def readable_game(db: Connection, game_id: int) -> StoredGame | None:
    """Return a game, or None if it is unreadable. Raises Refused if it does not exist."""
    try:
        return await require_game(db, game_id)
    except UnreadableGame:
        return None


async def require_own_game(db: Connection, game_id: int, user: int, turn_serial: int | None = None) -> StoredGame:
    """Return a game, running or ended, that this person plays.

    `turn_serial` is the turn serial on a pressed button; None without a button. Raises Refused if there is no such
    game, if the person does not play in it, or if `turn_serial` is old.
    """
    stored = await require_game(db, game_id)
    check_player(stored.game, user)
    if turn_serial not in (None, stored.game.turn_serial):
        raise Refused(Why.STALE)
    return stored


async def require_running_game(db: Connection, game_id: int, user: int) -> StoredGame:
    """Return a running game that this person plays.

    Raises Refused if there is no such game, if the person does not play in it, or if it has ended.
    """
    stored = await require_game(db, game_id)
    check_running_player(stored.game, user)
    return stored
