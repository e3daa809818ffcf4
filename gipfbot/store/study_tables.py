"""The tables of studies, of analyses, of the explorer and of puzzles.

Times are UTC seconds; people and servers are Discord ids. Ratings of puzzles are rows of the table of ratings.

A change here needs a new file in `migrations/versions`; a test compares the two.
"""

from sqlalchemy import JSON, Boolean, Column, Double, ForeignKey, Index, Integer, Table

from .column_info import End, Form, Instead, exported, not_personal, own_id, personal, written_in
from .rating_tables import EVERYWHERE
from .tables import big_column, game_column, metadata, text_column

# A record that one person steps through, and their place in it.
studies = Table(
    "studies",
    metadata,
    Column("id", Integer, primary_key=True, info=written_in("studies.study")),
    big_column("user", info=own_id(End.OWNER)),
    game_column(nullable=True, info=exported(form=Form.GAME)),  # the game that it shows
    text_column("title", info=exported(form=Form.IF_ANY)),
    Column("ruleset", JSON, nullable=False, info=exported("rules", Form.RULES)),
    text_column("white", info=exported(form=Form.IF_ANY, end=End.REWRITTEN)),
    text_column("black", info=exported(form=Form.IF_ANY, end=End.REWRITTEN)),
    # the codes of their actions: spaces inside a turn, `;` between turns
    text_column("turns", info=written_in("studies.turns")),
    text_column("result", nullable=True, info=exported(form=Form.IF_ANY)),
    text_column("reason", nullable=True, info=exported("result_reason", Form.REASON)),  # why its game ended
    # the sentence on the turn at which the record breaks, written before the column `broken` was there
    text_column("fault", info=exported("what_the_record_stops_at", Form.IF_ANY)),
    Column("notes", JSON, nullable=False, info=exported(form=Form.IF_ANY)),  # marks and comments by turn number
    # turns of the record before the position shown
    Column("place", Integer, nullable=False, info=exported("turns_before_the_position_shown")),
    text_column("tried", info=written_in("studies.turns_you_tried")),  # the person's own turns from that position on
    text_column("draft", info=written_in("studies.unfinished_turn")),
    Column("version", Integer, nullable=False, info=exported("times_changed")),
    big_column("created_at", info=exported("made_at", Form.TIME)),
    big_column("expires_at", info=exported("kept_until", Form.TIME)),
    # the position line before the first turn; null for the usual start
    text_column("begin", nullable=True, info=exported("begins_at_position")),
    # the bot's level in a practice; null in all other studies
    Column("level", Integer, info=exported("level_of_the_bot_that_answers")),
    # what a hidden study is for; null in all other studies
    text_column("hidden_for", nullable=True, info=exported("begun_for", Form.IF_ANY)),
    # the facts of the error at which the record breaks; null for a sound record
    Column("broken", JSON(none_as_null=True), info=exported("where_the_record_breaks", Form.BROKEN)),
    Index(None, "user", "expires_at"),
    Index(None, "expires_at"),
    Index(None, "game"),
    # An autoincremented id is never reused: the buttons of a deleted study open no other.
    sqlite_autoincrement=True,
    info=personal("studies", End.ROW),
)

analyses = Table(
    "analyses",
    metadata,
    game_column(primary_key=True),
    text_column("state"),  # running, done, failed
    Column("turns", Integer, nullable=False),  # of the game
    Column("places", Integer, nullable=False),  # how many places of the game are searched
    Column("found", JSON, nullable=False),  # for each of these places the best turns: score, codes, codes of the line
    big_column("created_at"),
    big_column("expires_at"),
    Index(None, "state", "created_at"),
    Index(None, "expires_at"),
    info=not_personal(),
)

# The people who wait for an analysis and are told when it is over. Each person waits for one at most.
analysis_askers = Table(
    "analysis_askers",
    metadata,
    big_column("user", primary_key=True, autoincrement=False, info=own_id(End.OWNER)),
    Column("game", Integer, ForeignKey("analyses.game"), nullable=False, info=exported(form=Form.GAME)),
    big_column("asked_at", info=exported(form=Form.TIME)),
    Index(None, "game"),
    info=personal("analyses_awaited", End.ROW),
)

# The number of finished games in which a turn was played from a position, both up to symmetry. Counted in advance.
explored_turns = Table(
    "explored_turns",
    metadata,
    big_column("position", primary_key=True, autoincrement=False),
    text_column("turn", primary_key=True),
    *(Column(name, Integer, nullable=False) for name in ("white", "drawn", "black")),  # games, by their results
    text_column("newest"),  # ids of such games, the newest first, separated by spaces
    sqlite_with_rowid=False,  # most rows have little besides their key
    info=not_personal(),
)

# Positions in which exactly one turn wins by force. The game that a position comes from is not stored.
puzzles = Table(
    "puzzles",
    metadata,
    Column("id", Integer, primary_key=True),
    big_column("key"),  # of the position, the same for all its symmetric images
    text_column("position"),
    Column("own_turns", Integer, nullable=False),  # until the win
    text_column("line"),  # the codes of the turns that solve the puzzle, with the best defences
    big_column("made_at"),
    Column("rating", Double, nullable=False, server_default="1500"),  # as in its newest row of the table of ratings
    Index(None, "key", unique=True),
    Index(None, "rating"),
    Index(None, "own_turns", "rating"),
    # An autoincremented id is never reused: buttons and ratings name it.
    sqlite_autoincrement=True,
    info=not_personal(),
)

# What people have entered in puzzles. A row is made when a puzzle is opened.
puzzle_tries = Table(
    "puzzle_tries",
    metadata,
    Column("id", Integer, primary_key=True, info=exported("try_number")),
    Column("puzzle", Integer, ForeignKey("puzzles.id"), nullable=False, info=exported()),
    big_column("user", info=own_id(End.PLAYER)),
    # where it was opened; EVERYWHERE for no server
    big_column("server", info=exported("server_id", Form.ID, Instead(EVERYWHERE))),
    # the codes of the turns on the board, of both players
    text_column("played", info=written_in("puzzles.turns", Instead(""))),
    text_column("draft", info=written_in("puzzles.unfinished_turn", Instead(""))),  # the codes of the unfinished turn
    Column("version", Integer, nullable=False, info=exported("times_changed")),
    # by the first try; empty until the first try has ended
    Column("solved", Boolean, info=exported("solved_by_the_first_try")),
    big_column("tried_at", nullable=True, info=exported(form=Form.TIME)),  # when it ended
    Column("month", Integer, info=exported("rated_in_month", Form.MONTH)),  # in which it is rated
    Index(None, "user", "puzzle", unique=True),
    Index(None, "puzzle", "month"),
    Index(None, "user", "month"),
    sqlite_autoincrement=True,
    info=personal("puzzles"),
)

# The puzzle of each day on each server. Days are counted from 1970, and begin at PUZZLE_HOUR.
puzzle_days = Table(
    "puzzle_days",
    metadata,
    big_column("server", primary_key=True, autoincrement=False),
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("puzzle", Integer, ForeignKey("puzzles.id"), nullable=False),
    Index(None, "puzzle", "server", "day"),
    info=not_personal(),
)
