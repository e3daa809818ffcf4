"""What a player's list of games last showed of each game."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the numbers of turns played and taken back. They are null until a list shows the game."""
    for name in ("listed_turn_number", "listed_taken_back"):
        op.add_column("seats", sa.Column(name, sa.Integer(), nullable=True))
