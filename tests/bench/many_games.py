"""Write many games by SQL: copies of stored ones, with other players."""

from typing import Any

from sqlalchemy import CTE, ColumnElement, Table, case, insert, literal, select, true

from gipfbot.rules import Colour
from gipfbot.store import Connection
from gipfbot.store.backends import backend_of
from gipfbot.store.tables import games, seats, turns

ANYBODY = 1 << 40  # the id of the first player


async def copy_game(db: Connection, sample: int, after: int, span: tuple[int, int], players: int) -> None:
    """Copy a game once for each number of a span. The number is added to the id `after`, and chooses the players."""
    numbers = number_rows(*span)
    n = numbers.c.n
    white, black = ANYBODY + n % players, ANYBODY + (n + 1 + n // players) % players
    times = {name: games.c[name] + n for name in ("waiting_since", "changed_at", "ended_at")}
    waiting = case((games.c.waiting_user.is_not(None), white))
    user, by = (case((column == Colour.WHITE, white), else_=black) for column in (seats.c.colour, turns.c.colour))
    changed = {"id": after + n, "waiting_user": waiting, **times}
    await copy_rows(db, games, games.c.id == sample, numbers, changed)
    await backend_of(db).set_last_id(db, "games", after + span[1])
    await copy_rows(db, seats, seats.c.game == sample, numbers, {"game": after + n, "user": user})
    await copy_rows(db, turns, turns.c.game == sample, numbers, {"game": after + n, "by": by})


async def copy_rows(
    db: Connection, table: Table, which: ColumnElement[bool], numbers: CTE, changed: dict[str, ColumnElement[Any]]
) -> None:
    """Copy the rows of a table that meet a condition, once for each of the numbers."""
    copy = select(*(changed.get(column.name, column) for column in table.c))
    rows = copy.select_from(table.join(numbers, true())).where(which)
    await db.execute(insert(table).from_select(table.c.keys(), rows))


def number_rows(first: int, last: int) -> CTE:
    """Return the rows of a column `n` with the numbers from `first` to `last`."""
    begin = select(literal(first).label("n")).cte(recursive=True)
    return begin.union_all(select(begin.c.n + 1).where(begin.c.n < last))
