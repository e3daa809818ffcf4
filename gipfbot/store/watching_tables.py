"""The tables of people who watch: follows, guesses, and which channels they see. Times are UTC seconds.

A change here needs a new file in `migrations/versions`; a test compares the two.
"""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, Table, Text

from .tables import metadata

# Who is told by direct message about a game, or about the games of a player.
follows = Table(
    "follows",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("user", BigInteger, nullable=False),
    Column("game", Integer, ForeignKey("games.id"), nullable=True),
    Column("player", BigInteger, nullable=True),
    Column("name", Text, nullable=False),  # of both players, or of the player
    Column("news", Text, nullable=False),  # turn, result
    Column("lost", Text, nullable=True),  # why it has ended without the follower's doing
    Column("created_at", BigInteger, nullable=False),
    Index(None, "user"),
    Index(None, "game"),
    Index(None, "player"),
    # An autoincremented id is never reused: messages that are owed name it.
    sqlite_autoincrement=True,
)

# What spectators think that the next turn of a game will be.
guesses = Table(
    "guesses",
    metadata,
    Column("game", Integer, ForeignKey("games.id"), primary_key=True),
    Column("turn_serial", Integer, primary_key=True),
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("actions", Text, nullable=False),  # their codes, separated by spaces
    Column("points", Integer, nullable=True),  # empty until the turn is played
    Column("guessed_at", BigInteger, nullable=False),
    Index(None, "user"),
)

# When Discord was last asked whether a follower sees a channel.
channel_checks = Table(
    "channel_checks",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("channel", BigInteger, primary_key=True, autoincrement=False),
    Column("sees", Boolean, nullable=False),
    Column("checked_at", BigInteger, nullable=False),
)
