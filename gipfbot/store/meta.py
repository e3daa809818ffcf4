"""The bot's own values: one text per key, figures about the bot as a whole, and whether it can write."""

from collections.abc import Collection

from sqlalchemy import and_, bindparam, delete, func, insert, select, update
from sqlalchemy.exc import DBAPIError

from gipfbot.values import PLAYER_LEFT, DatabaseTrouble

from . import tables
from .backends import backend_of
from .database import Connection, Store, tried_again
from .tables import games, outbox

# Built once, because each turn needs them.
_VALUE = select(tables.meta.c.value).where(tables.meta.c.key == bindparam("name"))
_VALUES = select(tables.meta).where(tables.meta.c.key.in_(bindparam("names", expanding=True)))

_OWED = and_(outbox.c.done_at.is_(None), outbox.c.not_before >= 0)  # so that their index is used
# If the player to move has left, the channel is not at fault.
_REFUSED = and_(games.c.unreachable.is_not(None), games.c.waiting_user.is_not(None), games.c.unreachable != PLAYER_LEFT)

WRITTEN_KEY = "written_at"  # the key of the last trial


async def load_value(db: Connection, key: str) -> str | None:
    """Return the value of a key, or None."""
    value: str | None = await db.scalar(_VALUE, {"name": key})
    return value


async def lock_value(db: Connection, key: str) -> str | None:
    """Return the value of a key, or None. Until the transaction ends, no other one can lock or change the value."""
    locked: str | None = await db.scalar(_VALUE.with_for_update(), {"name": key})
    return locked


async def load_values(db: Connection, keys: Collection[str]) -> dict[str, str]:
    """Return the values of several keys, by key. Keys without a value are left out."""
    rows = await db.execute(_VALUES, {"names": [*keys]})
    return {row.key: row.value for row in rows}


async def save_value(db: Connection, key: str, value: str) -> None:
    """Set the value of a key."""
    changed = await db.execute(update(tables.meta).where(tables.meta.c.key == key).values(value=value))
    if not changed.rowcount:
        await db.execute(insert(tables.meta).values(key=key, value=value))


async def keys_with_value(db: Connection, beginning: str, value: str) -> list[str]:
    """Return the keys with this beginning that have this value."""
    key = tables.meta.c.key
    same = key.startswith(beginning, autoescape=True), tables.meta.c.value == value
    return [*await db.scalars(select(key).where(*same))]


async def forget_values(db: Connection, beginning: str) -> None:
    """Delete all keys with this beginning."""
    await db.execute(delete(tables.meta).where(tables.meta.c.key.startswith(beginning, autoescape=True)))


async def owed_messages(db: Connection) -> tuple[int, int | None]:
    """Return how many messages are owed, and when the oldest of them was queued (UTC seconds)."""
    row = (await db.execute(select(func.count(), func.min(outbox.c.created_at)).where(_OWED))).one()
    return row[0], row[1]


async def count_owed_on_server(db: Connection, server: int) -> int:
    """Return how many messages are owed for games of a server."""
    owed = select(func.count()).select_from(outbox).join(games, games.c.id == outbox.c.game)
    return await db.scalar(owed.where(_OWED, games.c.server == server)) or 0


async def count_undeliverable_servers(db: Connection) -> int:
    """Return how many servers have a running game whose boards cannot be posted."""
    return await db.scalar(select(func.count(games.c.server.distinct())).where(_REFUSED, games.c.server > 0)) or 0


async def refusing_channels(db: Connection, server: int, most: int) -> list[int]:
    """Return the channels of a server where boards of running games cannot be posted, at most `most`."""
    found = select(games.c.channel).distinct().where(_REFUSED, games.c.server == server).order_by(games.c.channel)
    return [*await db.scalars(found.limit(most))]


async def database_bytes(db: Connection) -> int:
    """Return the size of the database, without changes that SQLite has not yet moved out of its log."""
    return await backend_of(db).count_bytes(db)


async def try_writing(store: Store, now: int) -> str:
    """Write one row the way games are written. Return why it failed; empty if it succeeded."""
    try:
        await _write_row(store, now)
    except DatabaseTrouble as error:
        return error.trouble.value
    except DBAPIError as error:
        return str(error.orig)
    return ""


@tried_again
async def _write_row(store: Store, now: int) -> None:
    async with store.game_transaction(None) as db:
        await save_value(db, WRITTEN_KEY, str(now))
