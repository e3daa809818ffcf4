"""The traces of people who have deleted their data, and names without signs that hide or reorder text."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from gipfbot.match.game import clean_name

revision = "0014"
down_revision = "0013"

# Copies of names from Discord. Those of an imported record stay as its text has them.
NAMES = (
    *(("seats", "name", ""), ("challenges", "by_name", ""), ("challenges", "to_name", "")),
    *(("blocks", "name", ""), ("follows", "name", "")),
    *(("studies", "white", "game IS NOT NULL"), ("studies", "black", "game IS NOT NULL")),
)
AT_ONCE = 500  # names that one statement changes


def upgrade() -> None:
    """Create the table of traces, and clean the names that were stored before names were cleaned."""
    _add_traces()
    db = op.get_bind()
    for table, column, only in NAMES:
        _clean_column(db, sa.table(table, sa.column(column)), sa.text(only) if only else sa.true())
    _clean_owed_messages(db)


def _add_traces() -> None:
    op.add_column("deletions", sa.Column("challenges_left", sa.Integer(), nullable=False, server_default="0"))
    op.create_table(
        "former_pings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("trace", sa.BigInteger(), nullable=False),
        sa.Column("to_user", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_former_pings"),
    )
    op.create_index("ix_former_pings_trace_to_user_expires_at", "former_pings", ["trace", "to_user", "expires_at"])
    for column in ("to_user", "expires_at"):
        op.create_index(f"ix_former_pings_{column}", "former_pings", [column])


def _clean_column(db: sa.Connection, table: sa.TableClause, only: sa.ColumnElement[bool] | sa.TextClause) -> None:
    """Clean the names in a column. There are far fewer names than rows."""
    (column,) = table.c
    found = db.scalars(sa.select(column).where(only, column.is_not(None)).distinct())
    changed = [(name, clean_name(name)) for name in found if isinstance(name, str) and clean_name(name) != name]
    for first in range(0, len(changed), AT_ONCE):
        names = dict(changed[first : first + AT_ONCE])
        values = {column: sa.case(names, value=column)}
        db.execute(sa.update(table).where(only, column.in_(names)).values(values))


def _clean_owed_messages(db: sa.Connection) -> None:
    """Clean the names in boards and announcements of vacations that are not posted yet."""
    outbox = sa.table(
        "outbox", *map(sa.column, ("id", "kind", "done_at", "not_before")), sa.column("payload", sa.JSON())
    )
    owed = outbox.c.done_at.is_(None), outbox.c.not_before >= 0, outbox.c.kind.in_(("board", "vacation"))
    for row in db.execute(sa.select(outbox.c.id, outbox.c.kind, outbox.c.payload).where(*owed)).all():
        try:
            payload = (_clean_board if row.kind == "board" else _clean_vacation)(row.payload)
        except (KeyError, TypeError, ValueError):  # a damaged row stays as it is
            continue
        if payload != row.payload:
            db.execute(sa.update(outbox).where(outbox.c.id == row.id).values(payload=payload))


def _clean_board(payload: dict[str, Any]) -> dict[str, Any]:
    return {**payload, "names": [clean_name(name) for name in payload["names"]]}


def _clean_vacation(payload: dict[str, Any]) -> dict[str, Any]:
    """Return an announcement with clean names: those of the player, and of the opponents in its lists of games."""
    lists = {name: payload[name] for name in ("games", "untimed", "runs") if name in payload}
    clean: dict[str, Any] = {
        name: [[game, clean_name(opponent), *rest] for game, opponent, *rest in entries]
        for name, entries in lists.items()
    }
    return {**payload, "name": clean_name(payload["name"]), **clean}
