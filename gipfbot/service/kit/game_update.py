"""What a service method returns after it changed a game."""

from dataclasses import dataclass

from gipfbot.match import Game, Turn
from gipfbot.values import GameBrief, OutboxRow, StoredGame


@dataclass(frozen=True)
class GameUpdate:
    """A game after somebody did something in it.

    The caller has to deliver the rows in `owed`. `turn` is the turn that was completed, if one was. The turns in
    `conditional_turns` followed it at once. `waiting` lists the games that then wait for the player; only a completed
    turn fills it.
    """

    stored: StoredGame
    owed: tuple[OutboxRow, ...] = ()
    turn: Turn | None = None
    conditional_turns: tuple[Turn, ...] = ()
    waiting: tuple[GameBrief, ...] = ()

    @property
    def game(self) -> Game:
        """The game as it stands now."""
        return self.stored.game
