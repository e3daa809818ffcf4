"""Rows that cannot be read: each is logged once, left as it is and skipped, so that all else works."""

import logging
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from sqlalchemy import Row

from .database import Connection

log = logging.getLogger(__name__)
T = TypeVar("T")
# The errors that broken values raise when they are read.
READ_ERRORS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
_LOGGED = set[tuple[str, str]]()  # the database and the thing


def log_once(db: Connection, what: str, error: Exception) -> None:
    """Log why something cannot be read, once per process."""
    known = str(db.engine.url), what
    if known not in _LOGGED:
        _LOGGED.add(known)
        log.error("%s cannot be read and is left as it is", what, exc_info=error, extra={"fold": what})


def read_each(db: Connection, rows: Iterable[Any], what: str, read: Callable[[Row[Any]], T]) -> list[T]:
    """Return the values that `read` returns for the readable rows. Log each unreadable row as `what` and its id."""
    found = list[T]()
    for row in rows:
        try:
            found.append(read(row))
        except READ_ERRORS as error:
            log_once(db, f"{what} {row.id}", error)
    return found
