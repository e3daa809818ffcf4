"""The file of a database: its lock, flushing its log to the disk, and a log that belongs to another file.

Writers that wait for the disk at the same time share one flush. With `synchronous=FULL`, SQLite would flush in each
commit, and each writer would wait for those before it.

The files beside the database are readable by their owner only, who is that of the database, even if root writes them.
They are flushed to the disk before anything relies on them.
"""

import asyncio
import errno
import fcntl
import logging
import os
import stat
import struct
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from sqlalchemy import URL, make_url

from gipfbot.values import InUse, NoRoom, Unusable

log = logging.getLogger(__name__)

MAGIC = b"SQLite format 3\0"
JOURNAL_KIND = 18  # the byte of the header that says whether a file has a log
NO_LOG = 1  # its value in copies by `backup`; a database that has a log has 2
ASIDE = ".foreign"  # the ending of a log that belongs to another file

OWNER_ONLY = 0o600
SMALL_FILE = 2000  # bytes of a file that is written in its place
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # errors of a full disk, a used-up quota, and a limit of file sizes
# The endings of files beside the database.
LOCK, TIMELINE, WAL, SHM, JOURNAL = ".lock", ".timeline", "-wal", "-shm", "-journal"
FAR_BYTE = 1 << 40  # the byte of a database that stands for all of it in a lock; SQLite locks others
_HELD = dict[Path, ExitStack]()  # the locks of this process, by database


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
    if not size_of(log_file) or _header(database)[JOURNAL_KIND:][:1] != bytes([NO_LOG]):
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
    process. Raises InUse if another process has the lock, also under another name of the file, NoRoom if the disk is
    full, and Unusable if the file cannot be locked, or cannot be used for another reason: see `file_fault`.
    """
    with ExitStack() as held:
        opened = _open_lock(file_beside(database, LOCK), database)
        held.callback(os.close, opened)
        _take_lock(opened, database)
        with suppress(OSError):  # the number only helps people: the lock works without it
            os.truncate(opened, 0)
            os.write(opened, f"{os.getpid()}\n".encode())
        if fault := file_fault(database) or _log_fault(database):
            raise Unusable(fault)
        _lock_file_itself(database, held)
        _HELD[database] = held
        held.callback(_HELD.pop, database)
        yield


def is_locked(database: Path) -> bool:
    """Return whether a process holds the lock of a database file. False if that cannot be found out."""
    try:
        with file_beside(database, LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


def _open_lock(path: Path, database: Path) -> int:
    try:
        opened = os.open(path, os.O_RDWR | os.O_CREAT, OWNER_ONLY)
    except FileNotFoundError:
        raise Unusable(f"The folder {path.parent} of the database does not exist: create it or name another.") from None
    except OSError as error:
        raise writing_fault(path, error) from error
    keep_private(path)
    give_to_owner(path, database)
    return opened


def writing_fault(path: Path, error: OSError) -> Unusable:
    """Return the error for the host if a file beside the database cannot be written."""
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


def _lock_file_itself(database: Path, held: ExitStack) -> None:
    """Lock the file, which may have other names. Does nothing if it is missing, or if the system has no such locks.

    A lock of this kind ends only with its own opening. Those of SQLite end when the process closes any opening of the
    file, so this one stays open as long as the database is in use.
    """
    if sys.platform != "linux" or not database.exists():
        return
    opened = os.open(database, os.O_RDWR)
    held.callback(os.close, opened)
    try:
        asked = struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, FAR_BYTE, 1, 0)
        fcntl.fcntl(opened, fcntl.F_OFD_SETLK, asked)
    except BlockingIOError:
        under = "perhaps under another name of the file"
        raise InUse(f"{database} is in use by another process, {under}: stop that first.") from None
    except OSError as error:
        log.warning("only its name protects %s from another bot: %s", database, error.strerror)


def file_fault(database: Path, needed: int = os.R_OK | os.W_OK) -> str | None:
    """Return a sentence on a database or a file of SQLite beside it that is there and cannot be used; None if all can.

    `needed` is for `os.access`. Does not look into the files.
    """
    for path in (file_beside(database, ending) for ending in ("", WAL, SHM, JOURNAL)):
        try:
            mode = path.stat().st_mode
        except FileNotFoundError:
            continue
        except OSError as error:
            return f"{path} cannot be used ({error.strerror}): {hand_over(path)}."
        if not stat.S_ISREG(mode):
            return f"{path} is {'a folder' if stat.S_ISDIR(mode) else 'no file'}: move it away, then start again."
        if not os.access(path, needed):
            return f"{path} cannot be used (Permission denied): {hand_over(path)}."
    return None


def _log_fault(database: Path) -> str | None:
    """Return a sentence if another name of the file has the log of a killed bot. SQLite would not look into it."""
    if not database.exists() or database.stat().st_nlink == 1:
        return None
    number, own = database.stat().st_ino, file_beside(database, WAL)
    for entry in list(os.scandir(database.parent)):
        found = file_beside(Path(entry.path), WAL)
        is_other = entry.inode() == number and entry.name != database.name
        if is_other and size_of(found) and not (own.exists() and own.samefile(found)):
            return f"{database} and {entry.path} are one file, and {found} has its last turns: name {entry.path}."
    return None


def size_of(path: Path) -> int:
    """Return the size of a file in bytes, 0 if there is none."""
    return path.stat().st_size if path.exists() else 0


def hand_over(path: Path) -> str:
    """Return what to do about a file that the user who runs the bot may not read and write."""
    is_own = os.path.lexists(path) and path.lstat().st_uid == os.geteuid()
    how = "chmod u+rw" if is_own else f"sudo chown {os.geteuid()}:{os.getegid()}"
    return f"let the user who runs the bot read and write it, as by `{how} {path}`"


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


def write_in_place(file: Path, text: str) -> None:
    """Replace the text of a small file, and fill the rest of it with blanks. Only its owner may read it.

    A file that is there keeps its place on the disk, so this works on a full disk, too. Does nothing if it fails.
    """
    with suppress(OSError):
        opened = os.open(file, os.O_WRONLY | os.O_CREAT, OWNER_ONLY)
        try:
            os.pwrite(opened, text.encode().ljust(SMALL_FILE), 0)
        finally:
            os.close(opened)
        give_to_owner(file)


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

    SQLite gives the files that it makes beside a database the same mode and owner.
    """
    beside = [file_beside(database, ending) for ending in (WAL, SHM, JOURNAL, LOCK, TIMELINE)]
    with suppress(OSError):  # SQLite says why the file cannot be opened
        os.close(os.open(database, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
        give_to_owner(database)
        if held := _HELD.get(database):
            _lock_file_itself(database, held)
    keep_private(database, *beside)
    for path in filter(Path.exists, beside):
        give_to_owner(path, database)


def give_to_owner(path: Path, database: Path | None = None) -> None:
    """Give a file that root has written to the owner of the database beside it, else to that of its folder.

    Does nothing if another user runs the bot. Follows no symbolic link.
    """
    if os.geteuid() != 0:
        return
    folder = path.parent.resolve()
    is_beside = database is not None and database.exists() and database.parent.resolve() == folder
    try:
        owner = (database if database and is_beside else folder).stat()
        if path.lstat().st_nlink == 1:  # a file with other names may be somebody else's
            os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)
    except OSError as error:
        log.warning("%s belongs to root, and cannot be given to another user: %s", path, error.strerror)
