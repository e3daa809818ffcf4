"""Replace the database by a backup, and keep the replaced file. The bot must not run."""

import os
import shutil
import sqlite3
from collections.abc import Collection, Mapping
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from gipfbot.values import Unusable

from .backup import Contents, copy_database, open_read_only, require_games
from .database_file import SHM, WAL, discard_database, file_beside, flush_to_disk, give_to_owner, keep_private
from .schema import SchemaAge, age_of_version, version_fault, version_in_file
from .timeline_file import COPY_KEY, CopyNote, Forgotten, parse_copy_note
from .timelines import DELETED_KEY, parse_deletions
from .troubles import opening_fault

READY = ".restoring"  # the ending of a copy that is about to replace the database


class Prepared(NamedTuple):
    """A verified copy of a backup that is ready to replace the database."""

    contents: Contents
    note: CopyNote
    lost_games: int | None  # running games that began after the backup; None if the replaced file cannot be read
    is_older: bool  # whether an older version of the bot made the backup


def prepare_copy(backup: Path, database: Path) -> Prepared:
    """Copy a backup to a file beside the database, verify the copy, and add facts from the replaced file to it.

    Raises Unusable if the backup is no sound database of this bot, and NoRoom if the disk is full.
    """
    ready, replaced = file_beside(database, READY), _read_replaced(database)
    discard_database(ready)  # left by a killed run
    try:
        with closing(open_read_only(backup)) as db:
            require_games(db, backup)
            version = version_in_file(db)
            require_usable(str(backup), version)
            known, running = parse_copy_note(_value(db, COPY_KEY)), _versions(db, "waiting_user IS NOT NULL")
            note = note_of(known, running, replaced)
            lost = None if replaced is None else len(replaced.running.keys() - _versions(db).keys())
    except sqlite3.Error as error:
        raise opening_fault(backup, error) from error
    contents = copy_database(backup, ready, note).contents
    return Prepared(contents, note, lost, age_of_version(version) is SchemaAge.OLDER)


def require_usable(backup: str, version: str) -> None:
    """Raise Unusable if this version cannot use the tables of a backup, whose newest migration has this number."""
    if fault := version_fault(backup, version, {SchemaAge.NEWER: "update the bot, then restore it"}):
        raise Unusable(fault)


class Replaced(NamedTuple):
    """Facts from the database that is about to be replaced."""

    sequences: dict[str, int]
    deleted: list[Forgotten]
    running: dict[int, int]  # the running games with their versions
    unused: CopyNote | None  # its own note if it is a copy on which the bot has never started


def _read_replaced(database: Path) -> Replaced | None:
    """Return facts from the database; None if there is none, or if it cannot be read."""
    try:
        with closing(open_read_only(database)) as db:
            require_games(db, database)
            sequences = dict(db.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
            deleted, running = parse_deletions(_value(db, DELETED_KEY)), _versions(db, "waiting_user IS NOT NULL")
            return Replaced(sequences, deleted, running, parse_copy_note(_value(db, COPY_KEY)))
    except (sqlite3.Error, Unusable):
        return None


def _value(db: sqlite3.Connection, key: str) -> str | None:
    found = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return found[0] if found else None


def _versions(db: sqlite3.Connection, which: str = "1") -> dict[int, int]:
    return dict(db.execute(f"SELECT id, version FROM games WHERE {which}").fetchall())


def note_of(known: CopyNote | None, running: Mapping[int, int], replaced: Replaced | None) -> CopyNote:
    """Return a copy's note: when it was made, by its `known` note, and facts from the database that it replaces.

    `running` are the running games of the copy with their versions.
    """
    copied_at = known.copied_at if known else None
    if replaced is None:
        return CopyNote(copied_at)
    went_back = {game for game, version in running.items() if replaced.running.get(game) != version}
    found = CopyNote(copied_at, replaced.sequences, replaced.deleted, sorted(went_back))
    return _with_earlier(found, replaced.unused, running) if replaced.unused else found


def _with_earlier(found: CopyNote, earlier: CopyNote, running: Collection[int]) -> CopyNote:
    """Return `found` with the findings of an earlier restore, after which the bot was not started."""
    tables = found.sequences.keys() | earlier.sequences.keys()
    last = {table: max(each.sequences.get(table, 0) for each in (found, earlier)) for table in tables}
    deleted, both = [*found.deleted, *earlier.deleted], {*(found.went_back or ()), *(earlier.went_back or ())}
    went_back = None if earlier.went_back is None else sorted(both.intersection(running))
    return CopyNote(found.copied_at, last, deleted, went_back)


def replace_database(prepared: Prepared, database: Path, now: int) -> Path | None:
    """Replace the database by a prepared copy, in one step. Return where the replaced file is kept."""
    if prepared.lost_games is not None:
        _merge_log(database)
    kept = _keep_replaced(database, now) if database.exists() else None
    for ending in (WAL, SHM):  # these files belong to the replaced database
        file_beside(database, ending).unlink(missing_ok=True)
    ready = file_beside(database, READY)
    give_to_owner(ready, database)
    ready.replace(database)
    flush_to_disk(database.parent)
    return kept


def _merge_log(database: Path) -> None:
    """Move the contents of SQLite's log into the database file, if possible."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(database)) as db:
        db.execute("PRAGMA journal_mode = DELETE")


def _keep_replaced(database: Path, now: int) -> Path:
    """Give the database a second name, under which it is kept. If that fails, the second name is removed."""
    kept, log = replaced_name(database, now), file_beside(database, WAL)
    try:
        _name_twice(database, kept)
        if log.exists() and log.stat().st_size:  # opening a damaged file leaves an empty log
            _name_twice(log, file_beside(kept, WAL))
    except OSError:
        discard_database(kept)
        raise
    keep_private(kept, file_beside(kept, WAL))
    return kept


def replaced_name(database: Path, now: int) -> Path:
    """Return the name for what a restore replaces at `now`, in UTC seconds. No file beside the database has it yet."""
    moment, number = f"{datetime.fromtimestamp(now, UTC):%Y%m%d-%H%M%S}", 1
    while (name := database.with_stem(f"{database.stem}-replaced-{moment}{f'-{number}' * (number > 1)}")).exists():
        number += 1
    return name


def _name_twice(file: Path, other: Path) -> None:
    try:
        os.link(file, other)
    except OSError:  # a file system without hard links
        shutil.copyfile(file, other)
        give_to_owner(other, file)
