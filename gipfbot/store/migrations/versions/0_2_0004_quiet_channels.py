"""Overboard is not rated any more: what its results did to players' ratings goes. The games stay.

A study may be hidden: a guess or a plan that is half made.
"""

import sqlalchemy as sa
from alembic import op

revision = "0.2_0004"
down_revision = "0.2_0003"


def upgrade() -> None:
    """Delete the results, ratings and places in the pool of Overboard. Add a column to the studies."""
    op.add_column("studies", sa.Column("hidden_for", sa.Text(), nullable=True))
    for table in ("rated_results", "ratings", "standings", "former_pairs"):
        op.execute(f"DELETE FROM {table} WHERE pool = 'overboard'")
