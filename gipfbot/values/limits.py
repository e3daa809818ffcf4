"""What the host allows one person."""

from dataclasses import dataclass
from typing import Final

UNLIMITED: Final = 1_000_000


@dataclass(frozen=True)
class Limits:
    """The most that one person may have or do."""

    interaction_burst: int = 40  # commands, presses and forms at once, after a pause
    interactions_per_minute: int = 120  # in the long run
    suggestion_burst: int = 60  # suggestions while typing, at once
    suggestions_per_minute: int = 300
    challenges_to_one: int = 1  # open challenges to the same person
    open_seeks: int = 5
    open_challenges: int = 20  # seeks included
    running_games: int = 100
    pings_a_day: int = 3  # by challenges, of the same person in 24 hours


DEFAULT_LIMITS = Limits()
# For simulations and tests, whose people are faster than people are.
NO_LIMITS = Limits(*[UNLIMITED] * 9)
