"""Traces: what stays of a person's id when they delete their data, so that they cannot escape what protects others.

A trace is the id's HMAC-SHA256 with a random key of the host, cut to an integer. Without the key, nobody can tell whose
trace it is. Blocks by others keep it as long as they stand; challenges to others, for a day.
"""

import hmac
import secrets
from collections.abc import Collection

from sqlalchemy import delete, exists, insert, select

from gipfbot.match import REQUEST_LIFETIME
from gipfbot.match.clock import DAY
from gipfbot.values.people import FIRST_TRACE

from . import meta
from .database import Connection
from .tables import challenges, former_pings

KEY = "trace_key"


async def make_trace(db: Connection, user: int) -> int:
    """Return the trace of a person. The first call makes the host's key."""
    key = await meta.load_value(db, KEY)
    if key is None:
        key = secrets.token_hex(32)
        await meta.save_value(db, KEY, key)
    return _trace_number(key, user)


def _trace_number(key: str, user: int) -> int:
    digest = hmac.digest(bytes.fromhex(key), str(user).encode(), "sha256")
    return FIRST_TRACE | int.from_bytes(digest[:8]) >> 2


async def with_traces(db: Connection, users: Collection[int]) -> dict[int, int]:
    """Return each of these people by their id, and by their trace if anybody has deleted their data."""
    key = await meta.load_value(db, KEY)
    return {user: user for user in users} | ({_trace_number(key, user): user for user in users} if key else {})


async def keep_pings(db: Connection, user: int, ids: Collection[int], now: int) -> None:
    """Note whom a person has pinged within a day by some of these challenges."""
    c = challenges.c
    recent = c.id.in_(ids), c.by_user == user, c.to_user.is_not(None), c.expires_at > _counted_after(now)
    pings = (await db.execute(select(c.to_user, c.expires_at).where(*recent))).all()
    if pings:
        trace = await make_trace(db, user)
        rows = [{"trace": trace, "to_user": ping.to_user, "expires_at": ping.expires_at} for ping in pings]
        await db.execute(insert(former_pings), rows)


def _counted_after(now: int) -> int:
    """Return the time that the challenges of the last day expire after."""
    return now + REQUEST_LIFETIME - DAY


async def are_pings_over(db: Connection, now: int) -> bool:
    """Return whether there are pings of former players that are more than a day old."""
    return bool(await db.scalar(select(exists().where(former_pings.c.expires_at <= _counted_after(now)))))


async def forget_pings(db: Connection, now: int) -> None:
    """Delete the pings of former players that are more than a day old."""
    await db.execute(delete(former_pings).where(former_pings.c.expires_at <= _counted_after(now)))
