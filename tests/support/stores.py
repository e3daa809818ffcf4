"""Stores for tests: each on a copy of one empty database, since to make one takes longer than most tests."""

import shutil
from pathlib import Path
from typing import Any

from sqlalchemy import Dialect, make_url

from gipfbot.store import Store
from gipfbot.store.database import new_engine

# A statement is compiled for one dialect. All stores share one, so that each statement is compiled once in a run.
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
    if not _DIALECTS:
        async with engine.connect():  # only now the dialect knows SQLite's version
            _DIALECTS.append(engine.sync_engine.dialect)
    engine.sync_engine.dialect = _DIALECTS[0]
    return Store(engine.execution_options(compiled_cache=_STATEMENTS))
