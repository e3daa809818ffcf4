"""All that a database holds, for tests that look for people in it."""

from collections.abc import AsyncIterator

from sqlalchemy import select

from gipfbot.match import Seat
from gipfbot.store import Connection, Store, tables


async def every_value(db: Connection) -> AsyncIterator[tuple[str, object]]:
    """Yield every stored value, with the names of its table and column."""
    for table in tables.metadata.sorted_tables:
        for row in await db.execute(select(table)):
            for name, value in row._mapping.items():
                yield f"{table.name}.{name}", value


async def all_values(store: Store) -> list[tuple[str, object]]:
    """Return every stored value, with the names of its table and column."""
    async with store.reading() as db:
        return [value async for value in every_value(db)]


async def columns_naming(store: Store, person: Seat) -> set[str]:
    """Return the columns in which a person's id or name stands anywhere."""
    words = str(person.user), person.name
    return {column for column, value in await all_values(store) if any(word in str(value) for word in words)}
