"""The table of the explorer. A change here needs a new file in `migrations/versions`; a test compares the two."""

from sqlalchemy import BigInteger, Column, Integer, Table, Text

from .tables import metadata

# In how many finished games a turn was played from a position, both up to symmetry. So nothing is counted when asked.
explored_turns = Table(
    "explored_turns",
    metadata,
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("turn", Text, primary_key=True),
    *(Column(name, Integer, nullable=False) for name in ("white", "drawn", "black")),  # games, by their results
    Column("newest", Text, nullable=False),  # ids of such games, the newest first, separated by spaces
    sqlite_with_rowid=False,  # most rows are as small as their keys
)
