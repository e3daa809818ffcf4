"""Why a rated result does not count for a player, and how many games of a pair counted before a deletion.

Leaderboards are ordered by what they show. The bot lists all players anew by itself: their standings are due at once.
"""

import sqlalchemy as sa
from alembic import op

revision = "0.2_0002"
down_revision = "0.2_0001"


def upgrade() -> None:
    """Add a column and a table."""
    op.add_column("rated_results", sa.Column("uncounted", sa.Text(), nullable=True))
    op.create_table(
        "former_pairs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("hashed_pair", sa.BigInteger(), nullable=False),
        sa.Column("pool", sa.Text(), nullable=False),
        sa.Column("month", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("over_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_former_pairs"),
    )
    keys = ["hashed_pair", "pool", "month"]
    op.create_index("ix_former_pairs_hashed_pair_pool_month", "former_pairs", keys, unique=True)
    op.create_index("ix_former_pairs_over_at", "former_pairs", ["over_at"])
    op.execute("UPDATE standings SET changes_at = 0")
