"""The running games of a server, for those who watch."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Select, func, select

from gipfbot.values import ListedGame, StoredGame

from .database import Connection
from .game_lists import draft_codes, listed_values
from .game_rows import GAME_ROWS, LISTED_ROWS, is_played_by_others, read_game
from .tables import games
from .unreadable import read_each


async def listed_of_others(
    db: Connection, server: int, channels: Collection[int], user: int, most: int
) -> list[ListedGame]:
    """Return at most `most` running games of a server in which a person does not play, as `live_page` does."""
    rows = await db.execute(_on_server(LISTED_ROWS.where(is_played_by_others(user)), server, channels, most, 0))
    return read_each(db, rows, "game", lambda row: ListedGame(*listed_values(row)))


async def live_page(
    db: Connection, server: int, channels: Collection[int], most: int, skip: int = 0
) -> list[StoredGame]:
    """Return running games of a server, the last moved first: at most `most`, without the first `skip`.

    Only games in these channels and in their threads count. Unreadable games are left out.
    """
    rows = (await db.execute(_on_server(GAME_ROWS, server, channels, most, skip))).all()
    codes = await draft_codes(db, [row.id for row in rows])
    return read_each(db, rows, "game", lambda row: read_game(row, codes.get(row.id, ())))


async def last_channel(db: Connection, server: int) -> int | None:
    """Return the channel of the server's running game that moved last, or the channel that its thread belongs to.

    Games whose channel is gone are left out. Return None if no game is running.
    """
    place = select(func.coalesce(games.c.parent, games.c.channel)).where(games.c.unreachable.is_(None))
    running = place.where(games.c.server == server, games.c.waiting_user.is_not(None))
    channel: int | None = await db.scalar(running.order_by(games.c.waiting_since.desc(), games.c.id.desc()).limit(1))
    return channel


def _on_server(rows: Select[Any], server: int, channels: Collection[int], most: int, skip: int) -> Select[Any]:
    here = func.coalesce(games.c.parent, games.c.channel).in_(channels)
    running = rows.where(games.c.server == server, games.c.waiting_user.is_not(None), games.c.level.is_(None), here)
    return running.order_by(games.c.waiting_since.desc(), games.c.id.desc()).limit(most).offset(skip)
