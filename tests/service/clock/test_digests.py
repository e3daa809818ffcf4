"""Digests on a real database: at their hour, of what waits then, once, and instead of single reminders."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import select, update

from gipfbot.match import Refused, Terms, TimeControl, Why, days_per_turn
from gipfbot.rules import PUSHES, Kind
from gipfbot.service.app import App
from gipfbot.service.clock.digests import DIGEST, DIGEST_WINDOW, DigestPlan, Digests
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.reminders import CHANNEL_REMINDER, REMINDER, Reminders
from gipfbot.store import due, tables, users, vacations
from gipfbot.values import OutboxRow
from tests.service.helpers import Host, begun
from tests.support.games import E1
from tests.support.people import ANN, BOB, HOME
from tests.support.times import DAY, HOUR

BERLIN = "Europe/Berlin"
ONE_DAY = Terms(days_per_turn(1))
START = int(datetime(2027, 1, 10, 12, tzinfo=UTC).timestamp())  # 13:00 in Berlin


@pytest.fixture(autouse=True)
def starts(host: Host) -> None:
    host.now = START


@pytest.fixture
def digests(app: App) -> Digests:
    return app.digests


@pytest.fixture
def reminders(app: App) -> Reminders:
    return app.reminders


async def swept(app: App) -> list[tuple[str, int]]:
    """Sweep; return all messages about waiting games that were ever owed, by kind and target."""
    await app.reminders.owe_due_reminders()
    await app.digests.owe_due_digests()
    async with app.games.store.reading() as db:
        rows = await db.execute(select(tables.outbox).order_by(tables.outbox.c.id))
        return [(row.kind, row.channel) for row in rows if row.kind in (DIGEST, REMINDER, CHANNEL_REMINDER)]


async def owed(app: App) -> OutboxRow:
    """Return the direct message that is owed, leased; the boards before it are posted."""
    while True:
        for game_id in await app.outbox.deliverable_rows():
            row = await app.outbox.lease_row(game_id)
            assert row
            if row.kind in (DIGEST, REMINDER):
                return row
            await app.outbox.note_delivered(row, row.id)


async def lives(app: App, host: Host, hours: int) -> list[tuple[str, int]]:
    """Let so many hours pass in which the bot is there, and Discord takes all; return what was ever sent."""
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


A_DIGEST, A_REMINDER, A_CALL = (DIGEST, ANN.user), (REMINDER, ANN.user), (CHANNEL_REMINDER, HOME.channel)


# ── The hour ──


async def test_a_digest_comes_daily_while_a_game_waits(app: App, host: Host, digests: Digests) -> None:
    plan = await digests.set_plan(ANN.user, 8, BERLIN)
    assert plan == DigestPlan(8, BERLIN, START + 19 * HOUR)
    game_id = await begun(app)
    host.passes(19 * HOUR - 1)
    assert await swept(app) == []
    host.passes(1)
    assert await swept(app) == [A_DIGEST]
    assert await swept(app) == [A_DIGEST]
    host.passes(DAY)
    assert await swept(app) == [A_DIGEST] * 2
    await app.games.play_actions(game_id, ANN.user, [E1])
    host.passes(DAY)
    assert await swept(app) == [A_DIGEST] * 2, "nothing waits for her"
    assert (await digests.plan(ANN.user)).next_at == host.now + DAY


async def test_a_digest_keeps_its_hour_when_the_clocks_change(app: App, host: Host, digests: Digests) -> None:
    host.now = int(datetime(2027, 3, 27, 12, tzinfo=UTC).timestamp())
    await begun(app, Terms())
    await digests.set_plan(ANN.user, 8, BERLIN)
    for after in (18 * HOUR, DAY, DAY):
        host.passes(after - 1)
        before = len(await swept(app))
        host.passes(1)
        assert len(await swept(app)) == before + 1


async def test_a_new_hour_or_zone_replaces_the_old_one(app: App, host: Host, digests: Digests) -> None:
    await begun(app, Terms())
    await digests.set_plan(ANN.user, 8, BERLIN)
    await digests.set_plan(ANN.user, 20)
    assert await digests.set_plan(ANN.user, zone="london") == DigestPlan(20, "Europe/London", START + 8 * HOUR)
    host.passes(8 * HOUR)
    assert await swept(app) == [A_DIGEST]
    host.passes(16 * HOUR)
    assert await swept(app) == [A_DIGEST]


async def test_a_digest_needs_a_zone_that_exists(app: App, host: Host, digests: Digests) -> None:
    await begun(app, Terms())
    assert await digests.set_plan(ANN.user, 8) == DigestPlan(8)
    host.passes(2 * DAY)
    assert await swept(app) == []
    with pytest.raises(Refused) as refused:
        await digests.set_plan(ANN.user, 9, "Berln")
    assert refused.value.why is Why.NO_ZONE
    assert await digests.plan(ANN.user) == DigestPlan(8)


async def test_an_hour_that_is_not_offered_is_refused(digests: Digests, reminders: Reminders) -> None:
    """An older version of the bot may have offered it."""
    for hour in (-1, 24):
        with pytest.raises(Refused) as refused:
            await digests.set_plan(ANN.user, hour, BERLIN)
        assert refused.value.why is Why.NOT_OFFERED
    assert await digests.plan(ANN.user) == DigestPlan()
    with pytest.raises(Refused) as refused:
        await reminders.set_wish(ANN.user, "7h")
    assert refused.value.why is Why.NOT_OFFERED


async def test_turning_a_digest_off_works_at_once(app: App, host: Host, digests: Digests) -> None:
    await begun(app, Terms())
    await digests.set_plan(ANN.user, 8, BERLIN)
    host.passes(19 * HOUR)
    await swept(app)
    row = await owed(app)
    await digests.turn_off(ANN.user)
    assert await digests.games_to_list(row) == []
    assert await digests.plan(ANN.user) == DigestPlan(None, BERLIN)
    host.passes(2 * DAY)
    assert await swept(app) == [A_DIGEST]


async def test_unknown_settings_end_a_digest(app: App, host: Host, digests: Digests) -> None:
    await begun(app, Terms())
    await digests.set_plan(ANN.user, 8, BERLIN)
    async with app.games.store.transaction() as db:
        await users.set_setting(db, ANN.user, "zone", "Europe/Atlantis")
    host.passes(2 * DAY)
    assert await swept(app) == []
    assert await digests.plan(ANN.user) == DigestPlan(8)


# ── What it tells ──


async def test_a_digest_lists_what_waits_when_it_is_sent(app: App, host: Host, digests: Digests) -> None:
    """The most urgent game comes first. Games that were played meanwhile are left out. An empty digest is not sent."""
    unlimited, slow, fast = await begun(app, Terms()), await begun(app), await begun(app, ONE_DAY)
    await digests.set_plan(ANN.user, 8, BERLIN)
    host.passes(19 * HOUR)
    await swept(app)
    row = await owed(app)
    assert [brief.id for brief in await digests.games_to_list(row)] == [fast, slow, unlimited]
    await app.games.play_actions(slow, ANN.user, [E1])
    assert [brief.id for brief in await digests.games_to_list(row)] == [fast, unlimited]
    for game_id in (fast, unlimited):
        await app.games.play_actions(game_id, ANN.user, [E1])
    assert await digests.games_to_list(row) == []


async def test_a_digest_leaves_quiet_games_out(app: App, host: Host, digests: Digests, reminders: Reminders) -> None:
    first, second = await begun(app), await begun(app)
    await digests.set_plan(ANN.user, 8, BERLIN)
    await reminders.turn_off_for_game(ANN.user, first)
    host.passes(19 * HOUR)
    await swept(app)
    assert [brief.id for brief in await digests.games_to_list(await owed(app))] == [second]
    await reminders.turn_off_for_game(ANN.user, second)
    host.passes(DAY)
    assert await swept(app) == [A_DIGEST]


async def test_a_digest_leaves_a_quiet_turn_out_until_the_next(
    app: App, host: Host, digests: Digests, reminders: Reminders
) -> None:
    game_id = await begun(app, Terms())
    await digests.set_plan(ANN.user, 8, BERLIN)
    await reminders.turn_off_for_turn(ANN.user, game_id, 0)
    host.passes(19 * HOUR)
    assert await swept(app) == []
    for person in (ANN, BOB):
        await app.games.play_actions(game_id, person.user, [E1])
    host.passes(DAY)
    assert await swept(app) == [A_DIGEST]
    row = await owed(app)
    assert [brief.id for brief in await digests.games_to_list(row)] == [game_id]
    await reminders.turn_off_for_turn(ANN.user, game_id, 2)
    assert await digests.games_to_list(row) == []


async def test_no_digest_comes_during_a_vacation_that_holds(app: App, host: Host, digests: Digests) -> None:
    game_id = await begun(app, Terms())
    await digests.set_plan(ANN.user, 8, BERLIN)
    leave = app.vacations
    await leave.start_vacation(ANN.user, 5)
    host.passes(19 * HOUR)
    assert await swept(app) == []
    await leave.end_vacation(ANN.user)
    async with app.games.store.transaction() as db:
        await vacations.add_vacation(db, ANN.user, host.now, host.now + 5 * DAY, 5, {HOME.server or 0: 3})
    host.passes(DAY)
    assert await swept(app) == [A_DIGEST]
    assert [brief.id for brief in await digests.games_to_list(await owed(app))] == [game_id]


async def test_a_late_digest_is_not_sent(app: App, host: Host, digests: Digests) -> None:
    """The host was down at that hour, or Discord was. The next one comes at its hour again."""
    await begun(app, Terms())
    await digests.set_plan(ANN.user, 8, BERLIN)
    host.passes(19 * HOUR + DIGEST_WINDOW)
    await swept(app)
    row = await owed(app)
    assert await digests.games_to_list(row)
    host.passes(1)
    assert await digests.games_to_list(row) == []
    await app.outbox.note_delivered(row, None)
    host.passes(22 * HOUR - 1)
    assert await swept(app) == [A_DIGEST] * 2
    assert await digests.games_to_list(await owed(app))


# ── Instead of single reminders ──


async def test_a_digest_in_time_replaces_the_single_reminder(app: App, host: Host, digests: Digests) -> None:
    """The reminder is due at 19:00 on the 12th, the deadline 13:00 on the 13th: the digest at 8:00 tells it."""
    await begun(app)
    await digests.set_plan(ANN.user, 8, BERLIN)
    assert await lives(app, host, 72) == [A_DIGEST] * 3


async def test_a_deadline_before_the_digest_keeps_its_reminder(app: App, host: Host, digests: Digests) -> None:
    """The reminder is due at 3:00, the deadline 9:00: too soon after 8:00 to notice that the digest failed."""
    await digests.set_plan(ANN.user, 8, BERLIN)
    await lives(app, host, 20)
    await begun(app, ONE_DAY)
    assert await lives(app, host, 17) == []
    assert await lives(app, host, 1) == [A_REMINDER]


async def test_the_reminder_follows_a_digest_that_was_not_sent(app: App, host: Host, digests: Digests) -> None:
    await begun(app)
    await digests.set_plan(ANN.user, 8, BERLIN)
    await lives(app, host, 66)
    host.passes(HOUR)
    await swept(app)
    await app.outbox.note_delivered(await owed(app), None)
    assert await lives(app, host, 1) == [A_DIGEST] * 2
    assert await lives(app, host, 1) == [A_DIGEST] * 2 + [A_REMINDER]


@pytest.mark.parametrize(("hour", "sent"), [(0, [A_REMINDER]), (1, []), (2, []), (3, [])])
async def test_a_reminder_soon_after_a_digest_is_needless(
    app: App, host: Host, digests: Digests, hour: int, sent: list[tuple[str, int]]
) -> None:
    """The reminder is due at 3:00. A digest of the last two hours, or of that moment, has told of the turn."""
    await lives(app, host, 20)
    await begun(app, ONE_DAY)
    await digests.set_plan(ANN.user, hour, BERLIN)
    assert await lives(app, host, 23) == [A_DIGEST, *sent]


async def test_a_digest_of_an_earlier_turn_replaces_no_reminder(
    app: App, host: Host, digests: Digests, reminders: Reminders
) -> None:
    game_id = await begun(app, Terms(TimeControl(2 * HOUR, 0, 2 * HOUR)))
    await begun(app, Terms())
    await reminders.set_wish(ANN.user, "50%")
    await digests.set_plan(ANN.user, 13, BERLIN)
    async with app.games.store.transaction() as db:
        await db.execute(update(tables.due).where(tables.due.c.kind == DIGEST).values(at=START))
    await swept(app)
    await app.outbox.note_delivered(await owed(app), 7)
    await app.games.play_actions(game_id, ANN.user, [E1])
    host.passes(1)
    await app.games.play_actions(game_id, BOB.user, [PUSHES["g1", "f2", Kind.BASIC]])
    host.passes(HOUR)
    assert await swept(app) == [A_DIGEST, A_REMINDER]


async def test_without_its_digest_a_reminder_comes_again(app: App, host: Host, digests: Digests) -> None:
    await begun(app)
    await digests.set_plan(ANN.user, 8, BERLIN)
    await lives(app, host, 56)
    await digests.turn_off(ANN.user)
    assert await lives(app, host, 15) == [A_DIGEST] * 2 + [A_REMINDER]


async def test_a_new_time_keeps_reminders_that_wait_for_a_digest(
    app: App, host: Host, digests: Digests, reminders: Reminders
) -> None:
    """Its time has passed, but it only waits for the digest."""
    await begun(app)
    await digests.set_plan(ANN.user, 8, BERLIN)
    await lives(app, host, 56)
    await reminders.set_wish(ANN.user, "25%")
    await digests.turn_off(ANN.user)
    assert await lives(app, host, 15) == [A_DIGEST] * 2 + [A_REMINDER]


@pytest.mark.parametrize("there", [{"hour": 4}, {"zone": "London"}, {"hour": 10, "zone": "Tokyo"}])
async def test_a_digest_counts_after_its_hour_or_zone_has_changed(
    app: App, host: Host, digests: Digests, there: dict[str, Any]
) -> None:
    """The digest at 2:00 has told of the turn. Then she chooses another hour or zone. The reminder is due at 3:00."""
    await lives(app, host, 20)
    await begun(app, ONE_DAY)
    await digests.set_plan(ANN.user, 2, BERLIN)
    assert await lives(app, host, 17) == [A_DIGEST]
    await digests.set_plan(ANN.user, **there)
    assert (await lives(app, host, 6)).count(A_REMINDER) == 0


async def test_a_digest_does_not_replace_reminders_it_left_out(
    app: App, host: Host, digests: Digests, reminders: Reminders
) -> None:
    """The game was quiet when the digest came at 2:00. The reminder is due at 3:00."""
    await lives(app, host, 20)
    game_id, _ = await begun(app, ONE_DAY), await begun(app, Terms())
    await digests.set_plan(ANN.user, 2, BERLIN)
    await reminders.turn_off_for_game(ANN.user, game_id)
    assert await lives(app, host, 17) == [A_DIGEST]
    await reminders.turn_on_for_game(ANN.user, game_id)
    assert await lives(app, host, 1) == [A_DIGEST, A_REMINDER]


async def test_a_waiting_reminder_survives_being_off_meanwhile(
    app: App, host: Host, digests: Digests, reminders: Reminders
) -> None:
    """It is due at 19:00 and waits until 10:00. The digest at 8:00 is not sent."""
    game_id = await begun(app)
    await digests.set_plan(ANN.user, 8, BERLIN)
    await lives(app, host, 56)
    await reminders.turn_off_for_turn(ANN.user, game_id, 0)
    host.passes(HOUR)
    await reminders.turn_on_for_game(ANN.user, game_id)
    await digests.turn_off(ANN.user)
    assert await lives(app, host, 14) == [A_DIGEST] * 2 + [A_REMINDER]


async def test_without_direct_messages_a_channel_reminder_replaces_the_digest(
    app: App, host: Host, digests: Digests, reminders: Reminders
) -> None:
    """A digest that was refused is not retried until they accept messages again. Nothing of it goes to a channel."""
    await begun(app)
    await digests.set_plan(ANN.user, 8, BERLIN)
    await lives(app, host, 18)
    host.passes(HOUR)
    await swept(app)
    await app.outbox.note_dm_refusal(await owed(app), "50007", shut=True)
    assert await lives(app, host, 34) == []
    assert await lives(app, host, 1) == [A_CALL]
    await reminders.note_dms_open(ANN.user)
    assert await lives(app, host, 13) == [A_CALL, A_DIGEST]


async def test_a_refused_digest_leads_to_a_channel_reminder(
    app: App, host: Host, digests: Digests, reminders: Reminders
) -> None:
    await begun(app)
    await digests.set_plan(ANN.user, 8, BERLIN)
    await lives(app, host, 66)
    host.passes(HOUR)
    await swept(app)
    await app.outbox.note_dm_refusal(await owed(app), "50007", shut=True)
    assert await lives(app, host, 2) == [A_DIGEST] * 2 + [A_CALL]


async def test_with_reminders_off_only_the_digest_comes(
    app: App, host: Host, digests: Digests, reminders: Reminders
) -> None:
    await begun(app, ONE_DAY)
    await reminders.set_wish(ANN.user, "off")
    await digests.set_plan(ANN.user, 14, BERLIN)
    assert await lives(app, host, 23) == [A_DIGEST]


async def test_one_sweep_owes_all_digests_that_are_due(app: App, host: Host) -> None:
    """However many there are."""
    async with app.games.store.transaction() as db:
        for number in range(120):
            await due.schedule(db, f"reminder:{number}", REMINDER, host.now, ANN.user)
            await due.schedule(db, f"digest:{number}", DIGEST, host.now, number)
    await swept(app)
    async with app.games.store.reading() as db:
        assert await due.ready_rows(db, REMINDER, host.now) == await due.ready_rows(db, DIGEST, host.now) == []


async def test_a_digest_set_on_a_wrong_clock_comes_next_hour(app: App, digests: Digests, host: Host) -> None:
    flag_watch = FlagWatch(app.games.store, lambda: host.now, lambda: host.ticks)
    await flag_watch.check_flags()
    host.now += 2 * DAY
    await flag_watch.check_flags()
    ahead = await digests.set_plan(ANN.user, 20, BERLIN)
    host.now -= 2 * DAY
    await flag_watch.check_flags()
    assert ahead.next_at
    assert (await digests.plan(ANN.user)).next_at == ahead.next_at - 2 * DAY


async def test_a_digest_due_during_downtime_is_not_put_off(app: App, digests: Digests, host: Host) -> None:
    flag_watch = FlagWatch(app.games.store, lambda: host.now, lambda: host.ticks)
    await flag_watch.check_flags()
    await begun(app)
    planned = await digests.set_plan(ANN.user, 20, BERLIN)
    host.passes(7 * HOUR + 600)
    await flag_watch.check_flags()
    assert (await digests.plan(ANN.user)).next_at == planned.next_at
    assert await swept(app) == [A_DIGEST]
