"""When a person was last found to accept no direct messages, so that one is tried again later.

Nobody knows it of the people found so before: their next message is tried at once.
"""

import sqlalchemy as sa
from alembic import op

revision = "0.2_0003"
down_revision = "0.2_0002"


def upgrade() -> None:
    """Add a column to the people."""
    op.add_column("users", sa.Column("dms_shut_at", sa.BigInteger(), nullable=True))
