"""Delete what nothing needs any more, in batches.

A batch reads the next rows of a table by an index, in the order of their times, and locks them. The next batch begins
after the last place of this one. Functions that delete return that place; None at the end of the table.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Select,
    Table,
    and_,
    delete,
    exists,
    literal_column,
    or_,
    select,
    true,
    tuple_,
    update,
)

from gipfbot.match import RequestState, Status
from gipfbot.values import THREAD, SettledRow

from .column_info import info_of, table_info
from .database import Connection
from .rating_tables import former_pairs
from .study_tables import puzzle_days
from .tables import NOW, arrivals, challenges, due, games, outbox, requests, servers, vacations
from .tournament_tables import tournament_entries

_SETTLED = tuple(outbox.c[name] for name in SettledRow._fields)
# The kind is written out. Only then does SQLite know that the index has all wanted rows.
_FULL = and_(
    outbox.c.done_at.is_not(None), outbox.c.emptied_at.is_(None), outbox.c.kind != literal_column(f"'{THREAD}'")
)
_EMPTIED = outbox.c.emptied_at.is_not(None)
_CLOSED = [state for state in RequestState if state is not RequestState.OPEN]
_LED_TO_NONE = or_(challenges.c.rematch_of.is_(None), challenges.c.game.is_(None))


class RowPlace(NamedTuple):
    """A place in an order by time and then by id."""

    at: int = 0  # UTC seconds
    id: int = 0


class Batch(NamedTuple):
    """The next rows of a table to read: those after the place `behind`, with times no later than `until`."""

    until: int  # UTC seconds
    behind: RowPlace = RowPlace()
    limit: int = 50  # the most rows to read; other writers wait meanwhile


async def full_messages(db: Connection, batch: Batch) -> list[SettledRow]:
    """Return the next settled rows of the outbox that still have their payload.

    Rows of threads are left out. They stay as long as their game, because a rematch needs the thread.
    """
    return await _settled_rows(db, _FULL, batch)


async def emptied_messages(db: Connection, batch: Batch) -> list[SettledRow]:
    """Return the next settled rows of the outbox that have lost their payload."""
    return await _settled_rows(db, _EMPTIED, batch)


async def _settled_rows(db: Connection, which: ColumnElement[bool], batch: Batch) -> list[SettledRow]:
    rows = await db.execute(_next_rows(select(*_SETTLED).where(which), outbox.c.done_at, batch))
    return [SettledRow(*row) for row in rows]


def _next_rows(query: Select[Any], time: Column[Any], batch: Batch) -> Select[Any]:
    """Return the query for the rows of a batch. `time` is the column with a row's age.

    The query locks the rows. It skips rows that another process has locked; the next pass finds them.
    """
    row_id = time.table.c.id
    ahead = time <= batch.until, tuple_(time, row_id) > tuple_(*batch.behind)
    return (
        query.where(*ahead).order_by(time, row_id).limit(batch.limit).with_for_update(of=time.table, skip_locked=True)
    )


async def empty_messages(db: Connection, rows: Collection[int], now: int) -> None:
    """Delete the payloads of rows of the outbox, and who has caused them, which an older version has left."""
    await db.execute(update(outbox).where(outbox.c.id.in_(rows)).values(payload={}, emptied_at=now, caused_by=None))


def _age(table: Table) -> Column[Any]:
    """Return the column with the age of a table's rows."""
    return table.c[table_info(table).over]


class Aging(NamedTuple):
    """A table's rows to delete when they are old enough: those that meet `which`, and also `free`."""

    table: Table
    which: ColumnElement[bool] = true()
    free: ColumnElement[bool] = true()


def _is_over(game: Column[Any]) -> ColumnElement[bool]:
    """Return whether a row's game is not running; true for a row without a game.

    Not by `EXISTS`, for which PostgreSQL may read all running games.
    """
    status = select(games.c.status).where(games.c.id == game).scalar_subquery()
    return status.is_distinct_from(Status.RUNNING)


AGING = (
    # In a running game, a done task shows that a turn has had its reminder.
    Aging(due, free=_is_over(due.c.game)),
    # A rematch that began a game stays, so that the same game gets no second rematch.
    *(Aging(challenges, challenges.c.state == state, _LED_TO_NONE) for state in _CLOSED),
    # Nobody may ask twice about one turn of a running game.
    *(Aging(requests, requests.c.state == state, _is_over(requests.c.game)) for state in _CLOSED),
    Aging(vacations, vacations.c.ended_at.is_not(None)),
    Aging(former_pairs),
    Aging(tournament_entries, tournament_entries.c.called_off_at.is_not(None)),
)


_OLD = or_(
    exists().where(_FULL, outbox.c.done_at <= NOW - info_of(outbox.c.payload).kept_for),
    exists().where(_EMPTIED, outbox.c.done_at <= NOW - table_info(outbox).kept_for),
    *(exists().where(aging.which, _age(aging.table) <= NOW - table_info(aging.table).kept_for) for aging in AGING),
    exists().where(_age(arrivals) <= NOW - table_info(arrivals).kept_for),
)


async def has_old_rows(db: Connection, now: int) -> bool:
    """Return whether any rows are old enough for a pass. It may find that all of them have to stay."""
    return bool(await db.scalar(select(_OLD), {"now": now}))


async def delete_aged(aging: Aging, db: Connection, batch: Batch) -> RowPlace | None:
    """Read the next rows of a table that are over, and delete those that are free."""
    table, time = aging.table, _age(aging.table)
    seen = (await db.execute(_next_rows(select(time, table.c.id, aging.free).where(aging.which), time, batch))).all()
    if gone := [row_id for _, row_id, is_free in seen if is_free]:
        await db.execute(delete(table).where(table.c.id.in_(gone)))
    return RowPlace(*seen[-1][:2]) if len(seen) == batch.limit else None


async def forget_left_servers(db: Connection, batch: Batch) -> RowPlace | None:
    """Delete the settings of the next servers that the bot has left, their puzzles, and the bot's arrival there."""
    left = select(arrivals.c.server).where(arrivals.c.left_at <= batch.until).order_by(arrivals.c.left_at)
    gone = [*await db.scalars(left.limit(batch.limit).with_for_update(skip_locked=True))]
    await db.execute(delete(servers).where(servers.c.id.in_(gone)))
    await db.execute(delete(puzzle_days).where(puzzle_days.c.server.in_(gone)))
    await db.execute(delete(arrivals).where(arrivals.c.server.in_(gone)))
    return batch.behind if len(gone) == batch.limit else None
