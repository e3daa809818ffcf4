"""The tables of ratings and leaderboards. Times are UTC seconds; people and servers are Discord ids.

A change here needs a new file in `migrations/versions`; a test compares the two.
"""

from sqlalchemy import BigInteger, Boolean, Column, Double, ForeignKey, Index, Integer, Table, Text, TextClause, text

from .tables import metadata


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
