"""The tables of ratings, of people who watch, of puzzles, of analyses and of the explorer.

Times are UTC seconds; people and servers are Discord ids. Ratings of puzzles, and of people who solve them, are rows of
the table of ratings. A change here needs a new file in `migrations/versions`; a test compares the two.
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    TextClause,
    text,
)

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


def save_rows_of(table: Table) -> TextClause:
    """Return the statement that adds a row to a table, or replaces the row with the same key.

    SQLAlchemy writes it in another way for each database, but all of them read this.
    """
    names, keys = list(table.c.keys()), {column.name for column in table.primary_key}
    changed = ", ".join(f'"{name}" = excluded."{name}"' for name in names if name not in keys)
    quoted, values = (", ".join(form.format(name) for name in names) for form in ('"{}"', ":{}"))
    key = ", ".join(f'"{column.name}"' for column in table.primary_key)
    return text(f"INSERT INTO {table.name} ({quoted}) VALUES ({values}) ON CONFLICT ({key}) DO UPDATE SET {changed}")


# The results of rated games, one row for each player.
rated_results = Table(
    "rated_results",
    metadata,
    Column("game", Integer, ForeignKey("games.id"), primary_key=True),
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("opponent", BigInteger, nullable=False),
    Column("pool", Text, nullable=False),
    Column("month", Integer, nullable=False),  # in which it ended
    Column("server", BigInteger, nullable=False),  # EVERYWHERE for a game on no server
    Column("ended_at", BigInteger, nullable=False),
    Column("points", Double, nullable=False),  # of `user`: 1, 0.5 or 0
    Column("late_user", BigInteger, nullable=True),  # who lost it on time
    Column("counts", Boolean, nullable=False),  # whether it changes ratings
    Index(None, "user", "pool", "month"),
    Index(None, "user", "pool", "server", "counts", "ended_at"),
)
_on_time = rated_results.c.late_user.is_not(None)
Index(None, rated_results.c.late_user, rated_results.c.ended_at, sqlite_where=_on_time, postgresql_where=_on_time)

# The rating of a player for each month in which a game of theirs ended and counts. The newest month is their rating.
ratings = Table(
    "ratings",
    metadata,
    Column("pool", Text, primary_key=True),
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("month", Integer, primary_key=True, autoincrement=False),
    *(Column(f"start_{name}", Double, nullable=False) for name in ("rating", "deviation", "volatility")),
    *(Column(name, Double, nullable=False) for name in ("rating", "deviation", "volatility")),
    # Of all games that count, up to the end of this month.
    *(Column(name, Integer, nullable=False) for name in ("games", "wins", "won_in_a_row", "last_game")),
    Column("last_at", BigInteger, nullable=False),
)

EVERYWHERE = 0  # stands for all servers; no server has this id

# The entries of leaderboards, and how they are ordered.
standings = Table(
    "standings",
    metadata,
    Column("pool", Text, primary_key=True),
    Column("server", BigInteger, primary_key=True, autoincrement=False),
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("provisional", Boolean, nullable=False),
    Column("step", Integer, nullable=False),  # its rating rounded down, times -1: the best step comes first
    Column("rating", Double, nullable=False),
    Column("uncertainty", Double, nullable=False),  # orders equal ratings by their deviations
    Column("games", Integer, nullable=False),
    Column("month", Integer, nullable=False),  # of the row in `ratings`
    Column(
        "changes_at", BigInteger, nullable=False
    ),  # when it becomes provisional or leaves the leaderboard, if nothing is played
)
_order = standings.c.rating.desc(), standings.c.uncertainty, standings.c.games.desc(), standings.c.user
_board = standings.c.pool, standings.c.server, standings.c.provisional, standings.c.step
Index("ix_standings_order", *_board, *_order)
Index("ix_standings_user", standings.c.user)
Index("ix_standings_changes_at", standings.c.changes_at)

# How many standings are in each step of a leaderboard: so a place is counted without reading all of them.
standing_steps = Table(
    "standing_steps",
    metadata,
    Column("pool", Text, primary_key=True),
    Column("server", BigInteger, primary_key=True, autoincrement=False),
    Column("provisional", Boolean, primary_key=True),
    Column("step", Integer, primary_key=True, autoincrement=False),
    Column("players", Integer, nullable=False),
)

# What Discord said when it was asked whether a player is still on a server.
memberships = Table(
    "memberships",
    metadata,
    Column("server", BigInteger, primary_key=True, autoincrement=False),
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("is_member", Boolean, nullable=False),
    Column("asked_at", BigInteger, nullable=False),
    Index(None, "user"),
)
