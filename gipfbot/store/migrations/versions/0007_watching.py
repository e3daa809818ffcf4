"""What watching needs: the running games of a server by their last turn."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the index of running games by server."""
    running = sa.text("waiting_user IS NOT NULL")
    op.create_index(
        "ix_games_server_waiting_since",
        "games",
        ["server", "waiting_since"],
        sqlite_where=running,
        postgresql_where=running,
    )
