"""The game that a turn of the bot waits for."""

import sqlalchemy as sa
from alembic import op

revision = "0.2_0002"
down_revision = "0.2_0001"

HELD = sa.text("waits_for_version IS NOT NULL")


def upgrade() -> None:
    """Add it to the tasks, with an index of those that wait."""
    for name in ("waits_for", "waits_for_version"):
        op.add_column("due", sa.Column(name, sa.Integer(), nullable=True))
    op.create_index("ix_due_waits_for", "due", ["waits_for"], sqlite_where=HELD, postgresql_where=HELD)
