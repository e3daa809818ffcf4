"""Explain what is wrong with a database: to the host at the start, later also to people who ask."""

import errno
import logging
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakValueDictionary

from sqlalchemy.exc import DBAPIError

from gipfbot.installation import started_as
from gipfbot.values import DatabaseTrouble, InUse, NoRoom, Trouble, Unusable

from .database_file import NO_ROOM, TIMELINE, WAL, file_beside, file_fault, size_of

PRIMARY = 0xFF  # the part of SQLite's error codes with the kind of failure; the rest says where it failed
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
KINDS: dict[Trouble, type[Unusable]] = {Trouble.FULL: NoRoom, Trouble.LOCKED: InUse, Trouble.BUSY: InUse}

log = logging.getLogger(__name__)
WHAT_HAPPENS = {
    Trouble.FULL: "The bot goes on, and saves again as soon as there is room: make some.",
    Trouble.READ_ONLY: "The bot goes on, and saves again as soon as the file and its folder can be written.",
    Trouble.LOCKED: "The bot goes on, and saves again as soon as that program, which may copy or show it, is done.",
    Trouble.DAMAGED: f"Stop the bot, keep the database, and restore a backup that `{started_as()} check` finds sound.",
    Trouble.BUSY: "The bot goes on, and saves again as soon as one is free: look at what keeps the database busy.",
    Trouble.UNREACHABLE: "The bot goes on, and saves again as soon as the server answers: look at it.",
    Trouble.NO_WRITES: "The bot goes on, and saves again as soon as the server takes writes.",
    Trouble.FAILING: "The bot goes on as well as it can: look at the disk.",
}
LASTING = (Trouble.DAMAGED,)  # troubles that a later success does not disprove


def trouble_of(database: Path, error: BaseException, folder: Path | None = None) -> Trouble | None:
    """Return the trouble with a database or its disk behind an error of SQLite. None if the error has another reason.

    `folder` is the folder of the copy, if the error came while a copy of the database was written.
    """
    if isinstance(error, DatabaseTrouble):
        return error.trouble
    code = getattr(_cause(error), "sqlite_errorcode", None)
    found = None if code is None else TROUBLES.get(code & PRIMARY)
    # SQLite reports quotas, limits of file sizes and read-only disks only as a failing disk.
    return _growing_fault(database, folder) or found if found is Trouble.FAILING else found


def opening_fault(database: Path, error: BaseException) -> Unusable:
    """Return the error for the host when a database cannot be opened. It says what to do next."""
    trouble, cause = trouble_of(database, error), _cause(error)
    if trouble is None:
        return Unusable(f"{database} cannot be opened: {cause}.")
    if trouble in (Trouble.FAILING, Trouble.READ_ONLY) and (fault := file_fault(database, os.R_OK)):
        return Unusable(fault)  # to SQLite, a file that is another user's is a fault of the disk
    return KINDS.get(trouble, Unusable)(
        f"{database} cannot be opened: {trouble.value} ({cause}). {NEXT_STEPS[trouble]}"
    )


def refuse_lost_games(database: Path, *signs: Path) -> None:
    """Raise Unusable if a database is empty or missing, but a file beside it shows that it held games.

    SQLite would treat it as a new database, and delete its WAL. `signs` are further files that only a database in use
    leaves behind.
    """
    if sign := sign_of_lost_games(database, *signs):
        emptied = "is empty" if database.exists() else "is missing"
        anew = f"to start anew, without any games, delete {sign} first"
        raise Unusable(f"{database} {emptied}, but {sign} shows that it held games: restore a backup; {anew}.")


def sign_of_lost_games(database: Path, *signs: Path) -> Path | None:
    """Return a file which shows that an empty or missing database held games. None if no file does.

    `signs` count only for an empty database, because a missing one may have been moved on purpose.
    """
    if size_of(database):
        return None
    beside = [file_beside(database, TIMELINE), *(signs if database.exists() else ())]
    if size_of(wal := file_beside(database, WAL)):
        beside.append(wal)
    return next((sign for sign in beside if sign.exists()), None)


def _cause(error: BaseException) -> BaseException:
    if isinstance(error, DatabaseTrouble):
        return error.__cause__ or error
    return error.orig if isinstance(error, DBAPIError) and error.orig else error


def _growing_fault(database: Path, folder: Path | None) -> Trouble | None:
    """Return why no file can outgrow the database and its WAL. None if one can, or if the reason is unclear."""
    try:
        with tempfile.TemporaryFile(dir=folder or database.parent, buffering=0) as probe:
            probe.seek(max(map(size_of, (database, file_beside(database, WAL)))))
            probe.write(PROBE)
    except OSError as error:
        if error.errno == errno.EROFS:
            return Trouble.READ_ONLY
        return Trouble.FULL if error.errno in NO_ROOM else None
    return None


class Troubles:
    """The trouble of one database. `current` is None while all is well.

    A trouble is logged when it begins and when it is over, not for each failed statement. Nothing is noted while the
    database is being opened, because then the trouble ends the program with a sentence.
    """

    def __init__(self, database: str) -> None:
        self.database = database
        self.current: Trouble | None = None
        self.is_opening = False
        self.count, self.last_said = 0, ""  # statements that failed since the start, and why the last did

    def note(self, trouble: Trouble, error: BaseException) -> None:
        """Note that a statement has failed for this reason."""
        if self.is_opening:
            return
        self.count, self.last_said = self.count + 1, trouble.value
        if self.current not in (trouble, *LASTING):
            self.current = trouble
            said = str(error).partition("\n")[0] or type(error).__name__  # the other lines are hints
            why = f"{trouble.value} ({said})"
            log.error("%s cannot be used: %s. %s", self.database, why, WHAT_HAPPENS[trouble])

    def note_saved(self) -> None:
        """Note that something was saved."""
        if self.current is not None and self.current not in LASTING:
            self.current = None
            log.warning("%s can be used again", self.database)


_OPEN = WeakValueDictionary[str, Troubles]()  # by the name of the database


def troubles_of(name: str) -> Troubles:
    """Return the troubles of the database with this name. All open stores of one database share them."""
    found = _OPEN.get(name)
    if found is None:
        found = _OPEN[name] = Troubles(name)
    return found


@contextmanager
def opening(name: str) -> Iterator[None]:
    """Note no troubles while a database is being opened, or by a command: they end the program with a sentence."""
    troubles = troubles_of(name)
    before, troubles.is_opening = troubles.is_opening, True
    try:
        yield
    finally:
        troubles.is_opening = before


def noted_trouble(name: str, trouble: Trouble | None, error: BaseException) -> DatabaseTrouble | None:
    """Note the trouble behind an error of a database, and return it. None if the error has another reason."""
    if trouble is None:
        return None
    troubles_of(name).note(trouble, error)
    return DatabaseTrouble(trouble, name)
