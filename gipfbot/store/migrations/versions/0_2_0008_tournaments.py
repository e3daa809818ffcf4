"""Tournaments: what each is, who plays in it, and who plays whom."""

import sqlalchemy as sa
from alembic import op

revision = "0.2_0008"
down_revision = "0.2_0007"

CALLED_OFF = sa.text("called_off_at IS NOT NULL")


def upgrade() -> None:
    """Create three tables."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("server", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("parent", sa.BigInteger(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("by_name", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.JSON(), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("begun", sa.Integer(), nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_tournaments_state_server", "tournaments", ["state", "server"])
    op.create_index("ix_tournaments_user", "tournaments", ["user"])
    op.create_table(
        "tournament_entries",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("tournament", sa.Integer(), sa.ForeignKey("tournaments.id"), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("lot", sa.Integer(), nullable=False),
        sa.Column("division", sa.Integer(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("entered_at", sa.BigInteger(), nullable=False),
        sa.Column("left_at", sa.BigInteger(), nullable=True),
        sa.Column("called_off_at", sa.BigInteger(), nullable=True),
        sqlite_autoincrement=True,
    )
    own = ["tournament", "season", "user"]
    op.create_index("ix_tournament_entries_tournament_season_user", "tournament_entries", own, unique=True)
    op.create_index("ix_tournament_entries_user", "tournament_entries", ["user"])
    op.create_index(
        "ix_tournament_entries_called_off_at",
        "tournament_entries",
        ["called_off_at"],
        sqlite_where=CALLED_OFF,
        postgresql_where=CALLED_OFF,
    )
    op.create_table(
        "tournament_pairings",
        sa.Column("tournament", sa.Integer(), sa.ForeignKey("tournaments.id"), primary_key=True),
        sa.Column("season", sa.Integer(), primary_key=True),
        sa.Column("round", sa.Integer(), primary_key=True),
        sa.Column("white", sa.Integer(), primary_key=True),
        sa.Column("black", sa.Integer(), nullable=True),
        sa.Column("game", sa.Integer(), sa.ForeignKey("games.id"), nullable=True),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("late", sa.Boolean(), nullable=False),
        sa.Column("decided_at", sa.BigInteger(), nullable=True),
    )
    op.create_index("ix_tournament_pairings_game", "tournament_pairings", ["game"], unique=True)
