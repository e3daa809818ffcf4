"""The tables of people and servers, of games, requests and spectators, and of messages.

Times are UTC seconds; people, servers, channels and messages are Discord ids.

A change here needs a new file in `migrations/versions`; a test compares the two.
"""

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    TextClause,
    and_,
    text,
)

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


def big_column(name: str, **options: Any) -> Column[int]:
    """Return a column for a Discord id or a time: both outgrow 32 bits."""
    return Column(name, BigInteger, **{"nullable": False, **options})


def text_column(name: str, **options: Any) -> Column[str]:
    """Return a column for a text. It is never null, unless the options say so."""
    return Column(name, Text, **{"nullable": False, **options})


def game_column(**options: Any) -> Column[int]:
    """Return the column for the id of a row's game."""
    return Column("game", Integer, ForeignKey("games.id"), **{"nullable": False, **options})


meta = Table("meta", metadata, text_column("key", primary_key=True), text_column("value"))

users = Table(
    "users",
    metadata,
    big_column("id", primary_key=True, autoincrement=False),
    Column("settings", JSON, nullable=False),
    big_column("seen_at", nullable=True),
    text_column("dm_state", nullable=True),  # "shut" if they take no direct messages
)

# The settings that managers have made for their server.
servers = Table(
    "servers",
    metadata,
    big_column("id", primary_key=True, autoincrement=False),
    Column("settings", JSON, nullable=False),
)

# The servers that the bot has joined.
arrivals = Table(
    "arrivals",
    metadata,
    big_column("server", primary_key=True, autoincrement=False),
    big_column("joined_at"),  # by Discord; a new invitation brings another time
    big_column("left_at", nullable=True),  # when the bot was removed from the server; empty while it is there
)
_left = arrivals.c.left_at.is_not(None)
Index(None, arrivals.c.left_at, sqlite_where=_left, postgresql_where=_left)

games = Table(
    "games",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("ruleset", JSON, nullable=False),  # by value: a changed preset alters no running game
    Column("terms", JSON, nullable=False),  # by value, too
    text_column("pool", nullable=True),  # of its rule set; empty if the rule set cannot be read
    Column("level", Integer),  # of the house player; empty between two people
    big_column("server", nullable=True),
    big_column("channel"),
    big_column("parent", nullable=True),  # the channel that its thread belongs to
    text_column("unreachable", nullable=True),  # why nothing can be posted at its venue
    text_column("status"),
    text_column("result", nullable=True),
    text_column("reason", nullable=True),
    text_column("position"),  # at the start of the turn
    text_column("previous", nullable=True),  # before the last turn
    Column("turn_number", Integer, nullable=False),  # turns played
    Column("taken_back", Integer, nullable=False),  # turns taken back
    Column("version", Integer, nullable=False),
    Column("waiting_seat", Integer),
    big_column("waiting_user", nullable=True),
    big_column("waiting_since", nullable=True),
    Column("board_turn_serial", Integer),  # the turn serial that the newest board shows
    big_column("board_channel", nullable=True),
    big_column("board_message", nullable=True),
    big_column("created_at"),
    big_column("changed_at"),
    big_column("ended_at", nullable=True),
    big_column("explored_at", nullable=True),  # when the explorer has counted its turns
    big_column("cut_at", nullable=True),  # when it was looked through for puzzles
    Column("origin", Integer),  # the challenge it came from
    # The clock; empty without a time control.
    big_column("white_bank", nullable=True),
    big_column("black_bank", nullable=True),
    big_column("deadline_at", nullable=True),
    big_column("paused_left", nullable=True),
    big_column("credited", nullable=True),
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
    game_column(primary_key=True),
    Column("colour", Integer, primary_key=True),
    big_column("user"),
    text_column("name"),
    Column("quiet", Boolean, nullable=False),  # no reminders of this game
    Column("quiet_turn_serial", Integer, nullable=True),  # no reminders of the turn with this serial
    text_column("note", nullable=True),  # the player's private note
    # The game's turns when the player's list of games last showed it; empty before that, and once it has shown the end.
    Column("listed_turn_number", Integer, nullable=True),
    Column("listed_taken_back", Integer, nullable=True),
    Index(None, "user"),
)

turns = Table(
    "turns",
    metadata,
    game_column(primary_key=True),
    Column("turn_number", Integer, primary_key=True),
    Column("colour", Integer, nullable=False),
    text_column("text"),
    text_column("actions"),  # their codes, separated by spaces
    big_column("by"),
    text_column("how"),  # typed, buttons, conditional; house, stand-in or fallback for the bot
    # What the bot expected after its turn: codes of actions, `;` between decisions. Empty if it was not kept.
    text_column("expected", nullable=True),
    text_column("position_hash"),
    big_column("played_at"),
    # The time of both players when the turn began; empty without a clock.
    big_column("white_bank", nullable=True),
    big_column("black_bank", nullable=True),
    Index(None, "game", "position_hash"),
)

# The actions of the unfinished turn.
draft = Table(
    "draft",
    metadata,
    game_column(primary_key=True),
    Column("step", Integer, primary_key=True),
    text_column("action"),
    big_column("by"),
    big_column("at"),
)

# Events of a game besides turns: resign, cancel, void, flagged, time, claim_win, takeback.
events = Table(
    "events",
    metadata,
    game_column(primary_key=True),
    Column("seq", Integer, primary_key=True),
    text_column("kind"),
    big_column("by", nullable=True),
    big_column("at"),
    Column("data", JSON, nullable=False),
)

challenges = Table(
    "challenges",
    metadata,
    Column("id", Integer, primary_key=True),
    big_column("server", nullable=True),
    big_column("channel"),
    big_column("parent", nullable=True),  # the channel that the thread belongs to
    big_column("message", nullable=True),
    big_column("by_user"),
    text_column("by_name"),
    big_column("to_user", nullable=True),
    text_column("to_name", nullable=True),
    Column("ruleset", JSON, nullable=False),
    Column("terms", JSON, nullable=False),
    text_column("side"),
    text_column("state"),
    big_column("expires_at"),
    Column("rematch_of", Integer, nullable=True),  # a game
    Column("takes_left", Integer, nullable=False),
    game_column(nullable=True),  # the last game it led to
    Index(None, "server", "state"),
    Index(None, "by_user", "state"),
    Index(None, "to_user", "state"),
    Index(None, "by_user", "to_user", "expires_at"),
    Index(None, "state", "expires_at"),
    Index(None, "rematch_of"),
    sqlite_autoincrement=True,
)

# Vacations, in which a person's clocks are paused.
vacations = Table(
    "vacations",
    metadata,
    Column("id", Integer, primary_key=True),
    big_column("user"),
    big_column("since"),
    big_column("until"),
    big_column("ended_at", nullable=True),  # at `until`, or before it
    Index(None, "user", "since"),
)
_over = vacations.c.ended_at.is_not(None)
Index(None, vacations.c.ended_at, sqlite_where=_over, postgresql_where=_over)

# Requests to take turns back.
takebacks = Table(
    "takebacks",
    metadata,
    Column("id", Integer, primary_key=True),
    game_column(),
    big_column("by"),
    Column("turn_number", Integer, nullable=False),  # of the first turn to take back
    text_column("turns"),  # their texts, separated by spaces
    Column("turn_serial", Integer, nullable=False),  # of the game when the request was made
    text_column("state"),
    big_column("created_at"),
    big_column("expires_at"),
    Index(None, "game"),
    Index(None, "state", "expires_at"),
    sqlite_autoincrement=True,
)

# Conditional lines.
conditionals = Table(
    "conditionals",
    metadata,
    Column("id", Integer, primary_key=True),
    game_column(),
    big_column("user"),
    Column("turn_number", Integer, nullable=False),  # turns played before its first
    Column("drafted", Integer, nullable=False, server_default="0"),  # actions of an unfinished turn before its first
    text_column("turns"),  # the codes of their actions: spaces inside a turn, `;` between turns
    big_column("created_at"),
    Index(None, "game"),
    sqlite_autoincrement=True,
)

# Who is told by direct message about a game, or about the games of a player.
follows = Table(
    "follows",
    metadata,
    Column("id", Integer, primary_key=True),
    big_column("user"),
    game_column(nullable=True),
    big_column("player", nullable=True),
    text_column("name"),  # of both players, or of the player
    text_column("news"),  # turn, result
    text_column("lost", nullable=True),  # why it has ended without the follower's doing
    big_column("created_at"),
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
    game_column(primary_key=True),
    Column("turn_serial", Integer, primary_key=True),
    big_column("user", primary_key=True, autoincrement=False),
    text_column("actions"),  # their codes, separated by spaces
    Column("points", Integer, nullable=True),  # empty until the turn is played
    big_column("guessed_at"),
    Index(None, "user"),
)

# When Discord was last asked whether a follower sees a channel.
channel_checks = Table(
    "channel_checks",
    metadata,
    big_column("user", primary_key=True, autoincrement=False),
    big_column("channel", primary_key=True, autoincrement=False),
    Column("sees", Boolean, nullable=False),
    big_column("checked_at"),
)

# Whom a person keeps from challenging, following and nudging them.
blocks = Table(
    "blocks",
    metadata,
    big_column("user", primary_key=True, autoincrement=False),
    # A person's id, or their trace if they have deleted their data.
    big_column("blocked", primary_key=True, autoincrement=False),
    text_column("name"),
    big_column("created_at"),
    Index(None, "blocked"),
)

# People whose data is being deleted. The row goes last, and with it the link between a person and their pseudonym.
deletions = Table(
    "deletions",
    metadata,
    big_column("user", primary_key=True, autoincrement=False),
    big_column("pseudonym"),
    big_column("began_at"),
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
    big_column("trace"),  # of the person who challenged
    big_column("to_user"),
    big_column("expires_at"),
    Index(None, "trace", "to_user", "expires_at"),
    Index(None, "to_user"),
    Index(None, "expires_at"),
)

# Things that become due at a time, written in the transaction that sets the time.
due = Table(
    "due",
    metadata,
    Column("id", Integer, primary_key=True),
    text_column("key", unique=True),
    text_column("kind"),
    game_column(nullable=True),
    big_column("user"),
    big_column("at"),
    big_column("done_at", nullable=True),
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
    text_column("key", unique=True),  # what it is owed for
    text_column("mark", unique=True),  # random; its message carries it, and is posted with it as the nonce
    text_column("kind"),
    big_column("channel"),  # or the person to whom a direct message goes
    game_column(nullable=True),
    Column("payload", JSON, nullable=False),
    Column("attempts", Integer, nullable=False),
    big_column("not_before"),
    big_column("leased_until", nullable=True),
    Column("leased_by", Integer),  # the first shard of that process; None if all shards run in one
    big_column("first_tried_at", nullable=True),
    big_column("message", nullable=True),
    big_column("created_at"),
    big_column("done_at", nullable=True),  # delivered or dropped: nothing is owed any more
    text_column("dropped", nullable=True),  # why it was not delivered
    big_column("emptied_at", nullable=True),  # when its payload was deleted, because nothing needed it any more
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


def save_rows_of(table: Table) -> TextClause:
    """Return the statement that adds a row to a table, or replaces the row with the same key.

    SQLAlchemy writes it in another way for each database, but all of them read this.
    """
    names, keys = list(table.c.keys()), {column.name for column in table.primary_key}
    changed = ", ".join(f'"{name}" = excluded."{name}"' for name in names if name not in keys)
    quoted, values = (", ".join(form.format(name) for name in names) for form in ('"{}"', ":{}"))
    key = ", ".join(f'"{column.name}"' for column in table.primary_key)
    return text(f"INSERT INTO {table.name} ({quoted}) VALUES ({values}) ON CONFLICT ({key}) DO UPDATE SET {changed}")
