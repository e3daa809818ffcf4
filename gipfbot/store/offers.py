"""What one player of a game asks the other to agree to: that turns are taken back."""

from dataclasses import replace
from typing import Any

from sqlalchemy import Row, Select, insert, or_, select, update

from gipfbot.match import RequestState, Status, TakebackRequest

from .database import Connection
from .errors import Stale
from .tables import games, offers


async def add_offer(db: Connection, offer: TakebackRequest, now: int) -> TakebackRequest:
    """Return a new request with the id it was given."""
    values = {
        "game": offer.game,
        "by": offer.by,
        "turn": offer.turn_number,
        "turns": " ".join(offer.turns),
        "serial": offer.turn_serial,
        "state": offer.state,
        "created_at": now,
        "expires_at": offer.expires_at,
    }
    id = (await db.execute(insert(offers).values(values).returning(offers.c.id))).scalar_one()
    return replace(offer, id=id)


async def load_offer(db: Connection, id: int) -> TakebackRequest | None:
    """Return a request, or None."""
    found = await _load(db, select(offers).where(offers.c.id == id))
    return found[0] if found else None


async def offers_of(db: Connection, game: int) -> list[TakebackRequest]:
    """Return all requests of a game, oldest first."""
    return await _load(db, select(offers).where(offers.c.game == game).order_by(offers.c.id))


async def save_offer(db: Connection, offer: TakebackRequest) -> None:
    """Save what has become of an open request. Raises Stale when it is no longer open."""
    changed = await db.execute(
        update(offers).where(offers.c.id == offer.id, offers.c.state == RequestState.OPEN).values(state=offer.state)
    )
    if not changed.rowcount:
        raise Stale(f"offer {offer.id}")


async def lapsed_offers(db: Connection, now: int, limit: int) -> list[TakebackRequest]:
    """Return requests still stored as open whose time is over, or whose game has gone on, oldest first."""
    serial = games.c.number + 2 * games.c.undone
    gone_on = or_(games.c.status != Status.RUNNING, serial != offers.c.serial, games.c.fallen)
    late = offers.c.state == RequestState.OPEN, or_(offers.c.expires_at <= now, gone_on)
    there = offers.join(games, games.c.id == offers.c.game)
    return await _load(db, select(offers).select_from(there).where(*late).order_by(offers.c.id).limit(limit))


async def _load(db: Connection, query: Select[Any]) -> list[TakebackRequest]:
    return [_offer(row) for row in await db.execute(query)]


def _offer(row: Row[Any]) -> TakebackRequest:
    turns = tuple((row.turns or "").split())
    return TakebackRequest(
        row.id, row.game, row.by, row.turn, row.serial, row.expires_at, RequestState(row.state), turns
    )
