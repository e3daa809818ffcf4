"""Whether the database can be written, and figures about the bot as a whole."""

from sqlalchemy import and_, func, select
from sqlalchemy.exc import DBAPIError

from gipfbot.values import PLAYER_LEFT, DatabaseTrouble

from . import meta
from .backends import backend_of
from .database import Connection, Store, tried_again
from .tables import games, outbox

_OWED = and_(outbox.c.done_at.is_(None), outbox.c.not_before >= 0)  # so their index is read
# A game that waits for a player who has left is no fault of its channel.
_REFUSED = and_(games.c.unreachable.is_not(None), games.c.waiting_user.is_not(None), games.c.unreachable != PLAYER_LEFT)

WRITTEN_KEY = "written_at"  # the key of the last trial


async def owed_messages(db: Connection) -> tuple[int, int | None]:
    """Return how many messages are owed, and when the oldest of them was queued (UTC seconds)."""
    row = (await db.execute(select(func.count(), func.min(outbox.c.created_at)).where(_OWED))).one()
    return row[0], row[1]


async def count_owed_on_server(db: Connection, server: int) -> int:
    """Return how many messages are owed for games of a server."""
    owed = select(func.count()).select_from(outbox).join(games, games.c.id == outbox.c.game)
    return await db.scalar(owed.where(_OWED, games.c.server == server)) or 0


async def count_undeliverable_servers(db: Connection) -> int:
    """Return how many servers have a running game whose boards cannot be posted."""
    return await db.scalar(select(func.count(games.c.server.distinct())).where(_REFUSED, games.c.server > 0)) or 0


async def refusing_channels(db: Connection, server: int, most: int) -> list[int]:
    """Return the channels of a server where boards of running games cannot be posted, at most `most`."""
    found = select(games.c.channel).distinct().where(_REFUSED, games.c.server == server).order_by(games.c.channel)
    return [*await db.scalars(found.limit(most))]


async def database_bytes(db: Connection) -> int:
    """Return the size of the database, without what SQLite has not yet moved out of its log of changes."""
    return await backend_of(db).count_bytes(db)


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
