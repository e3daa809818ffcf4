"""Earlier names of players in a game, so that it is found by each of them; and when direct messages were shut.

Nobody knows when those people shut theirs who are marked already: their next message is tried at once.
"""

import sqlalchemy as sa
from alembic import op

revision = "0.2_0003"
down_revision = "0.2_0002"


def upgrade() -> None:
    """Add a column to the seats, and one to the people."""
    op.add_column("seats", sa.Column("earlier_names", sa.Text(), nullable=True))
    op.add_column("users", sa.Column("dms_shut_at", sa.BigInteger(), nullable=True))
