"""The outbox: messages to post. A row is written in the transaction that causes its message.

A private game has no channel: the outbox takes no row for NOWHERE (`_goes_nowhere`).

A row is settled when its message is posted or dropped. No message is lost, and none is posted twice. A deliverer leases
a row for some seconds before it posts. Each row has a unique random mark. Its message carries the mark, so that a
posted message can be found. No two rows of a channel store the same message id. Only the row of a thread is not
checked, because a thread has the id of the message it was made from.
"""

import secrets
from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Integer,
    Label,
    and_,
    bindparam,
    case,
    cast,
    delete,
    exists,
    func,
    insert,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.dml import ReturningUpdate
from sqlalchemy.sql.functions import FunctionElement

from gipfbot.values import NOWHERE, THREAD, DueMessage, GivesWay, LastOwed, MessageTaken, OutboxRow

from .backends import backend_of
from .database import Connection, process_of
from .tables import challenges, games, outbox, seats, servers, users

GAVE_WAY = "a newer board took its place"  # why a board was dropped: see GivesWay
_OWED = outbox.c.done_at.is_(None)
_OWED_BY_INDEX = and_(_OWED, outbox.c.not_before >= 0)  # so that their index is used
_FULL = outbox.c.emptied_at.is_(None)


class _Payload(FunctionElement[Any]):
    """The payload of a row; NULL if it is damaged, so that its row alone cannot be posted."""

    type, inherit_cache = JSON(), True  # else each statement with it would be compiled anew, which takes milliseconds


@compiles(_Payload)
def _write_payload(*_: Any, **__: Any) -> str:
    return "outbox.payload"


@compiles(_Payload, "sqlite")
def _write_checked_payload(*_: Any, **__: Any) -> str:
    return "CASE WHEN json_valid(outbox.payload) THEN outbox.payload END"


def _languages() -> dict[str, Label[str | None]]:
    """Return the two languages in a row, by their names in OutboxRow.

    A game on no server is played in the channel of direct messages of its only person. The row's columns are named by
    text: SQLAlchemy writes them without their table where a row is added.
    """
    payload = _Payload()
    known = {name: cast(payload[name].as_string(), BigInteger) for name in ("server", "game", "challenge")}
    game = func.coalesce(literal_column("outbox.game", Integer), known["game"])
    of_game = select(games.c.server).where(games.c.id == game).scalar_subquery()
    of_challenge = select(challenges.c.server).where(challenges.c.id == known["challenge"]).scalar_subquery()
    there = servers.c.id == func.coalesce(known["server"], of_game, of_challenge)
    of_person = select(users.c.language).where(users.c.id == literal_column("outbox.channel", BigInteger))
    of_server = select(servers.c.language).where(there)
    alone = exists().where(games.c.id == game, games.c.server.is_(None))
    of_player = select(func.min(users.c.language)).where(seats.c.game == game, users.c.id == seats.c.user, alone)
    of_all = func.coalesce(of_server.scalar_subquery(), of_player.scalar_subquery())
    return {"language": of_person.scalar_subquery().label("language"), "language_there": of_all.label("language_there")}


_LANGUAGES = _languages()
_FIELDS = tuple(({**outbox.c} | _LANGUAGES)[name] for name in OutboxRow.__dataclass_fields__)
_ROW, _EARLIER = outbox.alias("row"), outbox.alias("earlier")
_BOUND = {column.name: bindparam(column.name, type_=column.type) for column in outbox.c}
# Built once, because each message needs them.
_WITH_KEY = select(outbox.c.id).where(outbox.c.key == bindparam("wanted"))
_KNOWN = exists().where(_ROW.c.key == bindparam("key"))
_OWED_IN_GAME = exists().where(_EARLIER.c.game == bindparam("game"), _EARLIER.c.done_at.is_(None))
_NEW = ["key", "mark", "kind", "channel", "game", "payload", "attempts", "not_before", "created_at"]
_NEW += ["caused_by", "gives_way"]
_LEASED = [*_NEW, "leased_until", "leased_by", "first_tried_at"]
_ADD = insert(outbox).from_select(_NEW, select(*(_BOUND[name] for name in _NEW)).where(~_KNOWN)).returning(outbox.c.id)
_UNHINDERED = select(*(_BOUND[name] for name in _LEASED)).where(~_KNOWN, ~_OWED_IN_GAME)
_ADD_LEASED = insert(outbox).from_select(_LEASED, _UNHINDERED).returning(*_FIELDS)
_OF_ROW = outbox.c.id == bindparam("row")
_POSTED = bindparam("posted", type_=BigInteger)
_TAKEN = exists().where(_ROW.c.channel == outbox.c.channel, _ROW.c.message == _POSTED, _ROW.c.kind != THREAD)
_SETTLE = (
    update(outbox)
    .where(_OF_ROW, outbox.c.message.is_(None), or_(outbox.c.kind == THREAD, ~_TAKEN))
    .values(done_at=bindparam("now"), message=_POSTED, caused_by=None)
)
_PAYLOADS = (
    select(outbox.c.channel, outbox.c.payload)
    .where(outbox.c.key.between(bindparam("first"), bindparam("last")))
    .order_by(outbox.c.id)
)
_NOW = bindparam("now", type_=BigInteger)
_WAITS = exists().where(_EARLIER.c.game == outbox.c.game, _EARLIER.c.id < outbox.c.id, _EARLIER.c.done_at.is_(None))
_FREE = or_(outbox.c.leased_until.is_(None), outbox.c.leased_until <= _NOW)
_DELIVERABLE = and_(_OWED, outbox.c.not_before <= _NOW, _FREE, ~_WAITS)
_LEASE = (
    update(outbox)
    .where(outbox.c.id == bindparam("row"), _DELIVERABLE)
    .values(
        attempts=outbox.c.attempts + 1,
        leased_until=bindparam("until", type_=BigInteger),
        leased_by=bindparam("process"),
        first_tried_at=func.coalesce(outbox.c.first_tried_at, _NOW),
    )
    .returning(*_FIELDS)
)
# Beside other processes: rows that another one is writing are skipped, so nobody waits.
_UNLOCKED = select(_ROW.c.id).where(_ROW.c.id == bindparam("row")).with_for_update(skip_locked=True)
_LEASE_BESIDE = _LEASE.where(outbox.c.id == _UNLOCKED.scalar_subquery())
_BY_OTHERS = and_(_ROW.c.done_at.is_(None), _ROW.c.leased_until > _NOW, _ROW.c.leased_by != bindparam("process"))
_LEASE_IN_LANE = _LEASE_BESIDE.where(~exists().where(_ROW.c.channel == outbox.c.channel, _BY_OTHERS))
# Ordered like the index: by id alone, SQLite would read all rows that were ever settled.
_DUE = select(outbox.c.id).where(_DELIVERABLE).order_by(outbox.c.not_before, outbox.c.id).limit(bindparam("most"))
# The messages of a lane: first one of each person, then the second ones. Those of nobody count as one person's.
_DUE_MESSAGE = outbox.c.id, outbox.c.channel, outbox.c.caused_by, outbox.c.gives_way, outbox.c.not_before.label("since")
_IN_ORDER = outbox.c.gives_way.is_not(None), outbox.c.not_before, outbox.c.id
_OF_PERSON = outbox.c.channel, outbox.c.caused_by
_RANK = func.row_number().over(partition_by=_OF_PERSON, order_by=_IN_ORDER).label("rank")
_RANKED = select(*_DUE_MESSAGE, _RANK).where(_DELIVERABLE).subquery()
_BY_RANK = _RANKED.c.rank, _RANKED.c.gives_way.is_not(None), _RANKED.c.since, _RANKED.c.id
_PLACE = func.row_number().over(partition_by=_RANKED.c.channel, order_by=_BY_RANK).label("place")
_PLACED = select(_RANKED, _PLACE).subquery()
_DUE_BY_CHANNEL = (
    select(*(_PLACED.c[name] for name in DueMessage._fields))
    .where(or_(_PLACED.c.place <= bindparam("most"), _PLACED.c.rank == 1))
    .order_by(_PLACED.c.place)
)
_DUE_BY_FREE_CHANNEL = _DUE_BY_CHANNEL.where(_PLACED.c.channel.not_in(select(_ROW.c.channel).where(_BY_OTHERS)))
_DUE_OF_GAME = _DUE.where(outbox.c.game == bindparam("of_game"))


async def owe(
    db: Connection,
    key: str,
    kind: str,
    channel: int,
    payload: Mapping[str, Any],
    now: int,
    game: int | None = None,
    wait: int = 0,
    by: int | None = None,
    gives_way: GivesWay | None = None,
) -> int:
    """Queue a message to a channel, or to a person by their id. Return the id of its row.

    The message is posted after `wait` seconds at the earliest. `by` is the person whose act causes it. If a row already
    has this key, return the id of that row and change nothing. Return 0, the id of no row, if it goes nowhere.
    """
    if _goes_nowhere(channel):
        return 0
    row = {"key": key, "kind": kind, "channel": channel, "game": game, "payload": dict(payload)}
    fresh = {"mark": _draw_mark(), "created_at": now, "attempts": 0, "not_before": now + wait}
    added: int | None = await db.scalar(_ADD, {**row, **fresh, "caused_by": by, "gives_way": gives_way})
    return added or (await db.execute(_WITH_KEY, {"wanted": key})).scalar_one()


async def owe_leased(
    db: Connection,
    key: str,
    kind: str,
    channel: int,
    payload: Mapping[str, Any],
    now: int,
    game: int | None = None,
    *,
    by: int | None,
    gives_way: GivesWay | None = None,
    seconds: int,
) -> OutboxRow | None:
    """Queue a message as `owe` does, and lease its row as `lease` does. One statement, if nothing is in the way."""
    if _goes_nowhere(channel):
        return None
    row = {"key": key, "kind": kind, "channel": channel, "game": game, "payload": dict(payload)}
    fresh = {"mark": _draw_mark(), "created_at": now, "attempts": 1, "not_before": now}
    leased = {"leased_until": now + seconds, "leased_by": process_of(db), "first_tried_at": now}
    order = {"caused_by": by, "gives_way": gives_way}
    added = (await db.execute(_ADD_LEASED, {**row, **fresh, **leased, **order})).one_or_none()
    if added:
        return OutboxRow(*added)
    waiting = await owe(db, key, kind, channel, payload, now, game, by=by, gives_way=gives_way)
    return await lease(db, waiting, now, seconds)


async def owe_each(
    db: Connection, key: str, kind: str, payloads: Mapping[int, Mapping[str, Any]], now: int, by: int | None = None
) -> None:
    """Queue a message to each channel in `payloads`, which maps channels to the payloads of their messages.

    The key of each row is `key:channel`, and must be new. `by` is the person whose act causes them.
    """
    shared = {"kind": kind, "game": None, "created_at": now, "attempts": 0, "not_before": now, "caused_by": by}
    rows = [
        {**shared, "key": f"{key}:{channel}", "mark": _draw_mark(), "channel": channel, "payload": payload}
        for channel, payload in payloads.items()
        if not _goes_nowhere(channel)
    ]
    if rows:
        await db.execute(insert(outbox), rows)


def _goes_nowhere(channel: int) -> bool:
    """Return whether this is the channel of a private game: nothing of it is posted."""
    return channel == NOWHERE


def _draw_mark() -> str:
    return secrets.token_hex(8)


async def was_owed(db: Connection, key: str) -> bool:
    """Return whether a row has this key, even a settled one."""
    return await db.scalar(_WITH_KEY, {"wanted": key}) is not None


async def is_used(db: Connection, key: str) -> bool:
    """Return whether the message under this key is owed, posted or needless. One that was given up does not count."""
    used = outbox.c.key == key, outbox.c.dropped.is_(None)
    return await db.scalar(select(outbox.c.id).where(*used)) is not None


async def last_owed(db: Connection, first: str, last: str) -> LastOwed | None:
    """Return the row with the last key from `first` to `last`, even a settled one. None if there is no such row."""
    found = select(*(outbox.c[name] for name in LastOwed._fields)).where(outbox.c.key.between(first, last))
    row = (await db.execute(found.order_by(outbox.c.key.desc()).limit(1))).one_or_none()
    return LastOwed(*row) if row else None


async def payloads_by_channel(db: Connection, first: str, last: str) -> dict[int, dict[str, Any]]:
    """Return the payloads of the rows with keys from `first` to `last` by channel, even of settled rows."""
    rows = await db.execute(_PAYLOADS, {"first": first, "last": last})
    return {row.channel: row.payload for row in rows}


async def owed_lately(db: Connection, first: str, last: str, since: int, most: int) -> list[int]:
    """Return when rows with keys from `first` to `last` were queued, settled ones too: at most `most`, the last first.

    Rows queued before `since` are left out. Times are UTC seconds.
    """
    among = outbox.c.key.between(first, last), outbox.c.created_at >= since
    return [
        *await db.scalars(select(outbox.c.created_at).where(*among).order_by(outbox.c.created_at.desc()).limit(most))
    ]


async def payload_with_mark(db: Connection, kind: str, mark: str) -> dict[str, Any] | None:
    """Return the payload of a row of this kind by its mark; None if the row is gone or has lost its payload."""
    found: dict[str, Any] | None = await db.scalar(
        select(outbox.c.payload).where(outbox.c.mark == mark, outbox.c.kind == kind, _FULL)
    )
    return found


async def payload_of(db: Connection, key: str) -> dict[str, Any]:
    """Return the payload of the row with this key, even of a settled one. There must be one."""
    found: dict[str, Any] = (await db.execute(select(outbox.c.payload).where(outbox.c.key == key))).scalar_one()
    return found


async def rows_by_key(db: Connection, first: str, last: str, limit: int) -> list[int]:
    """Return the ids of at most `limit` owed rows with keys from `first` to `last`, the oldest first."""
    rows = select(outbox.c.id).where(outbox.c.key.between(first, last), _OWED).order_by(outbox.c.id).limit(limit)
    return [*await db.scalars(rows)]


async def posted_message(db: Connection, key: str) -> tuple[int, int] | None:
    """Return the channel and message ids of the message posted under this key, or None."""
    row = (await db.execute(select(outbox.c.channel, outbox.c.message).where(outbox.c.key == key))).one_or_none()
    return (row.channel, row.message) if row and row.message else None


async def was_dropped(db: Connection, key: str) -> bool:
    """Return whether the message under this key was given up, and is not queued again."""
    lost = outbox.c.key == key, outbox.c.dropped.is_not(None)
    return await db.scalar(select(outbox.c.id).where(*lost)) is not None


async def payloads_posted_since(db: Connection, first: str, last: str, since: int) -> list[dict[str, Any]]:
    """Return the payloads of messages that were posted at `since` or later.

    Only messages with keys from `first` to `last` count. Those that have lost their payload are left out.
    """
    among = outbox.c.key.between(first, last), outbox.c.message.is_not(None), outbox.c.done_at >= since
    return [*await db.scalars(select(outbox.c.payload).where(*among, _FULL))]


async def lease(db: Connection, row_id: int, now: int, seconds: int) -> OutboxRow | None:
    """Lease a row for some seconds and return it; None if it cannot be delivered now.

    A row cannot be delivered if it is settled, leased or not due yet, or if an earlier row of its game is still owed.
    """
    process = process_of(db)
    return await _lease(db, _LEASE if process is None else _LEASE_BESIDE, row_id, now, seconds)


async def lease_in_lane(db: Connection, row_id: int, now: int, seconds: int) -> OutboxRow | None:
    """Lease a row as `lease` does, unless another process is posting to its channel or person.

    This keeps the messages of a channel in order, whichever processes post them.
    """
    if process_of(db) is None:
        return await lease(db, row_id, now, seconds)
    await backend_of(db).lock_channel(db, row_id)
    return await _lease(db, _LEASE_IN_LANE, row_id, now, seconds)


async def _lease(db: Connection, statement: ReturningUpdate[Any], row: int, now: int, seconds: int) -> OutboxRow | None:
    values = {"row": row, "now": now, "until": now + seconds, "process": process_of(db)}
    found = (await db.execute(statement, values)).one_or_none()
    return OutboxRow(*found) if found else None


async def deliverable_rows(db: Connection, now: int, limit: int, game: int | None = None) -> list[int]:
    """Return the ids of at most `limit` rows that can be leased now, the longest due first.

    With `game`, return only the rows of that game.
    """
    if game is None:
        return list(await db.scalars(_DUE, {"now": now, "most": limit}))
    return list(await db.scalars(_DUE_OF_GAME, {"now": now, "most": limit, "of_game": game}))


async def rows_by_channel(db: Connection, now: int, most: int) -> dict[int, list[DueMessage]]:
    """Return the rows that can be leased now, by channel or person: first one of each person, then the second ones.

    Among them boards of games against the bot come last, and the longest due first. Returns at most `most` rows of each
    channel, but always one of each person. Channels to which another process is posting are left out.
    """
    found: dict[int, list[DueMessage]] = {}
    process, wanted = process_of(db), {"now": now, "most": most}
    rows = _DUE_BY_CHANNEL if process is None else _DUE_BY_FREE_CHANNEL.params(process=process)
    for row in await db.execute(rows, wanted):
        found.setdefault(row.channel, []).append(DueMessage(*row))
    return found


async def put_back(db: Connection, row: OutboxRow, seconds: int, not_before: int | None = None) -> None:
    """Release a row that was leased for so many seconds, as if it never had been: nothing was sent.

    With `not_before`, it is due from then on. Does nothing if the row was settled or leased anew since.
    """
    tried_before = outbox.c.first_tried_at != outbox.c.leased_until - seconds
    first = case((tried_before, outbox.c.first_tried_at))
    due = outbox.c.not_before if not_before is None else not_before
    values = {"leased_until": None, "attempts": outbox.c.attempts - 1, "first_tried_at": first, "not_before": due}
    same_lease = outbox.c.id == row.id, outbox.c.attempts == row.attempts, _OWED
    await db.execute(update(outbox).where(*same_lease).values(values))


async def give_way(db: Connection, game: int, now: int) -> list[dict[str, Any]]:
    """Settle the owed rows of a game that give way to a newer one. Return their payloads, the oldest first.

    A row that was ever tried stays, because its message may be on Discord.
    """
    untried = outbox.c.attempts == 0, outbox.c.first_tried_at.is_(None), _OWED
    rows = update(outbox).where(outbox.c.game == game, outbox.c.gives_way == GivesWay.TO_NEWER, *untried)
    gone = rows.values(done_at=now, dropped=GAVE_WAY, caused_by=None).returning(outbox.c.id, outbox.c.payload)
    return [row.payload for row in sorted(await db.execute(gone), key=lambda row: row.id)]


async def mark_posted(db: Connection, row_id: int, message: int | None, now: int) -> bool:
    """Settle a row that was posted as this message. Return False if the row has a message already, or is gone.

    If `message` is None, settle the row without a message. Raises MessageTaken if another row was posted as this
    message. The row of a thread is not checked for this.
    """
    if (await db.execute(_SETTLE, {"row": row_id, "now": now, "posted": message})).rowcount:
        return True
    unposted = select(outbox.c.id).where(outbox.c.id == row_id, outbox.c.message.is_(None))
    if await db.scalar(unposted) is not None:
        raise MessageTaken(f"message {message} of row {row_id}")
    return False


async def message_with_mark(db: Connection, mark: str) -> int | None:
    """Return the id of the message posted for the row with this mark, or None if no message is known."""
    message: int | None = await db.scalar(select(outbox.c.message).where(outbox.c.mark == mark))
    return message


async def find_by_mark(db: Connection, mark: str, channel: int) -> OutboxRow | None:
    """Return the row with this mark, even if it is leased.

    Return None if the row is settled, is owed to another channel, or was never tried.
    """
    tried = outbox.c.mark == mark, outbox.c.channel == channel, _OWED, outbox.c.first_tried_at.is_not(None)
    row = (await db.execute(select(*_FIELDS).where(*tried))).one_or_none()
    return OutboxRow(*row) if row else None


async def is_owed_to(db: Connection, row_id: int, channel: int) -> bool:
    """Return whether a row still has to be posted in this channel."""
    return (
        await db.scalar(select(outbox.c.id).where(outbox.c.id == row_id, outbox.c.channel == channel, _OWED))
        is not None
    )


async def is_owed_for(db: Connection, game: int, kind: str) -> bool:
    """Return whether a message of this kind is still owed for a game."""
    found = select(outbox.c.id).where(outbox.c.game == game, outbox.c.kind == kind, _OWED).limit(1)
    return await db.scalar(found) is not None


async def owed_since(db: Connection, game: int, kind: str) -> int | None:
    """Return when a message of this kind that is still owed for a game was queued (UTC seconds), or None."""
    found = select(func.min(outbox.c.created_at)).where(outbox.c.game == game, outbox.c.kind == kind, _OWED)
    since: int | None = await db.scalar(found)
    return since


async def redirect_owed(db: Connection, channel: int, target: int, now: int, game: int | None = None) -> None:
    """Move all messages owed to a channel to another channel, as if they had never been tried.

    With `game`, move only the messages of that game.
    """
    rows = update(outbox).where(outbox.c.channel == channel, _OWED)
    values = {"channel": target, "leased_until": None, "first_tried_at": None, "attempts": 0, "not_before": now}
    await db.execute((rows if game is None else rows.where(outbox.c.game == game)).values(values))


async def dropped_payload(db: Connection, row_id: int) -> dict[str, Any] | None:
    """Return the payload of a dropped row; None for any other row, and for one that has lost its payload."""
    was_dropped = outbox.c.id == row_id, outbox.c.dropped.is_not(None), _FULL
    found: dict[str, Any] | None = await db.scalar(select(outbox.c.payload).where(*was_dropped))
    return found


async def requeue_row(
    db: Connection, row_id: int, channel: int, payload: Mapping[str, Any], now: int, *, is_known: bool = False
) -> None:
    """Queue a dropped row again, with this channel and payload and a new mark.

    If `is_known`, its reader was told otherwise, so it counts as queued now. Leaves `attempts` and `first_tried_at`.
    """
    values = {"channel": channel, "payload": dict(payload), "not_before": now, "leased_until": None}
    anew = {"mark": _draw_mark(), "done_at": None, "dropped": None, "emptied_at": None}
    known = {"created_at": now} if is_known else {}
    await db.execute(update(outbox).where(outbox.c.id == row_id).values(**values, **anew, **known))


async def requeue_dropped(db: Connection, key: str, channel: int, now: int) -> bool:
    """Queue the dropped message with this key again, to this channel. Return False if there is no such message.

    A message that has lost its payload cannot be queued again.
    """
    lost = outbox.c.key == key, outbox.c.dropped.is_not(None), _FULL
    row = (await db.execute(select(outbox.c.id, outbox.c.kind, outbox.c.payload, outbox.c.game).where(*lost))).first()
    if row is None:
        return False
    await delete_row(db, row.id)
    await owe(db, key, row.kind, channel, row.payload, now, row.game)
    return True


async def stored_rows(db: Connection, among: Collection[int]) -> set[int]:
    """Return the ids, among these, of stored rows, owed or settled."""
    return {*await db.scalars(select(outbox.c.id).where(outbox.c.id.in_(among)))}


async def delete_row(db: Connection, row_id: int) -> None:
    """Delete a row, so that its key can be used again."""
    await db.execute(delete(outbox).where(outbox.c.id == row_id))


async def forget_dropped(db: Connection, key: str) -> None:
    """Delete the row of this key if its message was given up, so that the key can be used again."""
    await db.execute(delete(outbox).where(outbox.c.key == key, outbox.c.dropped.is_not(None)))


async def doubt_owed(db: Connection) -> None:
    """Mark every owed message as tried, so that each is searched for before it is posted.

    Only for a restored backup: a message that it owes may have been posted in the lost time.
    """
    doubted = update(outbox).where(_OWED, outbox.c.first_tried_at.is_(None))
    await db.execute(doubted.values(first_tried_at=outbox.c.created_at))


async def posted_ids(db: Connection, kinds: Collection[str], since: int) -> list[int]:
    """Return the ids of the rows of these kinds that were posted at `since` or later. Reads all rows."""
    posted = outbox.c.kind.in_(kinds), outbox.c.message.is_not(None), outbox.c.done_at >= since
    return [*await db.scalars(select(outbox.c.id).where(*posted).order_by(outbox.c.id))]


async def posted_rows(db: Connection, ids: Collection[int]) -> list[tuple[OutboxRow, int]]:
    """Return the posted rows among these, each with the id of its message."""
    rows = select(*_FIELDS, outbox.c.message).where(outbox.c.id.in_(ids), outbox.c.message.is_not(None))
    return [(OutboxRow(*row[:-1]), row[-1]) for row in await db.execute(rows)]


async def owed_ids(db: Connection, game: int, kind: str) -> list[int]:
    """Return the ids of the owed rows of a kind for a game, the oldest first."""
    rows = select(outbox.c.id).where(outbox.c.game == game, outbox.c.kind == kind, _OWED).order_by(outbox.c.id)
    return [*await db.scalars(rows)]


async def retry_later(db: Connection, row_id: int, not_before: int) -> None:
    """Release a leased row, to be tried again from `not_before` on."""
    await db.execute(update(outbox).where(outbox.c.id == row_id).values(leased_until=None, not_before=not_before))


async def make_due(db: Connection, row_id: int, now: int) -> None:
    """Make an owed row that was put back due now. A leased row stays as it is."""
    put_off = outbox.c.id == row_id, outbox.c.leased_until.is_(None), _OWED
    await db.execute(update(outbox).where(*put_off).values(not_before=now))


async def retry_all_now(db: Connection, now: int) -> None:
    """Make every message that was tried and postponed due now."""
    put_off = _OWED, outbox.c.attempts > 0, outbox.c.not_before > now
    await db.execute(update(outbox).where(*put_off).values(not_before=now))


async def release_leases(db: Connection, processes: Collection[int] | None = None) -> None:
    """Release all leases, or those of some processes. Only for a start, when no deliverer of an earlier run is left."""
    leased = update(outbox).where(_OWED, outbox.c.leased_until.is_not(None)).values(leased_until=None)
    await db.execute(leased if processes is None else leased.where(outbox.c.leased_by.in_(processes)))


async def drop_row(db: Connection, row_id: int, reason: str, now: int) -> None:
    """Settle a row without posting it, and save the reason. A row that is already settled stays as it is."""
    dropped = {"done_at": now, "dropped": reason, "caused_by": None}
    await db.execute(update(outbox).where(outbox.c.id == row_id, _OWED).values(dropped))


async def drop_rows_of_game(db: Connection, game: int, reason: str, now: int) -> None:
    """Settle everything still owed for a game without posting it, and save the reason."""
    dropped = {"done_at": now, "dropped": reason, "caused_by": None}
    await db.execute(update(outbox).where(outbox.c.game == game, _OWED).values(dropped))


async def owed_messages(db: Connection) -> tuple[int, int | None]:
    """Return how many messages are owed, and when the oldest of them was queued (UTC seconds)."""
    row = (await db.execute(select(func.count(), func.min(outbox.c.created_at)).where(_OWED_BY_INDEX))).one()
    return row[0], row[1]


async def count_owed_on_server(db: Connection, server: int) -> int:
    """Return how many messages are owed for games of a server."""
    owed = select(func.count()).select_from(outbox).join(games, games.c.id == outbox.c.game)
    return await db.scalar(owed.where(_OWED_BY_INDEX, games.c.server == server)) or 0
