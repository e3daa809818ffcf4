"""The timeline file beside the database, by which an older database is recognised, and the note inside a copy.

The timeline file lies beside `gipf.sqlite3` as `gipf.sqlite3.timeline`. It does not change when somebody copies back an
old database by hand.
"""

import json
import os
import sqlite3
from contextlib import closing
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeAlias

from gipfbot.values import Unusable

from .database_file import OWNER_ONLY, give_to_owner, hand_over

Forgotten: TypeAlias = tuple[str, str, int]  # salt and hash of a person's id, and when they asked to be deleted

COPY_KEY = "copy"  # the key of the note in the table `meta`
PUT_BACK = "put a copy of it back; without it, the bot takes the database for a restored one, and tells the players"


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
    """Return the contents of a timeline file. Return None if it is missing.

    Raises Unusable if it is there and cannot be read: then nobody knows whether the database was restored.
    """
    try:
        return _parse_timeline(json.loads(path.read_text("utf-8")))
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not path.is_symlink():
            return None
        right = f"{hand_over(path)}. Nothing is lost" if isinstance(error, PermissionError) else PUT_BACK
        raise Unusable(f"{path} cannot be read ({error.strerror}): {right}.") from error
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise Unusable(f"{path} is {'damaged' if path.stat().st_size else 'empty'}: {PUT_BACK}.") from error


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
    written.unlink(missing_ok=True)  # left by a killed bot, perhaps of another user
    descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(asdict(said), file)
        file.flush()
        os.fsync(descriptor)
    give_to_owner(written, path.with_suffix(""))
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
