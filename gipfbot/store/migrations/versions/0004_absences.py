"""What becomes due by itself; who wants no reminders of a game; whose direct messages are shut; vacations."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add them, without making the tables anew."""
    op.create_table(
        "due",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=True),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_due_game"),
        sa.PrimaryKeyConstraint("id", name="pk_due"),
        sa.UniqueConstraint("key", name="uq_due_key"),
    )
    op.create_index("ix_due_game", "due", ["game"])
    waiting = sa.text("done_at IS NULL")
    op.create_index("ix_due_at", "due", ["at"], sqlite_where=waiting, postgresql_where=waiting)
    op.add_column("seats", sa.Column("quiet", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("users", sa.Column("dm_state", sa.Text(), nullable=True))
    op.create_table(
        "vacations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_vacations"),
    )
    op.create_index("ix_vacations_user_since", "vacations", ["user", "since"])
