"""Announcements of results: each is owed to its server's channel for results, in the transaction of the result.

Whether everybody in that channel may see the game is asked when the announcement is to be posted.
"""

from typing import TypeAlias

from gipfbot.rules import ByColour
from gipfbot.service.settings.servers import load_server_settings
from gipfbot.store import Connection, outbox
from gipfbot.values import OutboxRow, Venue

ANNOUNCEMENT = "announcement"  # the kind of outbox row
RatingChange: TypeAlias = tuple[int, int]  # a rating before and after a game


async def announcing_channel(db: Connection, venue: Venue) -> int | None:
    """Return the channel in which the result of a game at this venue is announced.

    Return None if its server announces no results, or if the game was played in that very channel.
    """
    channel = (await load_server_settings(db, venue.server)).results
    return None if channel == venue.channel else channel


async def owe_announcement(
    db: Connection, channel: int, game: int, changes: ByColour[RatingChange] | None, now: int
) -> None:
    """Owe the announcement of a result. `changes` is None if the game has changed no rating.

    The row belongs to no game: if the channel refuses it, the game's own messages go on.
    """
    payload = {"game": game, "changes": changes}
    await outbox.owe(db, f"{ANNOUNCEMENT}:{game}", ANNOUNCEMENT, channel, payload, now)


def announced_changes(owed: OutboxRow) -> ByColour[RatingChange] | None:
    """Return how the ratings of White and Black have changed, as an announcement tells it. None if they have not."""
    changes = owed.payload["changes"]
    return changes and tuple(tuple(change) for change in changes)
