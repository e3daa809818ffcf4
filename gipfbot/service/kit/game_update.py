"""What a service method returns after it changed a game."""

from dataclasses import dataclass

from gipfbot.match import Game, Turn
from gipfbot.store import OutboxRow, StoredGame


@dataclass(frozen=True)
class GameUpdate:
    """A game after somebody did something in it, and what is now the caller's to deliver.

    `turn` is what he completed, `then` are the turns that had been left in advance and followed at once.
    """

    stored: StoredGame
    owed: tuple[OutboxRow, ...] = ()
    turn: Turn | None = None
    conditional_turns: tuple[Turn, ...] = ()

    @property
    def game(self) -> Game:
        """The game as it now stands."""
        return self.stored.game
