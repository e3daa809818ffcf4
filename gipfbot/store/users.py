"""People, by their Discord ids."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import insert, select, update

from .database import Connection
from .tables import seats, users

SHUT = "shut"


async def remember(db: Connection, user: int, now: int) -> None:
    """Note that this person was here now."""
    await _put(db, user, seen_at=now)


async def settings(db: Connection, user: int) -> dict[str, Any]:
    """Return what a person has set, by name; empty for somebody unknown."""
    return await db.scalar(select(users.c.settings).where(users.c.id == user)) or {}


async def set_setting(db: Connection, user: int, key: str, value: Any) -> None:
    """Set one of a person's settings to a JSON value. Not checked: whether anybody reads it."""
    await _put(db, user, settings={**await settings(db, user), key: value})


async def _put(db: Connection, user: int, **values: Any) -> None:
    changed = await db.execute(update(users).where(users.c.id == user).values(values))
    if not changed.rowcount:
        await db.execute(insert(users).values({"id": user, "settings": {}, **values}))


async def dms_shut(db: Connection, user: int) -> bool:
    """Return whether this person is known to take no direct messages."""
    return await db.scalar(select(users.c.dm_state).where(users.c.id == user)) == SHUT


async def set_dms_shut(db: Connection, user: int, shut: bool) -> None:
    """Note whether this person takes direct messages."""
    await _put(db, user, dm_state=SHUT if shut else None)


async def quiet(db: Connection, user: int, game: int) -> bool:
    """Return whether this person wants no reminders of a game."""
    return bool(await db.scalar(select(seats.c.quiet).where(seats.c.game == game, seats.c.user == user)))


async def quiet_games(db: Connection, user: int) -> set[int]:
    """Return the games of which this person wants no reminders, also those that have ended."""
    return {*await db.scalars(select(seats.c.game).where(seats.c.user == user, seats.c.quiet))}


async def set_quiet(db: Connection, user: int, game: int) -> None:
    """Note that this person wants no reminders of a game."""
    await db.execute(update(seats).where(seats.c.game == game, seats.c.user == user).values(quiet=True))


async def carry_over(db: Connection, game: int, other: int) -> None:
    """Let all that the players of a game have set for it and noted on it hold for another that they play, too."""
    rows = await db.execute(select(seats.c.user, seats.c.quiet, seats.c.note).where(seats.c.game == game))
    for row in rows.all():
        same = seats.c.game == other, seats.c.user == row.user
        await db.execute(update(seats).where(*same).values(quiet=row.quiet, note=row.note))


async def hear_all(db: Connection, user: int) -> None:
    """Note that this person wants reminders of all his games again."""
    await db.execute(update(seats).where(seats.c.user == user, seats.c.quiet).values(quiet=False))


async def notes(db: Connection, user: int, games: Collection[int]) -> dict[int, str]:
    """Return what this person has noted for himself on some of these games."""
    mine = seats.c.user == user, seats.c.game.in_(games), seats.c.note.is_not(None)
    return {row.game: row.note for row in await db.execute(select(seats.c.game, seats.c.note).where(*mine))}


async def set_note(db: Connection, user: int, game: int, note: str | None) -> None:
    """Keep what this person notes for himself on a game."""
    await db.execute(update(seats).where(seats.c.game == game, seats.c.user == user).values(note=note))
