"""The tables of puzzles. Times are UTC seconds; people and servers are Discord ids.

Ratings of puzzles, and of people who solve them, are rows of the table of ratings.

A change here needs a new file in `migrations/versions`; a test compares the two.
"""

from sqlalchemy import BigInteger, Boolean, Column, Double, ForeignKey, Index, Integer, Table, Text

from .tables import metadata

# Positions in which exactly one turn wins by force. Nothing says which game they come from.
puzzles = Table(
    "puzzles",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", BigInteger, nullable=False),  # of the position, the same for all its images
    Column("position", Text, nullable=False),
    Column("own_turns", Integer, nullable=False),  # until the win
    Column("line", Text, nullable=False),  # the codes of the turns that solve it, with the best defences
    Column("made_at", BigInteger, nullable=False),
    Column("rating", Double, nullable=False, server_default="1500"),  # as in its newest row of the table of ratings
    Index(None, "key", unique=True),
    Index(None, "rating"),
    Index(None, "own_turns", "rating"),
    # An autoincremented id is never reused: buttons and ratings name it.
    sqlite_autoincrement=True,
)

# What people have entered in puzzles. A row is made when a puzzle is opened.
puzzle_tries = Table(
    "puzzle_tries",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("puzzle", Integer, ForeignKey("puzzles.id"), nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("server", BigInteger, nullable=False),  # where it was opened; EVERYWHERE for no server
    Column("played", Text, nullable=False),  # the codes of the turns on the board, of both players
    Column("draft", Text, nullable=False),  # the codes of the unfinished turn
    Column("version", Integer, nullable=False),
    Column("solved", Boolean, nullable=True),  # by the first try; empty until that has ended
    Column("tried_at", BigInteger, nullable=True),  # when it ended
    Column("month", Integer, nullable=True),  # in which it is rated
    Index(None, "user", "puzzle", unique=True),
    Index(None, "puzzle", "month"),
    Index(None, "user", "month"),
    sqlite_autoincrement=True,
)

# Which puzzle a server had on which day. Days are counted from 1970, by PUZZLE_HOUR.
puzzle_days = Table(
    "puzzle_days",
    metadata,
    Column("server", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("puzzle", Integer, ForeignKey("puzzles.id"), nullable=False),
    Index(None, "puzzle", "server", "day"),
)
