"""Who has leased a row: with several processes, each releases its own leases when it starts."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Add the columns. On PostgreSQL, where several processes run, add an index of what is owed to a channel."""
    for table in ("outbox", "due"):
        op.add_column(table, sa.Column("leased_by", sa.Integer(), nullable=True))
    if op.get_bind().dialect.name == "postgresql":
        op.create_index("ix_outbox_channel", "outbox", ["channel"], postgresql_where=sa.text("done_at IS NULL"))
