"""Settings of servers, by their Discord ids."""

from typing import Any

from sqlalchemy import bindparam, insert, select, update

from .database import Connection
from .tables import servers

_SETTINGS = select(servers.c.settings).where(servers.c.id == bindparam("server"))  # built once: each turn needs it


async def settings_of_server(db: Connection, server: int) -> dict[str, Any]:
    """Return a server's settings by name; empty if none was set."""
    return await db.scalar(_SETTINGS, {"server": server}) or {}


async def save_server_settings(db: Connection, server: int, settings: dict[str, Any]) -> None:
    """Save a server's settings: JSON values by name. Does not check whether they are known."""
    changed = await db.execute(update(servers).where(servers.c.id == server).values(settings=settings))
    if not changed.rowcount:
        await db.execute(insert(servers).values(id=server, settings=settings))
