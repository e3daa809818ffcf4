"""Reminders in games without a time limit, on a real database: one a week, four a turn."""

import pytest
from sqlalchemy import delete, select

from gipfbot.match import RequestState, Terms
from gipfbot.rules import OVERBOARD, legal
from gipfbot.service.app import App
from gipfbot.service.clock.digests import DIGEST, Digests
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.reminders import CHANNEL_REMINDER, REMINDER, WEEKLY, Reminders
from gipfbot.service.clock.vacations import VACATION, Vacations
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.store import tables, users
from tests.rules.boards_of_overboard import ASKS
from tests.service.helpers import Host, begun, lease_next, overboard_at, play_codes, waits
from tests.service.house.helpers import begin
from tests.support.games import E1
from tests.support.people import ANN, BOB, HOME
from tests.support.times import DAY, HOUR

UNTIMED = Terms()
TO_ANN, TO_BOB, CALL = (REMINDER, ANN.user), (REMINDER, BOB.user), (CHANNEL_REMINDER, HOME.channel)


async def swept(app: App) -> list[tuple[str, int]]:
    """Look once for what is due, and post everything. Return the reminders that were posted, by kind and target."""
    due = await app.what_is_due(app.games.now())
    for kind, do in (
        (VACATION, app.vacations.end_due_vacations),
        (REMINDER, app.reminders.owe_due_reminders),
        (WEEKLY, app.reminders.owe_weekly_reminders),
        (DIGEST, app.digests.owe_due_digests),
    ):
        if kind in due:
            await do()
    posted = list[tuple[str, int]]()
    for row_id in await app.outbox.deliverable_rows():
        row = await app.outbox.lease_row(row_id)
        assert row
        if row.kind in (REMINDER, CHANNEL_REMINDER):
            said = await app.reminders.game_to_remind(row) is not None
            posted += [(row.kind, row.channel)] if said else []
            await app.outbox.note_delivered(row, row.id if said else None)
        else:
            await app.outbox.note_delivered(row, row.id)
    return posted


async def lives(app: App, host: Host, days: int) -> list[tuple[int, str, int]]:
    """Let days pass, with a look every four hours. Return what was posted: the day, the kind and the target."""
    found = list[tuple[int, str, int]]()
    for look in range(1, days * 6 + 1):
        host.passes(4 * HOUR)
        found += [(look // 6, *each) for each in await swept(app)]
    return found


async def plans(app: App) -> list[int | None]:
    """Return the games of all planned weekly reminders."""
    async with app.games.store.reading() as db:
        return [*await db.scalars(select(tables.due.c.game).where(tables.due.c.kind == WEEKLY))]


async def test_sixty_days_give_four_reminders_in_their_weeks(app: App, host: Host) -> None:
    await begun(app, UNTIMED)
    assert await lives(app, host, 60) == [(day, *TO_ANN) for day in (7, 14, 21, 28)]


async def test_each_turn_has_reminders_of_its_own(app: App, host: Host) -> None:
    """The week begins with the turn. A turn that was reminded of four times leaves four to the next one."""
    game_id = await begun(app, UNTIMED)
    assert await lives(app, host, 5) == []
    await app.games.play_actions(game_id, ANN.user, [E1])
    assert await lives(app, host, 6) == []
    assert await lives(app, host, 35) == [(day, *TO_BOB) for day in (1, 8, 15, 22)]
    await app.games.play_actions(game_id, BOB.user, [E1])
    assert await lives(app, host, 60) == [(day, *TO_ANN) for day in (7, 14, 21, 28)]


async def test_an_answer_in_the_opponents_turn_is_reminded_of(app: App, host: Host) -> None:
    """It begins to wait when it is asked for (R8.4)."""
    game_id = await overboard_at(app, ASKS, UNTIMED)
    assert (await app.games.game(game_id)).game.ruleset == OVERBOARD
    assert await lives(app, host, 8) == [(7, *TO_ANN)]
    await play_codes(app, game_id, ANN.user, "a4b4", "xe:")
    assert (await app.games.game(game_id)).game.answering
    assert await lives(app, host, 60) == [(day, *TO_BOB) for day in (7, 14, 21, 28)]


async def test_a_takeback_begins_the_weeks_anew(app: App, host: Host) -> None:
    game_id = await begun(app, UNTIMED)
    assert await lives(app, host, 15) == [(7, *TO_ANN), (14, *TO_ANN)]
    await app.games.play_actions(game_id, ANN.user, [E1])
    assert await lives(app, host, 3) == []
    asked = await app.requests.make(TAKEBACK, game_id, ANN.user)
    await app.requests.settle(asked.request.id, BOB.user, RequestState.ACCEPTED)
    assert await lives(app, host, 60) == [(day, *TO_ANN) for day in (7, 14, 21, 28)]


async def test_an_end_ends_the_plan(app: App, host: Host) -> None:
    game_id = await begun(app, UNTIMED)
    assert await lives(app, host, 8) == [(7, *TO_ANN)]
    await app.games.resign(game_id, BOB.user)
    assert await lives(app, host, 30) == []
    assert await plans(app) == []


async def test_a_timed_game_has_no_weekly_reminder(app: App) -> None:
    await begun(app)
    assert await plans(app) == []


async def test_no_reminder_in_a_vacation(app: App, host: Host, vacations: Vacations) -> None:
    """The one that was due meanwhile comes when it ends, and the next a week after it."""
    game_id = await begun(app, UNTIMED)
    await lives(app, host, 2)
    await vacations.start_vacation(ANN.user, 20)
    assert await lives(app, host, 19) == []
    at = (await app.reminders.game_reminder_settings(ANN.user, game_id)).reminder_at
    assert at == host.now + DAY
    assert await lives(app, host, 60) == [(day, *TO_ANN) for day in (1, 8, 15, 22)]


async def test_the_opponents_vacation_stops_nothing(app: App, host: Host, vacations: Vacations) -> None:
    await begun(app, UNTIMED)
    await vacations.start_vacation(BOB.user, 20)
    assert await lives(app, host, 15) == [(7, *TO_ANN), (14, *TO_ANN)]


async def test_a_vacation_that_ends_early_is_followed_within_a_day(app: App, host: Host, vacations: Vacations) -> None:
    await begun(app, UNTIMED)
    await vacations.start_vacation(ANN.user, 28)
    assert await lives(app, host, 10) == []
    await vacations.end_vacation(ANN.user)
    assert await lives(app, host, 2) == [(1, *TO_ANN)]


async def test_a_reminder_waiting_to_be_posted_is_needless_in_a_vacation(
    app: App, host: Host, vacations: Vacations
) -> None:
    await begun(app, UNTIMED)
    host.passes(7 * DAY)
    await app.reminders.owe_weekly_reminders()
    owed = await lease_next(app, REMINDER)
    assert await app.reminders.game_to_remind(owed)
    await vacations.start_vacation(ANN.user, 2)
    assert await app.reminders.game_to_remind(owed) is None


async def test_a_digest_replaces_the_reminders(app: App, host: Host, digests: Digests) -> None:
    await begun(app, UNTIMED)
    await digests.set_plan(ANN.user, 8, "Europe/Berlin")
    assert await lives(app, host, 30) == []
    async with app.games.store.reading() as db:
        kinds = [*await db.scalars(select(tables.outbox.c.kind).where(tables.outbox.c.kind == DIGEST))]
    assert len(kinds) == 30
    await digests.turn_off(ANN.user)
    assert await lives(app, host, 40) == [(day, *TO_ANN) for day in (1, 8, 15, 22)]


async def test_a_digest_that_is_refused_replaces_nothing(app: App, host: Host, digests: Digests) -> None:
    await begun(app, UNTIMED)
    await digests.set_plan(ANN.user, 8, "Europe/Berlin")
    async with app.games.store.transaction() as db:
        await users.set_dms_shut(db, ANN.user, host.now)
    assert await lives(app, host, 30) == [(7, *CALL)]


@pytest.mark.parametrize("weeks_away", [1, 3, 10])
async def test_a_downtime_is_followed_by_one_reminder(app: App, host: Host, weeks_away: int) -> None:
    flag_watch = app.flag_watch
    await begun(app, UNTIMED)
    await waits(flag_watch, host, DAY)
    host.passes(weeks_away * 7 * DAY)
    assert await flag_watch.check_flags()
    assert await swept(app) == [TO_ANN]
    assert await lives(app, host, 60) == [(day, *TO_ANN) for day in (7, 14, 21)]


async def test_what_discord_did_not_take_for_weeks_comes_once(app: App, host: Host) -> None:
    """The reminders of three weeks are queued. Only the last one is posted."""
    await begun(app, UNTIMED)
    for _ in range(3):
        host.passes(7 * DAY)
        await app.reminders.owe_weekly_reminders()
    assert await swept(app) == [TO_ANN]
    assert await lives(app, host, 30) == [(7, *TO_ANN)]


async def test_a_wrong_clock_of_the_host_brings_no_reminder_early(flag_watch: FlagWatch, app: App, host: Host) -> None:
    await begun(app, UNTIMED)
    host.now += 10 * DAY
    assert not await flag_watch.check_flags()
    assert await swept(app) == []
    host.now -= 10 * DAY
    assert not await flag_watch.check_flags()
    assert await lives(app, host, 10) == [(7, *TO_ANN)]


async def test_the_channel_reminds_once_a_turn(app: App, host: Host) -> None:
    """Once direct messages are open, the others come there."""
    game_id = await begun(app, UNTIMED)
    host.passes(7 * DAY)
    await app.reminders.owe_weekly_reminders()
    await app.outbox.note_dm_refusal(await lease_next(app, REMINDER), "50007", shut=True)
    assert await swept(app) == [CALL]
    assert (await app.reminders.game_reminder_settings(ANN.user, game_id)).reminder_at is None
    assert await lives(app, host, 8) == []
    await app.reminders.note_dms_open(ANN.user)
    assert await lives(app, host, 14) == [(6, *TO_ANN), (13, *TO_ANN)]
    await app.games.play_actions(game_id, ANN.user, [E1])
    await app.games.play_actions(game_id, BOB.user, [E1])
    async with app.games.store.transaction() as db:
        await users.set_dms_shut(db, ANN.user, host.now)
    assert await lives(app, host, 40) == [(7, *CALL)]


async def test_off_quiet_games_and_quiet_turns_hold(app: App, host: Host, reminders: Reminders) -> None:
    first, second = await begun(app, UNTIMED), await begun(app, UNTIMED)
    await reminders.turn_off_for_game(ANN.user, first)
    await reminders.turn_off_for_turn(ANN.user, second, 0)
    assert await lives(app, host, 10) == []
    await reminders.turn_on_for_game(ANN.user, first)
    assert await lives(app, host, 2) == [(1, *TO_ANN)]
    await reminders.set_wish(ANN.user, "off")
    assert await lives(app, host, 20) == []
    await reminders.set_wish(ANN.user, "25%")
    assert await lives(app, host, 8) == [(1, *TO_ANN)] * 2 + [(8, *TO_ANN)] * 2


async def test_a_quiet_turn_ends_with_the_turn(app: App, host: Host, reminders: Reminders) -> None:
    game_id = await begun(app, UNTIMED)
    await reminders.turn_off_for_turn(ANN.user, game_id, 0)
    await app.games.play_actions(game_id, ANN.user, [E1])
    await app.games.play_actions(game_id, BOB.user, [E1])
    assert await lives(app, host, 8) == [(7, *TO_ANN)]


async def test_the_next_reminder_is_told_truly(app: App, host: Host, reminders: Reminders) -> None:
    game_id = await begun(app, UNTIMED)
    began = host.now

    async def told(user: int) -> int | None:
        return (await reminders.game_reminder_settings(user, game_id)).reminder_at

    for week in (1, 2, 3, 4):
        assert [await told(ANN.user), await told(BOB.user)] == [began + week * 7 * DAY, None]
        await lives(app, host, 7)
    assert await told(ANN.user) is None
    await lives(app, host, 2)
    await app.games.play_actions(game_id, ANN.user, [E1])
    assert await told(BOB.user) == host.now + 7 * DAY


async def test_running_games_of_an_older_version_get_their_plan(app: App, host: Host) -> None:
    """A week after the turn began, but at least a day after the upgrade. A second start changes nothing.

    The reminder on the second day is that of the timed game.
    """
    waiting, fresh, over = await begun(app, UNTIMED), await begun(app, UNTIMED), await begun(app, UNTIMED)
    host.passes(30 * DAY)
    await begun(app)
    await app.games.play_actions(fresh, ANN.user, [E1])
    await app.games.resign(over, BOB.user)
    async with app.games.store.transaction() as db:
        await db.execute(delete(tables.due).where(tables.due.c.kind == WEEKLY))
    await app.reminders.plan_weekly_reminders()
    assert await plans(app) == [waiting, fresh]
    host.passes(HOUR)
    await app.reminders.plan_weekly_reminders()
    assert await plans(app) == [waiting, fresh]
    assert await lives(app, host, 9) == [
        (day, *who) for day, who in ((1, TO_ANN), (2, TO_ANN), (7, TO_BOB), (8, TO_ANN))
    ]


async def test_the_house_player_is_not_reminded(app: App, host: Host) -> None:
    """Even if it cannot play for weeks."""
    game_id = (await begin(app)).game.id
    await app.games.play_actions(game_id, ANN.user, [E1])
    assert await lives(app, host, 15) == []


async def test_a_turn_plans_nothing(app: App, host: Host) -> None:
    """One row looks after the whole game: a year of turns leaves no others."""
    game_id = await begun(app, UNTIMED)
    for _ in range(10):
        await lives(app, host, 8)
        game = (await app.games.game(game_id)).game
        await app.games.play_actions(game_id, game.seats[game.decider].user, legal(game.current)[:1])
    assert await plans(app) == [game_id]
