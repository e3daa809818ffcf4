"""All tables of version 0.1.0."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

OWED = sa.text("done_at IS NULL")
IN_THREAD = sa.text("parent IS NOT NULL")
TIMED = sa.text("deadline_at IS NOT NULL")
POSTED = sa.text("message IS NOT NULL AND kind != 'thread'")


def upgrade() -> None:
    """Create all tables."""
    _create_settings()
    _create_games()
    _create_requests()
    _create_lobby()
    _create_records()
    _create_clock()
    _create_outbox()


def _create_settings() -> None:
    """Create the tables of the bot's own values and of the settings of people and servers."""
    op.create_table(
        "meta",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
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


def _create_games() -> None:
    """Create the tables of games: their rows, seats, turns, drafts and events."""
    op.create_table(
        "games",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("ruleset", sa.JSON(), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("server", sa.BigInteger(), nullable=True),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("parent", sa.BigInteger(), nullable=True),
        sa.Column("unreachable", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("previous", sa.Text(), nullable=True),
        sa.Column("turn_number", sa.Integer(), nullable=False),
        sa.Column("taken_back", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("waiting_seat", sa.Integer(), nullable=True),
        sa.Column("waiting_user", sa.BigInteger(), nullable=True),
        sa.Column("waiting_since", sa.BigInteger(), nullable=True),
        sa.Column("board_turn_serial", sa.Integer(), nullable=True),
        sa.Column("board_channel", sa.BigInteger(), nullable=True),
        sa.Column("board_message", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("origin", sa.Integer(), nullable=True),
        sa.Column("white_bank", sa.BigInteger(), nullable=True),
        sa.Column("black_bank", sa.BigInteger(), nullable=True),
        sa.Column("deadline_at", sa.BigInteger(), nullable=True),
        sa.Column("paused_left", sa.BigInteger(), nullable=True),
        sa.Column("credited", sa.BigInteger(), nullable=True),
        sa.Column("flagged", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_games_channel", "games", ["channel"], sqlite_where=IN_THREAD, postgresql_where=IN_THREAD)
    op.create_index("ix_games_deadline_at", "games", ["deadline_at"], sqlite_where=TIMED, postgresql_where=TIMED)
    op.create_index("ix_games_waiting_user_waiting_since", "games", ["waiting_user", "waiting_since"])
    op.create_table(
        "seats",
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("colour", sa.Integer(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("quiet", sa.Boolean(), nullable=False),
        sa.Column("quiet_turn_serial", sa.Integer(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_seats_game"),
        sa.PrimaryKeyConstraint("game", "colour", name="pk_seats"),
    )
    op.create_index("ix_seats_user", "seats", ["user"])
    op.create_table(
        "turns",
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("turn_number", sa.Integer(), nullable=False),
        sa.Column("colour", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("actions", sa.Text(), nullable=False),
        sa.Column("by", sa.BigInteger(), nullable=False),
        sa.Column("how", sa.Text(), nullable=False),
        sa.Column("position_hash", sa.Text(), nullable=False),
        sa.Column("played_at", sa.BigInteger(), nullable=False),
        sa.Column("white_bank", sa.BigInteger(), nullable=True),
        sa.Column("black_bank", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_turns_game"),
        sa.PrimaryKeyConstraint("game", "turn_number", name="pk_turns"),
    )
    op.create_index("ix_turns_game_position_hash", "turns", ["game", "position_hash"])
    op.create_table(
        "draft",
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("by", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_draft_game"),
        sa.PrimaryKeyConstraint("game", "step", name="pk_draft"),
    )
    op.create_table(
        "events",
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("by", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_events_game"),
        sa.PrimaryKeyConstraint("game", "seq", name="pk_events"),
    )


def _create_requests() -> None:
    """Create the tables of takeback requests and conditional lines."""
    op.create_table(
        "takebacks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("by", sa.BigInteger(), nullable=False),
        sa.Column("turn_number", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Text(), nullable=False),
        sa.Column("turn_serial", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_takebacks_game"),
        sa.PrimaryKeyConstraint("id", name="pk_takebacks"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_takebacks_game", "takebacks", ["game"])
    op.create_index("ix_takebacks_state_expires_at", "takebacks", ["state", "expires_at"])
    op.create_table(
        "conditionals",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("turn_number", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_conditionals_game"),
        sa.PrimaryKeyConstraint("id", name="pk_conditionals"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_conditionals_game", "conditionals", ["game"])


def _create_lobby() -> None:
    """Create the table of challenges and open seeks."""
    op.create_table(
        "challenges",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("server", sa.BigInteger(), nullable=True),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("parent", sa.BigInteger(), nullable=True),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.Column("by_user", sa.BigInteger(), nullable=False),
        sa.Column("by_name", sa.Text(), nullable=False),
        sa.Column("to_user", sa.BigInteger(), nullable=True),
        sa.Column("to_name", sa.Text(), nullable=True),
        sa.Column("ruleset", sa.JSON(), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
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


def _create_records() -> None:
    """Create the table of studies."""
    op.create_table(
        "studies",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.JSON(), nullable=False),
        sa.Column("white", sa.Text(), nullable=False),
        sa.Column("black", sa.Text(), nullable=False),
        sa.Column("turns", sa.Text(), nullable=False),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("fault", sa.Text(), nullable=False),
        sa.Column("notes", sa.JSON(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("tried", sa.Text(), nullable=False),
        sa.Column("draft", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_studies_game"),
        sa.PrimaryKeyConstraint("id", name="pk_studies"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_studies_expires_at", "studies", ["expires_at"])
    op.create_index("ix_studies_user_expires_at", "studies", ["user", "expires_at"])


def _create_clock() -> None:
    """Create the tables of vacations and of things that become due at a time."""
    op.create_table(
        "vacations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("allowed", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_vacations"),
    )
    op.create_index("ix_vacations_user_since", "vacations", ["user", "since"])
    op.create_table(
        "due",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=True),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_due_game"),
        sa.PrimaryKeyConstraint("id", name="pk_due"),
        sa.UniqueConstraint("key", name="uq_due_key"),
    )
    op.create_index("ix_due_at", "due", ["at"], sqlite_where=OWED, postgresql_where=OWED)
    op.create_index("ix_due_game", "due", ["game"])


def _create_outbox() -> None:
    """Create the table of messages to post."""
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("mark", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=True),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("not_before", sa.BigInteger(), nullable=False),
        sa.Column("leased_until", sa.BigInteger(), nullable=True),
        sa.Column("first_tried_at", sa.BigInteger(), nullable=True),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("dropped", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_outbox_game"),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.UniqueConstraint("key", name="uq_outbox_key"),
        sa.UniqueConstraint("mark", name="uq_outbox_mark"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_outbox_channel_message",
        "outbox",
        ["channel", "message"],
        unique=True,
        sqlite_where=POSTED,
        postgresql_where=POSTED,
    )
    op.create_index("ix_outbox_game_id", "outbox", ["game", "id"], sqlite_where=OWED, postgresql_where=OWED)
    op.create_index("ix_outbox_not_before_id", "outbox", ["not_before", "id"], sqlite_where=OWED, postgresql_where=OWED)
