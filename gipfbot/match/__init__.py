"""One game between two people, and how it comes about. Pure: whoever calls says what time it is."""

from .challenge import LIFETIME, Challenge, Side, State, accept, decline, expire, rematch, withdraw
from .clock import DAYS_PER_TURN, NO_PACE, Clock, Pace, Terms, days_per_turn
from .errors import Refused, Why
from .game import (
    Answered,
    Game,
    Seat,
    Status,
    Turn,
    abort,
    advance,
    answer,
    check_running,
    check_turn,
    new_game,
    position_hash,
    read,
    resign,
    void,
)
from .reminding import Wish, remind_at
from .timing import after_turn, begun, given_back, looked_at, paused, resumed

__all__ = [
    "DAYS_PER_TURN", "LIFETIME", "NO_PACE", "Answered", "Challenge", "Clock", "Game", "Pace", "Refused", "Seat", "Side",
    "State", "Status", "Terms", "Turn", "Why", "Wish", "abort", "accept", "advance", "after_turn", "answer", "begun",
    "check_running", "check_turn", "days_per_turn", "decline", "expire", "given_back", "looked_at", "new_game",
    "paused", "position_hash", "read", "rematch", "remind_at", "resign", "resumed", "void", "withdraw",
]  # fmt: skip
