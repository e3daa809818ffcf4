"""The board message of a game: all that it shows and says, as plain data for the outbox."""

from dataclasses import dataclass, replace
from typing import Any

from gipfbot.match import Game
from gipfbot.notation import action_code, parse_action_code, parse_position, position_text
from gipfbot.rules import Action, ByColour, Colour, Position, Reason, Ruleset

BOARD = "board"
# Fields that are plain data already.
PLAIN_FIELDS = (
    "turn_number", "text", "followed_by", "deadline", "flagged", "credited", "paused_left", "vacation_until", "untimed",
    "cancelled_by_claim", "was_conditional", "conditional_follows", "theme", "flipped", "bank",
)  # fmt: skip


@dataclass(frozen=True)
class BoardMessage:
    """One board message: the position, and the turn that led to it, if there was one."""

    game: int
    turn_number: int
    seats: ByColour[int]
    names: ByColour[str]
    position: Position
    before: Position | None = None
    actions: tuple[Action, ...] = ()
    text: str = ""
    cancelled_by: Colour | None = None
    followed_by: int | None = None  # the game that follows, as this one is void
    deadline: int | None = None  # of the player to move
    flagged: bool = False  # whether they are flagged: then the deadline ends their grace
    credited: int = 0  # seconds credited to them in this turn
    paused_left: int | None = None  # seconds they have left while their clock is paused
    vacation_until: int | None = None  # the end of their vacation
    turn_serial: int = 0  # of the game, for its button
    turns_taken_back: tuple[str, ...] = ()  # the turns that led back to this board
    untimed: bool = False  # no time limit: if the game is lost on time, the win was claimed
    cancelled_by_claim: bool = False  # a claim ended a game in which not both had moved
    was_conditional: bool = False  # whether the turn that led here was a conditional turn
    conditional_follows: bool = False  # whether a conditional turn follows at once: nobody is asked
    theme: str = "wood"  # a name of THEMES
    flipped: bool = False  # whether it is seen from Black's side
    bank: int | None = None  # seconds that the waiting player has for the next turn, if time can be saved up

    @property
    def over(self) -> bool:
        """Whether this is the game's last board."""
        return self.position.result is not None or self.cancelled_by is not None

    @property
    def mover(self) -> Colour:
        """The player whose turn led to this board."""
        return self.position.mover.other

    @property
    def lost_after_flag(self) -> bool:
        """Whether the last turn was played after the flag had fallen and did not win, so that it lost (FAQ 11)."""
        result = self.position.result
        return result is not None and result.by is Reason.TIME and result.winner is self.position.mover


def new_board_message(game: Game, *, cancelled_by: Colour | None = None) -> BoardMessage:
    """Return the board of a game at the start of a turn, with the last turn that was played."""
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
    clock, time_control = game.clock, game.terms.time_control
    if clock is None or time_control is None:
        return board
    bank = None if time_control.per_turn else clock.bank[game.position.mover.other]
    running = replace(board, deadline=clock.deadline, paused_left=clock.paused_left, bank=bank)
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
    """Return the board that `pack_board` packed. Missing fields keep their defaults, unknown ones are passed over.

    Raises KeyError, TypeError or ValueError if the position, the players or the turn number are missing.
    """
    ruleset = Ruleset.from_data(data["rules"])
    rulesets = {ruleset.name: ruleset}
    before, cancelled_by = data.get("before"), data.get("cancelled_by")
    board = BoardMessage(
        game,
        data["turn_number"],
        tuple(data["seats"]),
        tuple(data["names"]),
        parse_position(data["position"], rulesets),
        before and parse_position(before, rulesets),
        tuple(parse_action_code(code) for code in data.get("actions", ())),
        cancelled_by=None if cancelled_by is None else Colour(cancelled_by),
        turn_serial=packed_turn_serial(data),
        turns_taken_back=tuple(data.get("turns_taken_back", ())),
    )
    return replace(board, **{name: data[name] for name in PLAIN_FIELDS if name in data})


def packed_turn_serial(data: dict[str, Any]) -> int:
    """Return the turn serial on a packed board."""
    turn_serial: int = data.get("turn_serial", data["turn_number"])
    return turn_serial


def ended_without_turn(board: BoardMessage) -> bool:
    """Return whether the game ended otherwise than by its last turn: resigned, cancelled, or out of time."""
    result = board.position.result
    without = result is not None and result.by in (Reason.RESIGN, Reason.TIME) and not board.lost_after_flag
    return board.cancelled_by is not None or without
