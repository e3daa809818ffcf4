"""Copy rows many times by one statement, to fill a store."""

from typing import Any

from sqlalchemy import CTE, ColumnElement, Table, insert, literal, select, true

from gipfbot.store import Connection


async def copy_rows(
    db: Connection, table: Table, which: ColumnElement[bool], numbers: CTE, changed: dict[str, ColumnElement[Any]]
) -> None:
    """Copy the rows of a table that meet a condition, once for each of the numbers."""
    copy = select(*(changed.get(column.name, column) for column in table.c))
    rows = copy.select_from(table.join(numbers, true())).where(which)
    await db.execute(insert(table).from_select(table.c.keys(), rows))


def count_from(first: int, last: int) -> CTE:
    """Return the rows of a column `n` with the numbers from `first` to `last`."""
    begin = select(literal(first).label("n")).cte(recursive=True)
    return begin.union_all(select(begin.c.n + 1).where(begin.c.n < last))
