"""Find out whether the database can be written."""

from sqlalchemy.exc import DBAPIError

from gipfbot.values import DatabaseTrouble

from . import meta
from .conflicts import tried_again
from .database import Store

WRITTEN_KEY = "written_at"  # the key of the last trial


async def try_writing(store: Store, now: int) -> str:
    """Write one row, as games are written. Return why it failed; empty if it did not."""
    try:
        await _write_row(store, now)
    except DatabaseTrouble as error:
        return error.trouble.value
    except DBAPIError as error:
        return str(error.orig)
    return ""


@tried_again
async def _write_row(store: Store, now: int) -> None:
    async with store.game_transaction(None) as db:
        await meta.save_value(db, WRITTEN_KEY, str(now))
