"""When each shard last ran, if several processes share the database. All times are UTC seconds.

Each process notes the times of its own shards. A process that runs all shards has no rows here.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    CompoundSelect,
    Integer,
    Table,
    Text,
    and_,
    bindparam,
    case,
    cast,
    delete,
    func,
    insert,
    literal,
    literal_column,
    select,
    update,
)

from . import clocks, meta, tables
from .column_info import not_personal
from .database import Connection, shards_of
from .tables import games, metadata

shard_heartbeats = Table(
    "shard_heartbeats",
    metadata,
    Column("count", Integer, primary_key=True, autoincrement=False),  # into how many shards the servers are divided
    Column("shard", Integer, primary_key=True, autoincrement=False),
    Column("alive_at", BigInteger, nullable=False),
    # Set while the clocks of the shard's games are credited for the time from `alive_at` to `credit_until`:
    Column("credit_until", BigInteger),
    Column("last_game", Integer),  # the games up to this id are credited
    info=not_personal(),
)
_HEARTBEAT = shard_heartbeats.c
# The end of the time that needs no credit in a game. Its clock may already be credited for a part of the outage.
_LAST_ALIVE = case((_HEARTBEAT.last_game >= games.c.id, _HEARTBEAT.credit_until), else_=_HEARTBEAT.alive_at)


@dataclass(frozen=True)
class ShardHeartbeat:
    """When a shard last ran, and the unfinished credit of its clocks."""

    alive_at: int
    credit_until: int | None
    last_game: int | None


async def begin(db: Connection, now: int) -> None:
    """Note the time for all shards that have no row yet. Delete the rows of any other number of shards.

    Shards whose process has not started yet get a row too: nobody there can play, so they have to become silent.
    """
    shards = shards_of(db)
    if shards is None:
        await db.execute(delete(shard_heartbeats))
        return
    await db.execute(delete(shard_heartbeats).where(_HEARTBEAT.count != shards.count))
    known = {*await db.scalars(select(_HEARTBEAT.shard))}
    if new := [shard for shard in range(shards.count) if shard not in known]:
        rows = [{"count": shards.count, "shard": shard, "alive_at": now} for shard in new]
        await db.execute(insert(shard_heartbeats), rows)


async def note_alive(db: Connection, now: int, after: int) -> None:
    """Note that this process's shards run. Leaves out those silent since before `after`, whose clocks get credit."""
    if shards := shards_of(db):
        own = _HEARTBEAT.count == shards.count, _HEARTBEAT.shard.between(shards.first, shards.last)
        counted = _HEARTBEAT.credit_until.is_(None), _HEARTBEAT.alive_at >= after
        await db.execute(update(shard_heartbeats).where(*own, *counted).values(alive_at=now))


async def silent_shards(db: Connection, before: int) -> list[int]:
    """Return the shards of this process that last ran before a moment, or whose credit is unfinished."""
    shards = shards_of(db)
    if shards is None:
        return []
    own = _HEARTBEAT.count == shards.count, _HEARTBEAT.shard.between(shards.first, shards.last)
    silent = (_HEARTBEAT.alive_at < before) | _HEARTBEAT.credit_until.is_not(None)
    return [*await db.scalars(select(_HEARTBEAT.shard).where(*own, silent).order_by(_HEARTBEAT.shard))]


async def load_heartbeat(db: Connection, shard: int) -> ShardHeartbeat:
    """Return the heartbeat of a shard of this process. There must be one."""
    columns = (_HEARTBEAT.alive_at, _HEARTBEAT.credit_until, _HEARTBEAT.last_game)
    return ShardHeartbeat(*(await db.execute(select(*columns).where(*_is_shard(db, shard)))).one())


async def save_heartbeat(db: Connection, shard: int, heartbeat: ShardHeartbeat) -> None:
    """Save the heartbeat of a shard of this process."""
    values = {"alive_at": heartbeat.alive_at, "credit_until": heartbeat.credit_until, "last_game": heartbeat.last_game}
    await db.execute(update(shard_heartbeats).where(*_is_shard(db, shard)).values(values))


def _is_shard(db: Connection, shard: int) -> tuple[ColumnElement[bool], ...]:
    return _HEARTBEAT.count == _count_of(db), _HEARTBEAT.shard == shard


def _count_of(db: Connection) -> int:
    shards = shards_of(db)
    assert shards, "only processes that share the database have shards of their own"
    return shards.count


async def clocks_of_shard(
    db: Connection, shard: int, after: int, limit: int | None
) -> tuple[list[clocks.RunningClock], int | None]:
    """Do what `next_running_clocks` does, for games on servers of one shard."""
    return await clocks.next_running_clocks(db, after, limit, _shard_of_game(_count_of(db)) == shard)


def _shard_of_game(count: int) -> ColumnElement[int]:
    """Return the shard of a game's server. A game on no server belongs to the first, as direct messages do."""
    return func.coalesce(games.c.server, 0).bitwise_rshift(literal_column("22")) % count


def _is_shard_of_game(count: int) -> ColumnElement[bool]:
    return and_(_HEARTBEAT.count == count, _HEARTBEAT.shard == _shard_of_game(count))


async def shift_heartbeats(db: Connection, seconds: int, now: int) -> None:
    """Move all heartbeats later by the seconds that all clocks were credited for, but not beyond `now`.

    Unfinished credits move too, because their games were credited for these seconds as well.
    """
    if shards_of(db):
        moments = {column: column + seconds for column in (_HEARTBEAT.alive_at, _HEARTBEAT.credit_until)}
        later = {column.name: case((moment > now, now), else_=moment) for column, moment in moments.items()}
        await db.execute(update(shard_heartbeats).values(later))


async def values_and_heartbeat(db: Connection, keys: Collection[str], game: int) -> tuple[dict[str, str], int | None]:
    """Return the values of keys in `meta`, as `load_values` does, and when the shard of a game last ran.

    If the clock of the game is already credited, return the end of the credit instead. None if the shard is unknown.
    One query, because each turn needs it.
    """
    shards = shards_of(db)
    if shards is None:
        return await meta.load_values(db, keys), None
    found = await db.execute(_values_and_heartbeat(shards.count), {"names": [*keys], "of_game": game})
    values = {str(row.key): str(row.value) for row in found}
    at = values.pop("", None)
    return values, None if at is None else int(at)


@cache
def _values_and_heartbeat(count: int) -> CompoundSelect[Any]:
    known = select(literal("").label("key"), cast(_LAST_ALIVE, Text).label("value")).select_from(shard_heartbeats)
    heartbeat = known.join(games, _is_shard_of_game(count)).where(games.c.id == bindparam("of_game"))
    return select(tables.meta).where(tables.meta.c.key.in_(bindparam("names", expanding=True))).union_all(heartbeat)


async def silent_games(db: Connection, among: Collection[int], before: int) -> set[int]:
    """Return the games, among these, whose shard last ran before a moment."""
    shards = shards_of(db)
    if shards is None:
        return set()
    silent = (
        select(games.c.id)
        .select_from(games)
        .join(shard_heartbeats, _is_shard_of_game(shards.count))
        .where(before > _LAST_ALIVE)
    )
    return {*await db.scalars(silent.where(games.c.id.in_(among)))}
