"""The service on a real database, with a clock that the test moves."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gipfbot.service.service import Service
from gipfbot.store import Store


class Clock:
    """A clock that the test moves."""

    time = 1_000_000

    def __call__(self) -> int:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def service(tmp_path: Path, clock: Clock) -> AsyncIterator[Service]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path}/games.sqlite3")
    yield Service(store, clock, lambda: True)
    await store.close()
