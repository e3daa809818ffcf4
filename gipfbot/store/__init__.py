"""The database: one writer, plain tables, everything owed written down. Draws nothing and knows no clock.

The functions of `games`, `clocks`, `studies`, `challenges`, `takebacks`, `conditionals`, `outbox`, `due`, `vacations`,
`meta`, `servers` and `users` take a connection first; whoever calls opens the transaction.
"""

from . import challenges, clocks, conditionals, due, games, meta, outbox, servers, studies, takebacks, users, vacations
from .challenges import StoredChallenge
from .database import Connection, Store
from .due import DueRow
from .errors import Stale, StoreError, Unusable
from .games import GameBrief, ListedGame, StoredGame, StoredTurn, Venue
from .outbox import OutboxRow
from .studies import Note, StoredStudy, StudyBrief
from .vacations import Vacation

__all__ = [
    "Connection",
    "DueRow",
    "GameBrief",
    "ListedGame",
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
    "Unusable",
    "Vacation",
    "Venue",
    "challenges",
    "clocks",
    "conditionals",
    "due",
    "games",
    "meta",
    "outbox",
    "servers",
    "studies",
    "takebacks",
    "users",
    "vacations",
]  # fmt: skip
