"""The database: one writer, plain tables, and a row for everything that is owed. It draws nothing and reads no clock.

The functions of `games`, `game_lists`, `clocks`, `studies`, `challenges`, `takebacks`, `conditionals`, `outbox`, `due`,
`vacations`, `meta`, `servers` and `users` take a connection as their first argument. The caller opens the transaction.
"""

from . import (
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
