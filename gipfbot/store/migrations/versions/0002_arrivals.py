"""The servers that the bot has joined."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the table of arrivals on servers."""
    op.create_table(
        "arrivals",
        sa.Column("server", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("left_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("server", name="pk_arrivals"),
    )
