"""The table of running deletions, and the indexes by which a person's data is found."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

INDEXES = (("studies", "game"), ("blocks", "blocked"), ("due", "user"), ("memberships", "user"))


def upgrade() -> None:
    """Create the table and the indexes."""
    op.create_table(
        "deletions",
        sa.Column("user", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("pseudonym", sa.BigInteger(), nullable=False),
        sa.Column("began_at", sa.BigInteger(), nullable=False),
        sa.Column("games_done", sa.Integer(), nullable=False),
        sa.Column("rows_left", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("user", name="pk_deletions"),
    )
    for table, column in INDEXES:
        op.create_index(f"ix_{table}_{column}", table, [column])
