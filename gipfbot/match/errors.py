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
    TOO_LATE_TO_CANCEL = "too_late_to_abort"
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
    LOSES_ON_TIME = "gives_up"
    NOT_REMINDED = "not_reminded"
    NUDGED = "nudged"
    NUDGE_TOO_EARLY = "nudge_too_early"
    OPPONENT_AWAY = "opponent_away"
    CONDITIONAL_TOO_DEEP = "line_too_deep"
    CONDITIONAL_UNANSWERED = "line_unanswered"
    CONDITIONAL_GOES_ON = "line_goes_on"
    CONDITIONAL_TOO_LATE = "line_too_late"
    TOO_MANY_CONDITIONALS = "too_many_lines"
    NO_CONDITIONAL = "no_line"
    NOTHING_TO_TAKE_BACK = "nothing_to_undo"
    TAKEBACK_REQUESTED = "undo_asked"
    TAKEBACK_TO_ANSWER = "undo_to_answer"
    TAKEBACK_AGAIN = "undo_again"
    TAKEBACK_TOO_LATE = "undo_too_late"
    TAKEBACK_OWN = "undo_own"
    TAKEBACK_NOT_YOURS = "undo_not_yours"
    TAKEBACK_CLOSED = "undo_closed"
    NO_TAKEBACK = "no_undo"
    CLAIM_WIN_TIMED = "claim_has_pace"
    CLAIM_WIN_TOO_EARLY = "claim_too_early"
    CLAIM_WIN_PENDING = "claimed"
    NOT_OFFERED = "not_offered"
    TAKEN_ALREADY = "taken_already"
    CHALLENGES_CROSS = "challenges_cross"
    TAKERS_OF_CHALLENGE = "takers_of_challenge"
    TOO_MANY_GAMES = "too_many_games"
    NOTE_TOO_LONG = "note_too_long"
    NO_ZONE = "no_zone"


class Refused(ValueError):
    """Nothing was changed. `facts` are what a sentence about it needs."""

    def __init__(self, why: Why, **facts: Any) -> None:
        super().__init__(f"{why}: {facts}" if facts else str(why))
        self.why, self.facts = why, facts
