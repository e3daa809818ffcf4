"""Settings of servers, threads, notes, seeks taken several times, offers, answers given in advance."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add them, without making the tables anew."""
    op.create_table(
        "servers",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_servers"),
    )
    op.add_column("games", sa.Column("parent", sa.BigInteger(), nullable=True))
    op.add_column("games", sa.Column("origin", sa.Integer(), nullable=True))
    op.add_column("games", sa.Column("undone", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("note", sa.Text(), nullable=True))
    op.add_column("challenges", sa.Column("takes_left", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("challenges", sa.Column("parent", sa.BigInteger(), nullable=True))
    op.add_column("vacations", sa.Column("used", sa.Integer(), nullable=False, server_default="0"))
    op.create_table(
        "offers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("by", sa.BigInteger(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("serial", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_offers_game"),
        sa.PrimaryKeyConstraint("id", name="pk_offers"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_offers_game", "offers", ["game"])
    op.create_index("ix_offers_state_expires_at", "offers", ["state", "expires_at"])
    op.create_table(
        "conditions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_conditions_game"),
        sa.PrimaryKeyConstraint("id", name="pk_conditions"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_conditions_game", "conditions", ["game"])
