"""Conditional lines that begin inside a turn, in Overboard (R8.4)."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add how many actions of an unfinished turn come before a line. Earlier lines begin with a whole turn."""
    op.add_column("conditionals", sa.Column("drafted", sa.Integer(), nullable=False, server_default="0"))
