"""Games: the row of each as it stands, its seats, its turns, the draft of the turn being played, and events."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from types import MappingProxyType
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, delete, func, insert, or_, select, update

from gipfbot.match import (
    UNTIMED,
    Game,
    Seat,
    Status,
    Terms,
    Turn,
    new_game,
    position_after,
    position_hash,
    start_game_clock,
)
from gipfbot.notation import action_code, parse_action_code, parse_position, position_text
from gipfbot.rules import Action, ByColour, Colour, Ruleset

from . import clocks, conditionals
from .codes import actions_text, parse_actions
from .database import Connection
from .errors import Stale
from .tables import draft, events, games, seats, turns

VOID = "void"  # an event: the game was repeated, and another follows it (R6.3)


@dataclass(frozen=True)
class Venue:
    """Where a game's boards go; a thread's id counts as a channel. Without a server it is a private channel."""

    server: int | None
    channel: int
    parent: int | None = None  # the channel that a thread belongs to


@dataclass(frozen=True)
class StoredGame:
    """A game with what the store knows beyond the match; `homeless` when nothing can be posted at its home."""

    game: Game
    venue: Venue
    unreachable: bool
    board_message: int | None
    board_channel: int | None
    created_at: int
    changed_at: int
    ended_at: int | None

    def with_game(self, game: Game, now: int) -> "StoredGame":
        """Return it as it stands once `save_game` has saved what has become of its game."""
        return replace(self, game=game, changed_at=now, ended_at=now if game.asked is None else None)


@dataclass(frozen=True)
class ListedGame:
    """A game in a list."""

    id: int
    ruleset: str
    users: ByColour[int]
    names: ByColour[str]
    venue: Venue


@dataclass(frozen=True)
class GameBrief(ListedGame):
    """A running game in a list: `asked` is the player waited for.

    He has time until the deadline, that of his grace where his flag has `fallen`; or his clock stands with time `left`.
    """

    asked: Colour
    turn_number: int
    waiting_since: int
    unreachable: bool
    deadline: int | None = None
    paused_left: int | None = None
    flagged: bool = False

    @property
    def timed(self) -> bool:
        """Whether there is a time limit."""
        return self.deadline is not None or self.paused_left is not None


@dataclass(frozen=True)
class StoredTurn:
    """A turn as it was played: by whom, and by which way it came; the time both had when it began, if it is known."""

    turn_number: int
    colour: Colour
    text: str
    actions: tuple[Action, ...]
    by: int
    how: str
    played_at: int
    bank: ByColour[int] | None = None


async def add_game(
    db: Connection,
    ruleset: Ruleset,
    seats: ByColour[Seat],
    venue: Venue,
    now: int,
    terms: Terms = UNTIMED,
    bank: ByColour[int] | None = None,
    *,
    paused: bool = False,
    origin: int | None = None,
) -> StoredGame:
    """Return a new game at its start, with the id it was given and its clock running, or standing still if `paused`.

    `saved` time is carried over; `origin` is the challenge it comes from.
    """
    fresh = start_game_clock(new_game(0, ruleset, seats, terms), now, paused=paused, bank=bank)
    values = {
        **_game_columns(fresh),
        "ruleset": ruleset.data(),
        "terms": terms.data(),
        "server": venue.server,
        "channel": venue.channel,
        "parent": venue.parent,
        "origin": origin,
        "waiting_since": now,
        "created_at": now,
        "changed_at": now,
    }
    id = (await db.execute(insert(games).values(values).returning(games.c.id))).scalar_one()
    await _add_seats(db, id, seats)
    return StoredGame(replace(fresh, id=id), venue, False, None, None, now, now, None)


async def _add_seats(db: Connection, game_id: int, players: ByColour[Seat]) -> None:
    rows = [
        {"game": game_id, "colour": c, "user": players[c].user, "name": players[c].name, "quiet": False} for c in Colour
    ]
    await db.execute(insert(seats), rows)


def _game_columns(game: Game) -> dict[str, Any]:
    """Return the columns that follow from the game alone."""
    asked, result = game.asked, game.position.result
    return {
        "status": game.status,
        "result": result and result.score,
        "reason": result and result.by,
        "position": position_text(game.position),
        "turn_number": game.turn_number,
        "taken_back": game.taken_back,
        "version": game.version,
        "waiting_seat": asked,
        "waiting_user": None if asked is None else game.seats[asked].user,
        **clocks.clock_columns(game.clock),
    }


_WHITE, _BLACK = seats.alias("white"), seats.alias("black")
_WITH_SEATS = games.join(_WHITE, and_(_WHITE.c.game == games.c.id, _WHITE.c.colour == Colour.WHITE)).join(
    _BLACK, and_(_BLACK.c.game == games.c.id, _BLACK.c.colour == Colour.BLACK)
)
_NAMES = [seat.c[name].label(f"{seat.name}_{name}") for seat in (_WHITE, _BLACK) for name in ("user", "name")]
_LAST = [turns.c[name].label(f"last_{name}") for name in ("colour", "text", "actions")]
_WITH_LAST = _WITH_SEATS.outerjoin(turns, and_(turns.c.game == games.c.id, turns.c.turn_number == games.c.turn_number))


async def load_game(db: Connection, game_id: int) -> StoredGame | None:
    """Return a game as it stands, with its draft and its last turn, or None."""
    query = select(games, *_NAMES, *_LAST).select_from(_WITH_LAST).where(games.c.id == game_id)
    row = (await db.execute(query)).one_or_none()
    if row is None:
        return None
    codes = await db.scalars(select(draft.c.action).where(draft.c.game == game_id).order_by(draft.c.step))
    players = Seat(row.white_user, row.white_name), Seat(row.black_user, row.black_name)
    return _stored_game(row, players, tuple(map(parse_action_code, codes)))


def _stored_game(row: Row[Any], players: ByColour[Seat], actions: tuple[Action, ...]) -> StoredGame:
    ruleset = Ruleset.from_data(row.ruleset)
    position = parse_position(row.position, {ruleset.name: ruleset})
    last = _stored_last_turn(row, ruleset) if row.turn_number else None
    told = (
        row.turn_number,
        row.version,
        Status(row.status),
        last,
        Terms.from_data(row.terms),
        clocks.clock_from_row(row),
        row.taken_back,
    )
    game = Game(row.id, ruleset, players, position, actions, *told)
    board = row.board_message, row.board_channel
    home, unreachable = Venue(row.server, row.channel, row.parent), row.unreachable is not None
    return StoredGame(game, home, unreachable, *board, row.created_at, row.changed_at, row.ended_at)


def _stored_last_turn(row: Row[Any], ruleset: Ruleset) -> Turn:
    before = parse_position(row.previous, {ruleset.name: ruleset})
    actions = parse_actions(row.last_actions)
    return Turn(
        row.turn_number, Colour(row.last_colour), row.last_text, actions, before, position_after(before, actions)
    )


async def save_game(
    db: Connection, before: Game, after: Game, turn: Turn | None = None, *, by: int, now: int, how: str = ""
) -> None:
    """Save what has become of a game, and the turn that was completed by it, if one was; drop turns taken back.

    `how` tells by which way the turn came.

    What was left in advance ends with the game.

    Raises Stale where the stored game is no longer the one `before`. Not checked: whether the rules lead from the one
    to the other, and whether `by` is one of the players.
    """
    values, back = {**_game_columns(after), "changed_at": now}, after.turn_number < before.turn_number
    if after.asked is None:
        values |= {"waiting_since": None, "ended_at": now}
    elif turn or back or after.asked is not before.asked:
        values |= {"waiting_since": now}
    if last := turn or (after.last if back else None):
        values |= {"previous": position_text(last.before)}
    same = games.c.id == before.id, games.c.version == before.version
    if not (await db.execute(update(games).where(*same).values(values))).rowcount:
        raise Stale(f"game {before.id}, version {before.version}")
    await _save_draft(db, before, after, by, now)
    if after.asked is None:
        await conditionals.delete_lines_of_game(db, after.id)
    if back:
        await db.execute(delete(turns).where(turns.c.game == after.id, turns.c.turn_number > after.turn_number))
    if turn:
        await _add_turn(db, before, turn, by, how, now)


async def _save_draft(db: Connection, before: Game, after: Game, by: int, now: int) -> None:
    """Replace what the drafts do not have in common, so that an action keeps its author and its time."""
    common = takewhile(lambda pair: pair[0] == pair[1], zip(before.draft, after.draft, strict=False))
    kept = len(tuple(common))
    if before.draft[kept:]:
        await db.execute(delete(draft).where(draft.c.game == after.id, draft.c.step >= kept))
    rows = [
        {"game": after.id, "step": step, "action": action_code(action), "by": by, "at": now}
        for step, action in enumerate(after.draft[kept:], kept)
    ]
    if rows:
        await db.execute(insert(draft), rows)


async def _add_turn(db: Connection, before: Game, turn: Turn, by: int, how: str, now: int) -> None:
    white, black = before.clock.bank if before.clock else (None, None)
    values = {
        "game": before.id,
        "turn_number": turn.turn_number,
        "colour": turn.colour,
        "text": turn.text,
        "actions": actions_text(turn.actions),
        "by": by,
        "how": how,
        "position_hash": position_hash(turn.after),
        "played_at": now,
        "white_bank": white,
        "black_bank": black,
    }
    await db.execute(insert(turns).values(values))


async def waiting_since(db: Connection, game_id: int) -> int:
    """Return since when a running game waits for the player to move."""
    since: int = (await db.execute(select(games.c.waiting_since).where(games.c.id == game_id))).scalar_one()
    return since


async def count_occurrences(db: Connection, game_id: int, wanted_hash: str) -> int:
    """Return how many turns of a game led to the position with this hash; its start is not a turn."""
    same = turns.c.game == game_id, turns.c.position_hash == wanted_hash
    return (await db.execute(select(func.count()).select_from(turns).where(*same))).scalar_one()


async def turns_of(db: Connection, game_id: int) -> list[StoredTurn]:
    """Return the turns of a game, in order."""
    rows = await db.execute(select(turns).where(turns.c.game == game_id).order_by(turns.c.turn_number))
    return [_stored_turn(row) for row in rows]


def _stored_turn(row: Row[Any]) -> StoredTurn:
    saved = None if row.white_bank is None else (row.white_bank, row.black_bank)
    said = row.text, parse_actions(row.actions), row.by, row.how, row.played_at
    return StoredTurn(row.turn_number, Colour(row.colour), *said, saved)


async def newest_board_message(db: Connection, game_id: int) -> tuple[int, int] | None:
    """Return channel and message of a game's newest board, None before it is posted."""
    row = (await db.execute(select(games.c.board_channel, games.c.board_message).where(games.c.id == game_id))).one()
    return (row.board_channel, row.board_message) if row.board_message else None


async def set_board_message(db: Connection, game_id: int, turn_serial: int, channel: int, message: int) -> None:
    """Remember the newest board: the message that shows the game at this serial. An older one is passed over.

    A place that has taken a board is one again.
    """
    not_older = or_(games.c.board_turn_serial.is_(None), games.c.board_turn_serial <= turn_serial)
    values = {"board_turn_serial": turn_serial, "board_channel": channel, "board_message": message, "unreachable": None}
    await db.execute(update(games).where(games.c.id == game_id, not_older).values(values))


async def set_venue(db: Connection, game_id: int, venue: Venue) -> None:
    """Give a game another home, where its boards go from now on. No player has done anything in it by that."""
    values = {"server": venue.server, "channel": venue.channel, "parent": venue.parent}
    await db.execute(update(games).where(games.c.id == game_id).values(**values, unreachable=None))


async def move_games_to_parent(db: Connection, thread: int) -> tuple[int | None, list[int]]:
    """Let all games of a thread go on in its channel; return that channel, and those that have not ended.

    The channel is None where no game is played in such a thread.
    """
    there = games.c.channel == thread, games.c.parent.is_not(None)
    found = (await db.execute(select(games.c.id, games.c.status, games.c.parent).where(*there))).all()
    if not found:
        return None, []
    await db.execute(update(games).where(*there).values(channel=games.c.parent, parent=None, unreachable=None))
    return found[0].parent, [row.id for row in found if row.status == Status.RUNNING]


async def set_unreachable(db: Connection, game_id: int, reason: str) -> None:
    """Note why nothing can be posted at a game's home any more. No player has done anything in it by that."""
    await db.execute(update(games).where(games.c.id == game_id).values(unreachable=reason))


async def add_event(
    db: Connection, game: int, kind: str, by: int | None, now: int, data: Mapping[str, Any] = MappingProxyType({})
) -> None:
    """Note what happened to a game besides turns; `by` is None for what the rules or the bot did."""
    last = (await db.execute(select(func.max(events.c.seq)).where(events.c.game == game))).scalar_one() or 0
    values = {"game": game, "seq": last + 1, "kind": kind, "by": by, "at": now, "data": dict(data)}
    await db.execute(insert(events).values(values))


async def next_game(db: Connection, game_id: int) -> int | None:
    """Return the game that followed one by itself, None where none did."""
    void = events.c.game == game_id, events.c.kind == VOID
    data = await db.scalar(select(events.c.data).where(*void))
    return data["next"] if data else None


async def waiting_games(db: Connection, user: int) -> list[GameBrief]:
    """Return the games that wait for a person, the most urgent first."""
    return await _load_briefs(db, games.c.waiting_user == user)


async def running_games(db: Connection, user: int) -> list[GameBrief]:
    """Return the games that a person plays and that have not ended, the most urgent first."""
    mine = games.c.id.in_(select(seats.c.game).where(seats.c.user == user))
    return await _load_briefs(db, and_(mine, games.c.status == Status.RUNNING))


async def count_running(db: Connection, user: int, server: int | None) -> int:
    """Return how many games a person plays on a server, or without one, that have not ended."""
    mine = games.c.id.in_(select(seats.c.game).where(seats.c.user == user)), games.c.status == Status.RUNNING
    return await db.scalar(select(func.count()).where(*mine, games.c.server == server)) or 0


async def game_from_challenge(db: Connection, challenge: int, user: int) -> int | None:
    """Return the game of a person that came from a challenge, or None."""
    mine = games.c.id.in_(select(seats.c.game).where(seats.c.user == user))
    return await db.scalar(select(games.c.id).where(mine, games.c.origin == challenge).limit(1))


async def ended_games(db: Connection, user: int, limit: int) -> list[ListedGame]:
    """Return the games of a person that have ended, the last one first."""
    mine = games.c.id.in_(select(seats.c.game).where(seats.c.user == user)), games.c.ended_at.is_not(None)
    query = select(games, *_NAMES).select_from(_WITH_SEATS).where(*mine)
    rows = await db.execute(query.order_by(games.c.ended_at.desc(), games.c.id.desc()).limit(limit))
    return [ListedGame(*_listed_values(row)) for row in rows]


# The earliest deadline first, then what stands still, then what has no limit: the longest waiting first.
_TIMES = games.c.deadline_at, games.c.paused_left
_MOST_URGENT = (*(key for time in _TIMES for key in (time.is_(None), time)), games.c.waiting_since, games.c.id)


async def _load_briefs(db: Connection, which: ColumnElement[bool]) -> list[GameBrief]:
    query = select(games, *_NAMES).select_from(_WITH_SEATS).where(which)
    return [_brief_from_row(row) for row in await db.execute(query.order_by(*_MOST_URGENT))]


def _brief_from_row(row: Row[Any]) -> GameBrief:
    return GameBrief(
        *_listed_values(row),
        Colour(row.waiting_seat),
        row.turn_number,
        row.waiting_since,
        row.unreachable is not None,
        row.deadline_at,
        row.paused_left,
        row.flagged,
    )


def _listed_values(row: Row[Any]) -> tuple[int, str, ByColour[int], ByColour[str], Venue]:
    users, names = (row.white_user, row.black_user), (row.white_name, row.black_name)
    return row.id, row.ruleset["name"], users, names, Venue(row.server, row.channel, row.parent)
