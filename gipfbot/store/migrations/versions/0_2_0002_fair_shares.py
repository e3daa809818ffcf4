"""Fair shares and fair play: the order of messages, the bot's turns that wait for another game, what counts for whom.

Messages that are owed already are caused by nobody, and give way to none. Leaderboards are ordered by what they show:
the bot lists all players anew by itself, because their standings are due at once.
"""

import sqlalchemy as sa
from alembic import op

revision = "0.2_0002"
down_revision = "0.2_0001"

HELD = sa.text("waits_for_version IS NOT NULL")


def upgrade() -> None:
    """Add columns to the outbox, the tasks and the results of players, and a table of the pairs of former players."""
    op.add_column("outbox", sa.Column("caused_by", sa.BigInteger(), nullable=True))
    op.add_column("outbox", sa.Column("gives_way", sa.Text(), nullable=True))
    for name in ("waits_for", "waits_for_version"):
        op.add_column("due", sa.Column(name, sa.Integer(), nullable=True))
    op.create_index("ix_due_waits_for", "due", ["waits_for"], sqlite_where=HELD, postgresql_where=HELD)
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
