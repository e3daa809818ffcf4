"""Games: their rows, seats, turns, drafts and events."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from types import MappingProxyType
from typing import Any

from sqlalchemy import Row, bindparam, delete, func, insert, or_, select, update

from gipfbot.match import UNTIMED, Game, Seat, Status, Terms, Turn, new_game, position_hash, start_game_clock
from gipfbot.match.ratings import pool_of
from gipfbot.notation import action_code, position_text
from gipfbot.rules import Action, ByColour, Colour, Ruleset
from gipfbot.values import Stale, StoredGame, StoredTurn, Venue

from . import clocks, conditionals
from .database import Connection
from .game_rows import (
    HAS_REQUESTS,
    ONE_GAME,
    actions_text,
    parse_actions,
    parse_turns,
    read_one_game,
    require_readable,
    turns_text,
)
from .tables import draft, events, games, seats, turns

# Statements that each turn needs are built once, because building one takes as long as running it.
_OF_GAME = games.c.id == bindparam("game_id")
_LOAD = ONE_GAME.where(_OF_GAME)
_SAVE = update(games).where(_OF_GAME, games.c.version == bindparam("known_version"))
_ADD_TURN = insert(turns)
_COUNT = (
    select(func.count())
    .select_from(turns)
    .where(turns.c.game == bindparam("game_id"), turns.c.position_hash == bindparam("wanted_hash"))
)
_NEWEST_BOARD = select(games.c.board_channel, games.c.board_message).where(_OF_GAME)
_NOT_NEWER = games.c.board_turn_serial <= bindparam("shown_turn_serial")
_SET_BOARD = update(games).where(_OF_GAME, or_(games.c.board_turn_serial.is_(None), _NOT_NEWER))
HANDED_OVER = "handed_over"  # an event: the opponent is asked within a turn (R8.4), with the clocks before it
TAKEBACK = "takeback"  # an event: its data has the turns that were taken back, and who played them
VOID = "void"  # an event: a repetition ended the game, and another game follows it (R6.3)


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
    """Store a new game; return it with its id. Its clock runs, unless it is `paused`.

    `bank` is time carried over from another game; `origin` is the challenge the game comes from.
    """
    fresh = start_game_clock(new_game(0, ruleset, seats, terms), now, paused=paused, bank=bank)
    values = {
        **_game_columns(fresh),
        "ruleset": ruleset.data(),
        "terms": terms.data(),
        "pool": pool_of(ruleset),
        "level": terms.house and terms.house.level,
        "server": venue.server,
        "channel": venue.channel,
        "parent": venue.parent,
        "origin": origin,
        "waiting_since": now,
        "created_at": now,
        "changed_at": now,
    }
    game_id = (await db.execute(insert(games).values(values).returning(games.c.id))).scalar_one()
    await _add_seats(db, game_id, seats)
    return StoredGame(replace(fresh, id=game_id), venue, False, None, None, now, now, None, now)


async def _add_seats(db: Connection, game_id: int, players: ByColour[Seat]) -> None:
    rows = [
        {"game": game_id, "colour": c, "user": players[c].user, "name": players[c].name, "quiet": False} for c in Colour
    ]
    await db.execute(insert(seats), rows)


def _game_columns(game: Game) -> dict[str, Any]:
    """Return the column values that depend on the game alone."""
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


async def load_game(db: Connection, game_id: int) -> StoredGame | None:
    """Return a game with its draft, its last turn and what is related, or None. Raises UnreadableGame."""
    row = (await db.execute(_LOAD, {"game_id": game_id})).one_or_none()
    return None if row is None else require_readable(db, game_id, lambda: read_one_game(row))


async def save_game(
    db: Connection, before: Game, after: Game, turn: Turn | None = None, *, by: int, now: int, how: str = ""
) -> None:
    """Save a game, and the turn that was just completed, if any; delete the turns that were taken back.

    `how` says how the turn was entered. When the game ends, its conditional lines are deleted.

    Raises Stale if the stored game is no longer `before`. Does not check whether the rules lead from `before` to
    `after`, or whether `by` is one of the players.
    """
    values, back = {**_game_columns(after), "changed_at": now}, after.turn_number < before.turn_number
    if after.asked is None:
        values |= {"waiting_since": None, "ended_at": now}
    elif turn or back or after.asked is not before.asked:
        values |= {"waiting_since": now}
    if last := turn or (after.last if back else None):
        values |= {"previous": position_text(last.before)}
    same = {"game_id": before.id, "known_version": before.version}
    if not (await db.execute(_SAVE, {**values, **same})).rowcount:
        raise Stale(f"game {before.id}, version {before.version}")
    await _save_draft(db, before, after, by, now)
    if before.clock and after.answering and not before.handed_over:
        data = {"turn_serial": before.turn_serial, "bank": before.clock.bank}
        await add_event(db, after.id, HANDED_OVER, by, now, data)
    if after.asked is None:
        await conditionals.delete_lines_of_game(db, after.id)
    if back:
        await db.execute(delete(turns).where(turns.c.game == after.id, turns.c.turn_number > after.turn_number))
    if turn:
        await _add_turn(db, before, turn, how, now)


async def change_terms(db: Connection, game_id: int, **changed: object) -> None:
    """Change these parts of a game's terms. Does nothing without such a game."""
    terms = await db.scalar(select(games.c.terms).where(games.c.id == game_id))
    await db.execute(update(games).where(games.c.id == game_id).values(terms={**(terms or {}), **changed}))


async def _save_draft(db: Connection, before: Game, after: Game, by: int, now: int) -> None:
    """Replace only the draft actions that differ, so that the others keep their author and their time."""
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


async def _add_turn(db: Connection, before: Game, turn: Turn, how: str, now: int) -> None:
    """Add a turn, which the opponent's answer may have completed (R8.4)."""
    white, black = await _bank_before_turn(db, before) or (None, None)
    values = {
        "game": before.id,
        "turn_number": turn.turn_number,
        "colour": turn.colour,
        "text": turn.text,
        "actions": actions_text(turn.actions),
        "by": before.seats[turn.colour].user,
        "how": how,
        "position_hash": position_hash(turn.after),
        "played_at": now,
        "white_bank": white,
        "black_bank": black,
    }
    await db.execute(_ADD_TURN, values)


async def _bank_before_turn(db: Connection, before: Game) -> ByColour[int] | None:
    """Return the time that both players had at the start of the turn; None without a clock.

    Within a turn, each decision reduces the bank. The first hand-over event holds the banks before that.
    """
    if before.clock is None:
        return None
    if not before.handed_over:
        return before.clock.bank
    of_turn = (data for *_, data in await events_of_kinds(db, before.id, [HANDED_OVER]))
    kept = [data["bank"] for data in of_turn if data["turn_serial"] == before.turn_serial]
    white, black = kept[0] if kept else before.clock.bank
    return white, black


async def versions(db: Connection, among: Collection[int]) -> dict[int, tuple[int, bool]]:
    """Return the versions of these games, by game, and whether each has an open request."""
    found = select(games.c.id, games.c.version, HAS_REQUESTS).where(games.c.id.in_(among))
    return {row.id: (row.version, row.has_requests) for row in await db.execute(found)}


async def waiting_since(db: Connection, game_id: int) -> int:
    """Return when a running game began to wait for the player to move, in UTC seconds."""
    since: int = (await db.execute(select(games.c.waiting_since).where(games.c.id == game_id))).scalar_one()
    return since


async def running_turn_serials(db: Connection, among: Collection[int]) -> dict[int, int]:
    """Return the turn serials of the running games among these, by game."""
    turn_serial = (games.c.turn_number + 2 * games.c.taken_back).label("turn_serial")
    running = select(games.c.id, turn_serial).where(games.c.id.in_(among), games.c.status == Status.RUNNING)
    return {row.id: row.turn_serial for row in await db.execute(running)}


async def unreachable_games(db: Connection, among: Collection[int]) -> set[int]:
    """Return the unreachable games among these."""
    return {*await db.scalars(select(games.c.id).where(games.c.id.in_(among), games.c.unreachable.is_not(None)))}


async def count_occurrences(db: Connection, game_id: int, wanted_hash: str) -> int:
    """Return how many turns of a game led to the position with this hash. The start does not count."""
    return (await db.execute(_COUNT, {"game_id": game_id, "wanted_hash": wanted_hash})).scalar_one()


async def note_expected(db: Connection, game_id: int, turn_number: int, expected: Sequence[Sequence[Action]]) -> None:
    """Store with a turn the decisions that the house player expected after it."""
    of_turn = turns.c.game == game_id, turns.c.turn_number == turn_number
    await db.execute(update(turns).where(*of_turn).values(expected=turns_text(expected)))


async def turns_of(db: Connection, game_id: int) -> list[StoredTurn]:
    """Return the turns of a game, in order. Raises UnreadableGame."""
    rows = await db.execute(select(turns).where(turns.c.game == game_id).order_by(turns.c.turn_number))
    return require_readable(db, game_id, lambda: [_stored_turn(row) for row in rows])


def _stored_turn(row: Row[Any]) -> StoredTurn:
    bank = None if row.white_bank is None else (row.white_bank, row.black_bank)
    said = row.text, parse_actions(row.actions), row.by, row.how, row.played_at
    expected = None if row.expected is None else parse_turns(row.expected)
    return StoredTurn(row.turn_number, Colour(row.colour), *said, bank, expected)


async def newest_board_message(db: Connection, game_id: int) -> tuple[int, int] | None:
    """Return the channel and message ids of a game's newest board; None before the first is posted."""
    row = (await db.execute(_NEWEST_BOARD, {"game_id": game_id})).one()
    return (row.board_channel, row.board_message) if row.board_message else None


async def set_board_message(db: Connection, game_id: int, turn_serial: int, channel: int, message: int) -> None:
    """Remember the message that shows the game at this turn serial, unless a newer board is known.

    The venue counts as reachable again.
    """
    values = {"board_turn_serial": turn_serial, "board_channel": channel, "board_message": message, "unreachable": None}
    await db.execute(_SET_BOARD, {**values, "game_id": game_id, "shown_turn_serial": turn_serial})


async def load_venue(db: Connection, game_id: int) -> Venue:
    """Return the venue of a game's boards, even if the rest of its row cannot be read."""
    row = (await db.execute(select(games.c.server, games.c.channel, games.c.parent).where(games.c.id == game_id))).one()
    return Venue(row.server, row.channel, row.parent)


async def set_venue(db: Connection, game_id: int, venue: Venue) -> None:
    """Change the venue of a game. Does not change `changed_at`, because no player has acted."""
    values = {"server": venue.server, "channel": venue.channel, "parent": venue.parent}
    await db.execute(update(games).where(games.c.id == game_id).values(**values, unreachable=None))


async def move_games_to_parent(db: Connection, thread: int) -> tuple[int | None, list[int]]:
    """Move all games of a thread to its parent channel; return that channel and the running games.

    The channel is None if no game was played in this thread.
    """
    there = games.c.channel == thread, games.c.parent.is_not(None)
    query = select(games.c.id, games.c.status, games.c.parent).where(*there).order_by(games.c.id)
    found = (await db.execute(query)).all()
    if not found:
        return None, []
    await db.execute(update(games).where(*there).values(channel=games.c.parent, parent=None, unreachable=None))
    return found[0].parent, [row.id for row in found if row.status == Status.RUNNING]


async def set_unreachable(db: Connection, game_id: int, reason: str) -> None:
    """Note why a game's venue is unreachable. Does not change `changed_at`, because no player has acted."""
    await db.execute(update(games).where(games.c.id == game_id).values(unreachable=reason))


async def set_reachable(db: Connection, game_id: int, reason: str) -> None:
    """Mark a game as reachable again if it was unreachable for this reason. Does not change `changed_at`."""
    which = games.c.id == game_id, games.c.unreachable == reason
    await db.execute(update(games).where(*which).values(unreachable=None))


async def set_server_unreachable(db: Connection, server: int, reason: str) -> None:
    """Note for all running games of a server why they are unreachable. An earlier reason stays."""
    there = games.c.server == server, games.c.waiting_user.is_not(None), games.c.unreachable.is_(None)
    await db.execute(update(games).where(*there).values(unreachable=reason))


async def set_server_reachable(db: Connection, server: int, reason: str) -> None:
    """Mark the running games of a server that were unreachable for this reason as reachable again."""
    there = games.c.server == server, games.c.unreachable == reason, games.c.waiting_user.is_not(None)
    await db.execute(update(games).where(*there).values(unreachable=None))


async def add_event(
    db: Connection, game: int, kind: str, by: int | None, now: int, data: Mapping[str, Any] = MappingProxyType({})
) -> None:
    """Add an event to a game; `by` is None if the rules or the bot caused it."""
    last = (await db.execute(select(func.max(events.c.seq)).where(events.c.game == game))).scalar_one() or 0
    values = {"game": game, "seq": last + 1, "kind": kind, "by": by, "at": now, "data": dict(data)}
    await db.execute(insert(events).values(values))


async def events_of_kinds(
    db: Connection, game_id: int, kinds: Collection[str]
) -> list[tuple[str, int, dict[str, Any]]]:
    """Return kind, user and data of each event of these kinds that a player caused in a game, oldest first."""
    these = events.c.game == game_id, events.c.kind.in_(kinds), events.c.by.is_not(None)
    rows = await db.execute(select(events.c.kind, events.c.by, events.c.data).where(*these).order_by(events.c.seq))
    return [(row.kind, row.by, row.data) for row in rows]


async def ended_among(db: Connection, ids: Collection[int]) -> set[int]:
    """Return those of these games that have ended."""
    ended = games.c.id.in_(ids), games.c.waiting_user.is_(None)
    return {*await db.scalars(select(games.c.id).where(*ended))} if ids else set()


async def next_game(db: Connection, game_id: int) -> int | None:
    """Return the id of the game that follows a game ended by a repetition, or None."""
    void = events.c.game == game_id, events.c.kind == VOID
    data = await db.scalar(select(events.c.data).where(*void))
    return data.get("next") if data else None


async def games_after_void(db: Connection) -> set[int]:
    """Return the ids of the games that follow a void one (R6.3)."""
    found = await db.scalars(select(events.c.data).where(events.c.kind == VOID))
    return {data["next"] for data in found if "next" in data}
