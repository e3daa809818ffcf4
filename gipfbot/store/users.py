"""People, by their Discord ids."""

from typing import Any

from sqlalchemy import insert, select, update

from .database import Connection
from .tables import users


async def remember(db: Connection, user: int, now: int) -> None:
    """Note that this person was here now."""
    await _put(db, user, seen_at=now)


async def settings(db: Connection, user: int) -> dict[str, Any]:
    """Return what a person has set, by name; empty for somebody unknown."""
    return await db.scalar(select(users.c.settings).where(users.c.id == user)) or {}


async def set_setting(db: Connection, user: int, key: str, value: Any) -> None:
    """Set one of a person's settings to a JSON value. Not checked: whether anybody reads it."""
    await _put(db, user, settings={**await settings(db, user), key: value})


async def _put(db: Connection, user: int, **values: Any) -> None:
    changed = await db.execute(update(users).where(users.c.id == user).values(values))
    if not changed.rowcount:
        await db.execute(insert(users).values({"id": user, "settings": {}, **values}))
