"""Refusals: the reasons why a person may not do something.

The sentences that players read belong to `ui`. A refusal carries its reason, and the facts that its sentence needs.
"""

from enum import StrEnum
from typing import Any


class Why(StrEnum):
    """The reason for a refusal."""

    NOT_A_PLAYER = "not_a_player"
    NOT_YOUR_TURN = "not_your_turn"
    STALE = "stale"
    OVER = "over"
    ILLEGAL = "illegal"
    TOO_LATE_TO_CANCEL = "too_late_to_cancel"
    CHALLENGE_CLOSED = "challenge_closed"
    OWN_CHALLENGE = "own_challenge"
    NOT_FOR_YOU = "not_for_you"
    NO_GAME = "no_game"
    UNREADABLE = "unreadable"
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
    LOSES_ON_TIME = "loses_on_time"
    NOT_REMINDED = "not_reminded"
    NUDGED = "nudged"
    NUDGE_TOO_EARLY = "nudge_too_early"
    OPPONENT_AWAY = "opponent_away"
    CONDITIONAL_TOO_DEEP = "conditional_too_deep"
    CONDITIONAL_UNANSWERED = "conditional_unanswered"
    CONDITIONAL_GOES_ON = "conditional_goes_on"
    CONDITIONAL_SAME_PLAYER = "conditional_same_player"
    CONDITIONAL_TOO_LATE = "conditional_too_late"
    CONDITIONAL_BEGUN = "conditional_begun"
    TOO_MANY_CONDITIONALS = "too_many_conditionals"
    NO_CONDITIONAL = "no_conditional"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    TAKEBACK_REQUESTED = "takeback_requested"
    TAKEBACK_TO_ANSWER = "takeback_to_answer"
    TAKEBACK_AGAIN = "takeback_again"
    TAKEBACK_TOO_LATE = "takeback_too_late"
    TAKEBACK_OWN = "takeback_own"
    TAKEBACK_NOT_YOURS = "takeback_not_yours"
    TAKEBACK_CLOSED = "takeback_closed"
    NO_TAKEBACK = "no_takeback"
    NO_DRAWS = "no_draws"
    DRAW_OFFERED = "draw_offered"
    DRAW_TO_ANSWER = "draw_to_answer"
    DRAW_AGAIN = "draw_again"
    DRAW_OWN = "draw_own"
    DRAW_NOT_YOURS = "draw_not_yours"
    DRAW_CLOSED = "draw_closed"
    CLAIM_WIN_TIMED = "claim_win_timed"
    CLAIM_WIN_TOO_EARLY = "claim_win_too_early"
    CLAIM_WIN_PENDING = "claim_win_pending"
    NOT_OFFERED = "not_offered"
    TAKEN_ALREADY = "taken_already"
    CHALLENGES_CROSS = "challenges_cross"
    TAKERS_OF_CHALLENGE = "takers_of_challenge"
    TOO_MANY_GAMES = "too_many_games"
    NOTE_TOO_LONG = "note_too_long"
    NO_ZONE = "no_zone"
    FOLLOWS_OWN_GAME = "follows_own_game"
    FOLLOWS_SELF = "follows_self"
    TOO_MANY_FOLLOWS = "too_many_follows"
    TOO_MANY_FOLLOWERS = "too_many_followers"
    GUESSES_OWN_GAME = "guesses_own_game"
    GUESS_TOO_LATE = "guess_too_late"
    NO_PAGE = "no_page"
    NOT_POSSIBLE = "not_possible"
    BLOCKED_BY_YOU = "blocked_by_you"
    BLOCKS_SELF = "blocks_self"
    TOO_MANY_BLOCKS = "too_many_blocks"
    MAY_NOT_POST = "may_not_post"
    MAY_NOT_MAKE_THREADS = "may_not_make_threads"


class Refused(ValueError):
    """Raised to refuse a person's request. Nothing was changed.

    `why` is the reason. `facts` are the values that the player's text about the refusal needs.
    """

    def __init__(self, why: Why, **facts: Any) -> None:
        super().__init__(f"{why}: {facts}" if facts else str(why))
        self.why, self.facts = why, facts
