"""Vacations: one at a time for each person."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, insert, select, update

from .database import Connection
from .tables import vacations


@dataclass(frozen=True)
class Vacation:
    """A vacation; until `ended_at` is set, it goes on."""

    id: int
    user: int
    since: int
    until: int
    ended_at: int | None = None
    used: int = 0  # days of the year, this vacation included


async def add(db: Connection, user: int, since: int, until: int, used: int) -> Vacation:
    """Return a new vacation. Not checked: whether the person is on another one, and how many days he has used."""
    row = insert(vacations).values(user=user, since=since, until=until, used=used).returning(vacations.c.id)
    return Vacation((await db.execute(row)).scalar_one(), user, since, until, used=used)


async def end(db: Connection, id: int, at: int) -> None:
    """Note when a vacation has ended."""
    await db.execute(update(vacations).where(vacations.c.id == id).values(ended_at=at))


async def current(db: Connection, user: int) -> Vacation | None:
    """Return the vacation a person is on, or None."""
    found = await _find(db, vacations.c.user == user, vacations.c.ended_at.is_(None))
    return found[0] if found else None


async def since(db: Connection, user: int, moment: int) -> list[Vacation]:
    """Return the vacations of a person that began then or later."""
    return await _find(db, vacations.c.user == user, vacations.c.since >= moment)


async def last_end(db: Connection, user: int, allowed: int) -> int:
    """Return when the last vacation ends, or has ended, by which a person has used no more days; 0 without any."""
    end = func.max(func.coalesce(vacations.c.ended_at, vacations.c.until))
    return await db.scalar(select(end).where(vacations.c.user == user, vacations.c.used <= allowed)) or 0


async def among(db: Connection, people: Collection[int]) -> list[Vacation]:
    """Return the vacations that these people are on."""
    return await _find(db, vacations.c.user.in_(people), vacations.c.ended_at.is_(None))


async def _find(db: Connection, *which: ColumnElement[bool]) -> list[Vacation]:
    rows = await db.execute(select(vacations).where(*which).order_by(vacations.c.since))
    return [Vacation(*row) for row in rows]
