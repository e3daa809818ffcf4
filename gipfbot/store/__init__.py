"""The database: one writer, plain tables, and an outbox row for every message that is still to be posted.

Its functions read no clock: the caller passes the time. The functions of `games`, `game_lists`, `live_games`,
`clocks`, `blocks`, `studies`, `challenges`, `takebacks`, `conditionals`, `outbox`, `due`, `vacations`, `follows`,
`guesses`, `meta`, `servers`, `server_stats`, `arrivals`, `users`, `ratings`, `standings`, `profiles` and `explorer`
take a connection as their first argument. The caller opens the transaction.
"""

from . import (
    arrivals,
    blocks,
    challenges,
    clocks,
    conditionals,
    due,
    explorer,
    follows,
    game_lists,
    games,
    guesses,
    live_games,
    meta,
    outbox,
    profiles,
    ratings,
    server_stats,
    servers,
    standings,
    studies,
    takebacks,
    users,
    vacations,
)
from .database import Connection, Store

__all__ = [
    "Connection",
    "Store",
    "arrivals",
    "blocks",
    "challenges",
    "clocks",
    "conditionals",
    "due",
    "explorer",
    "follows",
    "game_lists",
    "games",
    "guesses",
    "live_games",
    "meta",
    "outbox",
    "profiles",
    "ratings",
    "server_stats",
    "servers",
    "standings",
    "studies",
    "takebacks",
    "users",
    "vacations",
]  # fmt: skip
