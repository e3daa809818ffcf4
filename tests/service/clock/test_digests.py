"""Digests on a real database: at their hour, of what waits then, and once."""

from datetime import UTC, datetime

import pytest

from gipfbot.match import Refused, Terms, Why
from gipfbot.service.app import App
from gipfbot.service.clock.digests import DIGEST, DIGEST_WINDOW, DigestPlan, Digests
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.reminders import REMINDER, Reminders
from gipfbot.store import due, users
from tests.service.clock.digesting import A_DIGEST, BERLIN, ONE_DAY, START, swept
from tests.service.helpers import Host, begun, lease_next
from tests.support.games import E1
from tests.support.people import ANN, BOB
from tests.support.times import DAY, HOUR

pytestmark = pytest.mark.usefixtures("starts")


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
    assert await swept(app) == [A_DIGEST] * 2, "nothing waits for Ann"
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
    row = await lease_next(app, DIGEST, REMINDER)
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
    row = await lease_next(app, DIGEST, REMINDER)
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
    assert [brief.id for brief in await digests.games_to_list(await lease_next(app, DIGEST, REMINDER))] == [second]
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
    row = await lease_next(app, DIGEST, REMINDER)
    assert [brief.id for brief in await digests.games_to_list(row)] == [game_id]
    await reminders.turn_off_for_turn(ANN.user, game_id, 2)
    assert await digests.games_to_list(row) == []


async def test_no_digest_comes_during_a_vacation_that_holds(app: App, host: Host, digests: Digests) -> None:
    game_id, _ = await begun(app, Terms(vacation=1)), await begun(app, Terms())
    await digests.set_plan(ANN.user, 8, BERLIN)
    await app.vacations.start_vacation(ANN.user, 5)
    host.passes(19 * HOUR)
    assert await swept(app) == []
    host.passes(DAY)
    assert await swept(app) == [A_DIGEST]
    assert [brief.id for brief in await digests.games_to_list(await lease_next(app, DIGEST, REMINDER))] == [game_id]


async def test_a_late_digest_is_not_sent(app: App, host: Host, digests: Digests) -> None:
    """The host was down at that hour, or Discord was. The next one comes at its hour again."""
    await begun(app, Terms())
    await digests.set_plan(ANN.user, 8, BERLIN)
    host.passes(19 * HOUR + DIGEST_WINDOW)
    await swept(app)
    row = await lease_next(app, DIGEST, REMINDER)
    assert await digests.games_to_list(row)
    host.passes(1)
    assert await digests.games_to_list(row) == []
    await app.outbox.note_delivered(row, None)
    host.passes(22 * HOUR - 1)
    assert await swept(app) == [A_DIGEST] * 2
    assert await digests.games_to_list(await lease_next(app, DIGEST, REMINDER))


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
