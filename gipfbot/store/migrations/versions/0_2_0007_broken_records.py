"""Where an imported record breaks, as facts in place of a sentence. A study of before keeps its sentence."""

import sqlalchemy as sa
from alembic import op

revision = "0.2_0007"
down_revision = "0.2_0006"


def upgrade() -> None:
    """Add a column to the studies."""
    op.add_column("studies", sa.Column("broken", sa.JSON(), nullable=True))
