"""The servers that the bot has joined, and those that it was removed from. All times are UTC seconds."""

from sqlalchemy import func, insert, select, update

from .database import Connection
from .tables import arrivals


async def present_servers(db: Connection) -> dict[int, int]:
    """Return when the bot joined each server that it is known to be in, by server."""
    rows = await db.execute(select(arrivals.c.server, arrivals.c.joined_at).where(arrivals.c.left_at.is_(None)))
    return {row.server: row.joined_at for row in rows}


async def count_present_servers(db: Connection) -> int:
    """Return how many servers the bot is known to be in."""
    return await db.scalar(select(func.count()).select_from(arrivals).where(arrivals.c.left_at.is_(None))) or 0


async def was_joined_at(db: Connection, server: int, joined_at: int) -> bool:
    """Return whether the bot is known to have joined a server at this time, and to be there still."""
    there = arrivals.c.server == server, arrivals.c.joined_at == joined_at, arrivals.c.left_at.is_(None)
    return await db.scalar(select(arrivals.c.server).where(*there)) is not None


async def save_arrival(db: Connection, server: int, joined_at: int) -> None:
    """Note when the bot joined a server. It counts as present there from now on."""
    values = {"joined_at": joined_at, "left_at": None}
    changed = await db.execute(update(arrivals).where(arrivals.c.server == server).values(values))
    if not changed.rowcount:
        await db.execute(insert(arrivals).values(server=server, **values))


async def save_departure(db: Connection, server: int, now: int) -> None:
    """Note when the bot was removed from a server. Does nothing for a server that it is not known to be in."""
    there = arrivals.c.server == server, arrivals.c.left_at.is_(None)
    await db.execute(update(arrivals).where(*there).values(left_at=now))
