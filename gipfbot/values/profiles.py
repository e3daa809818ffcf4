"""What a profile says of a player: how their games ended, against whom, and how they began."""

from dataclasses import dataclass
from typing import NamedTuple

from gipfbot.match import Status
from gipfbot.rules import Colour, Reason

from .games import ListedGame


class Score(NamedTuple):
    """How many games a player won, drew and lost. Void and cancelled games are none of these."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """All of them together."""
        return sum(self)


class EndedAlike(NamedTuple):
    """How many games a player ended with one colour in the same way. A cancelled game has no reason."""

    colour: Colour
    status: Status
    winner: Colour | None
    by: Reason | None
    games: int

    @property
    def score(self) -> Score:
        """These games as a score."""
        if self.winner is not None:
            return Score(won=self.games) if self.winner is self.colour else Score(lost=self.games)
        return Score(drawn=self.games) if self.by is Reason.AGREEMENT else Score()


class OpponentScore(NamedTuple):
    """A player's score against one opponent, who had this name in their last game that ended."""

    user: int
    name: str
    score: Score


class BegunAlike(NamedTuple):
    """How many games a player began with one colour by the same two turns, in official notation."""

    colour: Colour
    ruleset: str
    first: str
    second: str
    games: int


@dataclass(frozen=True)
class LongGame:
    """A player's game with the most turns of both players."""

    game: ListedGame
    turns: int
