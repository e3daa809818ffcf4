"""Every table but those of ratings, of watching and of the explorer.

Times are UTC seconds; people, servers, channels and messages are Discord ids.

A change here needs a new file in `migrations/versions`; a test compares the two.
"""

from typing import Any

from sqlalchemy import JSON, BigInteger, Boolean, Column, ForeignKey, Index, Integer, MetaData, Table, Text, and_

from gipfbot.values import THREAD

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def _big_column(name: str, **options: Any) -> Column[int]:
    """Return a column for a Discord id or a time: both outgrow 32 bits."""
    return Column(name, BigInteger, **{"nullable": False, **options})


def _text_column(name: str, **options: Any) -> Column[str]:
    return Column(name, Text, **{"nullable": False, **options})


def _game_column(**options: Any) -> Column[int]:
    return Column("game", Integer, ForeignKey("games.id"), **{"nullable": False, **options})


meta = Table("meta", metadata, _text_column("key", primary_key=True), _text_column("value"))

users = Table(
    "users",
    metadata,
    _big_column("id", primary_key=True, autoincrement=False),
    Column("settings", JSON, nullable=False),
    _big_column("seen_at", nullable=True),
    _text_column("dm_state", nullable=True),  # "shut" if they take no direct messages
)

# The settings that managers have made for their server.
servers = Table(
    "servers",
    metadata,
    _big_column("id", primary_key=True, autoincrement=False),
    Column("settings", JSON, nullable=False),
)

# The servers that the bot has joined.
arrivals = Table(
    "arrivals",
    metadata,
    _big_column("server", primary_key=True, autoincrement=False),
    _big_column("joined_at"),  # by Discord; a new invitation brings another time
    _big_column("left_at", nullable=True),  # when the bot was removed from the server; empty while it is there
)
_left = arrivals.c.left_at.is_not(None)
Index(None, arrivals.c.left_at, sqlite_where=_left, postgresql_where=_left)

games = Table(
    "games",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("ruleset", JSON, nullable=False),  # by value: a changed preset alters no running game
    Column("terms", JSON, nullable=False),  # by value, too
    _text_column("pool", nullable=True),  # of its rule set; empty if the rule set cannot be read
    Column("level", Integer),  # of the house player; empty between two people
    _big_column("server", nullable=True),
    _big_column("channel"),
    _big_column("parent", nullable=True),  # the channel that its thread belongs to
    _text_column("unreachable", nullable=True),  # why nothing can be posted at its venue
    _text_column("status"),
    _text_column("result", nullable=True),
    _text_column("reason", nullable=True),
    _text_column("position"),  # at the start of the turn
    _text_column("previous", nullable=True),  # before the last turn
    Column("turn_number", Integer, nullable=False),  # turns played
    Column("taken_back", Integer, nullable=False),  # turns taken back
    Column("version", Integer, nullable=False),
    Column("waiting_seat", Integer),
    _big_column("waiting_user", nullable=True),
    _big_column("waiting_since", nullable=True),
    Column("board_turn_serial", Integer),  # the turn serial that the newest board shows
    _big_column("board_channel", nullable=True),
    _big_column("board_message", nullable=True),
    _big_column("created_at"),
    _big_column("changed_at"),
    _big_column("ended_at", nullable=True),
    _big_column("explored_at", nullable=True),  # when the explorer has counted its turns
    _big_column("cut_at", nullable=True),  # when it was looked through for puzzles
    Column("origin", Integer),  # the challenge it came from
    # The clock; empty without a time control.
    _big_column("white_bank", nullable=True),
    _big_column("black_bank", nullable=True),
    _big_column("deadline_at", nullable=True),
    _big_column("paused_left", nullable=True),
    _big_column("credited", nullable=True),
    Column("flagged", Boolean, nullable=False),
    Index(None, "waiting_user", "waiting_since"),
    sqlite_autoincrement=True,
)

_in_thread = games.c.parent.is_not(None)
Index(None, games.c.channel, sqlite_where=_in_thread, postgresql_where=_in_thread)
_running = games.c.waiting_user.is_not(None)
_undeliverable = and_(games.c.unreachable.is_not(None), _running)
Index(None, games.c.server, games.c.channel, sqlite_where=_undeliverable, postgresql_where=_undeliverable)
Index(None, games.c.server, games.c.waiting_since, sqlite_where=_running, postgresql_where=_running)
_ended = games.c.ended_at.is_not(None)
# All that the figures of a server need.
_on_server = games.c.server, games.c.pool, games.c.result, games.c.ended_at, games.c.level
Index(None, *_on_server, sqlite_where=_ended, postgresql_where=_ended)
_timed = games.c.deadline_at.is_not(None)
Index(None, games.c.deadline_at, sqlite_where=_timed, postgresql_where=_timed)

_unexplored = and_(games.c.ended_at.is_not(None), games.c.explored_at.is_(None))
Index(None, games.c.ended_at, sqlite_where=_unexplored, postgresql_where=_unexplored)
_uncut = and_(games.c.ended_at.is_not(None), games.c.cut_at.is_(None))
Index("ix_games_uncut_ended_at", games.c.ended_at, games.c.id, sqlite_where=_uncut, postgresql_where=_uncut)

seats = Table(
    "seats",
    metadata,
    _game_column(primary_key=True),
    Column("colour", Integer, primary_key=True),
    _big_column("user"),
    _text_column("name"),
    Column("quiet", Boolean, nullable=False),  # no reminders of this game
    Column("quiet_turn_serial", Integer, nullable=True),  # no reminders of the turn with this serial
    _text_column("note", nullable=True),  # the player's private note
    # The game's turns when the player's list of games last showed it; empty before that, and once it has shown the end.
    Column("listed_turn_number", Integer, nullable=True),
    Column("listed_taken_back", Integer, nullable=True),
    Index(None, "user"),
)

turns = Table(
    "turns",
    metadata,
    _game_column(primary_key=True),
    Column("turn_number", Integer, primary_key=True),
    Column("colour", Integer, nullable=False),
    _text_column("text"),
    _text_column("actions"),  # their codes, separated by spaces
    _big_column("by"),
    _text_column("how"),  # typed, buttons, conditional; house, stand-in or fallback for the bot
    # What the bot expected after its turn: codes of actions, `;` between decisions. Empty if it was not kept.
    _text_column("expected", nullable=True),
    _text_column("position_hash"),
    _big_column("played_at"),
    # The time of both players when the turn began; empty without a clock.
    _big_column("white_bank", nullable=True),
    _big_column("black_bank", nullable=True),
    Index(None, "game", "position_hash"),
)

# The actions of the unfinished turn.
draft = Table(
    "draft",
    metadata,
    _game_column(primary_key=True),
    Column("step", Integer, primary_key=True),
    _text_column("action"),
    _big_column("by"),
    _big_column("at"),
)

# Events of a game besides turns: resign, cancel, void, flagged, time, claim_win, takeback.
events = Table(
    "events",
    metadata,
    _game_column(primary_key=True),
    Column("seq", Integer, primary_key=True),
    _text_column("kind"),
    _big_column("by", nullable=True),
    _big_column("at"),
    Column("data", JSON, nullable=False),
)

challenges = Table(
    "challenges",
    metadata,
    Column("id", Integer, primary_key=True),
    _big_column("server", nullable=True),
    _big_column("channel"),
    _big_column("parent", nullable=True),  # the channel that the thread belongs to
    _big_column("message", nullable=True),
    _big_column("by_user"),
    _text_column("by_name"),
    _big_column("to_user", nullable=True),
    _text_column("to_name", nullable=True),
    Column("ruleset", JSON, nullable=False),
    Column("terms", JSON, nullable=False),
    _text_column("side"),
    _text_column("state"),
    _big_column("expires_at"),
    Column("rematch_of", Integer, nullable=True),  # a game
    Column("takes_left", Integer, nullable=False),
    _game_column(nullable=True),  # the last game it led to
    Index(None, "server", "state"),
    Index(None, "by_user", "state"),
    Index(None, "to_user", "state"),
    Index(None, "by_user", "to_user", "expires_at"),
    Index(None, "state", "expires_at"),
    Index(None, "rematch_of"),
    sqlite_autoincrement=True,
)

# A record that one person steps through, and their place in it.
studies = Table(
    "studies",
    metadata,
    Column("id", Integer, primary_key=True),
    _big_column("user"),
    _game_column(nullable=True),  # the game whose turns it has
    _text_column("title"),
    Column("ruleset", JSON, nullable=False),
    _text_column("white"),
    _text_column("black"),
    _text_column("turns"),  # the codes of their actions: spaces inside a turn, `;` between turns
    _text_column("result", nullable=True),
    _text_column("reason", nullable=True),  # why its game ended
    _text_column("fault"),  # the sentence on the turn at which the record breaks
    Column("notes", JSON, nullable=False),  # marks and comments by turn number
    Column("place", Integer, nullable=False),  # turns of the record before the position shown
    _text_column("tried"),  # the person's own turns from there on
    _text_column("draft"),
    Column("version", Integer, nullable=False),
    _big_column("created_at"),
    _big_column("expires_at"),
    _text_column("begin", nullable=True),  # the position line before the first turn; null where it begins as usual
    Column("level", Integer),  # of the bot that answers in a practice; null in all other studies
    Index(None, "user", "expires_at"),
    Index(None, "expires_at"),
    Index(None, "game"),
    # An autoincremented id is never reused: the buttons of a deleted study open no other.
    sqlite_autoincrement=True,
)

# Vacations, in which a person's clocks are paused.
vacations = Table(
    "vacations",
    metadata,
    Column("id", Integer, primary_key=True),
    _big_column("user"),
    _big_column("since"),
    _big_column("until"),
    _big_column("ended_at", nullable=True),  # at `until`, or before it
    Index(None, "user", "since"),
)
_over = vacations.c.ended_at.is_not(None)
Index(None, vacations.c.ended_at, sqlite_where=_over, postgresql_where=_over)

# Requests to take turns back.
takebacks = Table(
    "takebacks",
    metadata,
    Column("id", Integer, primary_key=True),
    _game_column(),
    _big_column("by"),
    Column("turn_number", Integer, nullable=False),  # of the first turn to take back
    _text_column("turns"),  # their texts, separated by spaces
    Column("turn_serial", Integer, nullable=False),  # of the game when the request was made
    _text_column("state"),
    _big_column("created_at"),
    _big_column("expires_at"),
    Index(None, "game"),
    Index(None, "state", "expires_at"),
    sqlite_autoincrement=True,
)

# Conditional lines.
conditionals = Table(
    "conditionals",
    metadata,
    Column("id", Integer, primary_key=True),
    _game_column(),
    _big_column("user"),
    Column("turn_number", Integer, nullable=False),  # turns played before its first
    Column("drafted", Integer, nullable=False, server_default="0"),  # actions of an unfinished turn before its first
    _text_column("turns"),  # the codes of their actions: spaces inside a turn, `;` between turns
    _big_column("created_at"),
    Index(None, "game"),
    sqlite_autoincrement=True,
)

# Whom a person keeps from challenging, following and nudging them.
blocks = Table(
    "blocks",
    metadata,
    _big_column("user", primary_key=True, autoincrement=False),
    # A person's id, or their trace if they have deleted their data.
    _big_column("blocked", primary_key=True, autoincrement=False),
    _text_column("name"),
    _big_column("created_at"),
    Index(None, "blocked"),
)

# People whose data is being deleted. The row goes last, and with it the link between a person and their pseudonym.
deletions = Table(
    "deletions",
    metadata,
    _big_column("user", primary_key=True, autoincrement=False),
    _big_column("pseudonym"),
    _big_column("began_at"),
    # Their games up to this id are done. It is -1 until what is theirs alone is deleted.
    Column("games_done", Integer, nullable=False),
    Column("rows_left", Integer, nullable=False),  # the rows of the outbox up to this id are still to be done
    # The closed challenges up to this id are still to be done.
    Column("challenges_left", Integer, nullable=False, server_default="0"),
)

# The challenges that people sent to others on the day before they deleted their data.
former_pings = Table(
    "former_pings",
    metadata,
    Column("id", Integer, primary_key=True),
    _big_column("trace"),  # of the person who challenged
    _big_column("to_user"),
    _big_column("expires_at"),
    Index(None, "trace", "to_user", "expires_at"),
    Index(None, "to_user"),
    Index(None, "expires_at"),
)

# Things that become due at a time, written in the transaction that sets the time.
due = Table(
    "due",
    metadata,
    Column("id", Integer, primary_key=True),
    _text_column("key", unique=True),
    _text_column("kind"),
    _game_column(nullable=True),
    _big_column("user"),
    _big_column("at"),
    _big_column("done_at", nullable=True),
    Column("leased_by", Integer),  # the first shard of the process that has leased it; None if all run in one
    Index(None, "game"),
    Index(None, "user"),
)
_waiting = due.c.done_at.is_(None)
Index(None, due.c.at, sqlite_where=_waiting, postgresql_where=_waiting)
_finished = due.c.done_at.is_not(None)
Index(None, due.c.done_at, sqlite_where=_finished, postgresql_where=_finished)

# Messages to post, written in the transaction that makes them due.
outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True),
    _text_column("key", unique=True),  # what it is owed for
    _text_column("mark", unique=True),  # random; its message carries it, and is posted with it as the nonce
    _text_column("kind"),
    _big_column("channel"),  # or the person to whom a direct message goes
    _game_column(nullable=True),
    Column("payload", JSON, nullable=False),
    Column("attempts", Integer, nullable=False),
    _big_column("not_before"),
    _big_column("leased_until", nullable=True),
    Column("leased_by", Integer),  # the first shard of that process; None if all shards run in one
    _big_column("first_tried_at", nullable=True),
    _big_column("message", nullable=True),
    _big_column("created_at"),
    _big_column("done_at", nullable=True),  # delivered or dropped: nothing is owed any more
    _text_column("dropped", nullable=True),  # why it was not delivered
    _big_column("emptied_at", nullable=True),  # when its payload was deleted, because nothing needed it any more
    # An autoincremented id is never reused: keys of other rows contain it.
    sqlite_autoincrement=True,
)
_owed = outbox.c.done_at.is_(None)
Index(None, outbox.c.not_before, outbox.c.id, sqlite_where=_owed, postgresql_where=_owed)
Index(None, outbox.c.game, outbox.c.id, sqlite_where=_owed, postgresql_where=_owed)
# For several processes, which only PostgreSQL has.
Index("ix_outbox_channel", outbox.c.channel, postgresql_where=_owed).ddl_if(dialect="postgresql")
_posted = and_(outbox.c.message.is_not(None), outbox.c.kind != THREAD)
# A message belongs to one row. A thread's row is exempt: a thread has the id of the message it was made from.
Index(None, outbox.c.channel, outbox.c.message, unique=True, sqlite_where=_posted, postgresql_where=_posted)
# For `retention`. A settled row is in one of the two; the row of a thread is in neither, because it stays.
_full = and_(outbox.c.done_at.is_not(None), outbox.c.emptied_at.is_(None), outbox.c.kind != THREAD)
Index("ix_outbox_full_done_at", outbox.c.done_at, sqlite_where=_full, postgresql_where=_full)
_emptied = outbox.c.emptied_at.is_not(None)
Index("ix_outbox_emptied_done_at", outbox.c.done_at, sqlite_where=_emptied, postgresql_where=_emptied)
