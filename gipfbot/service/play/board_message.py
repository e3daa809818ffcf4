"""The board message a game owes: what it has to show and say, as plain data for the outbox."""

from dataclasses import dataclass, replace
from typing import Any

from gipfbot.match import Game
from gipfbot.notation import action_code, parse_action_code, parse_position, position_text
from gipfbot.rules import Action, ByColour, Colour, Position, Reason, Ruleset

BOARD = "board"
# What is plain data already; what boards packed by an older version do not tell of it is as it is by default.
PLAIN_FIELDS = (
    "turn_number", "text", "followed_by", "deadline", "flagged", "credited", "paused_left", "vacation_until", "untimed",
    "cancelled_by_claim", "was_conditional", "conditional_follows", "theme", "flipped", "bank",
)  # fmt: skip


@dataclass(frozen=True)
class BoardMessage:
    """One board message: the position, and the turn that led to it where there was one."""

    game: int
    turn_number: int
    seats: ByColour[int]
    names: ByColour[str]
    position: Position
    before: Position | None = None
    actions: tuple[Action, ...] = ()
    text: str = ""
    cancelled_by: Colour | None = None
    followed_by: int | None = None  # the game that begins because this one is void
    deadline: int | None = None
    flagged: bool = False  # the flag of the player to move: the deadline ends his grace
    credited: int = 0  # seconds of the time until the deadline, or until it was over, that were given back to him
    paused_left: int | None = None  # what he has left while his clock stands still
    vacation_until: int | None = None  # until when he is on vacation
    turn_serial: int = 0  # of the game, for its button
    turns_taken_back: tuple[str, ...] = ()  # the turns that this board undoes
    untimed: bool = False  # a game without a time limit: if it is lost on time, it was claimed
    cancelled_by_claim: bool = False  # called off because nobody played after a claim
    was_conditional: bool = False  # the turn that led here had been left as an answer
    conditional_follows: bool = False  # an answer that had been left follows at once: nobody is asked
    theme: str = "wood"  # a name
    flipped: bool = False  # seen from Black's side
    bank: int | None = None  # seconds that the player who waits has for his next turn, where time can be saved up

    @property
    def over(self) -> bool:
        """Whether this is the game's last board."""
        return self.position.result is not None or self.cancelled_by is not None

    @property
    def mover(self) -> Colour:
        """The player whose turn led here."""
        return self.position.mover.other

    @property
    def lost_after_flag(self) -> bool:
        """Whether the game was lost by a turn that was played after the flag had fallen, and did not win (FAQ 11)."""
        result = self.position.result
        return result is not None and result.by is Reason.TIME and result.winner is self.position.mover


def new_board_message(game: Game, *, cancelled_by: Colour | None = None) -> BoardMessage:
    """Return the board of a game as it stands at the start of a turn, with its last turn."""
    seats = (game.seats[0].user, game.seats[1].user)
    names = (game.seats[0].name, game.seats[1].name)
    board = BoardMessage(
        game.id, game.turn_number, seats, names, game.position, cancelled_by=cancelled_by, turn_serial=game.turn_serial
    )
    board = with_clock_shown(replace(board, untimed=game.terms.time_control is None), game)
    last = game.last
    return board if last is None else replace(board, before=last.before, actions=last.actions, text=last.text)


def with_clock_shown(board: BoardMessage, game: Game) -> BoardMessage:
    """Return the board with what the clock of its game shows now."""
    clock, pace = game.clock, game.terms.time_control
    if clock is None or pace is None:
        return board
    saved = None if pace.per_turn else clock.bank[game.position.mover.other]
    running = replace(board, deadline=clock.deadline, paused_left=clock.paused_left, bank=saved)
    return replace(running, flagged=clock.flagged, credited=clock.credited)


def pack_board(board: BoardMessage) -> dict[str, Any]:
    """Return the board as plain data; `unpack_board` reads it back."""
    return {
        "rules": board.position.rules.data(),
        "seats": board.seats,
        "names": board.names,
        "position": position_text(board.position),
        "before": board.before and position_text(board.before),
        "actions": [action_code(action) for action in board.actions],
        "cancelled_by": board.cancelled_by,
        "turn_serial": board.turn_serial,
        "turns_taken_back": board.turns_taken_back,
        **{name: getattr(board, name) for name in PLAIN_FIELDS},
    }


def unpack_board(game: int, data: dict[str, Any]) -> BoardMessage:
    """Return the board that `pack_board` described. Raises KeyError or NotationError for anything else."""
    ruleset = Ruleset.from_data(data["rules"])
    rulesets = {ruleset.name: ruleset}
    board = BoardMessage(
        game,
        data["turn_number"],
        tuple(data["seats"]),
        tuple(data["names"]),
        parse_position(data["position"], rulesets),
        data["before"] and parse_position(data["before"], rulesets),
        tuple(parse_action_code(code) for code in data["actions"]),
        cancelled_by=None if data["cancelled_by"] is None else Colour(data["cancelled_by"]),
        turn_serial=packed_turn_serial(data),
        turns_taken_back=tuple(data.get("turns_taken_back", ())),
    )
    return replace(board, **{name: data[name] for name in PLAIN_FIELDS if name in data})


def packed_turn_serial(data: dict[str, Any]) -> int:
    """Return the serial of the game on a packed board; an older version told the number of turns alone."""
    serial: int = data.get("turn_serial", data["turn_number"])
    return serial


def ended_without_turn(board: BoardMessage) -> bool:
    """Whether the game ended by something else than its last turn: resignation, a call-off, time that was over."""
    result = board.position.result
    without = result is not None and result.by in (Reason.RESIGN, Reason.TIME) and not board.lost_after_flag
    return board.cancelled_by is not None or without


__all__ = [
    "BOARD",
    "BoardMessage",
    "ended_without_turn",
    "new_board_message",
    "pack_board",
    "packed_turn_serial",
    "unpack_board",
    "with_clock_shown",
]
