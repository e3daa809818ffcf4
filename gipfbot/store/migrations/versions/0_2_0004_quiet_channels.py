"""Overboard is not rated any more: what its results did to players' ratings goes. The games stay.

A study may be hidden: a guess or a plan that is half made. A seek can mention a role.
"""

import sqlalchemy as sa
from alembic import op

revision = "0.2_0004"
down_revision = "0.2_0003"

MENTIONS = sa.text("mentioned_role IS NOT NULL")


def upgrade() -> None:
    """Delete the results, ratings and places in the pool of Overboard. Add a column each to studies and challenges."""
    op.add_column("studies", sa.Column("hidden_for", sa.Text(), nullable=True))
    for table in ("rated_results", "ratings", "standings", "former_pairs"):
        op.execute(f"DELETE FROM {table} WHERE pool = 'overboard'")
    op.add_column("challenges", sa.Column("mentioned_role", sa.BigInteger(), nullable=True))
    keys = ["server", "expires_at"]
    name = "ix_challenges_server_expires_at"
    op.create_index(name, "challenges", keys, sqlite_where=MENTIONS, postgresql_where=MENTIONS)
