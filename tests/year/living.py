"""Run a simulated year quickly, and fail on any error that the bot logs."""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import aiosqlite

from gipfbot.store import Store

from .course import Plan
from .year import Year


async def _at_once(_: aiosqlite.Connection, do: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """Ask SQLite in the event loop's own thread. The events of a year come one by one, so nothing else waits."""
    return do(*given, **named)


def answers_at_once() -> AbstractContextManager[object]:
    """Let stores on SQLite answer without another thread."""
    return patch.object(aiosqlite.Connection, "_execute", _at_once)


@asynccontextmanager
async def quick_store(folder: Path) -> AsyncIterator[Store]:
    """Open an empty store in a folder; it answers without another thread."""
    with answers_at_once():
        store = await Store.open_database(f"sqlite+aiosqlite:///{folder}/year.sqlite3")
        try:
            yield store
        finally:
            await store.close()


async def live(plan: Plan, folder: Path, at_game: Callable[[int], None] = lambda _: None) -> Year:
    """Run a year and return it; `at_game` is called with the number of each new game."""
    async with quick_store(folder) as store:
        year = Year.of(plan, store)
        year.at_game = at_game
        logging.getLogger().addHandler(year.host.errors)
        try:
            await year.run()
        finally:
            logging.getLogger().removeHandler(year.host.errors)
        return year
