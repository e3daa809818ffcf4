"""The differences between SQLite, in a file, and PostgreSQL, on a server. All other code uses a `Backend`."""

from functools import cache

from sqlalchemy import URL, make_url
from sqlalchemy.ext.asyncio import AsyncConnection

from .backend import Backend, driver_words, ending_at_trouble, reading_faults
from .postgres import Postgres
from .sqlite import Sqlite

__all__ = ["Backend", "backend_of", "backend_of_url", "driver_words", "ending_at_trouble", "reading_faults"]


@cache
def backend_of_url(url: str | URL) -> Backend:
    """Return the backend of a database URL. Raises Unusable if an SQLite URL names no file."""
    parsed = make_url(url)
    return Postgres(parsed) if parsed.get_backend_name() == "postgresql" else Sqlite(parsed)


def backend_of(db: AsyncConnection) -> Backend:
    """Return the backend of an open connection."""
    return backend_of_url(db.engine.url)
