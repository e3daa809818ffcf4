"""Read a game: as a value with its players and its draft, or as plain rows with all its turns."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, TypeVar

from sqlalchemy import Column, ColumnElement, Join, Row, Table, and_, exists, func, literal_column, select

from gipfbot.match import Game, House, RequestState, Seat, Status, Terms, Turn, position_after
from gipfbot.notation import action_code, parse_action_code, parse_position
from gipfbot.rules import Action, ByColour, Colour, Position, Ruleset, legal, play
from gipfbot.values import PLAYER_LEFT, StoredGame, UnreadableGame, Venue, named_player
from gipfbot.values.games import CONDITIONAL, CUT, Related

from . import clocks
from .database import READ_ERRORS, Connection, log_once
from .tables import (
    conditionals,
    deletions,
    draft,
    events,
    games,
    guesses,
    outbox,
    requests,
    seats,
    servers,
    turns,
    vacations,
)

T = TypeVar("T")
_WHITE, _BLACK = seats.alias("white"), seats.alias("black")


def with_seats(table: Table, game: Column[int], *, isouter: bool = False) -> Join:
    """Return a table joined to both seats of the game in this column, whose columns are SEAT_COLUMNS."""
    white = table.join(_WHITE, and_(_WHITE.c.game == game, _WHITE.c.colour == Colour.WHITE), isouter=isouter)
    return white.join(_BLACK, and_(_BLACK.c.game == game, _BLACK.c.colour == Colour.BLACK), isouter=isouter)


_WITH_SEATS = with_seats(games, games.c.id)
_WITH_LAST = _WITH_SEATS.outerjoin(turns, and_(turns.c.game == games.c.id, turns.c.turn_number == games.c.turn_number))
_OF_SEAT = ("user", "name", "earlier_names", "listed_turn_number", "listed_taken_back")
SEAT_COLUMNS = [seat.c[name].label(f"{seat.name}_{name}") for seat in (_WHITE, _BLACK) for name in _OF_SEAT]
_LAST = [turns.c[name].label(f"last_{name}") for name in ("colour", "text", "actions", "by", "how")]
LISTED_ROWS = select(games, *SEAT_COLUMNS).select_from(_WITH_SEATS)
HOUSE = games.c.terms["house"].label("house")
_CHOOSABLE = [games.c[name] for name in ("id", "server", "channel", "parent", "waiting_seat")]
CHOOSABLE_ROWS = select(
    *_CHOOSABLE, games.c.ruleset["name"].as_string().label("ruleset_name"), HOUSE, *SEAT_COLUMNS
).select_from(_WITH_SEATS)
_STEPS = select(draft.c.action).where(draft.c.game == games.c.id).order_by(draft.c.step).correlate(games).subquery()
_SPACE: Any = literal_column("' '")  # SQLAlchemy would put a text into the statement anew at each execution
_DRAFT = select(func.aggregate_strings(_STEPS.c.action, _SPACE)).scalar_subquery().label("draft")
_OPEN_REQUEST = select(requests.c.id).where(requests.c.game == games.c.id, requests.c.state == RequestState.OPEN)
# Not by `EXISTS`: PostgreSQL may then read all open requests, to look up those of a few hundred games.
HAS_REQUESTS = _OPEN_REQUEST.limit(1).scalar_subquery().is_not(None).label("has_requests")
_LINES = exists().where(conditionals.c.game == games.c.id).label("has_lines")
_NOTES = [seat.c.note.label(f"{seat.name}_note") for seat in (_WHITE, _BLACK)]
GAME_ROWS = select(games, *SEAT_COLUMNS, *_LAST, _DRAFT, *_NOTES, HAS_REQUESTS, _LINES).select_from(_WITH_LAST)
_VACATION = exists().where(vacations.c.user.in_([_WHITE.c.user, _BLACK.c.user]), vacations.c.ended_at.is_(None))
_TURN_SERIAL = games.c.turn_number + 2 * games.c.taken_back
_RELATED = (
    select(servers.c.settings).where(servers.c.id == games.c.server).scalar_subquery().label("server_settings"),
    exists().where(guesses.c.game == games.c.id, guesses.c.turn_serial == _TURN_SERIAL).label("has_guesses"),
    _VACATION.label("has_vacation"),
    exists().where(outbox.c.game == games.c.id, outbox.c.done_at.is_(None)).label("has_owed"),
)
ONE_GAME = GAME_ROWS.add_columns(*_RELATED)

StoredRow: TypeAlias = Row[Any]


def actions_text(actions: Sequence[Action]) -> str:
    """Return the actions of one turn as text."""
    return " ".join(map(action_code, actions))


def parse_actions(text: str) -> tuple[Action, ...]:
    """Return the actions in a text written by `actions_text`. Raises ParseError for any other text."""
    return tuple(map(parse_action_code, text.split()))


def turns_text(turns: Sequence[Sequence[Action]]) -> str:
    """Return turns as text. Does not check that each turn has at least one action."""
    return ";".join(map(actions_text, turns))


def parse_turns(text: str) -> tuple[tuple[Action, ...], ...]:
    """Return the turns in a text written by `turns_text`. Raises ParseError for any other text."""
    return tuple(map(parse_actions, text.split(";"))) if text else ()


def read_house(data: Any) -> House | None:
    """Return the house player in the terms of a game, where it stands under `house`."""
    return Terms.from_data({"house": data}).house


def names_in(row: Row[Any], house: House | None) -> ByColour[str]:
    """Return the names of both players of a game in a row with SEAT_COLUMNS. `house` is its house player."""
    return named_player(row.white_user, row.white_name, house), named_player(row.black_user, row.black_name, house)


def is_played_by_others(user: int) -> ColumnElement[bool]:
    """Return the condition that a person does not play in a row's game."""
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


def read_game(
    row: Row[Any], *, with_draft: bool = True, known: Mapping[str, Position] = MappingProxyType({})
) -> StoredGame:
    """Return the game of a row that GAME_ROWS selected, or that game without its draft.

    `known` are positions by their lines, which are not read again. Raises one of READ_ERRORS if a value is broken.
    """
    ruleset = Ruleset.from_data(row.ruleset)
    position = known.get(row.position) or parse_stored_position(row.position, ruleset)
    terms = Terms.from_data(row.terms)
    white, black = names_in(row, terms.house)
    game = Game(
        row.id,
        ruleset,
        (Seat(row.white_user, white), Seat(row.black_user, black)),
        position,
        _read_draft(position, row.draft if with_draft else None),
        row.turn_number,
        row.version,
        Status(row.status),
        _read_last_turn(row, ruleset, known) if row.turn_number else None,
        terms,
        clocks.clock_from_row(row),
        row.taken_back,
    )
    board = row.board_message, row.board_channel
    venue, unreachable = Venue(row.server, row.channel, row.parent), row.unreachable is not None
    times = row.created_at, row.changed_at, row.ended_at, row.waiting_since
    notes = row.white_note, row.black_note
    waiting = row.has_requests, row.has_lines
    left, planned = row.unreachable == PLAYER_LEFT, _is_last_planned(game, row)
    cut = game.last is not None and row.last_how == CUT
    return StoredGame(game, venue, unreachable, *board, *times, notes, *waiting, left, planned, cut)


def _is_last_planned(game: Game, row: Row[Any]) -> bool:
    """Return whether the last turn was planned by its player. The other one may plan only their part of it (R8.4)."""
    return bool(game.last and row.last_how == CONDITIONAL and game.seats[game.last.colour].user == row.last_by)


def read_one_game(row: Row[Any]) -> StoredGame:
    """Return what `read_game` returns, with what is related, for a row that ONE_GAME selected."""
    settings, *flags = row[-len(_RELATED) :]
    return replace(read_game(row), related=Related(settings or {}, *flags))


@lru_cache(maxsize=4096)
def parse_stored_position(line: str, ruleset: Ruleset) -> Position:
    """Return the position of a position line. Cached, because each list of running games reads its lines anew."""
    return parse_position(line, {ruleset.name: ruleset})


def _read_draft(position: Position, codes: str | None) -> tuple[Action, ...]:
    actions = parse_actions(codes or "")
    for action in actions:
        if action not in legal(position):
            raise ValueError(f"{action_code(action)} is not legal here")
        position = play(position, action)
    return actions


def _read_last_turn(row: Row[Any], ruleset: Ruleset, known: Mapping[str, Position]) -> Turn:
    before = known.get(row.previous) or parse_stored_position(row.previous, ruleset)
    actions = parse_actions(row.last_actions)
    after = position_after(before, actions)
    return Turn(row.turn_number, Colour(row.last_colour), row.last_text, actions, before, after)


class PlayedRow(NamedTuple):
    """A row of the table `turns`: its columns of these names. Its values are read much faster than those of a Row."""

    game: int
    turn_number: int
    colour: int
    text: str
    actions: str
    by: int
    position_hash: str
    white_bank: int | None
    black_bank: int | None


@dataclass(frozen=True)
class WholeGame:
    """The row of a game with its seats and last turn, and its turns, draft and events in order."""

    row: StoredRow
    turns: Sequence[PlayedRow]
    draft: Sequence[StoredRow]
    events: Sequence[StoredRow]


async def load_whole_games(db: Connection, ids: Collection[int]) -> list[WholeGame]:
    """Return these games, in the order of their ids. A game without both seats is left out."""
    rows = (await db.execute(GAME_ROWS.where(games.c.id.in_(ids)).order_by(games.c.id))).all()
    played = await _by_game(db, [turns.c[name] for name in PlayedRow._fields], turns.c.turn_number, ids)
    drafted = await _by_game(db, [*draft.c], draft.c.step, ids)
    happened = await _by_game(db, [*events.c], events.c.seq, ids)
    return [WholeGame(row, [*map(PlayedRow._make, played[row.id])], drafted[row.id], happened[row.id]) for row in rows]


async def _by_game(
    db: Connection, columns: Sequence[Column[Any]], order: Column[Any], ids: Collection[int]
) -> Mapping[int, list[StoredRow]]:
    """Return the rows of a table in order, by game: that is the first of the columns."""
    found = defaultdict[int, list[StoredRow]](list)
    for row in (await db.execute(select(*columns).where(columns[0].in_(ids)).order_by(columns[0], order))).all():
        found[row[0]].append(row)
    return found


async def all_games(db: Connection) -> list[int]:
    """Return the ids of all games, in order."""
    return [*await db.scalars(select(games.c.id).order_by(games.c.id))]


async def pseudonyms_in_use(db: Connection) -> dict[int, int]:
    """Return a table that maps people whose data is being deleted to their pseudonyms.

    Until the deletion is done, some rows of a game have the id, and others the pseudonym.
    """
    return {row.user: row.pseudonym for row in await db.execute(select(deletions.c.user, deletions.c.pseudonym))}
