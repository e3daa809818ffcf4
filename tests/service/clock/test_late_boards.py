"""Boards posted late, or in another channel: no clock runs while its player cannot know of the turn."""

import pytest

from gipfbot.match import Clock, Status, Terms
from gipfbot.service.app import App
from gipfbot.service.clock.downtime import LAST_ALIVE_KEY
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.reminders import REMINDER
from gipfbot.service.clock.undeliverable import UNDELIVERABLE, UndeliverableBoards
from gipfbot.store import Store, meta, users
from gipfbot.values import OutboxRow, Venue
from tests.service.helpers import Host, begun, clock_of, lease_only, posted, waits
from tests.support.games import E1
from tests.support.people import ANN, BOB, CLUB
from tests.support.terms import SAVING, THREE_DAYS
from tests.support.times import DAY, HOUR

MESSAGE = 99


async def turn(app: App, terms: Terms = THREE_DAYS) -> tuple[int, OutboxRow]:
    """Return a game in which Ann has just played, and the board that asks Bob."""
    game_id = await begun(app, terms)
    (owed,) = (await app.games.play_actions(game_id, ANN.user, [E1])).owed
    return game_id, owed


async def shut(store: Store, user: int, now: int) -> None:
    async with store.transaction() as db:
        await users.set_dms_shut(db, user, now)


# ── Posted late ──


async def test_a_board_posted_late_starts_the_time_anew(
    app: App, undeliverable: UndeliverableBoards, flag_watch: FlagWatch, host: Host
) -> None:
    """No flag falls while it is owed. It shows the new deadline, not the one it was packed with."""
    game_id, owed = await turn(app)
    await waits(flag_watch, host, 4 * DAY)
    assert not (await clock_of(app, game_id)).flagged
    shown = await undeliverable.board_to_post(owed)
    assert (shown.deadline, shown.credited) == (host.now + 3 * DAY, 4 * DAY)
    await app.outbox.note_delivered(owed, MESSAGE)
    assert await clock_of(app, game_id) == Clock((3 * DAY, 3 * DAY), host.now + 3 * DAY, credited=4 * DAY)
    await waits(flag_watch, host, 3 * DAY + 60)
    assert (await clock_of(app, game_id)).flagged


async def test_grace_starts_when_its_board_is_posted(
    app: App, undeliverable: UndeliverableBoards, flag_watch: FlagWatch, host: Host
) -> None:
    game_id, owed = await turn(app)
    await app.outbox.note_delivered(owed, MESSAGE)
    await waits(flag_watch, host, 3 * DAY + 60)
    flag = await lease_only(app, "board")
    await waits(flag_watch, host, 20 * HOUR)
    assert (await undeliverable.board_to_post(flag)).deadline == host.now + 12 * HOUR
    await app.outbox.note_delivered(flag, MESSAGE + 1)
    now = await clock_of(app, game_id)
    assert (now.flagged, now.deadline) == (True, host.now + 12 * HOUR)


async def test_a_turn_before_its_board_is_posted_uses_no_time(app: App, flag_watch: FlagWatch, host: Host) -> None:
    game_id, _ = await turn(app, SAVING)
    await waits(flag_watch, host, 11 * DAY)
    await app.games.play_typed(game_id, BOB.user, "b3")
    assert (await clock_of(app, game_id)).bank == (11 * DAY, 11 * DAY)


async def test_a_delay_of_a_minute_is_not_credited(app: App, undeliverable: UndeliverableBoards, host: Host) -> None:
    game_id, owed = await turn(app)
    before = await clock_of(app, game_id)
    host.passes(120)
    assert (await undeliverable.board_to_post(owed)).deadline == before.deadline
    await app.outbox.note_delivered(owed, MESSAGE)
    assert await clock_of(app, game_id) == before


async def test_an_outdated_board_credits_nothing(app: App, undeliverable: UndeliverableBoards, host: Host) -> None:
    game_id, owed = await turn(app)
    host.passes(DAY)
    await app.games.play_typed(game_id, BOB.user, "b3")
    host.passes(HOUR)
    before = await clock_of(app, game_id)
    assert (await undeliverable.board_to_post(owed)).deadline != before.deadline
    await app.outbox.note_delivered(owed, MESSAGE)
    assert await clock_of(app, game_id) == before


# ── Not taken ──


async def test_a_day_of_failed_posts_costs_no_time(app: App, host: Host) -> None:
    game_id, owed = await turn(app)
    host.passes(DAY)
    await app.outbox.note_channel_refusal(owed, "no answer")
    assert (await clock_of(app, game_id)).paused_left == 3 * DAY


async def test_a_relocated_game_runs_on_and_shows_its_deadline(
    app: App, undeliverable: UndeliverableBoards, host: Host
) -> None:
    game_id, owed = await turn(app)
    await shut(app.games.store, BOB.user, host.now)
    await app.outbox.note_channel_refusal(owed, "forbidden")
    assert (await clock_of(app, game_id)).paused_left == 3 * DAY
    host.passes(DAY)
    (there,) = (await app.venues.relocate(game_id, Venue(CLUB, 21))).owed
    assert (await undeliverable.board_to_post(there)).deadline == host.now + 3 * DAY
    await app.outbox.note_delivered(there, MESSAGE)
    assert (await clock_of(app, game_id)).deadline == host.now + 3 * DAY


async def test_the_clock_stands_until_the_fallback_dm_is_posted(
    app: App, undeliverable: UndeliverableBoards, host: Host
) -> None:
    game_id, owed = await turn(app)
    await app.outbox.note_channel_refusal(owed, "forbidden")
    dm = await lease_only(app, UNDELIVERABLE)
    assert (await clock_of(app, game_id)).paused_left == 3 * DAY
    host.passes(30 * 60)
    game = await undeliverable.fallback_dm_game(dm)
    assert game
    assert game.clock
    assert game.clock.deadline == host.now + 3 * DAY
    await app.outbox.note_delivered(dm, MESSAGE)
    assert (await clock_of(app, game_id)).deadline == host.now + 3 * DAY


async def test_a_needless_fallback_dm_is_owed_again_later(
    app: App, undeliverable: UndeliverableBoards, host: Host
) -> None:
    game_id, owed = await turn(app)
    await app.outbox.note_channel_refusal(owed, "forbidden")
    dm = await lease_only(app, UNDELIVERABLE)
    host.passes(HOUR)
    await undeliverable.retry_due_boards()
    assert await undeliverable.fallback_dm_game(dm) is None
    await app.outbox.note_delivered(dm, None)
    await app.outbox.note_channel_refusal(await lease_only(app, "board"), "forbidden")
    assert await undeliverable.fallback_dm_game(await lease_only(app, UNDELIVERABLE))
    assert (await clock_of(app, game_id)).paused_left == 3 * DAY


async def test_after_the_fallback_dm_the_board_credits_nothing(
    app: App, undeliverable: UndeliverableBoards, host: Host
) -> None:
    game_id, owed = await turn(app)
    await app.outbox.note_channel_refusal(owed, "forbidden")
    await app.outbox.note_delivered(await lease_only(app, UNDELIVERABLE), MESSAGE)
    told = await clock_of(app, game_id)
    for refused in (True, False):
        host.passes(DAY)
        await undeliverable.retry_due_boards()
        again = await lease_only(app, "board")
        assert again.id == owed.id
        await (
            app.outbox.note_channel_refusal(again, "forbidden")
            if refused
            else app.outbox.note_delivered(again, MESSAGE)
        )
        assert await clock_of(app, game_id) == told


async def test_a_turn_while_the_board_is_retried_credits_nothing_after_the_fallback_dm(
    app: App, undeliverable: UndeliverableBoards, host: Host
) -> None:
    """The player was told by the DM, so their time has run since then."""
    game_id, owed = await turn(app, SAVING)
    await app.outbox.note_channel_refusal(owed, "forbidden")
    await app.outbox.note_delivered(await lease_only(app, UNDELIVERABLE), MESSAGE)
    told = await clock_of(app, game_id)
    assert told.deadline
    host.passes(DAY)
    await undeliverable.retry_due_boards()
    left = told.deadline - host.now
    await app.games.play_typed(game_id, BOB.user, "b3")
    assert (await clock_of(app, game_id)).bank[1] == left + DAY, "the increment is a day"


async def test_the_end_of_a_vacation_starts_no_untold_players_clock(
    app: App, undeliverable: UndeliverableBoards, host: Host
) -> None:
    game_id, owed = await turn(app)
    await shut(app.games.store, BOB.user, host.now)
    await app.outbox.note_channel_refusal(owed, "forbidden")
    vacations = app.vacations
    await vacations.start_vacation(BOB.user, 2)
    host.passes(HOUR)
    _, announced = await vacations.end_vacation(BOB.user)
    assert announced == ()
    assert (await clock_of(app, game_id)).paused_left == 3 * DAY


async def test_the_end_of_a_vacation_starts_a_told_players_clock(app: App, host: Host) -> None:
    game_id, owed = await turn(app)
    await app.outbox.note_channel_refusal(owed, "forbidden")
    await app.outbox.note_delivered(await lease_only(app, UNDELIVERABLE), MESSAGE)
    vacations = app.vacations
    await vacations.start_vacation(BOB.user, 2)
    host.passes(HOUR)
    await vacations.end_vacation(BOB.user)
    assert (await clock_of(app, game_id)).deadline == host.now + 3 * DAY


# ── The host's clock, and downtime that is not noted yet ──


async def test_a_clock_corrected_between_processes_takes_and_gives_nothing(
    app: App, flag_watch: FlagWatch, host: Host
) -> None:
    """Ten days wrong at the start, the clock looks like downtime. Once it is right, all clocks go back with it."""
    game_id, before = await begun(app), host.now
    for wrong in (10 * DAY, -10 * DAY):
        host.now += wrong + 60
        await FlagWatch(app.games.store, lambda: host.now, lambda: host.ticks).check_flags()
    assert host.now == before + 120
    now = await clock_of(app, game_id)
    assert (now.deadline, now.credited) == (host.now + 3 * DAY, 120)


async def test_a_retry_planned_on_a_wrong_clock_comes_once_corrected(
    app: App, flag_watch: FlagWatch, host: Host
) -> None:
    _, owed = await turn(app)
    host.now += 2 * DAY
    await flag_watch.check_flags()
    await app.outbox.retry_later(owed)
    host.now -= 2 * DAY
    await flag_watch.check_flags()
    assert await app.outbox.deliverable_rows() == [owed.id]


async def test_a_vacation_that_ends_in_downtime_credits_it_once(app: App, flag_watch: FlagWatch, host: Host) -> None:
    game_id, vacations = await begun(app), app.vacations
    await posted(app.games.store)
    host.passes(2 * DAY)
    async with app.games.store.transaction() as db:
        await meta.save_value(db, LAST_ALIVE_KEY, str(host.now))
    await vacations.start_vacation(ANN.user, 8)
    host.passes(5 * DAY)
    await vacations.end_vacation(ANN.user)
    await flag_watch.check_flags()
    assert (await clock_of(app, game_id)).deadline == host.now + DAY


async def test_a_reminder_that_a_vacation_made_needless_comes_after_it(
    app: App, flag_watch: FlagWatch, host: Host
) -> None:
    """It was owed, and Discord accepted nothing, when the player went on vacation."""
    await begun(app)
    reminders, vacations = app.reminders, app.vacations
    await waits(flag_watch, host, 60 * HOUR)
    await reminders.owe_due_reminders()
    owed = await lease_only(app, REMINDER)
    await vacations.start_vacation(ANN.user, 2)
    assert await reminders.game_to_remind(owed) is None
    await app.outbox.note_delivered(owed, None)
    host.passes(HOUR)
    await vacations.end_vacation(ANN.user)
    await reminders.owe_due_reminders()
    assert await reminders.game_to_remind(await lease_only(app, REMINDER))


# ── Both together ──


async def refuses(app: App, undeliverable: UndeliverableBoards, flag_watch: FlagWatch, host: Host, hours: int) -> None:
    """Let time pass in which the channel refuses all boards, and nobody takes direct messages."""
    for _ in range(hours):
        for row in await app.outbox.deliverable_rows():
            owed = await app.outbox.lease_row(row)
            if owed and owed.kind == "board":
                await app.outbox.note_channel_refusal(owed, "forbidden")
        await waits(flag_watch, host, HOUR)
        await undeliverable.retry_due_boards()


@pytest.mark.slow
async def test_a_vacation_outlasts_the_patience_for_unseen_boards(
    app: App, undeliverable: UndeliverableBoards, flag_watch: FlagWatch, host: Host
) -> None:
    game_id, vacations = await begun(app), app.vacations
    await vacations.start_vacation(BOB.user, 20)
    await app.games.play_actions(game_id, ANN.user, [E1])
    await shut(app.games.store, BOB.user, host.now)
    await refuses(app, undeliverable, flag_watch, host, 17 * 24)
    assert (await clock_of(app, game_id)).paused_left == 3 * DAY
    await vacations.end_vacation(BOB.user)
    await refuses(app, undeliverable, flag_watch, host, 48)
    assert (await clock_of(app, game_id)).deadline


async def test_patience_starts_when_a_board_is_first_tried(app: App, flag_watch: FlagWatch, host: Host) -> None:
    """Before that the bot was down, or another board went first."""
    game_id, owed = await turn(app)
    await app.games.play_typed(game_id, BOB.user, "b3")
    host.passes(15 * DAY)
    await flag_watch.check_flags()
    await app.outbox.note_delivered(owed, MESSAGE)
    await app.outbox.note_channel_refusal(await lease_only(app, "board"), "forbidden")
    assert (await clock_of(app, game_id)).paused_left == 3 * DAY
    await app.outbox.note_delivered(await lease_only(app, UNDELIVERABLE), MESSAGE)
    assert (await clock_of(app, game_id)).deadline == host.now + 3 * DAY


@pytest.mark.slow
async def test_nobody_loses_in_grace_while_their_boards_are_refused(
    app: App, undeliverable: UndeliverableBoards, flag_watch: FlagWatch, host: Host
) -> None:
    """As long as patience lasts."""
    game_id, owed = await turn(app)
    await app.outbox.note_delivered(owed, MESSAGE)
    await shut(app.games.store, BOB.user, host.now)
    await waits(flag_watch, host, 3 * DAY + 60)
    await refuses(app, undeliverable, flag_watch, host, 13 * 24)
    assert (await clock_of(app, game_id)).flagged
    await refuses(app, undeliverable, flag_watch, host, 3 * 24)
    assert (await app.games.game(game_id)).game.status is Status.OVER


async def test_a_relocated_game_credits_its_late_board(
    app: App, undeliverable: UndeliverableBoards, flag_watch: FlagWatch, host: Host
) -> None:
    game_id, owed = await turn(app)
    await app.outbox.retry_later(owed)
    await waits(flag_watch, host, 4 * DAY)
    (there,) = (await app.venues.relocate(game_id, Venue(CLUB, 21))).owed
    assert (await undeliverable.board_to_post(there)).deadline == host.now + 3 * DAY
    assert (await clock_of(app, game_id)).deadline == host.now + 3 * DAY


async def test_a_board_owed_within_a_turn_credits_only_its_delay(app: App, flag_watch: FlagWatch, host: Host) -> None:
    """Not even if the bot was down meanwhile."""
    game_id, owed = await turn(app)
    await app.outbox.note_delivered(owed, MESSAGE)
    await waits(flag_watch, host, 60 * HOUR)
    (there,) = (await app.venues.relocate(game_id, Venue(CLUB, 21))).owed
    host.passes(2 * DAY)
    await flag_watch.check_flags()
    await app.outbox.note_delivered(there, MESSAGE)
    assert (await clock_of(app, game_id)).deadline == host.now + 12 * HOUR


async def test_a_relocated_game_needs_no_fallback_dm(app: App, undeliverable: UndeliverableBoards, host: Host) -> None:
    game_id, owed = await turn(app)
    await app.outbox.note_channel_refusal(owed, "forbidden")
    dm = await lease_only(app, UNDELIVERABLE)
    (there,) = (await app.venues.relocate(game_id, Venue(CLUB, 21))).owed
    await app.outbox.note_delivered(there, MESSAGE)
    assert await undeliverable.fallback_dm_game(dm) is None


@pytest.mark.parametrize("back", [20 * 60, 10 * DAY])
async def test_a_rollback_takes_no_time_while_a_board_is_refused(
    app: App, flag_watch: FlagWatch, host: Host, back: int
) -> None:
    game_id, owed = await turn(app)
    host.now -= back
    await flag_watch.check_flags()
    await app.outbox.note_channel_refusal(owed, "forbidden")
    assert (await clock_of(app, game_id)).paused_left == 3 * DAY


async def test_a_late_board_says_that_its_player_is_on_vacation(
    app: App, undeliverable: UndeliverableBoards, flag_watch: FlagWatch, host: Host
) -> None:
    _, owed = await turn(app)
    await waits(flag_watch, host, 4 * HOUR)
    await app.vacations.start_vacation(BOB.user, 9)
    shown = await undeliverable.board_to_post(owed)
    assert (shown.deadline, shown.paused_left, shown.vacation_until) == (None, 3 * DAY, host.now + 9 * DAY)


async def test_of_two_simultaneous_relocations_the_second_stands(app: App) -> None:
    game_id, _ = await turn(app)
    await app.venues.relocate(game_id, Venue(CLUB, 21))
    (there,) = (await app.venues.relocate(game_id, Venue(CLUB, 22))).owed
    assert there.channel == 22
