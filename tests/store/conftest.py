import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gipfbot.store import Store


def url_of(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with all tables and nothing in them: to copy it is faster than to migrate for each test."""
    path = tmp_path_factory.mktemp("store") / "empty.sqlite3"

    async def make() -> None:
        await (await Store.open_database(url_of(path))).close()

    asyncio.run(make())
    return path


@pytest.fixture
def url(tmp_path: Path) -> str:
    return url_of(tmp_path / "gipf.sqlite3")


@pytest.fixture
async def store(url: str, tmp_path: Path, migrated: Path) -> AsyncIterator[Store]:
    shutil.copy(migrated, tmp_path / "gipf.sqlite3")
    opened = await Store.open_database(url)
    yield opened
    await opened.close()
