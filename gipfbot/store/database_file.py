"""The file of a database: its lock, flushing its log to the disk, and a log that belongs to another file.

Writers that wait for the disk at the same time share one flush. With `synchronous=FULL`, SQLite would flush in each
commit, and each writer would wait for those before it.

The files beside the database are readable by their owner only. They are flushed to the disk before anything relies on
them.
"""

import asyncio
import errno
import fcntl
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import URL, make_url

from gipfbot.values import InUse, NoRoom, Unusable

log = logging.getLogger(__name__)

MAGIC = b"SQLite format 3\0"
JOURNAL_KIND = 18  # the byte of the header that says whether a file has a log
NO_LOG = 1  # its value in copies by `backup`; a database that has a log has 2
ASIDE = ".foreign"  # the ending of a log that belongs to another file

OWNER_ONLY = 0o600
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # errors of a full disk, a used-up quota, and a limit of file sizes
# The endings of files beside the database.
LOCK, TIMELINE, WAL, SHM, JOURNAL = ".lock", ".timeline", "-wal", "-shm", "-journal"


class LogFlush:
    """Flushes SQLite's log of a database to the disk."""

    def __init__(self, database: Path) -> None:
        self._log_file = file_beside(database, WAL)
        self._asked = self._flushed = 0  # the number of requests, and of those that are done
        self._flushing = asyncio.Lock()

    async def wait(self) -> None:
        """Wait until everything committed so far is on the disk.

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


def set_foreign_log_aside(database: Path) -> None:
    """Rename a log beside a database that has no log of its own. SQLite would write that log into the database.

    The header of a database in use always says that it has a log. That of a copy by `backup` or `restore` never does.
    """
    log_file = file_beside(database, WAL)
    if not log_file.exists() or not log_file.stat().st_size or _header(database)[JOURNAL_KIND:][:1] != bytes([NO_LOG]):
        return
    log.warning("%s belongs to the file that was replaced, and is renamed", log_file)
    log_file.replace(log_file.with_name(log_file.name + ASIDE))
    file_beside(database, SHM).unlink(missing_ok=True)


def _header(database: Path) -> bytes:
    """Return the first bytes of a database; empty if the file is missing, or no database."""
    if not database.exists():
        return b""
    with database.open("rb") as file:
        header = file.read(JOURNAL_KIND + 1)
    return header if header.startswith(MAGIC) else b""


def database_path(url: str | URL) -> Path:
    """Return the file of a database URL, without symbolic links. Raises Unusable if the URL names no file."""
    name = make_url(url).database
    if name in (None, "", ":memory:"):
        raise Unusable("Readers beside a writer need a database in a file: name one.")
    return Path(name).resolve()


def file_url(database: Path) -> URL:
    """Return the URL of a database file."""
    return URL.create("sqlite+aiosqlite", database=str(database))


def file_beside(database: Path, ending: str) -> Path:
    """Return the path of a file beside the database, such as its lock."""
    return database.with_name(database.name + ending)


@contextmanager
def hold_file_lock(database: Path) -> Iterator[None]:
    """Hold the lock of a database file. Every command that writes the file or replaces it needs the lock.

    The lock ends with the process, even if it is killed. The lock's file stays: it is empty but for the number of the
    process. Raises InUse if another process has the lock, NoRoom if the disk is full, and Unusable if the file cannot
    be locked for another reason.
    """
    opened = _open_lock(file_beside(database, LOCK))
    try:
        _take_lock(opened, database)
        with suppress(OSError):  # the number only helps people: the lock works without it
            os.truncate(opened, 0)
            os.write(opened, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(opened)


def _open_lock(path: Path) -> int:
    try:
        opened = os.open(path, os.O_RDWR | os.O_CREAT, OWNER_ONLY)
    except FileNotFoundError:
        raise Unusable(f"The folder {path.parent} of the database does not exist: create it or name another.") from None
    except OSError as error:
        raise _lock_fault(path, error) from error
    keep_private(path)
    return opened


def _lock_fault(path: Path, error: OSError) -> Unusable:
    if error.errno in NO_ROOM:
        return NoRoom(f"The disk of {path.parent} is full: make room, then start again. Nothing is lost.")
    let = "let the user who runs the bot write the file and its folder"
    return Unusable(f"{path} cannot be written ({error.strerror}): {let}.")


def _take_lock(opened: int, database: Path) -> None:
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        number = os.pread(opened, 20, 0).decode("ascii", "replace").strip()
        who = f"process {number}" if number.isdigit() else "another process"
        raise InUse(f"{database} is in use by {who}, perhaps a running bot: stop that first.") from None
    except OSError as error:
        why = f"its disk knows no locks ({error.strerror}): keep the database on a local disk"
        raise Unusable(f"{database} cannot be locked, because {why}.") from error


def keep_private(*paths: Path) -> None:
    """Let only their owner read and write these files. Files that do not exist are left out."""
    for path in paths:
        try:
            mode = path.stat().st_mode
            if mode & 0o077:
                path.chmod(mode & OWNER_ONLY)
        except FileNotFoundError:
            continue
        except OSError as error:
            log.warning("others may be able to read %s, whose mode cannot be changed: %s", path, error.strerror)


def flush_to_disk(path: Path) -> int:
    """Wait until a file or a folder is on the disk, and return its size in bytes."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
        return os.fstat(opened).st_size
    finally:
        os.close(opened)


def discard_database(database: Path) -> None:
    """Delete a database and SQLite's files beside it. Does nothing if there is none."""
    for ending in ("", JOURNAL, WAL, SHM):
        file_beside(database, ending).unlink(missing_ok=True)


def make_private(database: Path) -> None:
    """Let only their owner read a database and the files beside it. Create a missing database as an empty file.

    SQLite gives the files that it makes beside a database the same mode.
    """
    with suppress(OSError):  # SQLite says why the file cannot be opened
        os.close(os.open(database, os.O_RDWR | os.O_CREAT, OWNER_ONLY))
    keep_private(database, *(file_beside(database, ending) for ending in (WAL, SHM, JOURNAL, LOCK, TIMELINE)))
