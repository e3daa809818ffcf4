"""Studies may begin at a position of their own."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column with the position line before the first turn. It is null where the game begins as usual."""
    op.add_column("studies", sa.Column("begin", sa.Text(), nullable=True))
