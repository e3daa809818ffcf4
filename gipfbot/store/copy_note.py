"""The note in a copy of the database that says of itself that it is one. A start on it is a restore."""

import json
import sqlite3
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .life_file import Forgotten

COPY_KEY = "copy"  # the key of the note in the table `meta`


@dataclass(frozen=True)
class CopyNote:
    """What a copy of the database says about itself. `restore` fills in what it finds in the replaced file."""

    copied_at: int | None = None  # UTC seconds
    sequences: dict[str, int] = field(default_factory=dict)  # the last ids given out, by table
    deleted: list[Forgotten] = field(default_factory=list)
    went_back: list[int] | None = None  # the running games that are older in the copy; None if nobody has compared


def parse_copy_note(known: str | None) -> CopyNote | None:
    """Return what a copy says about itself, as `meta` holds it; None if it says nothing."""
    if not known:
        return None
    data: dict[str, Any] = json.loads(known)
    return CopyNote(**{**data, "deleted": [tuple(each) for each in data.get("deleted", ())]})


def mark_copy(copy: Path, note: CopyNote) -> None:
    """Note in a copy of the database that it is one. The bot must not have it open."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        db.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (COPY_KEY, json.dumps(asdict(note))))
