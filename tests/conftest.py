"""Fixtures that tests of all rooms share."""

import asyncio
import gc
import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from gipfbot.store import Store, database, troubles
from tests.support import postgres, stores
from tests.support.effort import load_profile
from tests.support.paths import HOUSE
from tests.support.postgres import Server
from tests.support.stores import create_empty, open_copy

TESTS = HOUSE / "tests"
# Folders whose tests share what takes seconds to start: one worker of pytest-xdist has all of a folder, and first.
TOGETHER = {TESTS / name for name in ("process", "page")}
LONGEST = {TESTS / "year"}  # whose tests come next, so that no worker is left alone with them
MIGRATED = Path("migrated")  # stands for a database on PostgreSQL that has empty tables
load_profile()
# The imported modules are looked through again and again for garbage that is not there: a tenth of the tests' time.
gc.freeze()
gc.set_threshold(100_000, 50, 100)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--database", choices=("sqlite", "postgres"), default="sqlite", help="where stores keep games")
    parser.addoption("--only-import", action="store_true", help="find no tests, only compile their files")


def pytest_configure(config: pytest.Config) -> None:
    stores.POSTGRES = config.getoption("database") == "postgres"
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS and "PYTEST_XDIST_WORKER" in os.environ:
        config.args = [*map(str, begin_elsewhere(sorted(TESTS.rglob("test_*.py")))), "docs"]


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector) -> list[pytest.Item] | None:
    """Find no tests with `--only-import`: the files are all imported before, which takes half the time of both."""
    return [] if collector.config.getoption("only_import") else None


def begin_elsewhere(files: list[Path]) -> list[Path]:
    """Return the folders and files in `tests` in this worker's own order: who comes to a file first compiles it.

    If all came to it at the same time, each would.
    """
    number, workers = int(os.environ["PYTEST_XDIST_WORKER"][2:]), int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    parts = [TESTS / file.relative_to(TESTS).parts[0] for file in files]
    first = parts.index(parts[len(parts) * number // workers])
    return [*dict.fromkeys(parts[first:] + parts[:first])]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Deal the tests out to the workers of pytest-xdist group by group, and those without a group file by file.

    Test by test costs more than many a test. Groups and files come in the order of the tests.
    """
    from xdist.scheduler import LoadGroupScheduling  # type: ignore[import-untyped] # it has no types

    config.option.loadscopereorder = False
    scheduling = LoadGroupScheduling(config, log)
    group_of = scheduling._split_scope  # a test without a group is one of its own

    def unit_of(test: str) -> str:
        group: str = group_of(test)
        return test.partition("::")[0] if group == test else group

    scheduling._split_scope = unit_of
    return scheduling


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep tests together that share what they start. On PostgreSQL, leave out what is about files of SQLite."""
    items.sort(key=lambda item: (item.path.parent not in TOGETHER, item.path.parent not in LONGEST, str(item.path)))
    for item in items:
        if item.path.parent in TOGETHER:
            item.add_marker(pytest.mark.xdist_group(item.path.parent.name))
    if stores.POSTGRES:
        about_files = [item for item in items if item.get_closest_marker("sqlite")]
        items[:] = [item for item in items if item not in about_files]
        config.hook.pytest_deselected(items=about_files)


@pytest.fixture(autouse=True)
def _drop_databases(empty_database: Path) -> Iterator[None]:
    yield
    database._LOGGED.clear()  # another database may get the same name
    troubles._OPEN.clear()
    if postgres.is_running():
        postgres.server().clean_up(but=empty_database)


@pytest.fixture
def untraced() -> Iterator[None]:
    """Let a test that runs the same lines a million times run them unmeasured, unless TRACE_ALL is set.

    The marker `no_cover` of pytest-cov does nothing in the workers of pytest-xdist.
    """
    tracer = sys.gettrace()
    if "TRACE_ALL" not in os.environ:
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


@pytest.fixture
def server() -> Server:
    """Return a server of PostgreSQL."""
    return postgres.server()


@pytest.fixture
def empty_url(server: Server, tmp_path: Path) -> str:
    """Return the URL of a database on PostgreSQL that has no tables."""
    return server.url_for(tmp_path / "empty")


@pytest.fixture
async def postgres_url(server: Server, tmp_path: Path) -> str:
    """Return the URL of a database on PostgreSQL that has empty tables."""
    if not server.keep(MIGRATED):
        await (await Store.open_database(server.url_for(MIGRATED))).close()
    return server.copy_for(MIGRATED, tmp_path / "postgres")


@pytest.fixture
async def postgres_store(postgres_url: str) -> AsyncIterator[Store]:
    opened = await Store.open_database(postgres_url)
    yield opened
    await opened.close()
