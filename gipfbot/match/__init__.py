"""One game between two people, and how it comes about. Pure: whoever calls says what time it is."""

from .challenge import LIFETIME, Challenge, Side, State, accept, decline, expire, withdraw
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

__all__ = [
    "LIFETIME", "Answered", "Challenge", "Game", "Refused", "Seat", "Side", "State", "Status", "Turn", "Why",
    "abort", "accept", "advance", "answer", "check_running", "check_turn", "decline", "expire", "new_game",
    "position_hash", "read", "resign", "void", "withdraw",
]  # fmt: skip
