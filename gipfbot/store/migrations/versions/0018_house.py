"""The level of the house player in its games. The figures of a server leave these games out."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

FIGURES = "ix_games_server_pool_result_ended_at"


def upgrade() -> None:
    """Add the column, and make the index of the figures anew."""
    op.add_column("games", sa.Column("level", sa.Integer(), nullable=True))
    op.drop_index(FIGURES, "games")
    ended, columns = sa.text("ended_at IS NOT NULL"), ["server", "pool", "result", "ended_at", "level"]
    op.create_index(f"{FIGURES}_level", "games", columns, sqlite_where=ended, postgresql_where=ended)
