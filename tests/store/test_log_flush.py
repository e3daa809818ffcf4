"""Commits wait until they are on the disk, and share their visits to it."""

import asyncio
import errno
import shutil
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gipfbot.store import Store, database_file
from gipfbot.store.database_file import LogFlush
from tests.support.stores import database_url
from tests.support.times import HANGS

pytestmark = pytest.mark.sqlite


class SlowDisk:
    """A disk whose visits take until they are let go."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.visits, self._begun, self._go = 0, threading.Semaphore(0), threading.Semaphore(0)
        patch.setattr(database_file, "flush_to_disk", self.flush)

    def flush(self, _: Path) -> int:
        self.visits += 1
        self._begun.release()
        assert self._go.acquire(timeout=HANGS)
        return 0

    def let_go(self) -> None:
        """End a visit: the one that is under way, or the next."""
        self._go.release()

    async def visited(self) -> None:
        """Wait until one more visit has begun."""
        assert await asyncio.to_thread(self._begun.acquire, timeout=HANGS)


async def test_those_who_wait_at_the_same_time_share_a_visit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A visit that was under way does not count for what was committed since it began."""
    disk, flush = SlowDisk(monkeypatch), LogFlush(tmp_path / "games.sqlite3")
    first = asyncio.create_task(flush.wait())
    await disk.visited()
    later = [asyncio.create_task(flush.wait()) for _ in range(20)]
    await asyncio.sleep(0)
    disk.let_go()
    await first
    await disk.visited()
    assert not any(each.done() for each in later)
    disk.let_go()
    await asyncio.gather(*later)
    assert disk.visits == 2


@pytest.fixture
async def flushing_store(empty_database: Path, tmp_path: Path) -> AsyncIterator[Store]:
    """Return a store as the bot opens it: those of other tests do not wait for the disk."""
    shutil.copy(empty_database, tmp_path / "flushed.sqlite3")
    opened = await Store.open_database(database_url(tmp_path / "flushed.sqlite3"))
    yield opened
    await opened.close()


async def test_a_commit_waits_for_the_disk_and_others_write_meanwhile(
    flushing_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, store = SlowDisk(monkeypatch), flushing_store

    async def commit() -> None:
        async with store.transaction():
            pass

    first = asyncio.create_task(commit())
    await disk.visited()
    async with asyncio.timeout(HANGS), store.transaction():  # it would wait for ever if the first held up others
        assert not first.done()
        disk.let_go()
        disk.let_go()
    await first


async def test_a_disk_that_fails_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: Path) -> int:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(database_file, "flush_to_disk", fail)
    await LogFlush(tmp_path / "games.sqlite3").wait()
    assert caplog.messages == ["what was saved may be lost if the power fails now: Input/output error"]


async def test_a_database_without_a_log_needs_no_visit(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    await LogFlush(tmp_path / "games.sqlite3").wait()
    assert caplog.messages == []
