"""What finds the rows that nothing needs any more: a column of the outbox, and indexes on the times of what is over."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0014"

FULL = "done_at IS NOT NULL AND emptied_at IS NULL AND kind != 'thread'"


def upgrade() -> None:
    """Add the column and the indexes. Servers with settings on which no arrival is known count as left now.

    The bot has left most of them before 0002. On the others it notes its arrival as soon as it connects.
    """
    op.add_column("outbox", sa.Column("emptied_at", sa.BigInteger(), nullable=True))
    _add_index("ix_outbox_full_done_at", "outbox", "done_at", FULL)
    _add_index("ix_outbox_emptied_done_at", "outbox", "done_at", "emptied_at IS NOT NULL")
    _add_index("ix_due_done_at", "due", "done_at", "done_at IS NOT NULL")
    _add_index("ix_vacations_ended_at", "vacations", "ended_at", "ended_at IS NOT NULL")
    _add_index("ix_arrivals_left_at", "arrivals", "left_at", "left_at IS NOT NULL")
    _note_unknown_departures()


def _add_index(name: str, table: str, column: str, only: str) -> None:
    op.create_index(name, table, [column], sqlite_where=sa.text(only), postgresql_where=sa.text(only))


def _note_unknown_departures() -> None:
    servers = sa.table("servers", sa.column("id", sa.BigInteger()))
    names = "server", "joined_at", "left_at"
    arrivals = sa.table("arrivals", *(sa.column(name, sa.BigInteger()) for name in names))
    unknown = servers.c.id.not_in(sa.select(arrivals.c.server))
    left = sa.select(servers.c.id, sa.literal(0), sa.literal(int(time.time()))).where(unknown)
    op.get_bind().execute(sa.insert(arrivals).from_select(names, left))
