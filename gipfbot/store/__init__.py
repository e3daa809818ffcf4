"""The database: one writer, plain tables, everything owed written down. Draws nothing and knows no clock.

The functions of `games`, `game_lists`, `clocks`, `studies`, `challenges`, `takebacks`, `conditionals`, `outbox`, `due`,
`vacations`, `meta`, `servers` and `users` take a connection first; whoever calls opens the transaction.
"""

from gipfbot.values.errors import MessageTaken, Stale, StoreError, UnreadableGame, Unusable
from gipfbot.values.games import GameBrief, ListedGame, StoredGame, StoredTurn, Venue
from gipfbot.values.outbox import OutboxRow

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
from .challenges import StoredChallenge
from .database import Connection, Store
from .due import DueRow
from .studies import Note, StoredStudy, StudyBrief
from .vacations import Vacation

__all__ = [
    "Connection",
    "DueRow",
    "GameBrief",
    "ListedGame",
    "MessageTaken",
    "Note",
    "OutboxRow",
    "Stale",
    "Store",
    "StoreError",
    "StoredChallenge",
    "StoredGame",
    "StoredStudy",
    "StoredTurn",
    "StudyBrief",
    "UnreadableGame",
    "Unusable",
    "Vacation",
    "Venue",
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
