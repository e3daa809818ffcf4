"""The tables of rated results, of ratings and of leaderboards.

Times are UTC seconds; people and servers are Discord ids. Puzzles and the people who solve them have ratings, too.

A change here needs a new file in `migrations/versions`; a test compares the two.
"""

from sqlalchemy import Boolean, Column, Double, Index, Integer, Table, or_

from gipfbot.match.ratings import Uncounted

from .column_info import End, Form, exported, not_exported, not_personal, own_id, personal, written_in
from .tables import big_column, game_column, metadata, text_column

EVERYWHERE = 0  # stands for all servers; no server has this id

# The results of rated games, one row for each player.
rated_results = Table(
    "rated_results",
    metadata,
    game_column(primary_key=True, info=exported(form=Form.GAME)),
    big_column("user", primary_key=True, autoincrement=False, info=own_id(End.PLAYER)),
    big_column("opponent", info=exported("opponent_discord_id", Form.PERSON, End.RENAMED)),
    text_column("pool", info=exported()),
    Column("month", Integer, nullable=False, info=exported(form=Form.MONTH)),  # in which the game ended
    big_column("server", info=exported("server_id", Form.ID)),  # EVERYWHERE for a game on no server
    big_column("ended_at", info=exported(form=Form.TIME)),
    Column("points", Double, nullable=False, info=exported("your_points")),  # of `user`: 1, 0.5 or 0
    # who lost the game on time
    big_column("late_user", nullable=True, info=written_in("rated_results.lost_on_time_by", End.PLAYER)),
    Column("counts", Boolean, nullable=False, info=exported()),  # whether the result changes the rating of `user`
    # why not: pair, away; empty in results of older versions, too
    text_column("uncounted", nullable=True, info=written_in("rated_results.does_not_count_because")),
    Index(None, "user", "pool", "month"),
    Index(None, "user", "pool", "server", "counts", "ended_at"),
    info=personal("rated_results"),
)
# It is one of the games of its pair that count: see `RatedResult.counts_at_all`.
COUNTS_AT_ALL = or_(rated_results.c.counts, rated_results.c.uncounted == Uncounted.AWAY)
_on_time = rated_results.c.late_user.is_not(None)
Index(None, rated_results.c.late_user, rated_results.c.ended_at, sqlite_where=_on_time, postgresql_where=_on_time)

# How many rated games of two people counted in a month, if one of them has deleted their data in it.
former_pairs = Table(
    "former_pairs",
    metadata,
    Column("id", Integer, primary_key=True, info=not_exported("the order of the rows")),
    # of both people together
    big_column("hashed_pair", info=not_exported("nobody can tell from it who the two were")),
    text_column("pool", info=not_exported("nobody can tell whose it is")),
    Column("month", Integer, nullable=False, info=not_exported("nobody can tell whose it is")),
    Column("games", Integer, nullable=False, info=not_exported("nobody can tell whose they are")),
    big_column("over_at", info=not_exported("nobody can tell whose it is")),  # the end of the month
    Index(None, "hashed_pair", "pool", "month", unique=True),
    Index(None, "over_at"),
    info=personal("", over="over_at"),
)

# The rating of a player for each month in which a game of theirs ended and counts. The newest month is their rating.
ratings = Table(
    "ratings",
    metadata,
    text_column("pool", primary_key=True, info=exported()),
    big_column("user", primary_key=True, autoincrement=False, info=own_id(End.PLAYER)),
    Column("month", Integer, primary_key=True, autoincrement=False, info=exported(form=Form.MONTH)),
    *(
        Column(f"start_{name}", Double, nullable=False, info=exported())
        for name in ("rating", "deviation", "volatility")
    ),
    *(Column(name, Double, nullable=False, info=exported()) for name in ("rating", "deviation", "volatility")),
    # Based on all games that count, up to the end of this month.
    *(Column(name, Integer, nullable=False, info=exported()) for name in ("games", "wins", "won_in_a_row")),
    Column("last_game", Integer, nullable=False, info=written_in("ratings.last_game")),
    big_column("last_at", info=written_in("ratings.last_game_ended_at")),
    info=personal("ratings"),
)

# The entries of leaderboards, and how they are ordered.
standings = Table(
    "standings",
    metadata,
    text_column("pool", primary_key=True, info=exported()),
    big_column("server", primary_key=True, autoincrement=False, info=exported("server_id", Form.ID)),
    big_column("user", primary_key=True, autoincrement=False, info=own_id(End.PLAYER)),
    Column("provisional", Boolean, nullable=False, info=exported()),
    # the rating as it is shown, times -1: the best step comes first
    Column("step", Integer, nullable=False, info=exported("order")),
    Column("rating", Double, nullable=False, info=exported()),
    # orders players who share a place
    Column("uncertainty", Double, nullable=False, info=exported("order_among_equals")),
    Column("games", Integer, nullable=False, info=exported()),
    Column("month", Integer, nullable=False, info=exported(form=Form.MONTH)),  # of the row in `ratings`
    # when the standing becomes provisional or leaves the leaderboard, if no game is played
    big_column("changes_at", info=exported(form=Form.TIME)),
    info=personal("leaderboards"),
)
_order = standings.c.rating.desc(), standings.c.uncertainty, standings.c.games.desc(), standings.c.user
_board = standings.c.pool, standings.c.server, standings.c.provisional, standings.c.step
Index("ix_standings_order", *_board, *_order)
Index("ix_standings_user", standings.c.user)
Index("ix_standings_changes_at", standings.c.changes_at)

# How many standings are in each step of a leaderboard, so that a place is counted without reading all of them.
standing_steps = Table(
    "standing_steps",
    metadata,
    text_column("pool", primary_key=True),
    big_column("server", primary_key=True, autoincrement=False),
    Column("provisional", Boolean, primary_key=True),
    Column("step", Integer, primary_key=True, autoincrement=False),
    Column("players", Integer, nullable=False),
    info=not_personal(),
)

# Discord's last answer to whether a player is still on a server.
memberships = Table(
    "memberships",
    metadata,
    big_column("server", primary_key=True, autoincrement=False, info=exported("server_id", Form.ID)),
    big_column("user", primary_key=True, autoincrement=False, info=own_id(End.PLAYER)),
    Column("is_member", Boolean, nullable=False, info=exported("you_are_a_member")),
    big_column("asked_at", info=exported("discord_was_asked_at", Form.TIME)),
    Index(None, "user"),
    info=personal("servers"),
)
