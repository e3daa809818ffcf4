"""Puzzles, what people enter in them, and the daily ones."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Create the tables."""
    _create_puzzles()
    _create_tries()
    op.create_table(
        "puzzle_days",
        sa.Column("server", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("puzzle", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["puzzle"], ["puzzles.id"], name="fk_puzzle_days_puzzle"),
        sa.PrimaryKeyConstraint("server", "day", name="pk_puzzle_days"),
    )
    op.create_index("ix_puzzle_days_puzzle", "puzzle_days", ["puzzle"])


def _create_puzzles() -> None:
    op.create_table(
        "puzzles",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("own_turns", sa.Integer(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_puzzles"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_puzzles_key", "puzzles", ["key"], unique=True)


def _create_tries() -> None:
    op.create_table(
        "puzzle_tries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("puzzle", sa.Integer(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("server", sa.BigInteger(), nullable=False),
        sa.Column("played", sa.Text(), nullable=False),
        sa.Column("draft", sa.Text(), nullable=False),
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
