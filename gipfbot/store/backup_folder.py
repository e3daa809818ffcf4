"""A folder of backups: their names, which of them go, and how old the newest is."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from .backup import PART
from .database_file import write_in_place

LONGEST_KEPT = timedelta(days=90)  # as PRIVACY.md promises
PARTS_KEPT = timedelta(days=1)  # what a backup that was cut off has left may go after that
TIME = "%Y%m%d-%H%M%S"
_NAME = re.compile(r"gipf-(\d{8}-\d{6})\.(?:sqlite3|dump)(\..+)?")
_REPLACED = re.compile(r"(.+)-replaced-(\d{8}-\d{6})(?:-\d+)?\.\w+(?:-wal)?")  # what a restore has kept
OLD = timedelta(days=2)  # after which somebody is told that there is no newer one
FAILURE = "last-failure"  # the file that says why the last backup has failed
LONGEST = 300  # characters of its sentence


class Kept(NamedTuple):
    """A backup in a folder, and when it was made, by its name."""

    made_at: datetime
    path: Path


def backup_name(now: datetime, ending: str) -> str:
    """Return the name of a backup that is made now. `ending` is that of its kind."""
    return f"gipf-{now:{TIME}}.{ending}"


def kept_backups(folder: Path, ending: str = "") -> list[Kept]:
    """Return the backups in a folder, the newest first; with an ending, only those of its kind.

    Raises OSError if the folder cannot be read.
    """
    found = (each for each, part in _named(folder) if not part and each.path.name.endswith(ending))
    return sorted(found, reverse=True)


def _replaced(folder: Path, stem: str) -> Iterator[Kept]:
    """Yield what restores have kept in a folder of the databases of this stem."""
    for path in folder.iterdir():
        if (named := _REPLACED.fullmatch(path.name)) and named[1] == stem and path.is_file() and not path.is_symlink():
            with suppress(ValueError):
                yield Kept(datetime.strptime(named[2], TIME).replace(tzinfo=UTC), path)


def _named(folder: Path) -> Iterator[tuple[Kept, bool]]:
    """Yield the files that backups have made, each with whether it is unfinished."""
    for path in folder.iterdir():
        if (named := _NAME.fullmatch(path.name)) and path.is_file() and not path.is_symlink():
            with suppress(ValueError):  # no such day
                made_at = datetime.strptime(named[1], TIME).replace(tzinfo=UTC)
                if named[2] is None or named[2].endswith(PART):
                    yield Kept(made_at, path), named[2] is not None


def remove_old(folder: Path, newest: Path, keep: int, now: datetime, database: Path | None) -> int:
    """Delete backups beyond the newest `keep`, and those that are too old. Return how many.

    `newest` was just made and verified. It stays, whatever the clock says. What restores have kept, there and beside
    the file of the database, goes when it is too old. Raises OSError.
    """
    older = [each for each in kept_backups(folder) if each.path != newest]
    gone = [each for number, each in enumerate(older, 2) if number > keep or now - each.made_at > LONGEST_KEPT]
    parts = [each for each, part in _named(folder) if part and now - each.made_at > PARTS_KEPT]
    kept = [*_replaced(folder, "gipf"), *(_replaced(database.parent, database.stem) if database else ())]
    for each in (*gone, *parts, *(each for each in kept if now - each.made_at > LONGEST_KEPT)):
        each.path.unlink(missing_ok=True)
    return len(gone)


def note_outcome(folder: Path, failure: str, now: datetime) -> None:
    """Note why a backup has failed, or with an empty text that it has not. Does nothing if that cannot be written."""
    write_in_place(folder / FAILURE, f"{now:{TIME}} {failure[:LONGEST]}" if failure else "")


def _last_failure(folder: Path, since: datetime | None) -> str:
    """Return why the last backup has failed; empty if it has not, if nobody knows, or if that was before `since`."""
    with suppress(OSError, ValueError):
        at, _, said = (folder / FAILURE).read_text("utf-8").strip().partition(" ")
        failed_at = datetime.strptime(at, TIME).replace(tzinfo=UTC)
        return said if since is None or failed_at >= since else ""
    return ""


def backups_fault(folder: Path, ending: str, now: datetime, begun: datetime | None = None) -> str:
    """Return what is wrong with the backups in a folder, without a full stop; empty if nothing is.

    `ending` is that of their kind: after a move to another kind of database, older ones do not count. If there
    is none, that counts two days after `begun`, or at once.
    """
    missing = f"there is no backup in {folder} that ends in .{ending}"
    try:
        newest = next((each.made_at for each in kept_backups(folder, ending)), None)
    except OSError as error:
        newest, missing = None, f"{folder} cannot be read ({error.strerror}), so nobody knows how old the backups are"
    if failed := _last_failure(folder, newest):
        return f"the last backup failed, so no older one was deleted: {failed.rstrip('.')}"
    since = newest or begun
    if since and now - since <= OLD:
        return ""
    return f"the newest backup in {folder} is {(now - newest).days} days old" if newest else missing
