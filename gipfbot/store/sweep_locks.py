"""Locks of the rows that a sweep does, so that two processes share its work and neither waits for the other.

They end with the transaction. SQLite has none, nor does it need them.
"""

from collections.abc import Collection, Sequence

from sqlalchemy import BindParameter, bindparam, select

from gipfbot.values import DueRow

from .database import Connection
from .tables import due, games

_AMONG: BindParameter[int] = bindparam("among", expanding=True)
_GAMES = select(games.c.id).where(games.c.id.in_(_AMONG)).with_for_update(skip_locked=True)
_TASKS = (
    select(due.c.id, due.c.at).where(due.c.id.in_(_AMONG), due.c.done_at.is_(None)).with_for_update(skip_locked=True)
)


async def lock_games(db: Connection, among: Collection[int]) -> list[int]:
    """Lock those of these games that no other transaction has locked. Return them in their order."""
    free = {*await db.scalars(_GAMES, {"among": [*among]})}
    return [game for game in among if game in free]


async def lock_tasks(db: Connection, rows: Sequence[DueRow]) -> list[DueRow]:
    """Lock those of these tasks that are as they were, and their games. Return them in their order.

    Tasks are left out if another transaction has locked them or their game.
    """
    free = {*await lock_games(db, [row.game for row in rows if row.game])}
    wanted = [row.id for row in rows if row.game in free or not row.game]
    times = {row.id: row.at for row in await db.execute(_TASKS, {"among": wanted})}
    return [row for row in rows if times.get(row.id) == row.at]
