"""The database: one writer, plain tables, everything owed written down. Draws nothing and knows no clock.

The functions of `games`, `challenges`, `outbox`, `meta` and `users` take a connection first; whoever calls opens the
transaction.
"""

from . import challenges, games, meta, outbox, users
from .challenges import StoredChallenge
from .database import Connection, Store
from .errors import Stale, StoreError, Unusable
from .games import Brief, Home, Stored, StoredTurn
from .outbox import Owed

__all__ = [
    "Brief", "Connection", "Home", "Owed", "Stale", "Store", "StoreError", "Stored", "StoredChallenge", "StoredTurn",
    "Unusable", "challenges", "games", "meta", "outbox", "users",
]  # fmt: skip
