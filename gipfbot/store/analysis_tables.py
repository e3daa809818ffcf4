"""The tables of analyses of finished games, and of who waits for one. Times are UTC seconds.

A change here needs a new file in `migrations/versions`; a test compares the two.
"""

from sqlalchemy import JSON, BigInteger, Column, ForeignKey, Index, Integer, Table, Text

from .tables import metadata

analyses = Table(
    "analyses",
    metadata,
    Column("game", Integer, ForeignKey("games.id"), primary_key=True),
    Column("state", Text, nullable=False),  # running, done, failed
    Column("turns", Integer, nullable=False),  # of the game
    Column("places", Integer, nullable=False),  # of the game that are searched
    Column("found", JSON, nullable=False),  # for each of these places the best turns: score, codes, codes of the line
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Index(None, "state", "created_at"),
    Index(None, "expires_at"),
)

# Who waits for an analysis, and is told when it is over. Each person waits for one at most.
analysis_askers = Table(
    "analysis_askers",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("game", Integer, ForeignKey("analyses.game"), nullable=False),
    Column("asked_at", BigInteger, nullable=False),
    Index(None, "game"),
)
