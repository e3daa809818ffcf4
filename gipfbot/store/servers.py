"""Servers, by their Discord ids."""

from typing import Any

from sqlalchemy import insert, select, update

from .database import Connection
from .tables import servers


async def settings_of_server(db: Connection, server: int) -> dict[str, Any]:
    """Return what has been set for a server, by name; empty where nothing was."""
    return await db.scalar(select(servers.c.settings).where(servers.c.id == server)) or {}


async def setting_by_server(db: Connection, name: str) -> dict[int, Any]:
    """Return what has been set under this name, by server. Every server is looked at: not for what happens often."""
    rows = await db.execute(select(servers.c.id, servers.c.settings))
    return {row.id: row.settings[name] for row in rows if name in (row.settings or ())}


async def save_server_settings(db: Connection, server: int, settings: dict[str, Any]) -> None:
    """Keep what has been set for a server, JSON values by name. Not checked: whether anybody reads them."""
    changed = await db.execute(update(servers).where(servers.c.id == server).values(settings=settings))
    if not changed.rowcount:
        await db.execute(insert(servers).values(id=server, settings=settings))
