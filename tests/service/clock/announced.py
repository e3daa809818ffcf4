"""What the outbox has of vacations and of other messages."""

from sqlalchemy import select

from gipfbot.service.app import App
from gipfbot.service.clock.vacations import VACATION
from gipfbot.store import tables


async def announced(app: App) -> list[tuple[int, list[int], bool]]:
    """Return what channels were told of vacations: the channel, the games with a clock, whether it is over."""
    async with app.games.store.reading() as db:
        rows = await db.execute(select(tables.outbox).where(tables.outbox.c.kind == VACATION))
        return [(row.channel, [game_id for game_id, *_ in row.payload["games"]], row.payload["over"]) for row in rows]


async def owed(app: App, kind: str) -> int:
    """Return how many such messages were ever owed."""
    async with app.games.store.reading() as db:
        return len((await db.execute(select(tables.outbox.c.id).where(tables.outbox.c.kind == kind))).all())
