"""Terms of games and challenges, and the clocks of games; rematches. What is there has no time limit."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
NO_PACE = '{"pace": null, "weekends": true, "grace": 43200}'


def upgrade() -> None:
    """Add them, without making the tables anew."""
    for table in ("games", "challenges"):
        op.add_column(table, sa.Column("terms", sa.JSON(), nullable=False, server_default=NO_PACE))
    for name in ("white_time", "black_time", "deadline_at", "time_left", "time_given"):
        op.add_column("games", sa.Column(name, sa.BigInteger(), nullable=True))
    op.add_column("games", sa.Column("fallen", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("challenges", sa.Column("rematch_of", sa.Integer(), nullable=True))
    op.create_index("ix_challenges_rematch_of", "challenges", ["rematch_of"])
    timed = sa.text("deadline_at IS NOT NULL")
    op.create_index("ix_games_deadline_at", "games", ["deadline_at"], sqlite_where=timed, postgresql_where=timed)
