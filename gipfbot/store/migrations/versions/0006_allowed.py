"""What the servers allow when a vacation begins is kept with it."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add it; for vacations of before it is what the servers allow now, which decided until now."""
    op.add_column("vacations", sa.Column("allowed", sa.JSON(), nullable=False, server_default="{}"))
    servers = sa.table("servers", sa.column("id", sa.BigInteger()), sa.column("settings", sa.JSON()))
    rows = op.get_bind().execute(sa.select(servers.c.id, servers.c.settings))
    allowed = {id: settings["vacation"] for id, settings in rows if "vacation" in settings}
    op.execute(sa.table("vacations", sa.column("allowed", sa.JSON())).update().values(allowed=allowed))
