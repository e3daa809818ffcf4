"""The log of another database, which was left beside one that was copied back by hand."""

import logging
from pathlib import Path

from .file_lock import SHM, WAL, file_beside

log = logging.getLogger(__name__)
MAGIC = b"SQLite format 3\0"
JOURNAL_KIND = 18  # the byte of the header that says how a file is written
NO_LOG = 1  # its value in copies by `backup`; a database that has a log has 2
ASIDE = ".foreign"  # what the name of such a log ends in


def set_foreign_log_aside(database: Path) -> None:
    """Rename SQLite's log beside a database that has none of its own. SQLite would write it into the database.

    A database in use always says that it has a log. A copy by `backup` or `restore` never says so.
    """
    log_file = file_beside(database, WAL)
    if not log_file.exists() or not log_file.stat().st_size or _header(database)[JOURNAL_KIND:][:1] != bytes([NO_LOG]):
        return
    log.warning("%s belongs to the file that was replaced, and is renamed", log_file)
    log_file.replace(log_file.with_name(log_file.name + ASIDE))
    file_beside(database, SHM).unlink(missing_ok=True)


def _header(database: Path) -> bytes:
    """Return the first bytes of a database; empty if the file is none, or missing."""
    if not database.exists():
        return b""
    with database.open("rb") as file:
        header = file.read(JOURNAL_KIND + 1)
    return header if header.startswith(MAGIC) else b""
