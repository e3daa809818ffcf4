"""The driver for SQLite: SQLAlchemy's for aiosqlite, with one call to the connection's thread for each statement.

SQLAlchemy's own adapter takes four calls: for a cursor, the statement, its rows, and the cursor's end. Each call costs
the event loop more time than most statements cost SQLite. A turn has some forty statements.

All that the bot uses of the two libraries beyond their documentation is here. Read it again before an update of one.
"""

import sqlite3
from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import aiosqlite
from sqlalchemy.dialects.sqlite.aiosqlite import (
    AsyncAdapt_aiosqlite_connection,
    AsyncAdapt_aiosqlite_cursor,
    AsyncAdapt_aiosqlite_dbapi,
)

READ_IN = {"SQLAlchemy": "2.1.9", "aiosqlite": "0.22.1"}


class _Answer(NamedTuple):
    """The results of a statement, complete and independent of the connection's thread."""

    description: Any = None
    rowcount: int = -1
    lastrowid: int | None = None
    rows: Sequence[Any] = ()


class _OneTripCursor(AsyncAdapt_aiosqlite_cursor):
    """A cursor that keeps none open in SQLite: each statement opens one there, and closes it."""

    __slots__ = ("_answer",)

    def __init__(self, adapt_connection: Any) -> None:
        self._adapt_connection = adapt_connection
        self._connection = adapt_connection._connection
        self._answer = _Answer()
        self._rows = deque()

    @property
    def description(self) -> Any:
        return self._answer.description

    @property
    def rowcount(self) -> int:
        return self._answer.rowcount

    @property
    def lastrowid(self) -> Any:
        return self._answer.lastrowid

    async def _execute_async(self, operation: Any, parameters: Any) -> Any:
        await self._visit("execute", operation, () if parameters is None else parameters)

    async def _executemany_async(self, operation: Any, seq_of_parameters: Any) -> Any:
        await self._visit("executemany", operation, seq_of_parameters)

    async def _visit(self, method: str, operation: str, parameters: Any) -> None:
        connection: Any = self._connection
        async with self._adapt_connection._execute_mutex:
            self._answer = await connection._execute(_run_statement, connection._conn, method, operation, parameters)
        self._rows = deque(self._answer.rows)

    async def _async_soft_close(self) -> None:
        """Do nothing: the cursor in SQLite is closed already."""

    def close(self) -> None:
        self._rows.clear()


def _run_statement(connection: sqlite3.Connection, method: str, operation: str, parameters: Any) -> _Answer:
    """Run a statement in the connection's thread, and return all its results."""
    cursor = connection.cursor()
    try:
        getattr(cursor, method)(operation, parameters)
        rows = cursor.fetchall() if cursor.description else ()
        return _Answer(cursor.description, cursor.rowcount, cursor.lastrowid, rows)
    finally:
        cursor.close()


class _OneTripConnection(AsyncAdapt_aiosqlite_connection):
    __slots__ = ()

    _cursor_cls = _OneTripCursor


class OneTripDriver(AsyncAdapt_aiosqlite_dbapi):
    """The driver for `create_async_engine(module=…)`. Results cannot be streamed from it."""

    def __init__(self) -> None:
        super().__init__(aiosqlite, sqlite3)

    def connect(self, *arg: Any, **kw: Any) -> AsyncAdapt_aiosqlite_connection:
        """Return a connection whose cursors need one call per statement."""
        return _OneTripConnection(self, super().connect(*arg, **kw)._connection)
