"""Copy all rows of a database into an empty one, of the same kind or another, and compare the two."""

import hashlib
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from sqlalchemy import JSON, Column, Row, Select, Table, delete, exists, func, insert, select, tuple_
from sqlalchemy.exc import DBAPIError

from gipfbot.values import Unusable

from .backends import backend_of, driver_words
from .database import READ_ERRORS, Connection, Store
from .tables import meta, metadata
from .timelines import TIMELINE_KEY, note_move

AT_ONCE = 1000  # rows

ROW_ERRORS = (DBAPIError, *READ_ERRORS)  # raised for a damaged row, but also for other faults
# By the type of a column's values: the types that a strict database takes, and their name in error messages.
STRICT_TYPES = {
    int: (int, "a whole number"),
    float: (int | float, "a number"),
    bool: (bool, "true or false"),
    str: (str, "a text"),
}


class TableSum(NamedTuple):
    """How many rows a table has, and a digest of all their values."""

    rows: int
    digest: str


async def filled_tables(store: Store) -> list[str]:
    """Return the names of the tables that have rows."""
    async with store.reading() as db:
        return [table.name for table in metadata.sorted_tables if await db.scalar(select(exists().select_from(table)))]


async def copy_rows(source: Store, target: Store) -> dict[str, TableSum]:
    """Copy all rows into a database whose tables are empty, in one transaction. Return what was copied, by table.

    Both must have been opened by `open_as_text`. Raises Unusable if a row cannot be stored there.
    """
    copied = {}
    async with source.reading() as old, target.transaction() as new:
        for db in (old, new):  # each connection is idle while the other works
            await backend_of(db).allow_long_work(db)
        for table in metadata.sorted_tables:
            copied[table.name] = await _copy_table(old, new, table)
        await _copy_last_ids(old, new)
    return copied


async def _copy_table(old: Connection, new: Connection, table: Table) -> TableSum:
    sums = _Sums()
    async for rows in _batches(old, table):
        kept = [_storable(new, table, row) for row in rows]
        sums.add([tuple(row.values()) for row in kept])
        await _insert(new, table, kept)
    return sums.total()


def _storable(new: Connection, table: Table, row: Row[Any]) -> dict[str, Any]:
    """Return a row as the new database stores it. Raises Unusable if the new database refuses a value."""
    backend, values = backend_of(new), dict(row._mapping)
    if not backend.takes_any_value:
        require_strict(table, row)
    stored = {name: backend.stored_text(value) for name, value in values.items() if isinstance(value, str)}
    return {**values, **stored}


async def _insert(new: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert rows at once; if that fails, one by one. Raises Unusable for a row that cannot be stored."""
    try:
        async with new.begin_nested():
            await new.execute(insert(table), rows)
    except ROW_ERRORS:
        await insert_each(new, table, rows)


async def _batches(db: Connection, table: Table) -> AsyncIterator[Sequence[Row[Any]]]:
    """Yield all rows of a table in the order of their keys. Raises Unusable if one cannot be read."""
    key = [*table.primary_key.columns]
    after = select(table).order_by(*key).limit(AT_ONCE)
    while rows := await _read(db, table, after):
        yield rows
        last = [rows[-1]._mapping[column.name] for column in key]
        after = select(table).where(tuple_(*key) > tuple_(*last)).order_by(*key).limit(AT_ONCE)


async def _read(db: Connection, table: Table, query: Select[Any]) -> Sequence[Row[Any]]:
    """Return rows of a table. Raises Unusable if one cannot be read."""
    try:
        found: Sequence[Row[Any]] = (await db.execute(query)).all()
    except ROW_ERRORS as error:
        keys = query.with_only_columns(*table.primary_key.columns)
        raise await unreadable_row(db, table, keys, error) from error
    return found


class _Sums:
    """A digest of rows in their order."""

    def __init__(self) -> None:
        self._rows, self._digest = 0, hashlib.sha256()

    def add(self, rows: Sequence[tuple[Any, ...]]) -> None:
        self._rows += len(rows)
        for row in rows:
            self._digest.update(f"{row!r}\n".encode())

    def total(self) -> TableSum:
        return TableSum(self._rows, self._digest.hexdigest())


async def table_sums(store: Store) -> dict[str, TableSum]:
    """Return the sums of all tables, by name. The store must have been opened by `open_as_text`."""
    found = {}
    async with store.reading() as db:
        for table in metadata.sorted_tables:
            sums = _Sums()
            async for rows in _batches(db, table):
                sums.add([tuple(row) for row in rows])
            found[table.name] = sums.total()
    return found


async def _copy_last_ids(old: Connection, new: Connection) -> None:
    """Let the next ids of all tables follow the last ids of the old database, and the copied ids."""
    known = await backend_of(old).last_ids(old)
    for table in metadata.sorted_tables:
        column = table.autoincrement_column
        if column is not None:
            there = await new.scalar(select(func.max(column))) or 0
            await backend_of(new).set_last_id(new, table.name, max(known.get(table.name, 0), there))


async def begin_new_timeline(store: Store, now: int) -> None:
    """Make the next start of the bot treat a copy as the database itself, not as a restored backup."""
    async with store.transaction() as db:
        await db.execute(delete(meta).where(meta.c.key == TIMELINE_KEY))
        await note_move(db, now)


def require_strict(table: Table, row: Row[Any]) -> None:
    """Raise Unusable if a strict database would refuse or change a value of a row. JSON must be read as text."""
    for column in table.c:
        if fault := _fault_of(column, row._mapping[column.name]):
            raise Unusable(f"{_row_name(table, row._mapping)} is damaged ({fault}). Nothing was copied.")


def _fault_of(column: Column[Any], value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(column.type, JSON):
        return _json_fault(column, value)
    kind, words = STRICT_TYPES[column.type.python_type]
    return None if isinstance(value, kind) else f"{column.name} is not {words}"


def _json_fault(column: Column[Any], value: Any) -> str | None:
    try:
        json.loads(value, parse_constant=_refuse_constant)
    except (TypeError, ValueError, RecursionError) as error:
        return f"{column.name} is no JSON: {error}"
    return None


def _refuse_constant(name: str) -> None:
    """Raise an error for numbers such as NaN, which Python accepts but JSON does not have."""
    raise ValueError(f"{name} is no number")


def _row_name(table: Table, values: Any) -> str:
    keys = ", ".join(f"{column.name} {values[column.name]}" for column in table.primary_key)
    return f"The row of {table.name} with {keys}"


async def insert_each(db: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert rows one by one. Raises Unusable for the first refused row; then roll back the transaction."""
    for row in rows:
        try:
            await db.execute(insert(table), row)
        except ROW_ERRORS as error:
            refused = f"{_row_name(table, row)} cannot be stored ({driver_words(error)})"
            raise Unusable(f"{refused}. Nothing was copied.") from error


async def unreadable_row(db: Connection, table: Table, keys: Select[Any], error: Exception) -> Unusable:
    """Return an error that names the first unreadable row. `keys` selects the keys of the rows.

    If no row is found, or the keys cannot be read either, the error names the table and `error`.
    """
    with suppress(*ROW_ERRORS):
        for row in (await db.execute(keys)).all():
            its = [column == row._mapping[column.name] for column in table.primary_key]
            try:
                (await db.execute(select(table).where(*its))).all()
            except ROW_ERRORS as its_error:
                return _unreadable(_row_name(table, row._mapping), its_error)
    return _unreadable(f"A row of {table.name}", error)


def _unreadable(what: str, error: Exception) -> Unusable:
    return Unusable(f"{what} cannot be read ({driver_words(error)}). Nothing was copied.")
