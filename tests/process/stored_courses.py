"""The courses of games, read from the bot's database."""

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any, NamedTuple

from gipfbot.match.study import Actions
from gipfbot.notation import NotationError, parse_action_code, parse_turn, position_text, turn_text
from gipfbot.rules import Position, Ruleset, play, start
from gipfbot.service.delivery.board_message import unpack_board
from tests.support.confirmations import told_as
from tests.support.stores import run_statement

BEGIN, TAKEN_BACK, END = "begin", "taken back", "end"  # boards without a turn
FLAGGED = "time is over"  # the board of the last turn again


class Fault(AssertionError):
    """What must never happen."""


def require(holds: object, *said: object) -> None:
    """Raise Fault unless this holds."""
    if not holds:
        raise Fault(" ".join(map(str, said)))


def read_rows(database: Path, query: str, *values: object) -> list[Any]:
    """Return the rows of a query; for a single column, its values. Changes nothing."""
    return run_statement(database, query, *values, only_read=True)


class PlayedTurn(NamedTuple):
    """A turn as it is stored. It may have been taken back. `told` is how it is told on its board and to its player."""

    number: int
    text: str
    by: int
    how: str
    actions: str = ""  # their codes
    told: str = ""


# What changes with every change of a game.
COURSE_STATES = """
    SELECT id, version, status, turn_number, taken_back, (SELECT count(*) FROM turns WHERE game = games.id),
    (SELECT count(*) FROM events WHERE game = games.id) FROM games"""


class StoredCourse(NamedTuple):
    """The course of a game, from its rows: all turns ever played, in order, and the boards that this needs."""

    played: list[PlayedTurn]
    takebacks: int
    boards: list[str]
    status: str
    ended_by: list[int]  # who has resigned or cancelled it
    flags: int  # how often the time of a player was over
    ended_late: int  # how often it has ended because a player's grace was over


def read_course(database: Path, game: int) -> StoredCourse:
    """Return the course of a game. Raises Fault if its rows do not fit together."""
    rows = read_rows(database, "SELECT turn_number, text, by, how, actions FROM turns WHERE game = ? ORDER BY 1", game)
    turns = [PlayedTurn(*row) for row in rows]
    ((count, taken_back, status, rules, terms),) = read_rows(
        database, "SELECT turn_number, taken_back, status, ruleset, terms FROM games WHERE id = ?", game
    )
    require([turn.number for turn in turns] == [*range(1, count + 1)], "game", game, "has gaps:", turns)
    back = read_rows(database, "SELECT data FROM events WHERE game = ? AND kind = 'takeback' ORDER BY seq", game)
    first, newcomer = start(Ruleset.from_data(json.loads(rules))), json.loads(terms).get("newcomer", False)
    parts = list(_with_told(_parts(turns, [json.loads(data)["turns"] for data in back]), first, newcomer=newcomer))
    played = [turn for part in parts for turn in part]
    require(len(played) == count + taken_back, "game", game, "counts", count, "+", taken_back, "turns, has", played)
    boards = [BEGIN, *[board for part in parts for board in (*map(_board_of, part), TAKEN_BACK)][:-1]]
    ended = "SELECT by FROM events WHERE game = ? AND kind IN ('resign', 'cancel')"
    ended_by = read_rows(database, ended, game)
    late = read_rows(database, "SELECT kind FROM events WHERE game = ? AND kind IN ('flagged', 'time')", game)
    flags, ended_late = late.count("flagged"), late.count("time")
    boards += [END] * (len(ended_by) + ended_late)
    return StoredCourse(played, len(back), boards, status, ended_by, flags, ended_late)


def _parts(turns: list[PlayedTurn], taken_back: list[list[dict[str, Any]]]) -> Iterator[list[PlayedTurn]]:
    """Yield the turns that were played before the first takeback, between it and the second, and so on."""
    parts = list[list[PlayedTurn]]()
    for lost in reversed(taken_back):
        first = lost[0]["turn_number"]
        parts.append(turns[first - 1 :])
        back = [
            PlayedTurn(turn["turn_number"], *(turn[name] for name in ("text", "by", "how", "actions"))) for turn in lost
        ]
        turns = [*turns[: first - 1], *back]
    yield turns
    yield from reversed(parts)


def _with_told(parts: Iterable[list[PlayedTurn]], first: Position, *, newcomer: bool) -> Iterator[list[PlayedTurn]]:
    """Yield these parts of a game with how each turn is told. `first` is the position before the first turn."""
    positions = [first]
    for part in parts:
        told = list[PlayedTurn]()
        for turn in part:
            del positions[turn.number :]
            before = positions[-1]
            actions, after = _read_turn(before, turn.text, turn.actions)
            positions.append(after)
            said = told_as(before, actions, turn.text, newcomer=newcomer)
            told.append(turn._replace(told=said))
        yield told


@lru_cache(10_000)
def _read_turn(before: Position, text: str, codes: str) -> tuple[Actions, Position]:
    """Return a turn's actions, and the position after it. Raises Fault if it cannot be played.

    A text such as `e2` leaves out the dot, so the stored actions are taken if they lead to the same position.
    """
    try:
        actions = parse_turn(before, text)
    except NotationError as fault:
        raise Fault(f"no turn: {text}: {fault}") from fault
    after = reduce(play, actions, before)
    stored = tuple(map(parse_action_code, codes.split()))
    return (stored if stored and reduce(play, stored, before) == after else actions), after


def _board_of(turn: PlayedTurn) -> str:
    return f"{turn.number} {turn.told}"


def board_owed(payload: dict[str, Any]) -> str:
    """Return what the board of a row of the outbox shows, if it shows a turn."""
    board = unpack_board(1, payload)
    text = "" if board.before is None else turn_text(board.before, board.actions)
    told = text and told_as(board.before or board.position, board.actions, text, newcomer=board.newcomer)
    return f"{board.turn_number} {told}"


def replayed(database: Path, game: int) -> tuple[str, str]:
    """Return the position line that the stored turns of a game lead to, and the one that is stored."""
    ((ruleset, line),) = read_rows(database, "SELECT ruleset, position FROM games WHERE id = ?", game)
    position = start(Ruleset.from_data(json.loads(ruleset)))
    for codes in read_rows(database, "SELECT actions FROM turns WHERE game = ? ORDER BY turn_number", game):
        for code in codes.split():
            position = play(position, parse_action_code(code))
    return position_text(position), line
