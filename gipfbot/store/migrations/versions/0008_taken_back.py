"""Each turn keeps the time that both had when it began, and a request to take turns back says which."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add them. Of what is older neither is known; the kind of a request, which was always the same, goes."""
    op.add_column("turns", sa.Column("white_time", sa.BigInteger(), nullable=True))
    op.add_column("turns", sa.Column("black_time", sa.BigInteger(), nullable=True))
    op.add_column("offers", sa.Column("turns", sa.Text(), nullable=True))
    op.drop_column("offers", "kind")
