"""One table for what one player asks of the other: takebacks, and draw offers, which were events alone before."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"

OFFERED, STATES = "draw_offered", {"draw_declined": "declined", "draw_withdrawn": "withdrawn"}
OUTBOX = sa.table("outbox", sa.column("key", sa.Text()), sa.column("payload", sa.JSON()))
KEPT = "id, game, by, turn_number, turns, turn_serial, state, created_at, expires_at"


def upgrade() -> None:
    """Make the table, move all takebacks and the draw offers of unfinished turns, and drop the table of takebacks."""
    made = op.create_table(
        "requests",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("by", sa.BigInteger(), nullable=False),
        sa.Column("turn_number", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Text(), nullable=False),
        sa.Column("turn_serial", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_requests_game"),
        sa.PrimaryKeyConstraint("id", name="pk_requests"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_requests_game", "requests", ["game"])
    op.create_index("ix_requests_state_created_at", "requests", ["state", "created_at"])
    op.execute(f"INSERT INTO requests ({KEPT}, kind) SELECT {KEPT}, 'takeback' FROM takebacks")
    db = op.get_bind()
    if db.dialect.name == "postgresql":
        db.exec_driver_sql("SELECT setval(pg_get_serial_sequence('requests', 'id'), max(id)) FROM requests")
    _move_draws(db, made)
    op.drop_table("takebacks")


def _move_draws(db: sa.Connection, made: sa.Table) -> None:
    """Store the draw offers of unfinished turns, and let their messages name them. Those of other offers go."""
    found = list[tuple[str, dict[str, Any]]]()
    for event in db.execute(sa.text(_EVENTS)):
        data = json.loads(event.data) if isinstance(event.data, str) else event.data
        if data.get("turn_serial") != event.turn_serial:
            continue
        if event.kind == OFFERED:
            about = {"game": event.game, "turn_number": event.turn_number + 1, "turn_serial": event.turn_serial}
            offer = {**about, "kind": "draw", "by": event.by, "turns": "", "state": "open", "created_at": event.at}
            found.append((f"draw:{event.game}:{event.turn_serial}:{event.by}", offer))
        elif found:
            found[-1][1]["state"] = STATES[event.kind]
    for key, offer in found:
        number = db.scalar(sa.insert(made).values(offer).returning(made.c.id))
        named = {"key": f"draw:{number}", "payload": {"request": number}}
        db.execute(sa.update(OUTBOX).where(OUTBOX.c.key == key).values(named))
    db.execute(sa.delete(OUTBOX).where(OUTBOX.c.key.like("draw:%:%")))


_EVENTS = """
SELECT events.game, events.kind, events.by, events.at, events.data, games.turn_number,
games.turn_number + 2 * games.taken_back AS turn_serial
FROM events JOIN games ON games.id = events.game
WHERE games.status = 'running' AND events.kind LIKE 'draw_%'
ORDER BY events.game, events.seq
"""
