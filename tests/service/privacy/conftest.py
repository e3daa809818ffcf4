"""A database with something in every table. Filling it takes longer than most tests, so it is filled once per run."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gipfbot.store import Store
from tests.store.write_database import fill_database
from tests.support.stores import keep_copy, open_copy, open_store, use_copy


@pytest.fixture(scope="session")
def filled_database(empty_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of a filled database, to be copied."""
    folder = tmp_path_factory.mktemp("filled")
    asyncio.run(_fill(empty_database, folder / "first.sqlite3"))
    keep_copy(folder / "first.sqlite3", folder / "kept.sqlite3")
    return folder / "kept.sqlite3"


async def _fill(empty: Path, path: Path) -> None:
    store = await open_copy(empty, path)
    await fill_database(store)
    await store.close()


@pytest.fixture
async def filled_store(filled_database: Path, tmp_path: Path) -> AsyncIterator[Store]:
    use_copy(filled_database, tmp_path / "filled.sqlite3")
    opened = await open_store(tmp_path / "filled.sqlite3")
    yield opened
    await opened.close()
