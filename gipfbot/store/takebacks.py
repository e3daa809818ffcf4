"""Takeback requests: one player asks the other to let them take turns back."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from sqlalchemy import Row, Select, insert, or_, select, update

from gipfbot.match import RequestState, Status, TakebackRequest
from gipfbot.values import Stale

from .database import Connection
from .tables import games, takebacks
from .unreadable import read_each


async def add_takeback(db: Connection, request: TakebackRequest, now: int) -> TakebackRequest:
    """Store a new request; return it with its id."""
    values = {
        "game": request.game,
        "by": request.by,
        "turn_number": request.turn_number,
        "turns": " ".join(request.turns),
        "turn_serial": request.turn_serial,
        "state": request.state,
        "created_at": now,
        "expires_at": request.expires_at,
    }
    request_id = (await db.execute(insert(takebacks).values(values).returning(takebacks.c.id))).scalar_one()
    return replace(request, id=request_id)


async def load_takeback(db: Connection, request_id: int) -> TakebackRequest | None:
    """Return the request with this id, or None if there is none or it cannot be read."""
    found = await _load_takebacks(db, select(takebacks).where(takebacks.c.id == request_id))
    return found[0] if found else None


async def takebacks_of(db: Connection, game: int) -> list[TakebackRequest]:
    """Return all requests of a game, oldest first."""
    return await _load_takebacks(db, select(takebacks).where(takebacks.c.game == game).order_by(takebacks.c.id))


async def open_takebacks(db: Connection, in_games: Collection[int]) -> list[TakebackRequest]:
    """Return the open requests of these games. Does not check whether they have expired, or the game has gone on."""
    query = select(takebacks).where(takebacks.c.game.in_(in_games), takebacks.c.state == RequestState.OPEN)
    return await _load_takebacks(db, query.order_by(takebacks.c.id))


async def open_ids(db: Connection, among: Collection[int]) -> set[int]:
    """Return those of these ids that belong to an open request."""
    is_open = takebacks.c.id.in_(among), takebacks.c.state == RequestState.OPEN
    return {*await db.scalars(select(takebacks.c.id).where(*is_open))}


async def save_takeback(db: Connection, request: TakebackRequest) -> None:
    """Save the state of an open request. Raises Stale if it is no longer open."""
    changed = await db.execute(
        update(takebacks)
        .where(takebacks.c.id == request.id, takebacks.c.state == RequestState.OPEN)
        .values(state=request.state)
    )
    if not changed.rowcount:
        raise Stale(f"takeback {request.id}")


async def stale_takebacks(db: Connection, now: int, limit: int) -> list[TakebackRequest]:
    """Return the open requests whose time is over, or whose game has gone on, oldest first."""
    turn_serial = games.c.turn_number + 2 * games.c.taken_back
    flagged = or_(games.c.flagged, games.c.white_bank < 0, games.c.black_bank < 0)  # see `Clock.held_grace`
    gone_on = or_(games.c.status != Status.RUNNING, turn_serial != takebacks.c.turn_serial, flagged)
    late = takebacks.c.state == RequestState.OPEN, or_(takebacks.c.expires_at <= now, gone_on)
    there = takebacks.join(games, games.c.id == takebacks.c.game)
    return await _load_takebacks(
        db, select(takebacks).select_from(there).where(*late).order_by(takebacks.c.id).limit(limit)
    )


async def _load_takebacks(db: Connection, query: Select[Any]) -> list[TakebackRequest]:
    return read_each(db, await db.execute(query), "takeback", _takeback_from_row)


def _takeback_from_row(row: Row[Any]) -> TakebackRequest:
    turns = tuple(row.turns.split())
    return TakebackRequest(
        row.id, row.game, row.by, row.turn_number, row.turn_serial, row.expires_at, RequestState(row.state), turns
    )
