"""Analyses of finished games, and who waits for one."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Create both tables."""
    op.create_table(
        "analyses",
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("turns", "places")),
        sa.Column("found", sa.JSON(), nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in ("created_at", "expires_at")),
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
