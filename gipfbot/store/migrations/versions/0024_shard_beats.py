"""When each shard last ran: with several processes, clocks stand while nobody runs the shard of their server."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "shard_beats",
        *(sa.Column(name, sa.Integer(), autoincrement=False, nullable=False) for name in ("count", "shard")),
        sa.Column("alive_at", sa.BigInteger(), nullable=False),
        sa.Column("credit_until", sa.BigInteger(), nullable=True),
        sa.Column("last_game", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("count", "shard", name="pk_shard_beats"),
    )
