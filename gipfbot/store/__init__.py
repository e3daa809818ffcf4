"""The database: one writer, plain tables, and a row for everything that is owed. It draws nothing and reads no clock.

The functions of `games`, `game_lists`, `clocks`, `studies`, `challenges`, `takebacks`, `conditionals`, `outbox`, `due`,
`vacations`, `meta`, `servers`, `arrivals` and `users` take a connection as their first argument. The caller opens the
transaction.
"""

from . import (
    arrivals,
    challenges,
    clocks,
    conditionals,
    due,
    game_lists,
    games,
    meta,
    outbox,
    servers,
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
    "challenges",
    "clocks",
    "conditionals",
    "due",
    "game_lists",
    "games",
    "meta",
    "outbox",
    "servers",
    "studies",
    "takebacks",
    "users",
    "vacations",
]  # fmt: skip
