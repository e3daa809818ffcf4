"""The bot's own values: one text per key. Writing one of them is the trial of whether the database can be written."""

from collections.abc import Collection

from sqlalchemy import Label, bindparam, delete, insert, select, update
from sqlalchemy.exc import DBAPIError

from gipfbot.values import DatabaseTrouble

from . import tables
from .database import Connection, Store, tried_again

# Built once, because each turn needs them.
_VALUE = select(tables.meta.c.value).where(tables.meta.c.key == bindparam("name"))
_VALUES = select(tables.meta).where(tables.meta.c.key.in_(bindparam("names", expanding=True)))
WRITTEN_KEY = "written_at"  # the key of the last trial


async def load_value(db: Connection, key: str) -> str | None:
    """Return the value of a key, or None."""
    value: str | None = await db.scalar(_VALUE, {"name": key})
    return value


def value_column(key: str) -> Label[str | None]:
    """Return the value of a key as a column with the key as its name, to be read together with other rows."""
    return select(tables.meta.c.value).where(tables.meta.c.key == key).scalar_subquery().label(key)


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
