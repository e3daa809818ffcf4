"""Ratings, the rated games that they come from, and leaderboards."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the tables of ratings and leaderboards. Games from before are unrated, so nothing is filled in."""
    _create_rating_tables()
    _create_leaderboard_tables()


def _create_rating_tables() -> None:
    op.create_table(
        "rated_results",
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("opponent", sa.BigInteger(), nullable=False),
        sa.Column("pool", sa.Text(), nullable=False),
        sa.Column("month", sa.Integer(), nullable=False),
        sa.Column("server", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("points", sa.Double(), nullable=False),
        sa.Column("late_user", sa.BigInteger(), nullable=True),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_rated_results_game_games"),
        sa.PrimaryKeyConstraint("game", "user", name="pk_rated_results"),
    )
    op.create_index("ix_rated_results_user_pool_month", "rated_results", ["user", "pool", "month"])
    op.create_index(
        "ix_rated_results_user_pool_server_counts_ended_at",
        "rated_results",
        ["user", "pool", "server", "counts", "ended_at"],
    )
    op.create_index(
        "ix_rated_results_late_user_ended_at",
        "rated_results",
        ["late_user", "ended_at"],
        sqlite_where=sa.text("late_user IS NOT NULL"),
        postgresql_where=sa.text("late_user IS NOT NULL"),
    )
    op.create_table(
        "ratings",
        sa.Column("pool", sa.Text(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("month", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.Double(), nullable=False)
            for name in (
                "start_rating",
                "start_deviation",
                "start_volatility",
                "rating",
                "deviation",
                "volatility",
            )
        ),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("games", "wins", "won_in_a_row", "last_game")),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("pool", "user", "month", name="pk_ratings"),
    )


def _create_leaderboard_tables() -> None:
    op.create_table(
        "standings",
        sa.Column("pool", sa.Text(), nullable=False),
        sa.Column("server", sa.BigInteger(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("provisional", sa.Boolean(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("uncertainty", sa.Double(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("month", sa.Integer(), nullable=False),
        sa.Column("changes_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("pool", "server", "user", name="pk_standings"),
    )
    board, order = (
        ("pool", "server", "provisional", "step"),
        (sa.text("rating DESC"), "uncertainty", sa.text("games DESC")),
    )
    op.create_index("ix_standings_order", "standings", [*board, *order, "user"])
    op.create_index("ix_standings_user", "standings", ["user"])
    op.create_index("ix_standings_changes_at", "standings", ["changes_at"])
    op.create_table(
        "standing_steps",
        sa.Column("pool", sa.Text(), nullable=False),
        sa.Column("server", sa.BigInteger(), nullable=False),
        sa.Column("provisional", sa.Boolean(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("pool", "server", "provisional", "step", name="pk_standing_steps"),
    )
    op.create_table(
        "memberships",
        sa.Column("server", sa.BigInteger(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("is_member", sa.Boolean(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("server", "user", name="pk_memberships"),
    )
