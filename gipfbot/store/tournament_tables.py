"""The tables of tournaments: what each is, who plays in it, and who plays whom.

Times are UTC seconds; people, servers and channels are Discord ids.

A change here needs a new file in `migrations/versions`; a test compares the two.
"""

from sqlalchemy import JSON, Boolean, Column, ForeignKey, Index, Integer, Table

from gipfbot.match import DAY
from gipfbot.values import FORMER_NAME

from .column_info import End, Form, Instead, exported, not_personal, own_id, personal
from .tables import big_column, game_column, metadata, text_column

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", Integer, primary_key=True, info=exported("tournament")),
    big_column("server", info=exported("server_id", Form.ID)),
    big_column("channel", info=exported("channel_id", Form.ID)),
    # the channel that its thread belongs to
    big_column("parent", nullable=True, info=exported("channel_of_the_thread_id", Form.ID)),
    text_column("kind", info=exported("form")),
    text_column("name", info=exported()),
    # who opened it
    big_column("user", info=own_id(End.PLAYER)),
    text_column("by_name", info=exported("your_name", end=Instead(FORMER_NAME))),
    Column("ruleset", JSON, nullable=False, info=exported("rules", Form.RULES)),  # by value, as in a game
    Column("terms", JSON, nullable=False, info=exported(form=Form.TERMS)),  # of its games
    Column("rounds", Integer, nullable=False, info=exported(form=Form.IF_ANY)),  # of a Swiss tournament; else 0
    text_column("state", info=exported()),
    # of a league the season, of a Swiss tournament the round that was begun last; 0 before the start
    Column("begun", Integer, nullable=False, info=exported("seasons_or_rounds_begun")),
    big_column("starts_at", info=exported(form=Form.TIME)),  # the first round, or the next season
    big_column("created_at", info=exported("opened_at", Form.TIME)),
    big_column("ended_at", nullable=True, info=exported(form=Form.TIME)),
    Index(None, "state", "server"),
    Index(None, "user"),
    # An autoincremented id is never reused: games and buttons name it.
    sqlite_autoincrement=True,
    info=personal("tournaments_opened"),
)

# A player's part in a tournament; in a league, in one season of it. The bot may have one, too.
tournament_entries = Table(
    "tournament_entries",
    metadata,
    Column("id", Integer, primary_key=True, info=exported("entry_number")),
    Column("tournament", Integer, ForeignKey("tournaments.id"), nullable=False, info=exported()),
    Column("season", Integer, nullable=False, info=exported()),  # 1 in a Swiss tournament
    big_column("user", info=own_id(End.PLAYER)),
    text_column("name", info=exported("your_name", end=Instead(FORMER_NAME))),
    Column("lot", Integer, nullable=False, info=exported("your_lot")),
    # of the season; null until it begins, and in a Swiss tournament
    Column("division", Integer, info=exported(form=Form.IF_ANY)),
    # in the table of pairings; null until it begins
    Column("number", Integer, info=exported("your_number", Form.IF_ANY)),
    Column("place", Integer, info=exported("your_place", Form.IF_ANY)),  # in the table at the end
    big_column("entered_at", info=exported(form=Form.TIME)),
    big_column("left_at", nullable=True, info=exported(form=Form.TIME)),  # by the player, once it had begun
    # when it was called off before it began
    big_column("called_off_at", nullable=True, info=exported(form=Form.TIME)),
    Index(None, "tournament", "season", "user", unique=True),
    Index(None, "user"),
    # An autoincremented id is never reused: pairings name it.
    sqlite_autoincrement=True,
    info=personal("tournaments", over="called_off_at", kept_for=30 * DAY),
)
_called_off = tournament_entries.c.called_off_at.is_not(None)
Index(None, tournament_entries.c.called_off_at, sqlite_where=_called_off, postgresql_where=_called_off)

# Who plays whom. `white` and `black` are entries, so nothing here is about people.
tournament_pairings = Table(
    "tournament_pairings",
    metadata,
    Column("tournament", Integer, ForeignKey("tournaments.id"), primary_key=True),
    Column("season", Integer, primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("white", Integer, primary_key=True),
    Column("black", Integer, nullable=True),  # null in a bye
    game_column(nullable=True),  # the last of the games; null until the first begins
    Column("games", Integer, nullable=False),  # how many have begun: a void one is played again
    text_column("outcome", nullable=True),
    Column("late", Boolean, nullable=False),  # whether the loser lost on time
    big_column("decided_at", nullable=True),
    Index(None, "game", unique=True),
    info=not_personal(),
)
