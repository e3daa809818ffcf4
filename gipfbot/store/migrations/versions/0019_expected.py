"""What the house player expected after its turns, to explain them."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Add the column. It stays empty for turns that were played before."""
    op.add_column("turns", sa.Column("expected", sa.Text(), nullable=True))
