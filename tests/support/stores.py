"""Stores for tests. Each is a copy of one empty database, because migrating takes longer than most tests."""

import shutil
from pathlib import Path
from typing import Any

from sqlalchemy import Dialect, make_url

from gipfbot.store import Store
from gipfbot.store.database import new_engine

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
    if not _DIALECTS:
        async with engine.connect():  # the dialect learns SQLite's version at the first connection
            _DIALECTS.append(engine.sync_engine.dialect)
    engine.sync_engine.dialect = _DIALECTS[0]
    return Store(engine.execution_options(compiled_cache=_STATEMENTS))
