"""Every reason why something a person does in a game is refused, in one place.

Texts for people belong to `ui`: a refusal carries its code and what the sentence needs to know.
"""

from enum import StrEnum
from typing import Any


class Why(StrEnum):
    """The reasons."""

    NOT_A_PLAYER = "not_a_player"
    NOT_YOUR_TURN = "not_your_turn"
    STALE = "stale"
    OVER = "over"
    ILLEGAL = "illegal"
    TOO_LATE_TO_ABORT = "too_late_to_abort"
    CHALLENGE_CLOSED = "challenge_closed"
    OWN_CHALLENGE = "own_challenge"
    NOT_FOR_YOU = "not_for_you"
    NO_GAME = "no_game"
    NO_CHALLENGE = "no_challenge"
    NO_STUDY = "no_study"
    STILL_RUNNING = "still_running"
    REMATCH_ASKED = "rematch_asked"
    REMATCH_BEGUN = "rematch_begun"
    NOT_YOUR_CHALLENGE = "not_your_challenge"
    ON_VACATION = "on_vacation"
    NO_VACATION = "no_vacation"
    VACATION_TOO_LONG = "vacation_too_long"
    OWN_TURN = "own_turn"
    NUDGED = "nudged"
    NUDGE_TOO_EARLY = "nudge_too_early"
    OPPONENT_AWAY = "opponent_away"


class Refused(ValueError):
    """Nothing was changed. `facts` are what a sentence about it needs."""

    def __init__(self, why: Why, **facts: Any) -> None:
        super().__init__(f"{why}: {facts}" if facts else str(why))
        self.why, self.facts = why, facts
