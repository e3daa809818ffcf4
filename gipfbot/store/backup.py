"""Copy a database while the bot writes it, and verify the copy."""

import errno
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from gipfbot.installation import started_as
from gipfbot.values import NoRoom, Trouble, Unusable

from .database_file import NO_ROOM, SHM, WAL, discard_database, file_beside, flush_to_disk, give_to_owner
from .timeline_file import CopyNote, mark_copy
from .troubles import opening_fault, trouble_of

PART = ".part"  # the ending of an unfinished copy's name
PATIENCE = 10.0  # seconds to wait for a lock


class Contents(NamedTuple):
    """The number of games and turns in a database."""

    games: int
    turns: int


class Copied(NamedTuple):
    """A finished copy: its size in bytes, and its contents."""

    size: int
    contents: Contents


class NoCopy(Exception):
    """Nothing can be copied as it is wished; the message is a sentence."""


class TargetExists(NoCopy):
    """The file to copy to is already there. It is left as it is."""

    def __init__(self, target: Path) -> None:
        super().__init__(f"{target} exists already and is left as it is: name a new file.")


def copy_database(source: Path, target: Path, note: CopyNote) -> Copied:
    """Copy one state of a database to a new file, while others may write the database.

    `note` is stored in the copy; by it the bot notices that the copy was restored. The target appears under its name
    once it is on the disk and verified. Only its owner may read it. Raises TargetExists, Unusable if the source cannot
    be read or the copy is not the same, and NoRoom if the target's disk is full.
    """
    with written_whole(target) as part:
        contents = _copy_snapshot(source, part, note)
        _verify(source, part, contents)
        if target.parent.samefile(source.parent):
            give_to_owner(part, source)
    return Copied(target.stat().st_size, contents)


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """Yield an empty file. When the `with` block ends well, it gets the name `target`, once it is on the disk.

    Only its owner may read it. Raises TargetExists, NoRoom or another Unusable. Then there is no file.
    """
    try:
        if target.exists():
            raise TargetExists(target)
        with _part_beside(target) as part:
            yield part
            flush_to_disk(part)
            _give_name(part, target)
            flush_to_disk(target.parent)
    except OSError as error:
        raise _target_fault(target, error) from error


def open_read_only(database: Path) -> sqlite3.Connection:
    """Return a connection that cannot write. Raises sqlite3.Error for a file that cannot be opened."""
    return sqlite3.connect(read_only_uri(database), uri=True, isolation_level=None, timeout=PATIENCE)


def read_only_uri(database: Path) -> str:
    """Return the address under which SQLite opens a file only for reading.

    A file on a read-only medium is opened as immutable if no other files lie beside it: SQLite could not create the
    files that it needs otherwise.
    """
    alone = not any(file_beside(database, ending).exists() for ending in (WAL, SHM))
    unchanging = alone and not os.access(database.parent, os.W_OK)
    return f"file:{quote(str(database.absolute()))}?mode=ro" + "&immutable=1" * unchanging


@contextmanager
def _part_beside(target: Path) -> Iterator[Path]:
    """Make an empty file in the target's folder, readable by its owner only. Delete it when the `with` block ends."""
    opened, name = tempfile.mkstemp(prefix=f"{target.name}.", suffix=PART, dir=target.parent)
    os.close(opened)
    try:
        yield Path(name)
    finally:
        discard_database(Path(name))


def _copy_snapshot(source: Path, part: Path, note: CopyNote) -> Contents:
    """Copy the current state of a database, with a note in the copy. Return how much the copy must hold.

    SQLite's backup copies page by page in one read transaction. Writers need not wait; what they write meanwhile is not
    in the copy. The same transaction counts what the copy must hold, which `VACUUM INTO` does not allow.
    """
    try:
        with closing(open_read_only(source)) as db:
            db.execute("BEGIN")
            require_games(db, source)
            contents = count_contents(db)
            with closing(sqlite3.connect(part, isolation_level=None)) as copy:
                copy.execute("PRAGMA synchronous = OFF")  # it is flushed at the end
                db.backup(copy)
            # Then the copy needs no other files beside it, so a read-only medium can hold it.
            with closing(sqlite3.connect(part, isolation_level=None)) as copy:
                copy.execute("PRAGMA journal_mode = DELETE")
            mark_copy(part, note)
    except sqlite3.Error as error:
        if trouble_of(source, error, part.parent) is Trouble.FULL:
            raise OSError(errno.ENOSPC, str(error)) from error
        raise opening_fault(source, error) from error
    return contents


def require_games(db: sqlite3.Connection, database: Path) -> None:
    """Raise Unusable if a database does not belong to this bot."""
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"alembic_version", "games", "turns"} <= tables:
        raise Unusable(f"{database} holds no games of this bot: name the bot's database.")


def count_contents(db: sqlite3.Connection) -> Contents:
    """Return how many games and turns a database holds."""
    return Contents(*db.execute("SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM turns)").fetchone())


def _verify(source: Path, part: Path, contents: Contents) -> None:
    """Raise Unusable unless a copy is sound and holds as much as its source."""
    try:
        with closing(open_read_only(part)) as copy:
            faults = page_faults(copy)
            same = not faults and count_contents(copy) == contents
    except sqlite3.Error as error:
        faults, same = [str(error)], False
    if not same:
        why = faults[0] if faults else "it does not hold all games"
        right = f"Check the database: {started_as()} check."
        raise Unusable(f"The copy of {source} is damaged ({why}), so it is deleted. {right}")


def page_faults(db: sqlite3.Connection) -> list[str]:
    """Return the faults that SQLite finds in the pages, indexes and references of a database, at most 10."""
    found = [text for (text,) in db.execute("PRAGMA integrity_check(10)") if text != "ok"]
    lost = db.execute("PRAGMA foreign_key_check").fetchmany(10)
    return [*found, *(f"row {row} of {table} refers to a missing row of {parent}" for table, row, parent, _ in lost)][
        :10
    ]


def _give_name(part: Path, target: Path) -> None:
    """Give a finished copy its name. Raises TargetExists if the name has been taken meanwhile."""
    try:
        os.link(part, target)  # unlike renaming, this never replaces a file
    except FileExistsError:
        raise TargetExists(target) from None
    except OSError:  # a file system without hard links
        if target.exists():
            raise TargetExists(target) from None
        part.rename(target)


def _target_fault(target: Path, error: OSError) -> Unusable:
    if error.errno in NO_ROOM:
        return NoRoom(f"{target} cannot be written, because its disk is full: make room, or name a file elsewhere.")
    return Unusable(f"{target} cannot be written ({error.strerror}): name a file in a folder that can be written.")
