"""Work on the database at once: one visit to SQLite's thread, and a transaction like any other."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from gipfbot.store import Connection, Store, meta, tables


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """With the thread of a real one."""
    opened = await Store.open_database(url)
    yield opened
    await opened.close()


async def save_three(db: Connection) -> str:
    """Save three values, and return what one of them is then."""
    for number in range(3):
        await meta.save_value(db, f"key {number}", str(number))
    return await meta.load_value(db, "key 2") or ""


async def saved(store: Store) -> set[str]:
    """Return the keys of the values that are stored."""
    async with store.reading() as db:
        return {key for key in await db.scalars(tables.meta.select()) if key.startswith("key")}


async def test_work_at_once_is_saved_and_returns_its_result(store: Store) -> None:
    assert await store.write(None, save_three) == "2"
    assert await saved(store) == {"key 0", "key 1", "key 2"}


async def test_work_at_once_that_fails_saves_nothing(store: Store) -> None:
    async def fail(db: Connection) -> None:
        await save_three(db)
        raise LookupError

    with pytest.raises(LookupError):
        await store.write(None, fail)
    assert await saved(store) == set()
    assert await store.write(None, save_three) == "2"


@pytest.mark.sqlite
async def test_work_at_once_must_not_wait(store: Store) -> None:
    async def wait(db: Connection) -> None:
        await save_three(db)
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="must not wait"):
        await store.write(None, wait)
    assert await saved(store) == set()


@pytest.mark.sqlite
async def test_work_at_once_takes_one_visit(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    visits = list[Any]()
    async with store.reading() as db:
        driver: Any = (await db.get_raw_connection()).driver_connection
        kept = driver._execute

        async def visit(*work: Any) -> Any:
            visits.append(work)
            return await kept(*work)

        monkeypatch.setattr(driver, "_execute", visit)
        await store.backend.at_once(db, save_three)
        assert len(visits) == 1
        await save_three(db)
        assert len(visits) > 4


async def test_cancelled_work_at_once_saves_nothing(store: Store) -> None:
    writing = asyncio.create_task(store.write(None, save_three))
    await asyncio.sleep(0)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert await saved(store) == set()
    assert await store.write(None, save_three) == "2"
