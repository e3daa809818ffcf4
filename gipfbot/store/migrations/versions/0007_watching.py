"""What watching needs: the running games of a server by their last turn, follows, and guesses."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the index of running games by server, and the tables of followers and of guesses."""
    _create_index()
    _create_follows()
    _create_guesses()


def _create_index() -> None:
    running = sa.text("waiting_user IS NOT NULL")
    op.create_index(
        "ix_games_server_waiting_since",
        "games",
        ["server", "waiting_since"],
        sqlite_where=running,
        postgresql_where=running,
    )


def _create_follows() -> None:
    op.create_table(
        "follows",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=True),
        sa.Column("player", sa.BigInteger(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("news", sa.Text(), nullable=False),
        sa.Column("lost", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_follows_game"),
        sa.PrimaryKeyConstraint("id", name="pk_follows"),
        sqlite_autoincrement=True,
    )
    for column in ("user", "game", "player"):
        op.create_index(f"ix_follows_{column}", "follows", [column])
    op.create_table(
        "channel_checks",
        sa.Column("user", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("sees", sa.Boolean(), nullable=False),
        sa.Column("checked_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user", "channel", name="pk_channel_checks"),
    )


def _create_guesses() -> None:
    op.create_table(
        "guesses",
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("turn_serial", sa.Integer(), nullable=False),
        sa.Column("user", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("actions", sa.Text(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("guessed_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_guesses_game"),
        sa.PrimaryKeyConstraint("game", "turn_serial", "user", name="pk_guesses"),
    )
    op.create_index("ix_guesses_user", "guesses", ["user"])
