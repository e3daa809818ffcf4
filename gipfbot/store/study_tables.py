"""The tables of studies, of analyses, of the explorer and of puzzles.

Times are UTC seconds; people and servers are Discord ids. Ratings of puzzles are rows of the table of ratings.

A change here needs a new file in `migrations/versions`; a test compares the two.
"""

from sqlalchemy import JSON, Boolean, Column, Double, ForeignKey, Index, Integer, Table

from .tables import big_column, game_column, metadata, text_column

# A record that one person steps through, and their place in it.
studies = Table(
    "studies",
    metadata,
    Column("id", Integer, primary_key=True),
    big_column("user"),
    game_column(nullable=True),  # the game whose turns it has
    text_column("title"),
    Column("ruleset", JSON, nullable=False),
    text_column("white"),
    text_column("black"),
    text_column("turns"),  # the codes of their actions: spaces inside a turn, `;` between turns
    text_column("result", nullable=True),
    text_column("reason", nullable=True),  # why its game ended
    text_column("fault"),  # the sentence on the turn at which the record breaks
    Column("notes", JSON, nullable=False),  # marks and comments by turn number
    Column("place", Integer, nullable=False),  # turns of the record before the position shown
    text_column("tried"),  # the person's own turns from there on
    text_column("draft"),
    Column("version", Integer, nullable=False),
    big_column("created_at"),
    big_column("expires_at"),
    text_column("begin", nullable=True),  # the position line before the first turn; null where it begins as usual
    Column("level", Integer),  # of the bot that answers in a practice; null in all other studies
    Index(None, "user", "expires_at"),
    Index(None, "expires_at"),
    Index(None, "game"),
    # An autoincremented id is never reused: the buttons of a deleted study open no other.
    sqlite_autoincrement=True,
)

analyses = Table(
    "analyses",
    metadata,
    game_column(primary_key=True),
    text_column("state"),  # running, done, failed
    Column("turns", Integer, nullable=False),  # of the game
    Column("places", Integer, nullable=False),  # of the game that are searched
    Column("found", JSON, nullable=False),  # for each of these places the best turns: score, codes, codes of the line
    big_column("created_at"),
    big_column("expires_at"),
    Index(None, "state", "created_at"),
    Index(None, "expires_at"),
)

# Who waits for an analysis, and is told when it is over. Each person waits for one at most.
analysis_askers = Table(
    "analysis_askers",
    metadata,
    big_column("user", primary_key=True, autoincrement=False),
    Column("game", Integer, ForeignKey("analyses.game"), nullable=False),
    big_column("asked_at"),
    Index(None, "game"),
)

# In how many finished games a turn was played from a position, both up to symmetry. So nothing is counted when asked.
explored_turns = Table(
    "explored_turns",
    metadata,
    big_column("position", primary_key=True, autoincrement=False),
    text_column("turn", primary_key=True),
    *(Column(name, Integer, nullable=False) for name in ("white", "drawn", "black")),  # games, by their results
    text_column("newest"),  # ids of such games, the newest first, separated by spaces
    sqlite_with_rowid=False,  # most rows are as small as their keys
)

# Positions in which exactly one turn wins by force. Nothing says which game they come from.
puzzles = Table(
    "puzzles",
    metadata,
    Column("id", Integer, primary_key=True),
    big_column("key"),  # of the position, the same for all its images
    text_column("position"),
    Column("own_turns", Integer, nullable=False),  # until the win
    text_column("line"),  # the codes of the turns that solve it, with the best defences
    big_column("made_at"),
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
    big_column("user"),
    big_column("server"),  # where it was opened; EVERYWHERE for no server
    text_column("played"),  # the codes of the turns on the board, of both players
    text_column("draft"),  # the codes of the unfinished turn
    Column("version", Integer, nullable=False),
    Column("solved", Boolean, nullable=True),  # by the first try; empty until that has ended
    big_column("tried_at", nullable=True),  # when it ended
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
    big_column("server", primary_key=True, autoincrement=False),
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("puzzle", Integer, ForeignKey("puzzles.id"), nullable=False),
    Index(None, "puzzle", "server", "day"),
)
