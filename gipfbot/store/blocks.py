"""Blocks: whom a person keeps from challenging, following and nudging them."""

from collections.abc import Collection

from sqlalchemy import bindparam, delete, func, insert, select

from gipfbot.match import Seat

from .database import Connection
from .tables import blocks
from .traces import with_traces

_BLOCKED_BY = select(blocks.c.blocked).where(blocks.c.user.in_(bindparam("users", expanding=True)))  # built once


async def add_block(db: Connection, user: int, blocked: Seat, now: int) -> None:
    """Store that a person blocks a player. Does not check whether they do so already."""
    await db.execute(insert(blocks).values(user=user, blocked=blocked.user, name=blocked.name, created_at=now))


async def delete_block(db: Connection, user: int, blocked: int) -> None:
    """Delete a person's block of a player, also if the player has deleted their data since."""
    known = await with_traces(db, [blocked])
    await db.execute(delete(blocks).where(blocks.c.user == user, blocks.c.blocked.in_(known)))


async def load_block(db: Connection, user: int, blocked: int) -> Seat | None:
    """Return the player if the person blocks them, with the name that they had then. None if not.

    A player who has deleted their data since is found, as a former player.
    """
    which = blocks.c.user == user, blocks.c.blocked.in_(await with_traces(db, [blocked]))
    row = (await db.execute(select(blocks).where(*which))).first()
    return Seat(row.blocked, row.name) if row else None


async def blocks_of(db: Connection, user: int) -> list[Seat]:
    """Return the players whom a person blocks, the first blocked first."""
    order = blocks.c.created_at, blocks.c.blocked
    rows = await db.execute(select(blocks).where(blocks.c.user == user).order_by(*order))
    return [Seat(row.blocked, row.name) for row in rows]


async def count_blocks(db: Connection, user: int) -> int:
    """Return how many players a person blocks."""
    return (await db.execute(select(func.count()).where(blocks.c.user == user))).scalar_one()


async def blocked_among(db: Connection, people: Collection[int], users: Collection[int]) -> set[int]:
    """Return those of `people` whom one of these users blocks, also if they have deleted their data since."""
    known = await with_traces(db, people)
    found = await db.scalars(_BLOCKED_BY, {"users": [*users]})
    return {known[blocked] for blocked in found if blocked in known}
