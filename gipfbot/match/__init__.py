"""One game between two people, from the challenge to the result. Pure: the caller passes the time as `now`."""

from .challenge import (
    MOST_TAKERS,
    REQUEST_LIFETIME,
    Challenge,
    RequestState,
    Side,
    accept_challenge,
    check_takers,
    decline_challenge,
    expire_challenge,
    propose_rematch,
    withdraw_challenge,
)
from .clock import DAY, DAYS_PER_TURN, HOUR, TIME_CONTROLS, UNTIMED, Clock, Terms, TimeControl, days_per_turn
from .errors import Refused, Why
from .game import (
    Game,
    Moment,
    Performed,
    Seat,
    Status,
    Turn,
    agree_draw,
    cancel_game,
    check_moment,
    check_player,
    check_running,
    check_running_player,
    check_turn,
    new_game,
    perform,
    position_after,
    position_code,
    position_hash,
    read_typed_turn,
    replay_turns,
    resign_game,
    start_turn_over,
    void_game,
)
from .game_clock import (
    ReminderWish,
    advance_clock,
    apply_time,
    credit_game_clock,
    is_turn_last,
    loses_on_time,
    pause_game_clock,
    remind_at,
    restart_game_clock,
    resume_game_clock,
    start_game_clock,
)
from .house import (
    HOUSE_LEVELS,
    LOST_TURNS,
    RESIGNING_LEVELS,
    STANDS_WORSE,
    House,
    check_level,
    decide_plainly,
    positions_before,
)
from .requests import (
    GameRequest,
    RequestKind,
    check_claim_win,
    make_request,
    request_state,
    settle_request,
    take_back,
    win_by_claim,
)

__all__ = [
    "DAY", "DAYS_PER_TURN", "HOUR", "HOUSE_LEVELS", "LOST_TURNS", "MOST_TAKERS", "REQUEST_LIFETIME", "RESIGNING_LEVELS",
    "STANDS_WORSE", "TIME_CONTROLS", "UNTIMED", "Challenge", "Clock", "Game", "GameRequest", "House", "Moment",
    "Performed", "Refused", "ReminderWish", "RequestKind", "RequestState", "Seat", "Side", "Status", "Terms",
    "TimeControl", "Turn", "Why", "accept_challenge", "advance_clock", "agree_draw", "apply_time", "cancel_game",
    "check_claim_win", "check_level", "check_moment", "check_player", "check_running", "check_running_player",
    "check_takers", "check_turn", "credit_game_clock", "days_per_turn", "decide_plainly", "decline_challenge",
    "expire_challenge", "is_turn_last", "loses_on_time", "make_request", "new_game", "pause_game_clock", "perform",
    "position_after", "position_code", "position_hash", "positions_before", "propose_rematch", "read_typed_turn",
    "remind_at", "replay_turns", "request_state", "resign_game", "restart_game_clock", "resume_game_clock",
    "settle_request", "start_game_clock", "start_turn_over", "take_back", "void_game", "win_by_claim",
    "withdraw_challenge",
]  # fmt: skip
