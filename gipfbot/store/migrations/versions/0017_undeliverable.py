"""An index of the running games whose boards cannot be posted."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the index."""
    refused = sa.text("unreachable IS NOT NULL AND waiting_user IS NOT NULL")
    columns = ["server", "channel"]
    op.create_index("ix_games_server_channel", "games", columns, sqlite_where=refused, postgresql_where=refused)
