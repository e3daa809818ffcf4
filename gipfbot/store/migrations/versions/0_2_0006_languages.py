"""The language in which the bot writes to a person, and on a server."""

import sqlalchemy as sa
from alembic import op

revision = "0.2_0006"
down_revision = "0.2_0005"


def upgrade() -> None:
    """Add a column to the people, and one to the servers."""
    op.add_column("users", sa.Column("language", sa.Text(), nullable=True))
    op.add_column("servers", sa.Column("language", sa.Text(), nullable=True))
