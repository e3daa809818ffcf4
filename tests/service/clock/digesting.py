"""A host at noon of a winter day, and what it sends about waiting games."""

from datetime import UTC, datetime

from sqlalchemy import select

from gipfbot.match import Terms, days_per_turn
from gipfbot.service.app import App
from gipfbot.service.clock.digests import DIGEST
from gipfbot.service.clock.reminders import CHANNEL_REMINDER, REMINDER
from gipfbot.store import tables
from tests.service.helpers import Host, messages
from tests.support.people import ANN, HOME
from tests.support.times import HOUR

BERLIN = "Europe/Berlin"
ONE_DAY = Terms(days_per_turn(1))
START = int(datetime(2027, 1, 10, 12, tzinfo=UTC).timestamp())  # 13:00 in Berlin
A_DIGEST, A_REMINDER, A_CALL = (DIGEST, ANN.user), (REMINDER, ANN.user), (CHANNEL_REMINDER, HOME.channel)


async def swept(app: App) -> list[tuple[str, int]]:
    """Sweep; return all messages about waiting games that were ever owed, by kind and target."""
    await app.reminders.owe_due_reminders()
    await app.digests.owe_due_digests()
    return await messages(app.games.store, DIGEST, REMINDER, CHANNEL_REMINDER)


async def lives(app: App, host: Host, hours: int) -> list[tuple[str, int]]:
    """Let hours pass while the bot is alive and Discord accepts everything; return what was ever sent."""
    digests = app.digests
    for _ in range(hours):
        host.passes(HOUR)
        await swept(app)
        for game_id in await app.outbox.deliverable_rows():
            row = await app.outbox.lease_row(game_id)
            assert row
            said = row.kind != DIGEST or await digests.games_to_list(row)
            await app.outbox.note_delivered(row, row.id if said else None)
    async with app.games.store.reading() as db:
        rows = await db.execute(select(tables.outbox).order_by(tables.outbox.c.id))
        return [
            (row.kind, row.channel) for row in rows if row.kind in (DIGEST, REMINDER, CHANNEL_REMINDER) and row.message
        ]
