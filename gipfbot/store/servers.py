"""Settings of servers, by their Discord ids."""

from typing import Any

from sqlalchemy import insert, select, update

from .database import Connection
from .tables import servers


async def settings_of_server(db: Connection, server: int) -> dict[str, Any]:
    """Return a server's settings by name; empty if none was set."""
    return await db.scalar(select(servers.c.settings).where(servers.c.id == server)) or {}


async def setting_by_server(db: Connection, name: str) -> dict[int, Any]:
    """Return a table that maps servers to their value of one setting.

    Servers without the setting are left out. Reads the row of every server, so call it rarely.
    """
    rows = await db.execute(select(servers.c.id, servers.c.settings))
    return {row.id: row.settings[name] for row in rows if name in (row.settings or ())}


async def save_server_settings(db: Connection, server: int, settings: dict[str, Any]) -> None:
    """Save a server's settings: JSON values by name. Does not check whether they are known."""
    changed = await db.execute(update(servers).where(servers.c.id == server).values(settings=settings))
    if not changed.rowcount:
        await db.execute(insert(servers).values(id=server, settings=settings))
