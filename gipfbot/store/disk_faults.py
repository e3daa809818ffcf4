"""Tell faults of the disk from other errors of the database."""

from sqlalchemy.exc import DBAPIError

# SQLite's codes: busy, read-only, an error of the disk, a broken file, a full disk, a file that cannot be opened, no
# database. Their first byte is enough; the rest says more.
DISK_CODES = {5, 8, 10, 11, 13, 14, 26}
_FIRST_BYTE = 0xFF


def is_disk_fault(error: BaseException) -> bool:
    """Return whether an error means that the file of the database cannot be read or written."""
    code = getattr(getattr(error, "orig", None), "sqlite_errorcode", None)
    return isinstance(error, DBAPIError) and isinstance(code, int) and code & _FIRST_BYTE in DISK_CODES
