"""The board message a game owes: what it has to show and say, as plain data for the outbox."""

from dataclasses import dataclass, replace
from typing import Any

from gipfbot.match import Game
from gipfbot.notation import action_code, parse_action_code, parse_position, position_text
from gipfbot.rules import Action, ByColour, Colour, Position, Reason, Ruleset

KIND = "board"
# What is plain data already; what boards packed by an older version do not tell of it is as it is by default.
PLAIN = (
    "number", "text", "followed_by", "deadline", "fallen", "given", "left", "away", "untimed", "claimed", "in_advance",
    "answered", "theme", "flipped", "saved",
)  # fmt: skip


@dataclass(frozen=True)
class Board:
    """One board message: the position, and the turn that led to it where there was one."""

    game: int
    number: int
    seats: ByColour[int]
    names: ByColour[str]
    position: Position
    before: Position | None = None
    actions: tuple[Action, ...] = ()
    text: str = ""
    aborted_by: Colour | None = None
    followed_by: int | None = None  # the game that begins because this one is void
    deadline: int | None = None
    fallen: bool = False  # the flag of the player to move: the deadline ends his grace
    given: int = 0  # seconds of the time until the deadline, or until it was over, that were given back to him
    left: int | None = None  # what he has left while his clock stands still
    away: int | None = None  # until when he is on vacation
    serial: int = 0  # of the game, for its button
    taken_back: tuple[str, ...] = ()  # the turns that this board undoes
    untimed: bool = False  # a game without a time limit: if it is lost on time, it was claimed
    claimed: bool = False  # called off because nobody played after a claim
    in_advance: bool = False  # the turn that led here had been left as an answer
    answered: bool = False  # an answer that had been left follows at once: nobody is asked
    theme: str = "wood"  # a name
    flipped: bool = False  # seen from Black's side
    saved: int | None = None  # seconds that the player who waits has for his next turn, where time can be saved up

    @property
    def over(self) -> bool:
        """Whether this is the game's last board."""
        return self.position.result is not None or self.aborted_by is not None

    @property
    def mover(self) -> Colour:
        """The player whose turn led here."""
        return self.position.mover.other

    @property
    def late(self) -> bool:
        """Whether the game was lost by a turn that was played after the flag had fallen, and did not win (FAQ 11)."""
        result = self.position.result
        return result is not None and result.by is Reason.TIME and result.winner is self.position.mover


def board_of(game: Game, *, aborted_by: Colour | None = None) -> Board:
    """Return the board of a game as it stands at the start of a turn, with its last turn."""
    seats = (game.seats[0].user, game.seats[1].user)
    names = (game.seats[0].name, game.seats[1].name)
    board = Board(
        game.id, game.turn_number, seats, names, game.position, aborted_by=aborted_by, serial=game.turn_serial
    )
    board = with_clock(replace(board, untimed=game.terms.time_control is None), game)
    last = game.last
    return board if last is None else replace(board, before=last.before, actions=last.actions, text=last.text)


def with_clock(board: Board, game: Game) -> Board:
    """Return the board with what the clock of its game shows now."""
    clock, pace = game.clock, game.terms.time_control
    if clock is None or pace is None:
        return board
    saved = None if pace.per_turn else clock.bank[game.position.mover.other]
    running = replace(board, deadline=clock.deadline, left=clock.paused_left, saved=saved)
    return replace(running, fallen=clock.flagged, given=clock.credited)


def pack(board: Board) -> dict[str, Any]:
    """Return the board as plain data; `unpack` reads it back."""
    return {
        "rules": board.position.rules.data(),
        "seats": board.seats,
        "names": board.names,
        "position": position_text(board.position),
        "before": board.before and position_text(board.before),
        "actions": [action_code(action) for action in board.actions],
        "aborted_by": board.aborted_by,
        "serial": board.serial,
        "taken_back": board.taken_back,
        **{name: getattr(board, name) for name in PLAIN},
    }


def unpack(game: int, data: dict[str, Any]) -> Board:
    """Return the board that `pack` described. Raises KeyError or NotationError for anything else."""
    ruleset = Ruleset.from_data(data["rules"])
    rulesets = {ruleset.name: ruleset}
    board = Board(
        game,
        data["number"],
        tuple(data["seats"]),
        tuple(data["names"]),
        parse_position(data["position"], rulesets),
        data["before"] and parse_position(data["before"], rulesets),
        tuple(parse_action_code(code) for code in data["actions"]),
        aborted_by=None if data["aborted_by"] is None else Colour(data["aborted_by"]),
        serial=serial_of(data),
        taken_back=tuple(data.get("taken_back", ())),
    )
    return replace(board, **{name: data[name] for name in PLAIN if name in data})


def serial_of(data: dict[str, Any]) -> int:
    """Return the serial of the game on a packed board; an older version told the number of turns alone."""
    serial: int = data.get("serial", data["number"])
    return serial


def ended_without_turn(board: Board) -> bool:
    """Whether the game ended by something else than its last turn: resignation, a call-off, time that was over."""
    result = board.position.result
    without = result is not None and result.by in (Reason.RESIGN, Reason.TIME) and not board.late
    return board.aborted_by is not None or without


__all__ = ["KIND", "Board", "board_of", "ended_without_turn", "pack", "serial_of", "unpack", "with_clock"]
