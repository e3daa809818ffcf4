"""What a server's players are told of changed settings: one message gathers the changes of some minutes.

The message is a row of the outbox that is due later. Until it is tried, further changes go into the same row.
"""

from collections.abc import Mapping
from typing import Any

from gipfbot.store import Connection, game_lists, outbox
from gipfbot.values import LastOwed

SETTINGS_CHANGED = "settings_changed"  # the kind of outbox row
GATHER_SECONDS = 180  # seconds from the first change to the message
BETWEEN_SECONDS = 600  # seconds between two messages to one server, at least
# The settings that players notice, in the order of the message. The look of boards is not among them.
SETTINGS_OF_NEW_GAMES = (
    *("rules", "zertz", "punct", "pace", "weekends", "grace", "vacation", "rated", "threads", "channel"),
)
SETTINGS_FROM_NOW_ON = ("challengers", "cap", "results")
TOLD_SETTINGS = (*SETTINGS_OF_NEW_GAMES, *SETTINGS_FROM_NOW_ON)


async def owe_setting_news(
    db: Connection, server: int, before: Mapping[str, Any], after: Mapping[str, Any], now: int
) -> int | None:
    """Owe a server's players the news of changed settings. Return the channel for it, or None if there is no news.

    `before` and `after` are all settings by name. A setting that was changed back is no news. Nobody is told where no
    channel for games is set and no game is running.
    """
    last = await _last_news(db, server)
    gathered = last if last and last.is_untried else None
    told = {**before, **(gathered.payload["before"] if gathered else {})}
    old = {name: told[name] for name in TOLD_SETTINGS if told[name] != after[name]}
    channel = await _news_channel(db, server, before, after) or (gathered and gathered.channel)
    if gathered:
        await outbox.delete_row(db, gathered.id)
    if not old or channel is None:
        return None
    payload = {"before": old, "after": {name: after[name] for name in old}}
    key = f"{SETTINGS_CHANGED}:{server}:{now:012}"
    await outbox.owe(db, key, SETTINGS_CHANGED, channel, payload, now, wait=_due_at(last, now) - now)
    return channel


async def _last_news(db: Connection, server: int) -> LastOwed | None:
    key = f"{SETTINGS_CHANGED}:{server}:"
    return await outbox.last_owed(db, key, f"{key}~")


async def _news_channel(db: Connection, server: int, before: Mapping[str, Any], after: Mapping[str, Any]) -> int | None:
    """Return the channel for boards; if there is none, the one in which the last game that moved is played."""
    chosen: int | None = after["channel"] or before["channel"]
    return await game_lists.last_channel(db, server) if chosen is None else chosen


def _due_at(last: LastOwed | None, now: int) -> int:
    """Return when news is due that came now. News that is gathered already keeps its time."""
    if last is None:
        return now + GATHER_SECONDS
    fresh = max(now + GATHER_SECONDS, last.posted_about + BETWEEN_SECONDS)
    return last.not_before if last.is_untried else fresh
