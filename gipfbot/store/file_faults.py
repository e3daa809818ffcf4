"""What is wrong with a database file, read from the errors of SQLite, as sentences for the host."""

import errno
import sqlite3
import tempfile
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from gipfbot.values import DatabaseTrouble, InUse, NoRoom, Trouble, Unusable

from .file_lock import LIFE, NO_ROOM, WAL, file_beside

PRIMARY = 0xFF  # the part of SQLite's error codes that says what failed; the rest says where
PROBE = bytes(64 * 1024)
TROUBLES = {
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
    sqlite3.SQLITE_PERM: Trouble.READ_ONLY,
    sqlite3.SQLITE_BUSY: Trouble.LOCKED,
    sqlite3.SQLITE_LOCKED: Trouble.LOCKED,
    sqlite3.SQLITE_PROTOCOL: Trouble.LOCKED,
    sqlite3.SQLITE_CORRUPT: Trouble.DAMAGED,
    sqlite3.SQLITE_NOTADB: Trouble.DAMAGED,
    sqlite3.SQLITE_IOERR: Trouble.FAILING,
    sqlite3.SQLITE_CANTOPEN: Trouble.FAILING,
}
NEXT_STEPS = {
    Trouble.FULL: "Make room, then start again. Nothing is lost.",
    Trouble.READ_ONLY: "Let the user who runs the bot write the file and its folder, then start again.",
    Trouble.LOCKED: "Close the program that shows or copies the file, then start again.",
    Trouble.DAMAGED: "Keep the file, and restore a backup; or name another file.",
    Trouble.FAILING: "Look at the disk and the folder, then start again.",
    Trouble.BUSY: "Start again.",
}
KINDS: dict[Trouble, type[Unusable]] = {Trouble.FULL: NoRoom, Trouble.LOCKED: InUse}


def trouble_of(database: Path, error: BaseException, folder: Path | None = None) -> Trouble | None:
    """Return what is wrong with a database or its disk, by an error of SQLite. None if the error has another reason.

    `folder` is where a copy of the database is written, if it was that.
    """
    if isinstance(error, DatabaseTrouble):
        return error.trouble
    code = getattr(_cause(error), "sqlite_errorcode", None)
    found = None if code is None else TROUBLES.get(code & PRIMARY)
    # Of quotas, limits of file sizes, and disks made read-only, SQLite says no more than that the disk fails.
    return _growing_fault(database, folder) or found if found is Trouble.FAILING else found


def opening_fault(database: Path, error: BaseException) -> Unusable:
    """Return the error for the host when a database cannot be opened. It says what to do next."""
    trouble, cause = trouble_of(database, error), _cause(error)
    if trouble is None:
        return Unusable(f"{database} cannot be opened: {cause}.")
    return KINDS.get(trouble, Unusable)(
        f"{database} cannot be opened: {trouble.value} ({cause}). {NEXT_STEPS[trouble]}"
    )


def refuse_lost_games(database: Path, *signs: Path) -> None:
    """Raise Unusable if a database is empty or missing, but a file beside it shows that it held games.

    SQLite would take it as a new database, and delete its WAL. `signs` are further files that only a database in use
    leaves behind.
    """
    if sign := sign_of_lost_games(database, *signs):
        emptied = "is empty" if database.exists() else "is missing"
        anew = f"to start anew, without any games, delete {sign} first"
        raise Unusable(f"{database} {emptied}, but {sign} shows that it held games: restore a backup; {anew}.")


def sign_of_lost_games(database: Path, *signs: Path) -> Path | None:
    """Return a file which shows that a database held games, if it is empty or missing. None if nothing shows that.

    `signs` matter if there is an empty file, since one that is missing may have been moved on purpose.
    """
    if _size(database):
        return None
    beside = [file_beside(database, LIFE), *(signs if database.exists() else ())]
    if _size(wal := file_beside(database, WAL)):
        beside.append(wal)
    return next((sign for sign in beside if sign.exists()), None)


def _cause(error: BaseException) -> BaseException:
    if isinstance(error, DatabaseTrouble):
        return error.__cause__ or error
    return error.orig if isinstance(error, DBAPIError) and error.orig else error


def _growing_fault(database: Path, folder: Path | None) -> Trouble | None:
    """Return why no file can get a little longer than the database or its WAL; None if it can, or for other reasons."""
    try:
        with tempfile.TemporaryFile(dir=folder or database.parent, buffering=0) as probe:
            probe.seek(max(map(_size, (database, file_beside(database, WAL)))))
            probe.write(PROBE)
    except OSError as error:
        if error.errno == errno.EROFS:
            return Trouble.READ_ONLY
        return Trouble.FULL if error.errno in NO_ROOM else None
    return None


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
