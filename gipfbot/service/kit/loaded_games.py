"""Games as services hand them on: loaded, changed, and named for players."""

import re
from dataclasses import dataclass

from gipfbot.match import Game, Refused, Turn, Why, check_player, check_running_player
from gipfbot.store import Connection, games
from gipfbot.values import GameBrief, OutboxRow, StoredGame, UnreadableGame

_STUDY = re.compile(r"study\s*#?([1-9][0-9]{0,8})")
_GAME = re.compile("#?([a-z])([0-9]{1,9})")


def game_name(game_id: int) -> str:
    """Return the name of a game for players, such as #a7."""
    return f"#{chr(ord('a') + (game_id - 1) % 26)}{(game_id - 1) // 26 + 1}"


def parse_game_name(text: str) -> int | None:
    """Return the id of the game with this name, or None if the text is not a game's name.

    The # may be missing. Case does not count. Does not check that the game exists.
    """
    found = _GAME.fullmatch(text.strip().lower())
    if not found or found[2].startswith("0"):
        return None
    return (int(found[2]) - 1) * 26 + ord(found[1]) - ord("a") + 1


def study_name(study_id: int) -> str:
    """Return the name of a study for players, such as study 7."""
    return f"study {study_id}"


def parse_study_name(text: str) -> int | None:
    """Return the id of the study with this name, or None if the text is not a study's name.

    Case does not count. Does not check that the study exists.
    """
    found = _STUDY.fullmatch(text.strip().lower())
    return int(found[1]) if found else None


@dataclass(frozen=True)
class GameUpdate:
    """A game after a person's action in it.

    The caller has to deliver the outbox rows in `owed`. `turn` is the turn that the action completed; None if it
    completed none. The turns in `conditional_turns` followed `turn` at once. After a completed turn, `waiting` lists
    the games that wait for the person who acted.

    >>> from gipfbot.match import Seat, new_game
    >>> from gipfbot.rules import BASIC
    >>> from gipfbot.values import Venue
    >>> game = new_game(7, BASIC, (Seat(1, "Ann"), Seat(2, "Bob")))
    >>> unchanged = GameUpdate(StoredGame(game, Venue(1, 2), False, None, None, 1_800_000_000, 1_800_000_000, None))
    >>> unchanged.owed, unchanged.turn
    ((), None)
    """

    stored: StoredGame
    owed: tuple[OutboxRow, ...] = ()
    turn: Turn | None = None
    conditional_turns: tuple[Turn, ...] = ()
    waiting: tuple[GameBrief, ...] = ()

    @property
    def game(self) -> Game:
        """The game after the action and the conditional turns."""
        return self.stored.game


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
