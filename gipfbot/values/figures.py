"""Statistics on games: leaderboards, profiles, the figures of a server, the counts of the explorer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from gipfbot.match import Status
from gipfbot.match.glicko import Rating
from gipfbot.rules import Colour, Position, Reason

from .games import ListedGame

MOST_NEWEST = 5  # games that a counted turn remembers


@dataclass(frozen=True)
class ListedStanding:
    """A line of a leaderboard. `rating` is the player's at the time of reading, `last_at` their last game."""

    place: int
    user: int
    name: str
    rating: Rating
    games: int
    wins: int
    won_in_a_row: int
    last_at: int  # UTC seconds
    provisional: bool


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


class PoolResults(NamedTuple):
    """How many games of a pool ended in the same way on a server. Only a cancelled game has no result at all.

    `pool` is None for games whose rule sets cannot be read.
    """

    pool: str | None
    winner: Colour | None
    cancelled: bool
    games: int


@dataclass(frozen=True)
class FollowedGame(ListedGame):
    """A running game that somebody follows, and how many people do."""

    followers: int


class ExploredTurn(NamedTuple):
    """The number of finished games in which a turn was played from a position, by their results.

    `turn` is the turn's common text. `newest` are the ids of at most MOST_NEWEST games, those that began last first.
    """

    turn: str
    white: int = 0
    drawn: int = 0
    black: int = 0
    newest: tuple[int, ...] = ()

    @property
    def games(self) -> int:
        """All of them together."""
        return self.white + self.drawn + self.black

    def plus(self, other: "ExploredTurn") -> "ExploredTurn":
        """Return the sum of two counts of the same turn. Assumes that no game is in both."""
        newest = tuple(sorted((*self.newest, *other.newest), reverse=True)[:MOST_NEWEST])
        counts = self.white + other.white, self.drawn + other.drawn, self.black + other.black
        return ExploredTurn(self.turn, *counts, newest)


class EndedLine(NamedTuple):
    """The first turns of a game that has ended, still as they are stored.

    `score` is its result as records write it. It is None if the game was cancelled.
    """

    game: int
    ruleset: Mapping[str, Any]
    score: str | None
    turns: tuple[str, ...]  # the codes of their actions


class StandingPosition(NamedTuple):
    """The position of a person's running game against another person, at the start of its turn."""

    game: int
    version: int  # of the game
    position: Position
    is_own_turn: bool  # whether the person has to decide there
