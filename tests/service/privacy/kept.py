"""What is left of the outbox and of other tables after the passes of retention."""

from typing import Any

from sqlalchemy import Table, func, select

from gipfbot.service.app import App
from gipfbot.store import tables
from gipfbot.values import OutboxRow
from tests.service.helpers import Host
from tests.support.times import DAY


async def post_all(app: App, *, but: str = "") -> list[OutboxRow]:
    """Note all that is owed as posted, without the messages of one kind. Return the rows."""
    done = list[OutboxRow]()
    await app.outbox.release_leases()
    while rows := [row for row in await _lease_all(app) if row.kind != but]:
        for row in rows:
            await app.outbox.note_delivered(row, 1000 + row.id)
        done += rows
    await app.outbox.release_leases()
    return done


async def _lease_all(app: App) -> list[OutboxRow]:
    rows = [await app.outbox.lease_row(row_id) for row_id in await app.outbox.deliverable_rows(1000)]
    return [row for row in rows if row]


async def pass_over(app: App) -> None:
    """Let retention make two whole passes, the second for what the first made free. No time passes."""
    for _ in range(2):
        await app.retention.finish_pass()


async def a_month_later(app: App, host: Host) -> None:
    """Let so much time pass that settled messages lose their payload, then their rows; let retention work each time."""
    for _ in range(2):
        host.passes(31 * DAY)
        await pass_over(app)


async def kinds_left(app: App, *, full: bool = False) -> dict[str, int]:
    """Return how many rows the outbox has of each kind. With `full`, count those that have their payload."""
    table = tables.outbox
    which = table.c.emptied_at.is_(None) if full else table.c.id > 0
    async with app.games.store.reading() as db:
        rows = await db.execute(select(table.c.kind, func.count()).where(which).group_by(table.c.kind))
        return {row.kind: row[1] for row in rows}


async def rows_in(app: App, table: Table) -> list[Any]:
    """Return all rows of a table."""
    async with app.games.store.reading() as db:
        return [*(await db.execute(select(table))).all()]
