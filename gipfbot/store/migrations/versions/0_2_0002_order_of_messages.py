"""Whose act caused an owed message, and what it gives way to: by these a lane posts its messages in a fair order."""

import sqlalchemy as sa
from alembic import op

revision = "0.2_0002"
down_revision = "0.2_0001"


def upgrade() -> None:
    """Add the columns. Messages that are owed already are caused by nobody, and give way to none."""
    op.add_column("outbox", sa.Column("caused_by", sa.BigInteger(), nullable=True))
    op.add_column("outbox", sa.Column("gives_way", sa.Text(), nullable=True))
