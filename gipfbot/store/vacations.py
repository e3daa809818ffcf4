"""Vacations: one at a time for each person."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Row, bindparam, insert, or_, select, update

from gipfbot.values import Vacation

from .database import Connection
from .tables import vacations

# Built once, because each turn needs it.
_LASTED_SINCE = (
    select(vacations)
    .where(
        vacations.c.user == bindparam("of_user", type_=BigInteger),
        vacations.c.since >= bindparam("moment", type_=BigInteger),
        or_(vacations.c.ended_at.is_(None), vacations.c.ended_at > vacations.c.since),
    )
    .order_by(vacations.c.since, vacations.c.id)
)


async def add_vacation(db: Connection, user: int, since: int, until: int) -> Vacation:
    """Store a new vacation and return it. Does not check for another vacation, or whether the days may be used."""
    values = {"user": user, "since": since, "until": until}
    vacation_id = (await db.execute(insert(vacations).values(values).returning(vacations.c.id))).scalar_one()
    return Vacation(vacation_id, user, since, until)


async def end_vacation(db: Connection, vacation_id: int, at: int) -> None:
    """Save when a vacation ended."""
    await db.execute(update(vacations).where(vacations.c.id == vacation_id).values(ended_at=at))


async def load_vacation(db: Connection, vacation_id: int) -> Vacation | None:
    """Return a vacation, current or over. None if it is gone, because its person has deleted their data."""
    found = await _find_vacations(db, vacations.c.id == vacation_id)
    return found[0] if found else None


async def current_vacation(db: Connection, user: int) -> Vacation | None:
    """Return the vacation a person is on, or None."""
    found = await _find_vacations(db, vacations.c.user == user, vacations.c.ended_at.is_(None))
    return found[0] if found else None


async def beginnings_since(db: Connection, user: int, moment: int) -> list[int]:
    """Return when a person's vacations began, at this moment or later, the first first. Annulled ones count, too."""
    begun = select(vacations.c.since).where(vacations.c.user == user, vacations.c.since >= moment)
    return [*await db.scalars(begun.order_by(vacations.c.since))]


async def vacations_since(db: Connection, user: int, moment: int) -> list[Vacation]:
    """Return the vacations of a person that began at this moment or later, the oldest first.

    Vacations that were annulled, because they ended at once, are left out.
    """
    rows = await db.execute(_LASTED_SINCE, {"of_user": user, "moment": moment})
    return [_vacation_from_row(row) for row in rows]


async def vacations_of(db: Connection, people: Collection[int]) -> list[Vacation]:
    """Return the current vacations of these people."""
    return await _find_vacations(db, vacations.c.user.in_(people), vacations.c.ended_at.is_(None))


async def current_ids(db: Connection, among: Collection[int]) -> set[int]:
    """Return those of these ids that belong to a vacation that is not over."""
    is_current = vacations.c.id.in_(among), vacations.c.ended_at.is_(None)
    return {*await db.scalars(select(vacations.c.id).where(*is_current))}


async def _find_vacations(db: Connection, *which: ColumnElement[bool]) -> list[Vacation]:
    rows = await db.execute(select(vacations).where(*which).order_by(vacations.c.since, vacations.c.id))
    return [_vacation_from_row(row) for row in rows]


def _vacation_from_row(row: Row[Any]) -> Vacation:
    return Vacation(row.id, row.user, row.since, row.until, row.ended_at)
