"""Leases on outbox rows. Whoever holds the lease of a row delivers it."""

from gipfbot.store import Connection, outbox
from gipfbot.store.outbox import LEASE_SECONDS
from gipfbot.values import OutboxRow


async def lease_for_caller(db: Connection, row_id: int, now: int) -> tuple[OutboxRow, ...]:
    """Lease an outbox row for the caller, who then has to deliver it.

    Return a tuple with the row. The tuple is empty if the row cannot be delivered yet.
    """
    row = await outbox.lease(db, row_id, now, LEASE_SECONDS)
    return (row,) if row else ()
