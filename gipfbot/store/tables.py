"""Every table. Times are UTC seconds; people, servers, channels and messages are Discord ids.

A change here needs a new file in `migrations/versions`; a test compares the two.
"""

from typing import Any

from sqlalchemy import JSON, BigInteger, Boolean, Column, ForeignKey, Index, Integer, MetaData, Table, Text, false

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def _number(name: str, **options: Any) -> Column[int]:
    """A Discord id or a time: both outgrow 32 bits."""
    return Column(name, BigInteger, **{"nullable": False, **options})


def _text(name: str, **options: Any) -> Column[str]:
    return Column(name, Text, **{"nullable": False, **options})


def _game(**options: Any) -> Column[int]:
    return Column("game", Integer, ForeignKey("games.id"), **{"nullable": False, **options})


def _terms() -> Column[Any]:
    """The terms of a game by value; the default is for what was there before time could be limited."""
    return Column("terms", JSON, nullable=False, server_default='{"pace": null, "weekends": true, "grace": 43200}')


meta = Table("meta", metadata, _text("key", primary_key=True), _text("value"))

users = Table(
    "users",
    metadata,
    _number("id", primary_key=True, autoincrement=False),
    Column("settings", JSON, nullable=False),
    _number("seen_at", nullable=True),
    _text("dm_state", nullable=True),  # "shut" where his direct messages are
)

# What holds on a server, as far as its managers have set it.
servers = Table(
    "servers",
    metadata,
    _number("id", primary_key=True, autoincrement=False),
    Column("settings", JSON, nullable=False),
)

games = Table(
    "games",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("ruleset", JSON, nullable=False),  # by value: a changed preset alters no running game
    _number("server", nullable=True),
    _number("channel"),
    _number("parent", nullable=True),  # the channel that a thread of its own belongs to
    _text("homeless", nullable=True),  # why nothing can be posted at its home
    _text("status"),
    _text("result", nullable=True),
    _text("reason", nullable=True),
    _text("position"),  # at the start of the turn
    _text("previous", nullable=True),  # before the last turn
    Column("number", Integer, nullable=False),  # turns played
    Column("undone", Integer, nullable=False, server_default="0"),  # turns taken back
    Column("version", Integer, nullable=False),
    Column("waiting_seat", Integer),
    _number("waiting_user", nullable=True),
    _number("waiting_since", nullable=True),
    Column("board_number", Integer),  # the newest board posted, by the serial of the game it shows
    _number("board_channel", nullable=True),
    _number("board_message", nullable=True),
    _number("created_at"),
    _number("changed_at"),
    _number("ended_at", nullable=True),
    _terms(),
    Column("origin", Integer, nullable=True),  # the challenge it came from
    # The clock; without a pace all of it is empty.
    _number("white_time", nullable=True),
    _number("black_time", nullable=True),
    _number("deadline_at", nullable=True),
    _number("time_left", nullable=True),
    _number("time_given", nullable=True),
    Column("fallen", Boolean, nullable=False, server_default=false()),
    Index(None, "waiting_user", "waiting_since"),
    sqlite_autoincrement=True,
)

_in_thread = games.c.parent.is_not(None)
Index(None, games.c.channel, sqlite_where=_in_thread, postgresql_where=_in_thread)
_timed = games.c.deadline_at.is_not(None)
Index(None, games.c.deadline_at, sqlite_where=_timed, postgresql_where=_timed)

seats = Table(
    "seats",
    metadata,
    _game(primary_key=True),
    Column("colour", Integer, primary_key=True),
    _number("user"),
    _text("name"),
    Column("quiet", Boolean, nullable=False, server_default=false()),  # no reminders of this game
    Column("quiet_turn", Integer, nullable=True),  # nor of its turn with this serial
    _text("note", nullable=True),  # what he has noted for himself
    Index(None, "user"),
)

turns = Table(
    "turns",
    metadata,
    _game(primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("colour", Integer, nullable=False),
    _text("text"),
    _text("actions"),  # their codes, separated by spaces
    _number("by"),
    _text("how"),  # typed, buttons, condition
    _text("position_hash"),
    _number("played_at"),
    # The time that both had when it began; not known of a turn without a clock.
    _number("white_time", nullable=True),
    _number("black_time", nullable=True),
    Index(None, "game", "position_hash"),
)

# The actions of the unfinished turn.
draft = Table(
    "draft",
    metadata,
    _game(primary_key=True),
    Column("step", Integer, primary_key=True),
    _text("action"),
    _number("by"),
    _number("at"),
)

# What happened to a game besides turns: resign, abort, void, flag, time, claim, undo.
events = Table(
    "events",
    metadata,
    _game(primary_key=True),
    Column("seq", Integer, primary_key=True),
    _text("kind"),
    _number("by", nullable=True),
    _number("at"),
    Column("data", JSON, nullable=False),
)

challenges = Table(
    "challenges",
    metadata,
    Column("id", Integer, primary_key=True),
    _number("server", nullable=True),
    _number("channel"),
    _number("parent", nullable=True),  # the channel that the thread belongs to
    _number("message", nullable=True),
    _number("by_user"),
    _text("by_name"),
    _number("to_user", nullable=True),
    _text("to_name", nullable=True),
    Column("ruleset", JSON, nullable=False),
    _text("side"),
    _text("state"),
    _number("expires_at"),
    _terms(),
    Column("rematch_of", Integer, nullable=True),  # a game
    Column("takes_left", Integer, nullable=False, server_default="1"),
    _game(nullable=True),  # what it led to, the last of several
    Index(None, "server", "state"),
    Index(None, "by_user", "state"),
    Index(None, "to_user", "state"),
    Index(None, "state", "expires_at"),
    Index(None, "rematch_of"),
    sqlite_autoincrement=True,
)

# A record that one person steps through, and where he stands in it.
studies = Table(
    "studies",
    metadata,
    Column("id", Integer, primary_key=True),
    _number("user"),
    _game(nullable=True),  # whose turns it has
    _text("title"),
    Column("ruleset", JSON, nullable=False),
    _text("white"),
    _text("black"),
    _text("turns"),  # the codes of their actions: spaces inside a turn, `;` between turns
    _text("result", nullable=True),
    _text("reason", nullable=True),  # why its game ended
    _text("fault"),  # what is said where a record breaks
    Column("notes", JSON, nullable=False),  # marks and comments by the number of the turn
    Column("place", Integer, nullable=False),  # turns of the record before the position shown
    _text("tried"),  # turns of his own from there on
    _text("draft"),
    Column("version", Integer, nullable=False),
    _number("created_at"),
    _number("expires_at"),
    Index(None, "user", "expires_at"),
    Index(None, "expires_at"),
    # An autoincremented id is never given again: the buttons of a study that is gone open no other.
    sqlite_autoincrement=True,
)

# When somebody does not want to play: his clocks stand still.
vacations = Table(
    "vacations",
    metadata,
    Column("id", Integer, primary_key=True),
    _number("user"),
    _number("since"),
    _number("until"),
    _number("ended_at", nullable=True),  # at `until`, or before it
    Column("used", Integer, nullable=False, server_default="0"),  # days of the year, this vacation included
    # What the servers that have set it allowed when it began, days a year by id.
    Column("allowed", JSON, nullable=False, server_default="{}"),
    Index(None, "user", "since"),
)

# Turns that a player asks the other to let him take back.
offers = Table(
    "offers",
    metadata,
    Column("id", Integer, primary_key=True),
    _game(),
    _number("by"),
    Column("turn", Integer, nullable=False),  # the number of the first of them
    _text("turns", nullable=True),  # separated by spaces; not known of old ones
    Column("serial", Integer, nullable=False),  # that of the game when it was made
    _text("state"),
    _number("created_at"),
    _number("expires_at"),
    Index(None, "game"),
    Index(None, "state", "expires_at"),
    sqlite_autoincrement=True,
)

# What a player answers to turns that his opponent may play.
conditions = Table(
    "conditions",
    metadata,
    Column("id", Integer, primary_key=True),
    _game(),
    _number("user"),
    Column("number", Integer, nullable=False),  # turns played before its first
    _text("turns"),  # the codes of their actions: spaces inside a turn, `;` between turns
    _number("created_at"),
    Index(None, "game"),
    sqlite_autoincrement=True,
)

# What becomes due by itself at some time, written in the transaction that sets that time.
due = Table(
    "due",
    metadata,
    Column("id", Integer, primary_key=True),
    _text("key", unique=True),
    _text("kind"),
    _game(nullable=True),
    _number("user"),
    _number("at"),
    _number("done_at", nullable=True),
    Index(None, "game"),
)
_waiting = due.c.done_at.is_(None)
Index(None, due.c.at, sqlite_where=_waiting, postgresql_where=_waiting)

# What has to be posted, written in the transaction that makes it due.
outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True),
    _text("key", unique=True),
    _text("kind"),
    _number("channel"),  # or the person to whom a direct message goes
    _game(nullable=True),
    Column("payload", JSON, nullable=False),
    Column("attempts", Integer, nullable=False),
    _number("not_before"),
    _number("claimed_until", nullable=True),
    _number("first_tried_at", nullable=True),
    _number("message", nullable=True),
    _number("created_at"),
    _number("done_at", nullable=True),  # delivered or dropped: nothing is owed any more
    _text("dropped", nullable=True),  # why it was not delivered
    # An autoincremented id is never given again: it is the nonce of the post.
    sqlite_autoincrement=True,
)
_owed = outbox.c.done_at.is_(None)
Index(None, outbox.c.not_before, outbox.c.id, sqlite_where=_owed, postgresql_where=_owed)
Index(None, outbox.c.game, outbox.c.id, sqlite_where=_owed, postgresql_where=_owed)
