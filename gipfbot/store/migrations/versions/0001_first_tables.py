"""The first tables: games, challenges, the outbox, people, and what the bot remembers about itself."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

OWED = sa.text("done_at IS NULL")


def upgrade() -> None:
    """Create them."""
    op.create_table(
        "games",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("ruleset", sa.JSON(), nullable=False),
        sa.Column("server", sa.BigInteger(), nullable=True),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("homeless", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("previous", sa.Text(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("waiting_seat", sa.Integer(), nullable=True),
        sa.Column("waiting_user", sa.BigInteger(), nullable=True),
        sa.Column("waiting_since", sa.BigInteger(), nullable=True),
        sa.Column("board_number", sa.Integer(), nullable=True),
        sa.Column("board_channel", sa.BigInteger(), nullable=True),
        sa.Column("board_message", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_games_waiting_user_waiting_since", "games", ["waiting_user", "waiting_since"])
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
        sa.PrimaryKeyConstraint("id", name="pk_users"),
    )
    op.create_table(
        "challenges",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("server", sa.BigInteger(), nullable=True),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.Column("by_user", sa.BigInteger(), nullable=False),
        sa.Column("by_name", sa.Text(), nullable=False),
        sa.Column("to_user", sa.BigInteger(), nullable=True),
        sa.Column("to_name", sa.Text(), nullable=True),
        sa.Column("ruleset", sa.JSON(), nullable=False),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_challenges_game"),
        sa.PrimaryKeyConstraint("id", name="pk_challenges"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_challenges_by_user_state", "challenges", ["by_user", "state"])
    op.create_index("ix_challenges_server_state", "challenges", ["server", "state"])
    op.create_index("ix_challenges_state_expires_at", "challenges", ["state", "expires_at"])
    op.create_index("ix_challenges_to_user_state", "challenges", ["to_user", "state"])
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
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=True),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("not_before", sa.BigInteger(), nullable=False),
        sa.Column("claimed_until", sa.BigInteger(), nullable=True),
        sa.Column("first_tried_at", sa.BigInteger(), nullable=True),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("dropped", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_outbox_game"),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.UniqueConstraint("key", name="uq_outbox_key"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outbox_game_id", "outbox", ["game", "id"], sqlite_where=OWED, postgresql_where=OWED)
    op.create_index("ix_outbox_not_before_id", "outbox", ["not_before", "id"], sqlite_where=OWED, postgresql_where=OWED)
    op.create_table(
        "seats",
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("colour", sa.Integer(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_seats_game"),
        sa.PrimaryKeyConstraint("game", "colour", name="pk_seats"),
    )
    op.create_index("ix_seats_user", "seats", ["user"])
    op.create_table(
        "turns",
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("colour", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("actions", sa.Text(), nullable=False),
        sa.Column("by", sa.BigInteger(), nullable=False),
        sa.Column("how", sa.Text(), nullable=False),
        sa.Column("position_hash", sa.Text(), nullable=False),
        sa.Column("played_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_turns_game"),
        sa.PrimaryKeyConstraint("game", "number", name="pk_turns"),
    )
    op.create_index("ix_turns_game_position_hash", "turns", ["game", "position_hash"])
