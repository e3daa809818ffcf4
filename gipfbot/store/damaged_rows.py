"""Rows that cannot be copied into another database, as sentences that name them for the host."""

import json
from contextlib import suppress
from typing import Any

from sqlalchemy import JSON, Column, Row, Select, Table, insert, select
from sqlalchemy.exc import DBAPIError

from gipfbot.values import Unusable

from .backends import driver_words
from .database import Connection
from .unreadable import READ_ERRORS

ROW_ERRORS = (DBAPIError, *READ_ERRORS)  # what a damaged row raises, but also other faults
# By the type of a column's values: the types that a strict database takes, and what any other value is not.
STRICT_TYPES = {
    int: (int, "a whole number"),
    float: (int | float, "a number"),
    bool: (bool, "true or false"),
    str: (str, "a text"),
}


def require_strict(table: Table, row: Row[Any]) -> None:
    """Raise Unusable if a strict database refuses a value of a row, or would change it. JSON must be read as text."""
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
    """Python's JSON has numbers such as NaN that JSON has not."""
    raise ValueError(f"{name} is no number")


def _row_name(table: Table, values: Any) -> str:
    keys = ", ".join(f"{column.name} {values[column.name]}" for column in table.primary_key)
    return f"The row of {table.name} with {keys}"


async def insert_each(db: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert rows one by one. Raises Unusable for the first that the database refuses: roll the transaction back."""
    for row in rows:
        try:
            await db.execute(insert(table), row)
        except ROW_ERRORS as error:
            refused = f"{_row_name(table, row)} cannot be stored ({driver_words(error)})"
            raise Unusable(f"{refused}. Nothing was copied.") from error


async def unreadable_row(db: Connection, table: Table, keys: Select[Any], error: Exception) -> Unusable:
    """Return a sentence that names the first row that cannot be read. `keys` selects the keys of the rows.

    If there is none, or the keys cannot be read either, the sentence names the table, and `error`.
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
