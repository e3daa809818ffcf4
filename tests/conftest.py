"""Fixtures that tests of all rooms share."""

import asyncio
import gc
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from gipfbot.store import Store
from tests.support.effort import load_profile
from tests.support.stores import create_empty, open_copy

load_profile()
# The imported modules are looked through again and again for garbage that is not there: a tenth of the tests' time.
gc.freeze()
gc.set_threshold(100_000, 50, 100)


@pytest.fixture
def untraced() -> Iterator[None]:
    """Let a test that runs the same lines a million times run them unmeasured.

    The marker `no_cover` of pytest-cov does nothing in the workers of pytest-xdist.
    """
    tracer = sys.gettrace()
    sys.settrace(None)
    yield
    sys.settrace(tracer)


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of an empty database, to be copied."""
    path = tmp_path_factory.mktemp("database") / "empty.sqlite3"
    asyncio.run(create_empty(path))
    return path


@pytest.fixture
async def store(empty_database: Path, tmp_path: Path) -> AsyncIterator[Store]:
    opened = await open_copy(empty_database, tmp_path / "gipf.sqlite3")
    yield opened
    await opened.close()
