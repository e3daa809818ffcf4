"""All that is stored, as tests compare it: whether an interaction has changed anything."""

from typing import Any

from gipfbot.store import tables

from .world import World

# Tables and columns that change when somebody reads, and tell nobody anything.
UNSEEN = {"meta", "due", "members"}
UNSEEN_COLUMNS = {"listed_turn_number", "listed_taken_back", "seen_at"}


async def stored_rows(world: World) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of all tables."""
    async with world.store.reading() as db:
        return {
            table.name: [dict(row) for row in (await db.execute(table.select())).mappings()]
            for table in tables.metadata.sorted_tables
        }


def seen_rows(rows: dict[str, list[dict[str, Any]]]) -> Any:
    """Return what matters of the rows of all tables."""
    return {
        name: [{column: value for column, value in row.items() if column not in UNSEEN_COLUMNS} for row in found]
        for name, found in rows.items()
        if name not in UNSEEN
    }
