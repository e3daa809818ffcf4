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
    bindparam,
    text,
)

from gipfbot.match import DAY, REQUEST_LIFETIME
from gipfbot.values import FORMER_NAME, THREAD

from .column_info import End, Form, Instead, exported, not_exported, not_personal, own_id, personal, written_in

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


NOW = bindparam("now", type_=BigInteger)  # in statements that are built once

meta = Table("meta", metadata, text_column("key", primary_key=True), text_column("value"), info=not_personal())

users = Table(
    "users",
    metadata,
    big_column("id", primary_key=True, autoincrement=False, info=own_id(End.OWNER)),
    Column("settings", JSON, nullable=False, info=written_in("settings")),
    big_column("seen_at", nullable=True, info=exported("last_changed_settings_at", Form.TIME)),
    # "shut" if they take no direct messages
    text_column("dm_state", nullable=True, info=written_in("direct_messages")),
    big_column("dms_shut_at", nullable=True, info=exported("direct_messages_refused_at", Form.TIME)),
    # in which the bot writes to them: that of their Discord, unless they have chosen one; empty for English
    text_column("language", nullable=True, info=exported("language_of_direct_messages")),
    info=personal("", End.ROW),
)

# The settings that managers have made for their server.
servers = Table(
    "servers",
    metadata,
    big_column("id", primary_key=True, autoincrement=False),
    Column("settings", JSON, nullable=False),
    # in which the bot writes there; empty for English
    text_column("language", nullable=True),
    info=not_personal(),
)

# The servers that the bot has joined.
arrivals = Table(
    "arrivals",
    metadata,
    big_column("server", primary_key=True, autoincrement=False),
    big_column("joined_at"),  # by Discord; a new invitation brings another time
    big_column("left_at", nullable=True),  # when the bot was removed from the server; empty while it is there
    info=not_personal(over="left_at", kept_for=90 * DAY),
)
_left = arrivals.c.left_at.is_not(None)
Index(None, arrivals.c.left_at, sqlite_where=_left, postgresql_where=_left)

games = Table(
    "games",
    metadata,
    Column("id", Integer, primary_key=True, info=exported("game", Form.GAME)),
    # by value: a changed preset alters no running game
    Column("ruleset", JSON, nullable=False, info=exported("rules", Form.RULES)),
    Column("terms", JSON, nullable=False, info=exported(form=Form.TERMS)),  # by value, too
    # of its rule set; empty if the rule set cannot be read
    text_column("pool", nullable=True, info=exported("rating_pool")),
    Column("level", Integer, info=exported("level_of_the_bot")),  # of the house player; empty between two people
    big_column("server", nullable=True, info=exported("server_id", Form.ID)),
    big_column("channel", info=exported("channel_id", Form.ID)),
    # the channel that its thread belongs to
    big_column("parent", nullable=True, info=exported("channel_of_the_thread_id", Form.ID)),
    # why nothing can be posted at its venue
    text_column("unreachable", nullable=True, info=exported("cannot_be_posted_because")),
    text_column("status", info=exported("state")),
    text_column("result", nullable=True, info=exported()),
    text_column("reason", nullable=True, info=exported("result_reason", Form.REASON)),
    text_column("position", info=exported()),  # at the start of the turn
    text_column("previous", nullable=True, info=exported("position_before_the_last_turn")),  # before the last turn
    Column("turn_number", Integer, nullable=False, info=exported("turns_played")),  # turns played
    Column("taken_back", Integer, nullable=False, info=exported("turns_taken_back")),  # turns taken back
    Column("version", Integer, nullable=False, info=exported("times_changed")),
    Column("waiting_seat", Integer, info=written_in("games.waits_for")),
    big_column("waiting_user", nullable=True, info=exported("waits_for", Form.WHO, End.IN_GAME)),
    big_column("waiting_since", nullable=True, info=exported("waits_since", Form.TIME)),
    # the turn serial that the newest board shows
    Column("board_turn_serial", Integer, info=exported("newest_board.turn")),
    big_column("board_channel", nullable=True, info=exported("newest_board.channel_id", Form.ID)),
    big_column("board_message", nullable=True, info=exported("newest_board.message_id", Form.ID)),
    big_column("created_at", info=exported("began_at", Form.TIME)),
    big_column("changed_at", info=exported("last_changed_at", Form.TIME)),
    big_column("ended_at", nullable=True, info=exported(form=Form.TIME)),
    # when the explorer has counted its turns
    big_column("explored_at", nullable=True, info=not_exported("when the explorer counted it")),
    # when it was looked through for puzzles
    big_column("cut_at", nullable=True, info=not_exported("when it was looked through for puzzles")),
    Column("origin", Integer, info=exported("from_challenge_number")),  # the challenge that led to the game
    # The clock; empty without a time control.
    big_column("white_bank", nullable=True, info=exported("clock.white_seconds")),
    big_column("black_bank", nullable=True, info=exported("clock.black_seconds")),
    big_column("deadline_at", nullable=True, info=exported("clock.deadline", Form.TIME)),
    big_column("paused_left", nullable=True, info=exported("clock.paused_with_seconds")),
    big_column("credited", nullable=True, info=exported("clock.seconds_credited")),
    Column("flagged", Boolean, nullable=False, info=exported("clock.over_time", Form.IF_ANY)),
    Index(None, "waiting_user", "waiting_since"),
    sqlite_autoincrement=True,
    info=personal("games"),
)

_in_thread = games.c.parent.is_not(None)
Index(None, games.c.channel, sqlite_where=_in_thread, postgresql_where=_in_thread)
_running = games.c.waiting_user.is_not(None)
_undeliverable = and_(games.c.unreachable.is_not(None), _running)
Index(None, games.c.server, games.c.channel, sqlite_where=_undeliverable, postgresql_where=_undeliverable)
Index(None, games.c.server, games.c.waiting_since, sqlite_where=_running, postgresql_where=_running)
_ended = games.c.ended_at.is_not(None)
# Holds all that the figures of a server need.
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
    game_column(primary_key=True, info=written_in("games.game")),
    Column("colour", Integer, primary_key=True, info=exported("your_colour", Form.COLOUR)),
    big_column("user", info=written_in("games.opponent.discord_id", End.PLAYER)),
    text_column("name", info=exported("your_name", end=Instead(FORMER_NAME))),
    # What they were called before in this game, the newest first, on lines of their own.
    text_column("earlier_names", nullable=True, info=exported("your_earlier_names", end=Instead(None))),
    # no reminders of this game
    Column("quiet", Boolean, nullable=False, info=exported("your_reminders_are_off", end=Instead(False))),
    # no reminders of the turn with this serial
    Column("quiet_turn_serial", Integer, info=exported("your_reminders_are_off_for_turn", end=Instead(None))),
    text_column("note", nullable=True, info=exported("your_note", end=Instead(None))),  # the player's private note
    # The game's turns when the player's list of games last showed it; empty before that, and once it has shown the end.
    Column("listed_turn_number", Integer, info=exported("your_list_showed_it_with.turns", end=Instead(None))),
    Column("listed_taken_back", Integer, info=exported("your_list_showed_it_with.turns_taken_back", end=Instead(None))),
    Index(None, "user"),
    info=personal("games"),
)

turns = Table(
    "turns",
    metadata,
    game_column(primary_key=True, info=written_in("games.game")),
    Column("turn_number", Integer, primary_key=True, info=exported("number")),
    Column("colour", Integer, nullable=False, info=exported(form=Form.COLOUR)),
    text_column("text", info=exported("turn")),
    text_column("actions", info=not_exported("the same as the text")),  # their codes, separated by spaces
    big_column("by", info=exported("played_by", Form.WHO, End.IN_GAME)),
    # typed, buttons or conditional; for the bot: house, cut, stand-in or fallback
    text_column("how", info=exported("entered_by")),
    # The decisions that the bot expected after its turn: codes of actions, `;` between decisions. Empty if not kept.
    text_column("expected", nullable=True, info=not_exported("what the bot expected after its own turn")),
    text_column("position_hash", info=exported("position_fingerprint")),
    big_column("played_at", info=exported(form=Form.TIME)),
    # The time of both players when the turn began; empty without a clock.
    big_column("white_bank", nullable=True, info=exported("white_seconds_before")),
    big_column("black_bank", nullable=True, info=exported("black_seconds_before")),
    Index(None, "game", "position_hash"),
    info=personal("games.turns"),
)

# The actions of the unfinished turn.
draft = Table(
    "draft",
    metadata,
    game_column(primary_key=True, info=written_in("games.game")),
    Column("step", Integer, primary_key=True, info=not_exported("the order of the actions")),
    text_column("action", info=written_in("games.your_unfinished_turn.turn")),
    big_column("by", info=not_exported("only the person's own actions are in the export", End.IN_GAME)),
    big_column("at", info=written_in("games.your_unfinished_turn.begun_at")),
    info=personal("games.your_unfinished_turn"),
)

# Events of a game besides turns: resign, cancel, void, flagged, time, claim_win, takeback.
events = Table(
    "events",
    metadata,
    game_column(primary_key=True, info=written_in("games.game")),
    Column("seq", Integer, primary_key=True, info=not_exported("the order of the events")),
    text_column("kind", info=written_in("games.events.event")),
    big_column("by", nullable=True, info=exported(form=Form.WHO, end=End.IN_GAME)),
    big_column("at", info=exported(form=Form.TIME)),
    Column("data", JSON, nullable=False, info=written_in("games.events.turns", End.REWRITTEN)),
    info=personal("games.events"),
)

challenges = Table(
    "challenges",
    metadata,
    Column("id", Integer, primary_key=True, info=exported("challenge_number")),
    big_column("server", nullable=True, info=exported("server_id", Form.ID)),
    big_column("channel", info=exported("channel_id", Form.ID)),
    # the channel that the thread belongs to
    big_column("parent", nullable=True, info=exported("channel_of_the_thread_id", Form.ID)),
    big_column("message", nullable=True, info=exported("message_id", Form.ID)),
    big_column("by_user", info=written_in("challenges.made_by", End.RENAMED)),
    text_column("by_name", info=written_in("challenges.your_name", Instead(FORMER_NAME, of="by_user"))),
    big_column("to_user", nullable=True, info=written_in("challenges.other_player.discord_id", End.RENAMED)),
    text_column(
        "to_name", nullable=True, info=written_in("challenges.other_player.name", Instead(FORMER_NAME, of="to_user"))
    ),
    Column("ruleset", JSON, nullable=False, info=exported("rules", Form.RULES)),
    Column("terms", JSON, nullable=False, info=exported(form=Form.TERMS)),
    text_column("side", info=written_in("challenges.colour_of_the_challenger")),
    text_column("state", info=exported()),
    big_column("expires_at", info=exported("ends_at", Form.TIME)),
    Column("rematch_of", Integer, info=exported(form=Form.GAME)),  # a game
    Column("takes_left", Integer, nullable=False, info=exported("places_left")),
    game_column(nullable=True, info=exported("led_to", Form.GAME)),  # the last game that the challenge led to
    # the role that the message of a seek mentions
    big_column("mentioned_role", nullable=True, info=exported("mentions_role_id", Form.ID)),
    Index(None, "server", "state"),
    Index(None, "by_user", "state"),
    Index(None, "to_user", "state"),
    Index(None, "by_user", "to_user", "expires_at"),
    Index(None, "state", "expires_at"),
    Index(None, "rematch_of"),
    sqlite_autoincrement=True,
    info=personal("challenges", over="expires_at", kept_for=30 * DAY),
)
_mentions = challenges.c.mentioned_role.is_not(None)
Index(None, challenges.c.server, challenges.c.expires_at, sqlite_where=_mentions, postgresql_where=_mentions)

# Vacations, in which a person's clocks are paused. Their days count for a year.
vacations = Table(
    "vacations",
    metadata,
    Column("id", Integer, primary_key=True, info=exported("vacation_number")),
    big_column("user", info=own_id(End.PLAYER)),
    big_column("since", info=exported("from", Form.TIME)),
    big_column("until", info=exported(form=Form.TIME)),
    big_column("ended_at", nullable=True, info=exported(form=Form.TIME)),  # at `until`, or before it
    Index(None, "user", "since"),
    info=personal("vacations", End.ROW, over="ended_at", kept_for=366 * DAY),
)
_over = vacations.c.ended_at.is_not(None)
Index(None, vacations.c.ended_at, sqlite_where=_over, postgresql_where=_over)

# Requests from one player to the other: takebacks and draws.
requests = Table(
    "requests",
    metadata,
    Column("id", Integer, primary_key=True, info=exported("request_number")),
    game_column(info=written_in("games.game")),
    text_column("kind", info=exported("asks_for")),
    big_column("by", info=exported("asked_by", Form.WHO, End.IN_GAME)),
    # of the first turn to take back; of the unfinished turn in which a draw is offered
    Column("turn_number", Integer, nullable=False, info=exported("from_turn")),
    text_column("turns", info=exported(form=Form.IF_ANY)),  # the texts of the turns to take back, separated by spaces
    # of the game when the request was made
    Column("turn_serial", Integer, nullable=False, info=not_exported("which version of the game it is about")),
    text_column("state", info=exported()),
    big_column("created_at", info=exported("asked_at", Form.TIME)),
    # empty if it lasts until somebody plays
    big_column("expires_at", nullable=True, info=exported("ends_at", Form.TIME)),
    Index(None, "game"),
    Index(None, "state", "created_at"),
    sqlite_autoincrement=True,
    info=personal("games.requests", over="created_at", kept_for=30 * DAY + REQUEST_LIFETIME),
)

# Conditional lines.
conditionals = Table(
    "conditionals",
    metadata,
    Column("id", Integer, primary_key=True, info=not_exported("the order of the lines")),
    game_column(info=written_in("games.game")),
    big_column("user", info=not_exported("only the person's own are in the export")),
    Column("turn_number", Integer, nullable=False, info=exported("after_turn")),  # turns played before the line begins
    # actions of an unfinished turn before the line begins
    Column(
        "drafted", Integer, nullable=False, server_default="0", info=not_exported("how much of the turn the line knows")
    ),
    # the codes of their actions: spaces inside a turn, `;` between turns
    text_column("turns", info=written_in("games.your_conditional_turns.turns")),
    big_column("created_at", info=exported("made_at", Form.TIME)),
    Index(None, "game"),
    sqlite_autoincrement=True,
    info=personal("games.your_conditional_turns", End.ROW),
)

# People who get direct messages about a game, or about the games of a player.
follows = Table(
    "follows",
    metadata,
    Column("id", Integer, primary_key=True, info=exported("follow_number")),
    big_column("user", info=own_id(End.OWNER)),
    game_column(nullable=True, info=exported(form=Form.GAME)),
    big_column("player", nullable=True, info=exported("player_discord_id", Form.PERSON, End.RENAMED)),
    text_column("name", info=exported(end=End.REWRITTEN)),  # of both players, or of the player
    text_column("news", info=written_in("follows.you_are_told_of")),  # turn, result
    # why the follow has ended without the follower's doing
    text_column("lost", nullable=True, info=written_in("follows.ended_because")),
    big_column("created_at", info=exported("since", Form.TIME)),
    Index(None, "user"),
    Index(None, "game"),
    Index(None, "player"),
    # An autoincremented id is never reused: messages that are owed name it.
    sqlite_autoincrement=True,
    info=personal("follows", End.ROW),
)

# Spectators' guesses of the next turn of a game.
guesses = Table(
    "guesses",
    metadata,
    game_column(primary_key=True, info=exported(form=Form.GAME)),
    Column("turn_serial", Integer, primary_key=True, info=exported("after_turns")),
    big_column("user", primary_key=True, autoincrement=False, info=own_id(End.OWNER)),
    text_column("actions", info=written_in("guesses.guess")),  # their codes, separated by spaces
    Column("points", Integer, info=exported()),  # empty until the turn is played
    big_column("guessed_at", info=exported(form=Form.TIME)),
    Index(None, "user"),
    info=personal("guesses", End.ROW),
)

# When Discord was last asked whether a follower sees a channel.
channel_checks = Table(
    "channel_checks",
    metadata,
    big_column("user", primary_key=True, autoincrement=False, info=own_id(End.OWNER)),
    big_column("channel", primary_key=True, autoincrement=False, info=exported("channel_id", Form.ID)),
    Column("sees", Boolean, nullable=False, info=exported("you_see_it")),
    big_column("checked_at", info=exported(form=Form.TIME)),
    info=personal("channels_checked", End.ROW),
)

# People whom a person keeps from challenging, following and nudging them.
blocks = Table(
    "blocks",
    metadata,
    big_column("user", primary_key=True, autoincrement=False, info=own_id(End.OWNER)),
    # A person's id, or their hashed id if they have deleted their data.
    big_column(
        "blocked",
        primary_key=True,
        autoincrement=False,
        info=exported("you_block.discord_id", Form.PERSON, End.RENAMED),
    ),
    text_column("name", info=exported("you_block.name", end=Instead(FORMER_NAME, of="blocked"))),
    big_column("created_at", info=exported("since", Form.TIME)),
    Index(None, "blocked"),
    info=personal("blocks", End.ROW),
)

# People whose data is being deleted. Deleting the row last removes the link between a person and their pseudonym.
deletions = Table(
    "deletions",
    metadata,
    big_column("user", primary_key=True, autoincrement=False, info=own_id(End.ROW)),
    big_column("pseudonym", info=not_exported("it would tell which former player they were")),
    big_column("began_at", info=exported("begun_at", Form.TIME)),
    # Their games up to this id are done; -1 until all that is theirs alone is deleted.
    Column("games_done", Integer, nullable=False, info=not_exported("how far the deletion has got")),
    # the rows of the outbox up to this id are still to be done
    Column("rows_left", Integer, nullable=False, info=not_exported("how far the deletion has got")),
    # The closed challenges up to this id are still to be done.
    Column(
        "challenges_left",
        Integer,
        nullable=False,
        server_default="0",
        info=not_exported("how far the deletion has got"),
    ),
    info=personal("deletions", End.ROW),
)

# The challenges that people sent to others on the day before they deleted their data.
former_pings = Table(
    "former_pings",
    metadata,
    Column("id", Integer, primary_key=True, info=not_exported("the order of the rows")),
    # of the person who challenged
    big_column("hashed_id", info=not_exported("nobody can tell from it who somebody was", End.KEPT)),
    big_column("to_user", info=not_exported("their challenges say as much", End.OWNER)),
    big_column("expires_at", info=not_exported("their challenges say as much")),
    Index(None, "hashed_id", "to_user", "expires_at"),
    Index(None, "to_user"),
    Index(None, "expires_at"),
    info=personal("", End.ROW),
)

# Tasks that become due at a time, written in the transaction that sets the time.
due = Table(
    "due",
    metadata,
    Column("id", Integer, primary_key=True, info=not_exported("the reference tells as much")),
    text_column("key", unique=True, info=exported("reference", end=End.ROW)),
    text_column("kind", info=written_in("planned.what")),
    game_column(nullable=True, info=exported(form=Form.GAME)),
    big_column("user", info=own_id(End.RENAMED)),
    big_column("at", info=exported(form=Form.TIME)),
    big_column("done_at", nullable=True, info=exported(form=Form.TIME)),
    # the first shard of the process that has leased it; None if all run in one
    Column("leased_by", Integer, info=not_exported("which process does it")),
    # The game that a turn of the bot has to wait for, or had to; and the version of it until which it waits.
    Column("waits_for", Integer, info=not_exported("the person is told")),
    Column("waits_for_version", Integer, info=not_exported("it waits for the game to change")),
    Index(None, "game"),
    Index(None, "user"),
    info=personal("planned", over="done_at", kept_for=30 * DAY),
)
_held = due.c.waits_for_version.is_not(None)
Index(None, due.c.waits_for, sqlite_where=_held, postgresql_where=_held)
_waiting = due.c.done_at.is_(None)
Index(None, due.c.at, sqlite_where=_waiting, postgresql_where=_waiting)
_finished = due.c.done_at.is_not(None)
Index(None, due.c.done_at, sqlite_where=_finished, postgresql_where=_finished)

# Messages to post, written in the transaction that makes them due.
outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True, info=not_exported("the reference tells as much")),
    text_column("key", unique=True, info=exported("reference", end=End.REWRITTEN)),  # identifies what caused it
    # random; the message carries it, and is posted with it as the nonce
    text_column("mark", unique=True, info=not_exported("a random text")),
    text_column("kind", info=written_in("messages.message")),
    # or the person to whom a direct message goes
    big_column("channel", info=written_in("messages.channel_id", End.ROW)),
    game_column(nullable=True, info=exported(form=Form.GAME)),
    Column("payload", JSON, nullable=False, info=written_in("messages.says", End.REWRITTEN, kept_for=7 * DAY)),
    Column("attempts", Integer, nullable=False, info=not_exported("how often it was tried")),
    big_column("not_before", info=not_exported("when it is tried again")),
    big_column("leased_until", nullable=True, info=not_exported("who delivers it")),
    # the first shard of that process; None if all shards run in one
    Column("leased_by", Integer, info=not_exported("which process delivers it")),
    big_column("first_tried_at", nullable=True, info=not_exported("when it was tried first")),
    big_column("message", nullable=True, info=exported("message_id", Form.ID)),
    big_column("created_at", info=exported("made_at", Form.TIME)),
    # when the message was posted or dropped
    big_column("done_at", nullable=True, info=exported("settled_at", Form.TIME)),
    text_column("dropped", nullable=True, info=exported("not_delivered_because")),  # why the message was not posted
    # when the payload, which nothing needed any more, was deleted
    big_column("emptied_at", nullable=True, info=not_exported("when it lost its payload")),
    # the person whose act caused it, as long as it is owed; None if nobody's did
    big_column("caused_by", nullable=True, info=not_exported("whose turn it is to be posted", End.REWRITTEN)),
    text_column("gives_way", nullable=True, info=not_exported("which messages go first")),  # a value of GivesWay
    # An autoincremented id is never reused: keys of other rows contain it.
    sqlite_autoincrement=True,
    info=personal("messages", over="done_at", kept_for=30 * DAY),
)
_owed = outbox.c.done_at.is_(None)
Index(None, outbox.c.not_before, outbox.c.id, sqlite_where=_owed, postgresql_where=_owed)
Index(None, outbox.c.game, outbox.c.id, sqlite_where=_owed, postgresql_where=_owed)
# For several processes, which only PostgreSQL has.
Index("ix_outbox_channel", outbox.c.channel, postgresql_where=_owed).ddl_if(dialect="postgresql")
_posted = and_(outbox.c.message.is_not(None), outbox.c.kind != THREAD)
# A message belongs to one row. A thread's row is exempt: a thread has the id of the message it was made from.
Index(None, outbox.c.channel, outbox.c.message, unique=True, sqlite_where=_posted, postgresql_where=_posted)
# For `retention`. Each settled row is in one of the two indexes. The row of a thread is in neither, because it stays.
_full = and_(outbox.c.done_at.is_not(None), outbox.c.emptied_at.is_(None), outbox.c.kind != THREAD)
Index("ix_outbox_full_done_at", outbox.c.done_at, sqlite_where=_full, postgresql_where=_full)
_emptied = outbox.c.emptied_at.is_not(None)
Index("ix_outbox_emptied_done_at", outbox.c.done_at, sqlite_where=_emptied, postgresql_where=_emptied)


def save_rows_of(table: Table) -> TextClause:
    """Return the statement that adds a row to a table, or replaces the row with the same key.

    SQLAlchemy has a separate construct for each database, but all of them accept this text.
    """
    names, keys = list(table.c.keys()), {column.name for column in table.primary_key}
    changed = ", ".join(f'"{name}" = excluded."{name}"' for name in names if name not in keys)
    quoted, values = (", ".join(form.format(name) for name in names) for form in ('"{}"', ":{}"))
    key = ", ".join(f'"{column.name}"' for column in table.primary_key)
    return text(f"INSERT INTO {table.name} ({quoted}) VALUES ({values}) ON CONFLICT ({key}) DO UPDATE SET {changed}")
