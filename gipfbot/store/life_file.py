"""The life file beside the database: what this bot last wrote there, by which an older database is recognised.

It lies beside `gipf.sqlite3` as `gipf.sqlite3.life`, and stays as it was when an old database is copied back by hand.
"""

import json
import logging
import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TypeAlias

from .file_lock import OWNER_ONLY

log = logging.getLogger(__name__)
Forgotten: TypeAlias = tuple[str, str, int]  # salt and hash of a person's id, and when they asked to be deleted


@dataclass(frozen=True)
class LifeFile:
    """What a life file says. `sequences` are the last ids given out, by table. Times are UTC seconds."""

    life: str  # the token of the database's life
    beats: int  # how often it was written in this life
    alive_at: int
    is_final: bool  # whether the bot has ended since, so that no id was given out afterwards
    sequences: dict[str, int]
    deleted: list[Forgotten] = field(default_factory=list)


def read_life_file(path: Path) -> LifeFile | None:
    """Return what a life file says. Return None if it is missing or cannot be read."""
    try:
        return _parse_life(json.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        log.warning("%s cannot be read and is written anew: %r", path.name, error)
        return None


def _parse_life(data: dict[str, object]) -> LifeFile:
    known = LifeFile(**{each.name: data[each.name] for each in fields(LifeFile)})  # type: ignore[arg-type]
    sequences = {str(table): int(last) for table, last in known.sequences.items()}
    deleted = [(str(salt), str(digest), int(at)) for salt, digest, at in known.deleted]
    return LifeFile(str(known.life), int(known.beats), int(known.alive_at), bool(known.is_final), sequences, deleted)


def write_life_file(path: Path, said: LifeFile) -> None:
    """Write a life file in one step. What the database has committed is on the disk already."""
    written = path.with_name(f"{path.name}.new")
    descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        os.fchmod(descriptor, OWNER_ONLY)
        json.dump(asdict(said), file)
        file.flush()
        os.fsync(descriptor)
    written.replace(path)
