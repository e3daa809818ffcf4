"""Overboard is not rated any more: what its results did to players' ratings goes. The games stay."""

from alembic import op

revision = "0.2_0004"
down_revision = "0.2_0003"


def upgrade() -> None:
    """Delete the results, ratings and places in the pool of Overboard."""
    for table in ("rated_results", "ratings", "standings", "former_pairs"):
        op.execute(f"DELETE FROM {table} WHERE pool = 'overboard'")
