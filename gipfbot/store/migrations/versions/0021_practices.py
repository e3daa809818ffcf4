"""The level of the bot in practices: studies in which it answers."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Add the column."""
    op.add_column("studies", sa.Column("level", sa.Integer(), nullable=True))
