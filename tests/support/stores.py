"""Stores for tests. Each is a copy of one empty database, because migrating takes longer than most tests.

In `make test` their SQL runs in the thread of the test: a change of threads costs more than a statement. In `make long`
they use threads, as the bot does.
"""

import shutil
from asyncio import Future
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiosqlite
from sqlalchemy import Dialect, event, make_url

from gipfbot.store import Store
from gipfbot.store.database import new_engine
from tests.support.effort import LONG

# Statements are compiled per dialect. All stores share one, so that each statement is compiled once per run.
_DIALECTS: list[Dialect] = []
_STATEMENTS: dict[Any, Any] = {}


def database_url(path: Path) -> str:
    """Return the URL of a database file."""
    return f"sqlite+aiosqlite:///{path}"


async def create_empty(path: Path) -> None:
    """Create a database with all tables and nothing in them."""
    await (await Store.open_database(database_url(path))).close()


async def open_copy(empty: Path, path: Path) -> Store:
    """Open a copy of an empty database. It is up to date, so nothing is migrated."""
    shutil.copy(empty, path)
    engine = new_engine(make_url(database_url(path)))
    if not LONG:
        event.listen(engine.sync_engine, "do_connect", _connect_without_thread)
    if not _DIALECTS:
        async with engine.connect():  # the dialect learns SQLite's version at the first connection
            _DIALECTS.append(engine.sync_engine.dialect)
    engine.sync_engine.dialect = _DIALECTS[0]
    return Store(engine.execution_options(compiled_cache=_STATEMENTS))


class _InlineQueue:
    """Runs at once what aiosqlite queues for its thread."""

    def put_nowait(self, item: tuple[Future[Any] | None, Callable[[], Any]]) -> None:
        future, function = item
        try:
            result = function()
        except BaseException as error:  # noqa: BLE001 - handed on, as aiosqlite's thread does
            if future:
                future.set_exception(error)
        else:
            if future:
                future.set_result(result)


class _NoThread:
    daemon = True

    def start(self) -> None:
        """There is nothing to start."""


def _connect_without_thread(dialect: object, record: object, arguments: object, options: dict[str, Any]) -> None:
    def connect(*args: Any, **kwargs: Any) -> aiosqlite.Connection:
        connection: Any = aiosqlite.connect(*args, **kwargs)
        connection._tx, connection._thread = _InlineQueue(), _NoThread()
        return connection  # type: ignore[no-any-return]

    options["async_creator_fn"] = connect
