"""One game between two people, and how it comes about. Pure: whoever calls says what time it is."""

from .challenge import (
    LIFETIME,
    MOST_TAKERS,
    Challenge,
    Side,
    State,
    accept,
    check_takers,
    decline,
    expire,
    rematch,
    withdraw,
)
from .claiming import check_claim, claimed
from .clock import DAYS_PER_TURN, NO_PACE, PACES, Clock, Pace, Terms, days_per_turn
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
    check_player,
    check_plays,
    check_running,
    check_turn,
    new_game,
    position_hash,
    read,
    replayed,
    resign,
    void,
)
from .reminding import Wish, remind_at
from .timing import after_turn, begun, begun_anew, given_back, gives_up, looked_at, paused, resumed
from .undoing import Undo, accept_undo, ask_undo, decline_undo, state_of, withdraw_undo

__all__ = [
    "DAYS_PER_TURN", "LIFETIME", "MOST_TAKERS", "NO_PACE", "PACES", "Answered", "Challenge", "Clock", "Game", "Pace",
    "Refused", "Seat", "Side", "State", "Status", "Terms", "Turn", "Undo", "Why", "Wish", "abort", "accept",
    "accept_undo", "advance", "after_turn", "answer", "ask_undo", "begun", "begun_anew", "check_claim", "check_player",
    "check_plays", "check_running", "check_takers", "check_turn", "claimed", "days_per_turn", "decline",
    "decline_undo", "expire", "given_back", "gives_up", "looked_at", "new_game", "paused", "position_hash", "read",
    "rematch", "remind_at", "replayed", "resign", "resumed", "state_of", "void", "withdraw", "withdraw_undo",
]  # fmt: skip
