"""The timeline file beside the database, by which an older database is recognised, and the note inside a copy.

The timeline file lies beside `gipf.sqlite3` as `gipf.sqlite3.timeline`. It does not change when somebody copies back an
old database by hand.
"""

import json
import logging
import os
import sqlite3
from contextlib import closing
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeAlias

from .database_file import OWNER_ONLY

log = logging.getLogger(__name__)
Forgotten: TypeAlias = tuple[str, str, int]  # salt and hash of a person's id, and when they asked to be deleted

COPY_KEY = "copy"  # the key of the note in the table `meta`


@dataclass(frozen=True)
class TimelineFile:
    """The contents of a timeline file. `sequences` are the last ids given out, by table. Times are UTC seconds."""

    timeline: str  # the token of the database's timeline
    heartbeats: int  # how often the file was written in this timeline
    alive_at: int
    is_final: bool  # whether the bot has ended since, so that it gave out no later id
    sequences: dict[str, int]
    deleted: list[Forgotten] = field(default_factory=list)


def read_timeline_file(path: Path) -> TimelineFile | None:
    """Return the contents of a timeline file. Return None if it is missing or cannot be read."""
    try:
        return _parse_timeline(json.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        log.warning("%s cannot be read and is written anew: %r", path.name, error)
        return None


def _parse_timeline(data: dict[str, object]) -> TimelineFile:
    known = TimelineFile(**{each.name: data[each.name] for each in fields(TimelineFile)})  # type: ignore[arg-type]
    sequences = {str(table): int(last) for table, last in known.sequences.items()}
    deleted = [(str(salt), str(digest), int(at)) for salt, digest, at in known.deleted]
    return TimelineFile(
        str(known.timeline), int(known.heartbeats), int(known.alive_at), bool(known.is_final), sequences, deleted
    )


def write_timeline_file(path: Path, said: TimelineFile) -> None:
    """Write a timeline file in one step. The database's commits must be on the disk already."""
    written = path.with_name(f"{path.name}.new")
    descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        os.fchmod(descriptor, OWNER_ONLY)
        json.dump(asdict(said), file)
        file.flush()
        os.fsync(descriptor)
    written.replace(path)


@dataclass(frozen=True)
class CopyNote:
    """Facts that a copy of the database holds about itself. `restore` adds facts from the replaced file."""

    copied_at: int | None = None  # UTC seconds
    sequences: dict[str, int] = field(default_factory=dict)  # the last ids given out, by table
    deleted: list[Forgotten] = field(default_factory=list)
    went_back: list[int] | None = None  # the running games that are older in the copy; None if nobody has compared


def parse_copy_note(known: str | None) -> CopyNote | None:
    """Parse a copy's note as `meta` holds it; None if there is none."""
    if not known:
        return None
    data: dict[str, Any] = json.loads(known)
    return CopyNote(**{**data, "deleted": [tuple(each) for each in data.get("deleted", ())]})


def mark_copy(copy: Path, note: CopyNote) -> None:
    """Write a note into a copy of the database. The bot must not have the copy open."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        db.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (COPY_KEY, json.dumps(asdict(note))))
