"""Which games were looked through for puzzles, and what finds the next puzzle of a person in a large table."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"

NEWEST = (
    "SELECT rating FROM ratings WHERE pool = 'puzzles' AND ratings.\"user\" = -puzzles.id ORDER BY month DESC LIMIT 1"
)


def upgrade() -> None:
    """Add the columns and the indexes. All games are looked through once more: the command had skipped some of them."""
    op.add_column("games", sa.Column("cut_at", sa.BigInteger(), nullable=True))
    uncut = sa.text("ended_at IS NOT NULL AND cut_at IS NULL")
    op.create_index("ix_games_uncut_ended_at", "games", ["ended_at", "id"], sqlite_where=uncut, postgresql_where=uncut)
    op.execute("DELETE FROM meta WHERE key IN ('puzzles_cut_2', 'puzzles_cut_3')")
    op.add_column("puzzles", sa.Column("rating", sa.Double(), nullable=False, server_default="1500"))
    op.execute(f"UPDATE puzzles SET rating = coalesce(({NEWEST}), 1500)")
    op.create_index("ix_puzzles_rating", "puzzles", ["rating"])
    op.create_index("ix_puzzles_own_turns_rating", "puzzles", ["own_turns", "rating"])
    op.drop_index("ix_puzzle_days_puzzle", "puzzle_days")
    op.create_index("ix_puzzle_days_puzzle_server_day", "puzzle_days", ["puzzle", "server", "day"])
