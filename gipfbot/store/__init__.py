"""The database: one writer, plain tables, and an outbox row for every message that is still to be posted.

The functions of its modules take a connection as their first argument. The caller opens the transaction, and passes
the time: no function reads a clock.
"""

from . import (
    analyses,
    challenges,
    clocks,
    conditionals,
    deletions,
    due,
    due_work,
    explorer,
    game_lists,
    games,
    meta,
    outbox,
    personal_data,
    profiles,
    puzzles,
    ratings,
    requests,
    retention,
    servers,
    shard_heartbeats,
    standings,
    studies,
    timelines,
    users,
    watching,
)
from .database import Connection, Store, end_snapshot, require_alone, tried_again
from .meta import try_writing

__all__ = [
    "Connection",
    "Store",
    "analyses",
    "challenges",
    "clocks",
    "conditionals",
    "deletions",
    "due",
    "due_work",
    "end_snapshot",
    "explorer",
    "game_lists",
    "games",
    "meta",
    "outbox",
    "personal_data",
    "profiles",
    "puzzles",
    "ratings",
    "requests",
    "require_alone",
    "retention",
    "servers",
    "shard_heartbeats",
    "standings",
    "studies",
    "timelines",
    "tried_again",
    "try_writing",
    "users",
    "watching",
]  # fmt: skip
