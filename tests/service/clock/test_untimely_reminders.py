"""Reminders that are queued while the board of their turn is late: each comes at the time that the credit gives it."""

import pytest

from gipfbot.match import Terms
from gipfbot.service.app import App
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.reminders import CHANNEL_REMINDER, REMINDER, WEEK, Reminders
from gipfbot.store import users
from gipfbot.values import OutboxRow
from tests.service.helpers import Host, begun, lease_only, messages, waits
from tests.support.games import E1
from tests.support.people import ANN, BOB
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, HOUR

POSTED = 99
IN_TIME = 54 * HOUR  # after the beginning of a turn of three days


async def late_board(app: App, flag_watch: FlagWatch, host: Host, terms: Terms, seconds: int) -> OutboxRow:
    """Return the board that asks Bob for a turn. It is not posted for so long."""
    game_id = await begun(app, terms)
    (board,) = (await app.games.play_actions(game_id, ANN.user, [E1])).owed
    await waits(flag_watch, host, seconds)
    return board


async def is_said(app: App, owed: OutboxRow) -> bool:
    """Return whether a queued reminder is posted now, and note what became of it."""
    said = await app.reminders.game_to_remind(owed) is not None
    await app.outbox.note_delivered(owed, owed.id if said else None)
    return said


async def next_reminder(app: App, kind: str = REMINDER) -> OutboxRow | None:
    """Let what is due be queued. Return the reminder that waits to be posted."""
    await app.reminders.owe_due_reminders()
    await app.reminders.owe_weekly_reminders()
    for row in [await app.outbox.lease_row(row_id) for row_id in await app.outbox.deliverable_rows()]:
        if row and row.kind == kind:
            return row
    return None


@pytest.mark.parametrize("first", ["board", "reminder"])
async def test_a_reminder_does_not_come_with_its_late_board(
    app: App, flag_watch: FlagWatch, host: Host, first: str
) -> None:
    """Discord is down for as long. Afterwards the two are posted in any order."""
    board = await late_board(app, flag_watch, host, THREE_DAYS, IN_TIME)
    owed = await next_reminder(app)
    assert owed
    if first == "reminder":
        assert not await is_said(app, owed)
        assert await next_reminder(app) is None, "the board is late still"
    await app.outbox.note_delivered(board, POSTED)
    if first == "board":
        assert not await is_said(app, owed)
    await waits(flag_watch, host, IN_TIME - 1)
    assert await next_reminder(app) is None
    host.passes(1)
    owed = await next_reminder(app)
    assert owed
    assert await is_said(app, owed)
    host.passes(HOUR)
    assert await next_reminder(app) is None, "each turn has one reminder"


async def test_a_reminder_in_the_channel_does_not_come_with_its_late_board(
    app: App, flag_watch: FlagWatch, host: Host
) -> None:
    """When direct messages are open again, the reminder comes as one, although one was refused in this turn."""
    board = await late_board(app, flag_watch, host, THREE_DAYS, IN_TIME)
    refused = await next_reminder(app)
    assert refused
    await app.outbox.note_dm_refusal(refused, "50007", shut=True)
    await app.outbox.note_delivered(board, POSTED)
    assert not await is_said(app, await lease_only(app, CHANNEL_REMINDER))
    await app.reminders.note_dms_open(BOB.user)
    await waits(flag_watch, host, IN_TIME)
    owed = await next_reminder(app)
    assert owed
    assert await is_said(app, owed)


async def test_a_reminder_tells_of_the_turn_after_downtime(app: App, flag_watch: FlagWatch, host: Host) -> None:
    """The bot stops before it posts the reminder. The credit leaves as much time as when it was queued."""
    board = await late_board(app, flag_watch, host, THREE_DAYS, 60)
    await app.outbox.note_delivered(board, POSTED)
    await waits(flag_watch, host, IN_TIME)
    owed = await next_reminder(app)
    assert owed
    host.passes(DAY)
    assert await app.reminders.game_to_remind(owed)
    await flag_watch.check_flags()
    assert await is_said(app, owed)


@pytest.mark.parametrize("shut", [False, True])
@pytest.mark.parametrize("first", ["board", "reminder"])
async def test_a_weekly_reminder_comes_a_week_after_its_late_board(
    app: App, flag_watch: FlagWatch, host: Host, first: str, *, shut: bool
) -> None:
    board, kind = await late_board(app, flag_watch, host, Terms(), WEEK), CHANNEL_REMINDER if shut else REMINDER
    if shut:
        async with app.games.store.transaction() as db:
            await users.set_dms_shut(db, BOB.user, host.now)
    await app.reminders.owe_weekly_reminders()
    if first == "reminder" and not shut:  # in a channel the board is always first
        owed = await lease_only(app, kind)
        assert not await is_said(app, owed)
        await app.outbox.note_delivered(board, POSTED)
    else:
        await app.outbox.note_delivered(board, POSTED)
        assert not await is_said(app, await lease_only(app, kind))
    await waits(flag_watch, host, WEEK - 1)
    assert await next_reminder(app, kind) is None
    host.passes(1)
    owed_now = await next_reminder(app, kind)
    assert owed_now
    assert await is_said(app, owed_now)


async def test_a_board_a_few_hours_late_puts_a_weekly_reminder_off(
    app: App, flag_watch: FlagWatch, host: Host, reminders: Reminders
) -> None:
    board = await late_board(app, flag_watch, host, Terms(), WEEK - HOUR)
    await app.outbox.note_delivered(board, POSTED)
    await waits(flag_watch, host, HOUR)
    await reminders.owe_weekly_reminders()
    assert await messages(reminders.store, REMINDER) == []
