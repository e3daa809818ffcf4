"""Who wants no reminders of one turn."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add it."""
    op.add_column("seats", sa.Column("quiet_turn", sa.Integer(), nullable=True))
