"""What was committed reaches the disk: those who wait at the same time share one visit to it.

With `synchronous=FULL`, SQLite would do so within each commit, and each writer would wait for those before it.
"""

import asyncio
import logging
from pathlib import Path

from .file_lock import WAL, file_beside, flush_to_disk

log = logging.getLogger(__name__)


class LogFlush:
    """Flushes SQLite's log of a database to the disk."""

    def __init__(self, database: Path) -> None:
        self._log_file = file_beside(database, WAL)
        self._asked = self._flushed = 0  # how often it was asked for, and how much of that is done
        self._flushing = asyncio.Lock()

    async def wait(self) -> None:
        """Return when all that was committed before is on the disk.

        A disk that fails is logged: SQLite has the commit, and the next one meets the same fault.
        """
        self._asked += 1
        mine = self._asked
        async with self._flushing:
            if self._flushed >= mine:
                return
            asked = self._asked
            try:
                await asyncio.to_thread(flush_to_disk, self._log_file)
            except FileNotFoundError:
                pass  # a database that was closed has no log: SQLite has flushed it
            except OSError as error:
                log.error("what was saved may be lost if the power fails now: %s", error.strerror)
            self._flushed = asked
