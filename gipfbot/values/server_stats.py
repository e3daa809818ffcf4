"""What the games of a server come to."""

from dataclasses import dataclass
from typing import NamedTuple

from gipfbot.rules import Colour

from .games import ListedGame


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
