"""The vacation days of each game and challenge are part of its terms. Vacations no longer hold those of the servers."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Give games and challenges the days that their server allows now, and drop two columns of vacations."""
    db = op.get_bind()
    days = _days_by_server(db)
    for name in ("games", "challenges"):
        _fill_terms(db, name, days)
    for column in ("used", "allowed"):
        op.drop_column("vacations", column)


def _days_by_server(db: sa.Connection) -> dict[int, int]:
    """Return the vacation days a year by server. Servers that have set none, or none that was offered, are left out."""
    settings = sa.cast(sa.column("settings"), sa.Text())
    rows = db.execute(sa.select(sa.column("id", sa.BigInteger()), settings).select_from(sa.table("servers"))).all()
    days = {server: (_read_object(text) or {}).get("vacation") for server, text in rows}
    return {server: found for server, found in days.items() if type(found) is int and 0 <= found <= 365}


def _fill_terms(db: sa.Connection, name: str, days: dict[int, int]) -> None:
    """Save the days in the terms of a table. Terms without days mean 30, so servers that set none change nothing.

    The terms of a server's games differ little, so that a few statements write them all.
    """
    table = sa.table(name, sa.column("server", sa.BigInteger()), sa.column("terms", sa.JSON()))
    as_text = sa.cast(table.c.terms, sa.Text())
    there = sa.select(table.c.server, as_text).where(table.c.server.in_([*days])).distinct()
    for server, text in db.execute(there).all():
        terms = _read_object(text)
        if terms is not None:
            same = table.c.server == server, as_text == text
            db.execute(sa.update(table).where(*same).values(terms={**terms, "vacation": days[server]}))


def _read_object(text: str) -> dict[str, Any] | None:
    """Return a JSON object; None if it cannot be read."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
