"""Leases on outbox rows, and how long they last. The holder of a row's lease delivers it."""

from gipfbot.store import Connection, outbox
from gipfbot.values import OutboxRow

LEASE_SECONDS = 15  # seconds a leased row is left alone; the nonce covers a post that takes longer


async def lease_for_caller(db: Connection, row_id: int, now: int) -> tuple[OutboxRow, ...]:
    """Lease an outbox row for the caller, who then has to deliver it.

    Return a tuple with the row. The tuple is empty if the row cannot be delivered yet.
    """
    row = await outbox.lease(db, row_id, now, LEASE_SECONDS)
    return (row,) if row else ()
