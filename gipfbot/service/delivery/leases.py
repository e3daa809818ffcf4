"""Leases on outbox rows: the holder of a lease delivers the row."""

from gipfbot.store import Connection, outbox
from gipfbot.store.outbox import LEASE_SECONDS
from gipfbot.values import OutboxRow


async def lease_for_caller(db: Connection, row_id: int, now: int) -> tuple[OutboxRow, ...]:
    """Return the row, which the caller now has to deliver; empty if it cannot be delivered yet."""
    row = await outbox.lease(db, row_id, now, LEASE_SECONDS)
    return (row,) if row else ()
