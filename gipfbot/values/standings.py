"""Leaderboards as people see them."""

from dataclasses import dataclass

from gipfbot.match.glicko import Rating


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
