"""Read the row of a game, with its players, its last turn and its draft."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Row, and_, select

from gipfbot.match import Game, Seat, Status, Terms, Turn, position_after
from gipfbot.notation import parse_action_code, parse_position
from gipfbot.rules import Action, Colour, Position, Ruleset, legal, play
from gipfbot.values import StoredGame, UnreadableGame, Venue

from . import clocks
from .codes import parse_actions
from .database import Connection
from .tables import games, seats, turns
from .unreadable import READ_ERRORS, log_once

T = TypeVar("T")
_WHITE, _BLACK = seats.alias("white"), seats.alias("black")
_WITH_SEATS = games.join(_WHITE, and_(_WHITE.c.game == games.c.id, _WHITE.c.colour == Colour.WHITE)).join(
    _BLACK, and_(_BLACK.c.game == games.c.id, _BLACK.c.colour == Colour.BLACK)
)
_WITH_LAST = _WITH_SEATS.outerjoin(turns, and_(turns.c.game == games.c.id, turns.c.turn_number == games.c.turn_number))
_OF_SEAT = ("user", "name", "listed_turn_number", "listed_taken_back")
_NAMES = [seat.c[name].label(f"{seat.name}_{name}") for seat in (_WHITE, _BLACK) for name in _OF_SEAT]
_LAST = [turns.c[name].label(f"last_{name}") for name in ("colour", "text", "actions")]
LISTED_ROWS = select(games, *_NAMES).select_from(_WITH_SEATS)
_CHOOSABLE = [games.c[name] for name in ("id", "server", "channel", "parent", "waiting_seat", "white_bank")]
CHOOSABLE_ROWS = select(*_CHOOSABLE, games.c.ruleset["name"].as_string().label("ruleset_name"), *_NAMES).select_from(
    _WITH_SEATS
)
GAME_ROWS = select(games, *_NAMES, *_LAST).select_from(_WITH_LAST)


def is_played_by_others(user: int) -> ColumnElement[bool]:
    """Return the condition on these rows that a person does not play in the game."""
    return and_(_WHITE.c.user != user, _BLACK.c.user != user)


def require_readable(db: Connection, game_id: int, read: Callable[[], T]) -> T:
    """Return what `read` returns. If it fails, log the reason and raise UnreadableGame.

    Each game is logged only once.
    """
    try:
        return read()
    except READ_ERRORS as error:
        log_once(db, f"game {game_id}", error)
        raise UnreadableGame(game_id) from error


def read_game(row: Row[Any], codes: Iterable[str]) -> StoredGame:
    """Return the game of a row that GAME_ROWS selected. `codes` are the actions of its draft.

    Raises one of READ_ERRORS if a value is broken.
    """
    ruleset = Ruleset.from_data(row.ruleset)
    position = _parse_position(row.position, ruleset)
    game = Game(
        row.id,
        ruleset,
        (Seat(row.white_user, row.white_name), Seat(row.black_user, row.black_name)),
        position,
        _read_draft(position, codes),
        row.turn_number,
        row.version,
        Status(row.status),
        _read_last_turn(row, ruleset) if row.turn_number else None,
        Terms.from_data(row.terms),
        clocks.clock_from_row(row),
        row.taken_back,
    )
    board = row.board_message, row.board_channel
    venue, unreachable = Venue(row.server, row.channel, row.parent), row.unreachable is not None
    return StoredGame(game, venue, unreachable, *board, row.created_at, row.changed_at, row.ended_at)


@lru_cache(maxsize=4096)
def _parse_position(line: str, ruleset: Ruleset) -> Position:
    """Return the position of a position line. Cached, because each list of running games reads its lines again."""
    return parse_position(line, {ruleset.name: ruleset})


def _read_draft(position: Position, codes: Iterable[str]) -> tuple[Action, ...]:
    actions = []
    for code in codes:
        action = parse_action_code(code)
        if action not in legal(position):
            raise ValueError(f"{code} is not legal here")
        actions.append(action)
        position = play(position, action)
    return tuple(actions)


def _read_last_turn(row: Row[Any], ruleset: Ruleset) -> Turn:
    before, actions = _parse_position(row.previous, ruleset), parse_actions(row.last_actions)
    after = position_after(before, actions)
    return Turn(row.turn_number, Colour(row.last_colour), row.last_text, actions, before, after)
