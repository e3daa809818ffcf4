"""The index by which the challenges of one person to another are counted."""

from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the index."""
    columns = ["by_user", "to_user", "expires_at"]
    op.create_index("ix_challenges_by_user_to_user_expires_at", "challenges", columns)
