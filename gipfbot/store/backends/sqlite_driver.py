"""The driver for SQLite: SQLAlchemy's for aiosqlite, with one call to the connection's thread for each statement.

SQLAlchemy's own adapter takes four calls: for a cursor, the statement, its rows, and the cursor's end. Each call costs
the event loop more time than most statements cost SQLite. `in_one_visit` takes one call for many statements.

All that the bot uses of the two libraries beyond their documentation is here. Read it again before an update of one.
"""

import sqlite3
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from contextvars import copy_context
from typing import Any, NamedTuple, TypeVar, cast

import aiosqlite
from sqlalchemy import Connection
from sqlalchemy.dialects.sqlite.aiosqlite import (
    AsyncAdapt_aiosqlite_connection,
    AsyncAdapt_aiosqlite_cursor,
    AsyncAdapt_aiosqlite_dbapi,
)
from sqlalchemy.ext.asyncio import AsyncConnection

T = TypeVar("T")
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

    def execute(self, operation: Any, parameters: Any = None) -> Any:
        """Run a statement: at once in the connection's thread, else by a visit to it."""
        if not self._is_in_thread():
            return super().execute(operation, parameters)
        return self._run("execute", operation, () if parameters is None else parameters)

    def executemany(self, operation: Any, seq_of_parameters: Any) -> Any:
        """Run a statement for each row of parameters, as `execute` does."""
        if not self._is_in_thread():
            return super().executemany(operation, seq_of_parameters)
        return self._run("executemany", operation, seq_of_parameters)

    def _is_in_thread(self) -> bool:
        """Return whether the code that uses the cursor runs in the connection's thread."""
        adapter: Any = self._adapt_connection
        return bool(adapter.is_visited)

    def _run(self, *statement: Any) -> None:
        connection: Any = self._connection
        self._answer = _run_statement(connection._conn, *statement)
        self._rows = deque(self._answer.rows)

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
    __slots__ = ("is_visited",)

    _cursor_cls = _OneTripCursor

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.is_visited = False  # whether the code that uses it runs in its thread


class OneTripDriver(AsyncAdapt_aiosqlite_dbapi):
    """The driver for `create_async_engine(module=…)`. Results cannot be streamed from it."""

    def __init__(self) -> None:
        super().__init__(aiosqlite, sqlite3)

    def connect(self, *arg: Any, **kw: Any) -> AsyncAdapt_aiosqlite_connection:
        """Return a connection whose cursors need one call per statement."""
        return _OneTripConnection(self, super().connect(*arg, **kw)._connection)


class _ConnectionInThread:
    """A connection in its own thread, in place of an `AsyncConnection`. Nothing that is awaited from it waits."""

    def __init__(self, connection: Connection) -> None:
        self.sync_connection, self.engine = connection, connection.engine

    async def execute(self, *what: Any) -> Any:
        return self.sync_connection.execute(*what)

    async def scalar(self, *what: Any) -> Any:
        return self.sync_connection.scalar(*what)

    async def scalars(self, *what: Any) -> Any:
        return self.sync_connection.scalars(*what)


async def in_one_visit(db: AsyncConnection, work: Callable[[AsyncConnection], Coroutine[Any, Any, T]]) -> T:
    """Run the whole of `work` in the connection's thread. Raises RuntimeError if it waits for anything else.

    `work` gets a connection that has only `execute`, `scalar`, `scalars`, `sync_connection` and `engine`.
    """
    adapter: Any = (await db.get_raw_connection()).dbapi_connection
    assert db.sync_connection
    coroutine = work(cast(AsyncConnection, _ConnectionInThread(db.sync_connection)))
    result: T = await adapter._connection._execute(copy_context().run, _finish, adapter, coroutine)
    return result


def _finish(adapter: _OneTripConnection, work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, in the thread of the connection."""
    adapter.is_visited = True
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    finally:
        adapter.is_visited = False
        work.close()
    raise RuntimeError("work in one visit must not wait")
