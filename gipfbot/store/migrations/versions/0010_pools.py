"""The pool of each game, and the index from which the results on a server are counted."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the pool to all games, and the index."""
    op.add_column("games", sa.Column("pool", sa.Text(), nullable=True))
    _fill_pools(op.get_bind())
    ended = sa.text("ended_at IS NOT NULL")
    op.create_index(
        "ix_games_server_pool_result_ended_at",
        "games",
        ["server", "pool", "result", "ended_at"],
        sqlite_where=ended,
        postgresql_where=ended,
    )


def _fill_pools(db: sa.Connection) -> None:
    """Save the pool of each game. There are only a few different rule sets, and all games are written once."""
    ruleset, games = sa.cast(sa.column("ruleset"), sa.Text()), sa.table("games", sa.column("pool"))
    pools = {text: _pool_in(text) for text in db.scalars(sa.select(ruleset).select_from(games).distinct())}
    if pools:
        db.execute(sa.update(games).values(pool=sa.case(pools, value=ruleset)))


def _pool_in(text: str) -> str | None:
    """Return the pool of a stored rule set; None if it cannot be read."""
    try:
        return _pool_of(json.loads(text))
    except (AttributeError, ValueError):
        return None


def _pool_of(ruleset: dict[str, Any]) -> str:
    """Return the pool of a rule set, as the program decided it when this step was written."""
    if ruleset.get("course", "official") != "official":
        return "overboard"
    if ruleset.get("potentials"):
        return "potentials"
    if ruleset.get("gipf_enters"):
        return "tournament"
    return "standard" if ruleset.get("gipf_decides") else "basic"
