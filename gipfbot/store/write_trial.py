"""Find out whether the database can be written."""

from sqlalchemy.exc import DBAPIError

from . import meta
from .database import Store

WRITTEN_KEY = "written_at"  # the key of the last trial


async def try_writing(store: Store, now: int) -> str:
    """Write one row, as games are written. Return what SQLite says if it fails; empty if it does not."""
    try:
        async with store.transaction() as db:
            await meta.save_value(db, WRITTEN_KEY, str(now))
    except DBAPIError as error:
        return str(error.orig)
    return ""
