"""The tables of rated results, of ratings and of leaderboards.

Times are UTC seconds; people and servers are Discord ids. Puzzles and the people who solve them have ratings, too.

A change here needs a new file in `migrations/versions`; a test compares the two.
"""

from sqlalchemy import Boolean, Column, Double, Index, Integer, Table

from .tables import big_column, game_column, metadata, text_column

EVERYWHERE = 0  # stands for all servers; no server has this id

# The results of rated games, one row for each player.
rated_results = Table(
    "rated_results",
    metadata,
    game_column(primary_key=True),
    big_column("user", primary_key=True, autoincrement=False),
    big_column("opponent"),
    text_column("pool"),
    Column("month", Integer, nullable=False),  # in which it ended
    big_column("server"),  # EVERYWHERE for a game on no server
    big_column("ended_at"),
    Column("points", Double, nullable=False),  # of `user`: 1, 0.5 or 0
    big_column("late_user", nullable=True),  # who lost it on time
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
    text_column("pool", primary_key=True),
    big_column("user", primary_key=True, autoincrement=False),
    Column("month", Integer, primary_key=True, autoincrement=False),
    *(Column(f"start_{name}", Double, nullable=False) for name in ("rating", "deviation", "volatility")),
    *(Column(name, Double, nullable=False) for name in ("rating", "deviation", "volatility")),
    # Of all games that count, up to the end of this month.
    *(Column(name, Integer, nullable=False) for name in ("games", "wins", "won_in_a_row", "last_game")),
    big_column("last_at"),
)

# The entries of leaderboards, and how they are ordered.
standings = Table(
    "standings",
    metadata,
    text_column("pool", primary_key=True),
    big_column("server", primary_key=True, autoincrement=False),
    big_column("user", primary_key=True, autoincrement=False),
    Column("provisional", Boolean, nullable=False),
    Column("step", Integer, nullable=False),  # its rating rounded down, times -1: the best step comes first
    Column("rating", Double, nullable=False),
    Column("uncertainty", Double, nullable=False),  # orders equal ratings by their deviations
    Column("games", Integer, nullable=False),
    Column("month", Integer, nullable=False),  # of the row in `ratings`
    big_column("changes_at"),  # when it becomes provisional or leaves the leaderboard, if nothing is played
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
    text_column("pool", primary_key=True),
    big_column("server", primary_key=True, autoincrement=False),
    Column("provisional", Boolean, primary_key=True),
    Column("step", Integer, primary_key=True, autoincrement=False),
    Column("players", Integer, nullable=False),
)

# What Discord said when it was asked whether a player is still on a server.
memberships = Table(
    "memberships",
    metadata,
    big_column("server", primary_key=True, autoincrement=False),
    big_column("user", primary_key=True, autoincrement=False),
    Column("is_member", Boolean, nullable=False),
    big_column("asked_at"),
    Index(None, "user"),
)
