"""SQLite by aiosqlite, with one visit to the connection's thread for each statement.

SQLAlchemy's own adapter goes there four times: for a cursor, the statement, its rows, and the cursor's end. Each visit
costs the event loop more than most of our statements cost SQLite. A turn has some forty statements.
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


class _Answer(NamedTuple):
    """What a statement brought. All of it has left the connection's thread."""

    description: Any = None
    rowcount: int = -1
    lastrowid: int | None = None
    rows: Sequence[Any] = ()


class _OneTripCursor(AsyncAdapt_aiosqlite_cursor):
    """A cursor without one in SQLite: each statement gets its own there, and closes it."""

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
    """Run a statement in the connection's thread, and return all that it brings."""
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
        """Return a connection whose cursors need one visit."""
        return _OneTripConnection(self, super().connect(*arg, **kw)._connection)
