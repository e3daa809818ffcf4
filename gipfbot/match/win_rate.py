"""How often one side wins, and how sure that is. Pure."""

from math import sqrt
from typing import NamedTuple

NORMAL_95 = 1.959964  # standard deviations around the mean of a normal distribution that hold 95 % of it


class WinRate(NamedTuple):
    """How many games one side won, of games with a winner. There must be at least one game."""

    wins: int
    games: int

    @property
    def share(self) -> float:
        """The part of the games that were won, from 0 to 1."""
        return self.wins / self.games

    def wilson_interval(self) -> tuple[float, float]:
        """Return the ends of the 95 % interval of the share, by Wilson's formula (1927), without continuity correction.

        Other than the usual formula, it is right for few games, too, and stays within 0 and 1.
        """
        weight = NORMAL_95**2 / self.games
        centre = self.share + weight / 2
        reach = sqrt(weight * (self.share * (1 - self.share) + weight / 4))
        return max(0.0, (centre - reach) / (1 + weight)), min(1.0, (centre + reach) / (1 + weight))
