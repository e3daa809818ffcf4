"""The value that a service method returns after it has changed a game."""

from dataclasses import dataclass

from gipfbot.match import Game, Turn
from gipfbot.values import GameBrief, OutboxRow, StoredGame


@dataclass(frozen=True)
class GameUpdate:
    """A game after a person's action in it.

    The caller has to deliver the outbox rows in `owed`. `turn` is the turn that the action completed; None if it
    completed none. The turns in `conditional_turns` followed `turn` at once. After a completed turn, `waiting` lists
    the games that wait for the person who acted.
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
