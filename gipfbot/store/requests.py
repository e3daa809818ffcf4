"""Requests from one player to the other: takebacks and draws. Settled requests are kept as long as their game runs."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from sqlalchemy import Row, Select, and_, insert, or_, select, update

from gipfbot.match import GameRequest, RequestKind, RequestState, Status
from gipfbot.values import Stale

from .database import Connection, read_each
from .tables import NOW, games, requests

_OPEN = requests.c.state == RequestState.OPEN
_WITH_GAMES = requests.join(games, games.c.id == requests.c.game)
_SAME_TURN = and_(
    games.c.status == Status.RUNNING, games.c.turn_number + 2 * games.c.taken_back == requests.c.turn_serial
)
_FLAGGED = or_(games.c.flagged, games.c.white_bank < 0, games.c.black_bank < 0)  # see `Clock.held_grace`
_TOO_LATE = and_(requests.c.kind == RequestKind.TAKEBACK, _FLAGGED)
EXPIRED = and_(games.c.id == requests.c.game, _OPEN, or_(requests.c.expires_at <= NOW, ~_SAME_TURN, _TOO_LATE))


async def add_request(db: Connection, request: GameRequest, now: int) -> GameRequest:
    """Store a new request; return it with its id."""
    values = {
        "game": request.game,
        "kind": request.kind,
        "by": request.by,
        "turn_number": request.turn_number,
        "turns": " ".join(request.turns),
        "turn_serial": request.turn_serial,
        "state": request.state,
        "created_at": now,
        "expires_at": request.expires_at,
    }
    request_id = (await db.execute(insert(requests).values(values).returning(requests.c.id))).scalar_one()
    return replace(request, id=request_id)


async def load_request(db: Connection, request_id: int) -> GameRequest | None:
    """Return the request with this id, or None if there is none or it cannot be read."""
    found = await _load_requests(db, select(requests).where(requests.c.id == request_id))
    return found[0] if found else None


async def requests_of(db: Connection, game: int) -> list[GameRequest]:
    """Return all requests of a game, oldest first."""
    return await _load_requests(db, select(requests).where(requests.c.game == game).order_by(requests.c.id))


async def open_requests(db: Connection, in_games: Collection[int]) -> list[GameRequest]:
    """Return the open requests of these games. Does not check whether they have expired."""
    query = select(requests).where(requests.c.game.in_(in_games), _OPEN)
    return await _load_requests(db, query.order_by(requests.c.id))


async def ids_to_tell(db: Connection, among: Collection[int]) -> set[int]:
    """Return the ids of open requests, and of those that the house player declined in the current turn."""
    declined = and_(requests.c.state == RequestState.DECLINED, games.c.level.is_not(None), _SAME_TURN)
    meant = requests.c.id.in_(among), or_(_OPEN, declined)
    return {*await db.scalars(select(requests.c.id).select_from(_WITH_GAMES).where(*meant))}


async def save_request(db: Connection, request: GameRequest) -> None:
    """Save the state of an open request. Raises Stale if it is no longer open."""
    changed = await db.execute(update(requests).where(requests.c.id == request.id, _OPEN).values(state=request.state))
    if not changed.rowcount:
        raise Stale(f"request {request.id}")


async def expired_requests(db: Connection, now: int, limit: int) -> list[GameRequest]:
    """Return the open requests that have expired, or whose game has moved on, oldest first."""
    query = select(requests).where(EXPIRED).order_by(requests.c.id).limit(limit)
    return await _load_requests(db, query.params(now=now))


async def _load_requests(db: Connection, query: Select[Any]) -> list[GameRequest]:
    return read_each(db, await db.execute(query), "request", _request_from_row)


def _request_from_row(row: Row[Any]) -> GameRequest:
    state, turns = RequestState(row.state), tuple(row.turns.split())
    about = row.turn_number, row.turn_serial, row.expires_at
    return GameRequest(row.id, RequestKind(row.kind), row.game, row.by, *about, state, turns)
