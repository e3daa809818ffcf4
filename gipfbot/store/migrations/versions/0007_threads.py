"""The games of a thread are found by an index: it is asked for whenever a channel refuses something."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add it."""
    in_thread = sa.text("parent IS NOT NULL")
    op.create_index("ix_games_channel", "games", ["channel"], sqlite_where=in_thread, postgresql_where=in_thread)
