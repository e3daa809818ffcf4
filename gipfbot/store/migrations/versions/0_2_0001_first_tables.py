"""All tables of the first release."""

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0.2_0001"
down_revision = None

LEFT = sa.text("left_at IS NOT NULL")
IN_THREAD = sa.text("parent IS NOT NULL")
TIMED = sa.text("deadline_at IS NOT NULL")
RUNNING = sa.text("waiting_user IS NOT NULL")
UNEXPLORED = sa.text("ended_at IS NOT NULL AND explored_at IS NULL")
UNDELIVERABLE = sa.text("unreachable IS NOT NULL AND waiting_user IS NOT NULL")
ENDED = sa.text("ended_at IS NOT NULL")
UNCUT = sa.text("ended_at IS NOT NULL AND cut_at IS NULL")
OWED = sa.text("done_at IS NULL")
DONE = sa.text("done_at IS NOT NULL")
POSTED = sa.text("message IS NOT NULL AND kind != 'thread'")
FULL = sa.text("done_at IS NOT NULL AND emptied_at IS NULL AND kind != 'thread'")
EMPTIED = sa.text("emptied_at IS NOT NULL")
LATE = sa.text("late_user IS NOT NULL")


def upgrade() -> None:
    """Create all tables. If two indexes are equally good, SQLite's choice depends on their order."""
    _create_settings()
    _create_games()
    _create_requests()
    _create_lobby()
    _create_studies()
    _create_clock()
    _create_outbox()
    _create_watching()
    _create_puzzles()
    _create_ratings()
    _create_host()


def _create_settings() -> None:
    """Create the tables of the bot's own values, and of the settings of people and servers."""
    op.create_table(
        "meta",
        *_columns(sa.Text, "key", "value"),
        sa.PrimaryKeyConstraint("key", name="pk_meta"),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=True),
        sa.Column("dm_state", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
    )
    op.create_table(
        "servers",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_servers"),
    )
    op.create_table(
        "arrivals",
        sa.Column("server", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("left_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("server", name="pk_arrivals"),
    )
    _create_partial_index("ix_arrivals_left_at", "arrivals", ["left_at"], LEFT)


def _create_games() -> None:
    """Create the tables of games: their rows, seats, turns, drafts and events."""
    op.create_table(
        "games",
        sa.Column("id", sa.Integer(), nullable=False),
        *_columns(sa.JSON, "ruleset", "terms"),
        sa.Column("pool", sa.Text(), nullable=True),
        sa.Column("level", sa.Integer(), nullable=True),
        sa.Column("server", sa.BigInteger(), nullable=True),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("parent", sa.BigInteger(), nullable=True),
        sa.Column("unreachable", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        *_columns(sa.Text, "result", "reason", nullable=True),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("previous", sa.Text(), nullable=True),
        *_columns(sa.Integer, "turn_number", "taken_back", "version"),
        sa.Column("waiting_seat", sa.Integer(), nullable=True),
        *_columns(sa.BigInteger, "waiting_user", "waiting_since", nullable=True),
        sa.Column("board_turn_serial", sa.Integer(), nullable=True),
        *_columns(sa.BigInteger, "board_channel", "board_message", nullable=True),
        *_columns(sa.BigInteger, "created_at", "changed_at"),
        *_columns(sa.BigInteger, "ended_at", "explored_at", "cut_at", nullable=True),
        sa.Column("origin", sa.Integer(), nullable=True),
        *_columns(sa.BigInteger, "white_bank", "black_bank", "deadline_at", "paused_left", "credited", nullable=True),
        sa.Column("flagged", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sqlite_autoincrement=True,
    )
    _create_partial_index("ix_games_channel", "games", ["channel"], IN_THREAD)
    _create_partial_index("ix_games_deadline_at", "games", ["deadline_at"], TIMED)
    op.create_index("ix_games_waiting_user_waiting_since", "games", ["waiting_user", "waiting_since"])
    _create_partial_index("ix_games_server_waiting_since", "games", ["server", "waiting_since"], RUNNING)
    _create_partial_index("ix_games_ended_at", "games", ["ended_at"], UNEXPLORED)
    _create_partial_index("ix_games_server_channel", "games", ["server", "channel"], UNDELIVERABLE)
    _create_partial_index(
        "ix_games_server_pool_result_ended_at_level", "games", ["server", "pool", "result", "ended_at", "level"], ENDED
    )
    _create_partial_index("ix_games_uncut_ended_at", "games", ["ended_at", "id"], UNCUT)
    op.create_table(
        "seats",
        *_columns(sa.Integer, "game", "colour"),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("quiet", sa.Boolean(), nullable=False),
        sa.Column("quiet_turn_serial", sa.Integer(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        *_columns(sa.Integer, "listed_turn_number", "listed_taken_back", nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_seats_game"),
        sa.PrimaryKeyConstraint("game", "colour", name="pk_seats"),
    )
    op.create_index("ix_seats_user", "seats", ["user"])
    op.create_table(
        "turns",
        *_columns(sa.Integer, "game", "turn_number", "colour"),
        *_columns(sa.Text, "text", "actions"),
        sa.Column("by", sa.BigInteger(), nullable=False),
        sa.Column("how", sa.Text(), nullable=False),
        sa.Column("expected", sa.Text(), nullable=True),
        sa.Column("position_hash", sa.Text(), nullable=False),
        sa.Column("played_at", sa.BigInteger(), nullable=False),
        *_columns(sa.BigInteger, "white_bank", "black_bank", nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_turns_game"),
        sa.PrimaryKeyConstraint("game", "turn_number", name="pk_turns"),
    )
    op.create_index("ix_turns_game_position_hash", "turns", ["game", "position_hash"])
    op.create_table(
        "draft",
        *_columns(sa.Integer, "game", "step"),
        sa.Column("action", sa.Text(), nullable=False),
        *_columns(sa.BigInteger, "by", "at"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_draft_game"),
        sa.PrimaryKeyConstraint("game", "step", name="pk_draft"),
    )
    op.create_table(
        "events",
        *_columns(sa.Integer, "game", "seq"),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("by", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_events_game"),
        sa.PrimaryKeyConstraint("game", "seq", name="pk_events"),
    )


def _create_requests() -> None:
    """Create the tables of requests between players, and of conditional lines."""
    op.create_table(
        "requests",
        *_columns(sa.Integer, "id", "game"),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("by", sa.BigInteger(), nullable=False),
        sa.Column("turn_number", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Text(), nullable=False),
        sa.Column("turn_serial", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_requests_game"),
        sa.PrimaryKeyConstraint("id", name="pk_requests"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_requests_game", "requests", ["game"])
    op.create_index("ix_requests_state_created_at", "requests", ["state", "created_at"])
    op.create_table(
        "conditionals",
        *_columns(sa.Integer, "id", "game"),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("turn_number", sa.Integer(), nullable=False),
        sa.Column("drafted", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("turns", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_conditionals_game"),
        sa.PrimaryKeyConstraint("id", name="pk_conditionals"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_conditionals_game", "conditionals", ["game"])


def _create_lobby() -> None:
    """Create the tables of challenges and open seeks, and of blocks between people."""
    op.create_table(
        "challenges",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("server", sa.BigInteger(), nullable=True),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        *_columns(sa.BigInteger, "parent", "message", nullable=True),
        sa.Column("by_user", sa.BigInteger(), nullable=False),
        sa.Column("by_name", sa.Text(), nullable=False),
        sa.Column("to_user", sa.BigInteger(), nullable=True),
        sa.Column("to_name", sa.Text(), nullable=True),
        *_columns(sa.JSON, "ruleset", "terms"),
        *_columns(sa.Text, "side", "state"),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("rematch_of", sa.Integer(), nullable=True),
        sa.Column("takes_left", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_challenges_game"),
        sa.PrimaryKeyConstraint("id", name="pk_challenges"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_challenges_by_user_state", "challenges", ["by_user", "state"])
    op.create_index("ix_challenges_rematch_of", "challenges", ["rematch_of"])
    op.create_index("ix_challenges_server_state", "challenges", ["server", "state"])
    op.create_index("ix_challenges_state_expires_at", "challenges", ["state", "expires_at"])
    op.create_index("ix_challenges_to_user_state", "challenges", ["to_user", "state"])
    op.create_index("ix_challenges_by_user_to_user_expires_at", "challenges", ["by_user", "to_user", "expires_at"])
    op.create_table(
        "former_pings",
        sa.Column("id", sa.Integer(), nullable=False),
        *_columns(sa.BigInteger, "hashed_id", "to_user", "expires_at"),
        sa.PrimaryKeyConstraint("id", name="pk_former_pings"),
    )
    op.create_index(
        "ix_former_pings_hashed_id_to_user_expires_at", "former_pings", ["hashed_id", "to_user", "expires_at"]
    )
    op.create_index("ix_former_pings_to_user", "former_pings", ["to_user"])
    op.create_index("ix_former_pings_expires_at", "former_pings", ["expires_at"])
    op.create_table(
        "blocks",
        *_columns(sa.BigInteger, "user", "blocked"),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user", "blocked", name="pk_blocks"),
    )
    op.create_index("ix_blocks_blocked", "blocks", ["blocked"])


def _create_studies() -> None:
    """Create the tables of studies and analyses, and of the explorer."""
    op.create_table(
        "studies",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.JSON(), nullable=False),
        *_columns(sa.Text, "white", "black", "turns"),
        *_columns(sa.Text, "result", "reason", nullable=True),
        sa.Column("fault", sa.Text(), nullable=False),
        sa.Column("notes", sa.JSON(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        *_columns(sa.Text, "tried", "draft"),
        sa.Column("version", sa.Integer(), nullable=False),
        *_columns(sa.BigInteger, "created_at", "expires_at"),
        sa.Column("begin", sa.Text(), nullable=True),
        sa.Column("level", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_studies_game"),
        sa.PrimaryKeyConstraint("id", name="pk_studies"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_studies_expires_at", "studies", ["expires_at"])
    op.create_index("ix_studies_user_expires_at", "studies", ["user", "expires_at"])
    op.create_index("ix_studies_game", "studies", ["game"])
    op.create_table(
        "analyses",
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        *_columns(sa.Integer, "turns", "places"),
        sa.Column("found", sa.JSON(), nullable=False),
        *_columns(sa.BigInteger, "created_at", "expires_at"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_analyses_game"),
        sa.PrimaryKeyConstraint("game", name="pk_analyses"),
    )
    op.create_index("ix_analyses_state_created_at", "analyses", ["state", "created_at"])
    op.create_index("ix_analyses_expires_at", "analyses", ["expires_at"])
    op.create_table(
        "analysis_askers",
        sa.Column("user", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["analyses.game"], name="fk_analysis_askers_game"),
        sa.PrimaryKeyConstraint("user", name="pk_analysis_askers"),
    )
    op.create_index("ix_analysis_askers_game", "analysis_askers", ["game"])
    op.create_table(
        "explored_turns",
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("turn", sa.Text(), nullable=False),
        *_columns(sa.Integer, "white", "drawn", "black"),
        sa.Column("newest", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("position", "turn", name="pk_explored_turns"),
        sqlite_with_rowid=False,
    )


def _create_clock() -> None:
    """Create the tables of vacations and of tasks that become due at a time."""
    op.create_table(
        "vacations",
        sa.Column("id", sa.Integer(), nullable=False),
        *_columns(sa.BigInteger, "user", "since", "until"),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_vacations"),
    )
    op.create_index("ix_vacations_user_since", "vacations", ["user", "since"])
    _create_partial_index("ix_vacations_ended_at", "vacations", ["ended_at"], ENDED)
    op.create_table(
        "due",
        sa.Column("id", sa.Integer(), nullable=False),
        *_columns(sa.Text, "key", "kind"),
        sa.Column("game", sa.Integer(), nullable=True),
        *_columns(sa.BigInteger, "user", "at"),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("leased_by", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_due_game"),
        sa.PrimaryKeyConstraint("id", name="pk_due"),
        sa.UniqueConstraint("key", name="uq_due_key"),
    )
    _create_partial_index("ix_due_at", "due", ["at"], OWED)
    op.create_index("ix_due_game", "due", ["game"])
    op.create_index("ix_due_user", "due", ["user"])
    _create_partial_index("ix_due_done_at", "due", ["done_at"], DONE)


def _create_outbox() -> None:
    """Create the table of messages to post."""
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        *_columns(sa.Text, "key", "mark", "kind"),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=True),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("not_before", sa.BigInteger(), nullable=False),
        sa.Column("leased_until", sa.BigInteger(), nullable=True),
        sa.Column("leased_by", sa.Integer(), nullable=True),
        *_columns(sa.BigInteger, "first_tried_at", "message", nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("dropped", sa.Text(), nullable=True),
        sa.Column("emptied_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_outbox_game"),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.UniqueConstraint("key", name="uq_outbox_key"),
        sa.UniqueConstraint("mark", name="uq_outbox_mark"),
        sqlite_autoincrement=True,
    )
    _create_partial_index("ix_outbox_channel_message", "outbox", ["channel", "message"], POSTED, unique=True)
    _create_partial_index("ix_outbox_game_id", "outbox", ["game", "id"], OWED)
    _create_partial_index("ix_outbox_not_before_id", "outbox", ["not_before", "id"], OWED)
    _create_partial_index("ix_outbox_full_done_at", "outbox", ["done_at"], FULL)
    _create_partial_index("ix_outbox_emptied_done_at", "outbox", ["done_at"], EMPTIED)
    if op.get_bind().dialect.name == "postgresql":
        _create_partial_index("ix_outbox_channel", "outbox", ["channel"], OWED)


def _create_watching() -> None:
    """Create the tables of follows and guesses."""
    op.create_table(
        "follows",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=True),
        sa.Column("player", sa.BigInteger(), nullable=True),
        *_columns(sa.Text, "name", "news"),
        sa.Column("lost", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_follows_game"),
        sa.PrimaryKeyConstraint("id", name="pk_follows"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_follows_user", "follows", ["user"])
    op.create_index("ix_follows_game", "follows", ["game"])
    op.create_index("ix_follows_player", "follows", ["player"])
    op.create_table(
        "guesses",
        *_columns(sa.Integer, "game", "turn_serial"),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("actions", sa.Text(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("guessed_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_guesses_game"),
        sa.PrimaryKeyConstraint("game", "turn_serial", "user", name="pk_guesses"),
    )
    op.create_index("ix_guesses_user", "guesses", ["user"])
    op.create_table(
        "channel_checks",
        *_columns(sa.BigInteger, "user", "channel"),
        sa.Column("sees", sa.Boolean(), nullable=False),
        sa.Column("checked_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user", "channel", name="pk_channel_checks"),
    )


def _create_puzzles() -> None:
    """Create the tables of puzzles, their tries, and the puzzle of the day."""
    op.create_table(
        "puzzles",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("own_turns", sa.Integer(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False, server_default="1500"),
        sa.PrimaryKeyConstraint("id", name="pk_puzzles"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_puzzles_key", "puzzles", ["key"], unique=True)
    op.create_index("ix_puzzles_rating", "puzzles", ["rating"])
    op.create_index("ix_puzzles_own_turns_rating", "puzzles", ["own_turns", "rating"])
    op.create_table(
        "puzzle_tries",
        *_columns(sa.Integer, "id", "puzzle"),
        *_columns(sa.BigInteger, "user", "server"),
        *_columns(sa.Text, "played", "draft"),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=True),
        sa.Column("tried_at", sa.BigInteger(), nullable=True),
        sa.Column("month", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["puzzle"], ["puzzles.id"], name="fk_puzzle_tries_puzzle"),
        sa.PrimaryKeyConstraint("id", name="pk_puzzle_tries"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_puzzle_tries_user_puzzle", "puzzle_tries", ["user", "puzzle"], unique=True)
    op.create_index("ix_puzzle_tries_puzzle_month", "puzzle_tries", ["puzzle", "month"])
    op.create_index("ix_puzzle_tries_user_month", "puzzle_tries", ["user", "month"])
    op.create_table(
        "puzzle_days",
        sa.Column("server", sa.BigInteger(), nullable=False),
        *_columns(sa.Integer, "day", "puzzle"),
        sa.ForeignKeyConstraint(["puzzle"], ["puzzles.id"], name="fk_puzzle_days_puzzle"),
        sa.PrimaryKeyConstraint("server", "day", name="pk_puzzle_days"),
    )
    op.create_index("ix_puzzle_days_puzzle_server_day", "puzzle_days", ["puzzle", "server", "day"])


def _create_ratings() -> None:
    """Create the tables of ratings and leaderboards."""
    op.create_table(
        "rated_results",
        sa.Column("game", sa.Integer(), nullable=False),
        *_columns(sa.BigInteger, "user", "opponent"),
        sa.Column("pool", sa.Text(), nullable=False),
        sa.Column("month", sa.Integer(), nullable=False),
        *_columns(sa.BigInteger, "server", "ended_at"),
        sa.Column("points", sa.Double(), nullable=False),
        sa.Column("late_user", sa.BigInteger(), nullable=True),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_rated_results_game"),
        sa.PrimaryKeyConstraint("game", "user", name="pk_rated_results"),
    )
    op.create_index("ix_rated_results_user_pool_month", "rated_results", ["user", "pool", "month"])
    op.create_index(
        "ix_rated_results_user_pool_server_counts_ended_at",
        "rated_results",
        ["user", "pool", "server", "counts", "ended_at"],
    )
    _create_partial_index("ix_rated_results_late_user_ended_at", "rated_results", ["late_user", "ended_at"], LATE)
    op.create_table(
        "ratings",
        sa.Column("pool", sa.Text(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("month", sa.Integer(), nullable=False),
        *_columns(
            sa.Double, "start_rating", "start_deviation", "start_volatility", "rating", "deviation", "volatility"
        ),
        *_columns(sa.Integer, "games", "wins", "won_in_a_row", "last_game"),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("pool", "user", "month", name="pk_ratings"),
    )
    op.create_table(
        "standings",
        sa.Column("pool", sa.Text(), nullable=False),
        *_columns(sa.BigInteger, "server", "user"),
        sa.Column("provisional", sa.Boolean(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        *_columns(sa.Double, "rating", "uncertainty"),
        *_columns(sa.Integer, "games", "month"),
        sa.Column("changes_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("pool", "server", "user", name="pk_standings"),
    )
    op.create_index(
        "ix_standings_order",
        "standings",
        ["pool", "server", "provisional", "step", sa.text("rating DESC"), "uncertainty", sa.text("games DESC"), "user"],
    )
    op.create_index("ix_standings_user", "standings", ["user"])
    op.create_index("ix_standings_changes_at", "standings", ["changes_at"])
    op.create_table(
        "standing_steps",
        sa.Column("pool", sa.Text(), nullable=False),
        sa.Column("server", sa.BigInteger(), nullable=False),
        sa.Column("provisional", sa.Boolean(), nullable=False),
        *_columns(sa.Integer, "step", "players"),
        sa.PrimaryKeyConstraint("pool", "server", "provisional", "step", name="pk_standing_steps"),
    )
    op.create_table(
        "memberships",
        *_columns(sa.BigInteger, "server", "user"),
        sa.Column("is_member", sa.Boolean(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("server", "user", name="pk_memberships"),
    )
    op.create_index("ix_memberships_user", "memberships", ["user"])


def _create_host() -> None:
    """Create the tables of running deletions, and of the shards of several processes."""
    op.create_table(
        "deletions",
        sa.Column("user", sa.BigInteger(), autoincrement=False, nullable=False),
        *_columns(sa.BigInteger, "pseudonym", "began_at"),
        *_columns(sa.Integer, "games_done", "rows_left"),
        sa.Column("challenges_left", sa.Integer(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("user", name="pk_deletions"),
    )
    op.create_table(
        "shard_heartbeats",
        *_columns(sa.Integer, "count", "shard"),
        sa.Column("alive_at", sa.BigInteger(), nullable=False),
        sa.Column("credit_until", sa.BigInteger(), nullable=True),
        sa.Column("last_game", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("count", "shard", name="pk_shard_heartbeats"),
    )


def _columns(kind: type[sa.types.TypeEngine[Any]], *names: str, nullable: bool = False) -> Iterator[sa.Column[Any]]:
    """Yield columns of one type."""
    return (sa.Column(name, kind(), nullable=nullable) for name in names)


def _create_partial_index(
    name: str, table: str, columns: list[str], only: sa.TextClause, *, unique: bool = False
) -> None:
    """Create an index of the rows for which a condition is true."""
    op.create_index(name, table, columns, unique=unique, sqlite_where=only, postgresql_where=only)
