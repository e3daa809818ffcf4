"""The database: one writer, plain tables, everything owed written down. Draws nothing and knows no clock.

The functions of `games`, `studies`, `challenges`, `outbox`, `meta` and `users` take a connection first; whoever calls
opens the transaction.
"""

from . import challenges, games, meta, outbox, studies, users
from .challenges import StoredChallenge
from .database import Connection, Store
from .errors import Stale, StoreError, Unusable
from .games import Brief, Home, Played, Stored, StoredTurn
from .outbox import Owed
from .studies import Note, StoredStudy, StudyBrief

__all__ = [
    "Brief", "Connection", "Home", "Note", "Owed", "Played", "Stale", "Store", "StoreError", "Stored",
    "StoredChallenge", "StoredStudy", "StoredTurn", "StudyBrief", "Unusable", "challenges", "games", "meta", "outbox",
    "studies", "users",
]  # fmt: skip
