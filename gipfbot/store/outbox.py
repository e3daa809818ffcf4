"""What is owed to channels: written in the transaction that makes it due, done after it was posted.

Nothing owed is lost, and nothing is said twice: whoever delivers a row claims it first, for the length of a lease.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, and_, bindparam, delete, exists, func, insert, or_, select, update

from .database import Connection
from .tables import outbox


@dataclass(frozen=True)
class OutboxRow:
    """A claimed row. `attempts` counts this claim too; `first_tried_at` is the time of the first one."""

    id: int
    key: str
    kind: str
    channel: int
    game: int | None
    payload: dict[str, Any]
    attempts: int
    created_at: int
    first_tried_at: int


LEASE_SECONDS = 15  # seconds a claimed row is left alone; the nonce covers a post that takes longer
_OWED = outbox.c.done_at.is_(None)
_FIELDS = tuple(outbox.c[name] for name in OutboxRow.__dataclass_fields__)


async def owe(
    db: Connection,
    key: str,
    kind: str,
    channel: int,
    payload: Mapping[str, Any],
    now: int,
    game: int | None = None,
) -> int:
    """Return the id of the row that owes this, the nonce of its post. The same key again changes nothing."""
    known: int | None = await db.scalar(select(outbox.c.id).where(outbox.c.key == key))
    if known is not None:
        return known
    row = {"key": key, "kind": kind, "channel": channel, "game": game, "payload": dict(payload), "created_at": now}
    added: int = (
        await db.execute(insert(outbox).values(**row, attempts=0, not_before=now).returning(outbox.c.id))
    ).scalar_one()
    return added


async def owe_each(db: Connection, key: str, kind: str, payloads: Mapping[int, Mapping[str, Any]], now: int) -> None:
    """Owe a message to each of these channels, all at once; `key` with the channel behind it must not be known yet."""
    shared = {"kind": kind, "game": None, "created_at": now, "attempts": 0, "not_before": now}
    rows = [{**shared, "key": f"{key}:{place}", "channel": place, "payload": p} for place, p in payloads.items()]
    if rows:
        await db.execute(insert(outbox), rows)


async def was_owed(db: Connection, key: str) -> bool:
    """Return whether this was ever owed."""
    return await db.scalar(select(outbox.c.id).where(outbox.c.key == key)) is not None


async def posted_message(db: Connection, key: str) -> tuple[int, int] | None:
    """Return channel and message of what was owed under this key, None where it was not posted."""
    row = (await db.execute(select(outbox.c.channel, outbox.c.message).where(outbox.c.key == key))).one_or_none()
    return (row.channel, row.message) if row and row.message else None


async def payloads_posted_since(db: Connection, first: str, last: str, since: int) -> list[dict[str, Any]]:
    """Return the payloads of what was posted since then, of that owed under the keys from `first` to `last`."""
    among = outbox.c.key.between(first, last), outbox.c.message.is_not(None), outbox.c.done_at >= since
    return [*await db.scalars(select(outbox.c.payload).where(*among))]


_NOW = bindparam("now", type_=BigInteger)
_EARLIER = outbox.alias("earlier")
_WAITS = exists().where(_EARLIER.c.game == outbox.c.game, _EARLIER.c.id < outbox.c.id, _EARLIER.c.done_at.is_(None))
_FREE = or_(outbox.c.leased_until.is_(None), outbox.c.leased_until <= _NOW)
_DELIVERABLE = and_(_OWED, outbox.c.not_before <= _NOW, _FREE, ~_WAITS)
# Built once: these are asked for each message.
_LEASE = (
    update(outbox)
    .where(outbox.c.id == bindparam("row"), _DELIVERABLE)
    .values(
        attempts=outbox.c.attempts + 1,
        leased_until=bindparam("until", type_=BigInteger),
        first_tried_at=func.coalesce(outbox.c.first_tried_at, _NOW),
    )
    .returning(*_FIELDS)
)
# Ordered as the index is: by id alone SQLite would read all that was ever done.
_DUE = select(outbox.c.id).where(_DELIVERABLE).order_by(outbox.c.not_before, outbox.c.id).limit(bindparam("most"))
_DUE_OF_GAME = _DUE.where(outbox.c.game == bindparam("of_game"))


async def lease(db: Connection, row_id: int, now: int, seconds: int) -> OutboxRow | None:
    """Return the row, which nobody else can claim for `lease` seconds, or None where it cannot be delivered now.

    That is: it is settled, not due yet or claimed, or an earlier row of its game is still owed.
    """
    row = (await db.execute(_LEASE, {"row": row_id, "now": now, "until": now + seconds})).one_or_none()
    return OutboxRow(*row) if row else None


async def deliverable_rows(db: Connection, now: int, limit: int, game: int | None = None) -> list[int]:
    """Return the ids of what can be claimed now, of one game or of all, the longest due first."""
    if game is None:
        return list(await db.scalars(_DUE, {"now": now, "most": limit}))
    return list(await db.scalars(_DUE_OF_GAME, {"now": now, "most": limit, "of_game": game}))


async def mark_posted(db: Connection, row_id: int, message: int | None, now: int) -> None:
    """Settle a row that was posted as this message."""
    await db.execute(update(outbox).where(outbox.c.id == row_id).values(done_at=now, message=message))


async def is_owed_to(db: Connection, row_id: int, channel: int) -> bool:
    """Return whether a row still waits to be posted in this channel."""
    return (
        await db.scalar(select(outbox.c.id).where(outbox.c.id == row_id, outbox.c.channel == channel, _OWED))
        is not None
    )


async def is_owed_for(db: Connection, game: int, kind: str) -> bool:
    """Return whether something of this kind is still owed for a game."""
    found = select(outbox.c.id).where(outbox.c.game == game, outbox.c.kind == kind, _OWED).limit(1)
    return await db.scalar(found) is not None


async def owed_since(db: Connection, game: int, kind: str) -> int | None:
    """Return since when something of this kind has been owed for a game, None where nothing is."""
    found = select(func.min(outbox.c.created_at)).where(outbox.c.game == game, outbox.c.kind == kind, _OWED)
    since: int | None = await db.scalar(found)
    return since


async def redirect_owed(db: Connection, channel: int, target: int, now: int, game: int | None = None) -> None:
    """Let what is owed to a channel, for one game or all, be posted in another from now on, as if never tried."""
    rows = update(outbox).where(outbox.c.channel == channel, _OWED)
    values = {"channel": target, "leased_until": None, "first_tried_at": None, "attempts": 0, "not_before": now}
    await db.execute((rows if game is None else rows.where(outbox.c.game == game)).values(values))


async def dropped_payload(db: Connection, row_id: int) -> dict[str, Any] | None:
    """Return the payload of a row that was settled without being posted, None for any other."""
    was_dropped = outbox.c.id == row_id, outbox.c.dropped.is_not(None)
    found: dict[str, Any] | None = await db.scalar(select(outbox.c.payload).where(*was_dropped))
    return found


async def requeue_row(db: Connection, row_id: int, channel: int, payload: Mapping[str, Any], now: int) -> None:
    """Let a row that was dropped be posted after all, with this payload; since when it has been tried stays known."""
    values = {"channel": channel, "payload": dict(payload), "not_before": now, "leased_until": None}
    await db.execute(update(outbox).where(outbox.c.id == row_id).values(**values, done_at=None, dropped=None))


async def requeue_dropped(db: Connection, key: str, channel: int, now: int) -> bool:
    """Owe anew, and to this channel, what was settled under this key without being posted; return whether it was."""
    lost = outbox.c.key == key, outbox.c.dropped.is_not(None)
    row = (await db.execute(select(outbox.c.id, outbox.c.kind, outbox.c.payload, outbox.c.game).where(*lost))).first()
    if row is None:
        return False
    await delete_row(db, row.id)
    await owe(db, key, row.kind, channel, row.payload, now, row.game)
    return True


async def delete_row(db: Connection, row_id: int) -> None:
    """Delete a row, so that its key can be owed again."""
    await db.execute(delete(outbox).where(outbox.c.id == row_id))


async def retry_later(db: Connection, row_id: int, not_before: int) -> None:
    """Give a claimed row back, to be tried again from then on."""
    await db.execute(update(outbox).where(outbox.c.id == row_id).values(leased_until=None, not_before=not_before))


async def retry_all_now(db: Connection, now: int) -> None:
    """Let everything that is owed be tried from now on, however long it was put off."""
    await db.execute(update(outbox).where(_OWED, outbox.c.not_before > now).values(not_before=now))


async def release_leases(db: Connection) -> None:
    """Give back whatever is claimed. Only for a start, when whoever claimed it is no more."""
    await db.execute(update(outbox).where(_OWED, outbox.c.leased_until.is_not(None)).values(leased_until=None))


async def drop_row(db: Connection, row_id: int, reason: str, now: int) -> None:
    """Settle a row that will not be posted. One that is settled stays as it is."""
    await db.execute(update(outbox).where(outbox.c.id == row_id, _OWED).values(done_at=now, dropped=reason))


async def drop_rows_of_game(db: Connection, game: int, reason: str, now: int) -> None:
    """Settle whatever is still owed for a game without posting it."""
    await db.execute(update(outbox).where(outbox.c.game == game, _OWED).values(done_at=now, dropped=reason))
