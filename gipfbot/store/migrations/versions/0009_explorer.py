"""What the explorer counts of games that have ended, and which games it has still to count: at first, all of them."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create the table of counted turns, and the column and the index of the games that are not counted yet."""
    op.create_table(
        "explored_turns",
        sa.Column("position", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("turn", sa.Text(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("white", "drawn", "black")),
        sa.Column("newest", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("position", "turn", name="pk_explored_turns"),
        sqlite_with_rowid=False,
    )
    op.add_column("games", sa.Column("explored_at", sa.BigInteger(), nullable=True))
    unexplored = sa.text("ended_at IS NOT NULL AND explored_at IS NULL")
    op.create_index("ix_games_ended_at", "games", ["ended_at"], sqlite_where=unexplored, postgresql_where=unexplored)
