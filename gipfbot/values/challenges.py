"""Challenges as they are stored."""

from dataclasses import dataclass

from gipfbot.match import Challenge

from .games import Venue


@dataclass(frozen=True)
class StoredChallenge:
    """A challenge, where it was made, the message that shows it, and the last game it led to."""

    challenge: Challenge
    venue: Venue
    message: int | None = None
    game: int | None = None
