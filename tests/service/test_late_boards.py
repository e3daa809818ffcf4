"""Boards that are posted late, or not where they were to be: nobody's time runs while he cannot know of his turn."""

import pytest

from gipfbot.match import Clock, Status, Terms
from gipfbot.service.app import App
from gipfbot.service.clock.downtime import LAST_ALIVE_KEY
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.reminders import REMINDER
from gipfbot.service.clock.undeliverable import UNDELIVERABLE, UndeliverableBoards
from gipfbot.store import Store, meta, users
from gipfbot.values import OutboxRow, Venue

from .helpers import ANN, BOB, DAY, E1, HOUR, SAVING, THREE_DAYS, Host, begun, clock_of, posted, waits

MESSAGE = 99


@pytest.fixture
def stranded(app: App) -> UndeliverableBoards:
    return app.undeliverable


async def turn(app: App, terms: Terms = THREE_DAYS) -> tuple[int, OutboxRow]:
    """Return a game in which Ann has just played, and the board that asks Bob."""
    id = await begun(app, terms)
    (owed,) = (await app.games.play_actions(id, ANN.user, [E1])).owed
    return id, owed


async def claimed(app: App, kind: str) -> OutboxRow:
    """Return the one row of this kind that is owed now."""
    rows = [await app.outbox.lease_row(row) for row in await app.outbox.deliverable_rows()]
    (found,) = [owed for owed in rows if owed and owed.kind == kind]
    return found


async def shut(store: Store, user: int) -> None:
    async with store.transaction() as db:
        await users.set_dms_shut(db, user, True)


# ── Posted late ──


async def test_no_flag_falls_while_a_board_is_owed_and_once_it_is_posted_all_the_time_is_there(
    app: App, stranded: UndeliverableBoards, flag_watch: FlagWatch, host: Host
) -> None:
    """The board itself says so, whatever it was to say when it became due."""
    id, owed = await turn(app)
    await waits(flag_watch, host, 4 * DAY)
    assert not (await clock_of(app, id)).flagged
    shown = await stranded.board_to_post(owed)
    assert (shown.deadline, shown.credited) == (host.now + 3 * DAY, 4 * DAY)
    await app.outbox.note_delivered(owed, MESSAGE)
    assert await clock_of(app, id) == Clock((3 * DAY, 3 * DAY), host.now + 3 * DAY, credited=4 * DAY)
    await waits(flag_watch, host, 3 * DAY + 60)
    assert (await clock_of(app, id)).flagged


async def test_the_grace_begins_when_the_board_that_tells_of_it_is_posted(
    app: App, stranded: UndeliverableBoards, flag_watch: FlagWatch, host: Host
) -> None:
    id, owed = await turn(app)
    await app.outbox.note_delivered(owed, MESSAGE)
    await waits(flag_watch, host, 3 * DAY + 60)
    flag = await claimed(app, "board")
    await waits(flag_watch, host, 20 * HOUR)
    assert (await stranded.board_to_post(flag)).deadline == host.now + 12 * HOUR
    await app.outbox.note_delivered(flag, MESSAGE + 1)
    now = await clock_of(app, id)
    assert (now.flagged, now.deadline) == (True, host.now + 12 * HOUR)


async def test_who_plays_before_his_board_is_posted_has_used_no_time(
    app: App, flag_watch: FlagWatch, host: Host
) -> None:
    id, _ = await turn(app, SAVING)
    await waits(flag_watch, host, 11 * DAY)
    await app.games.play_typed(id, BOB.user, "b3")
    assert (await clock_of(app, id)).bank == (11 * DAY, 11 * DAY)


async def test_a_minute_or_two_are_nobodys_gain(app: App, stranded: UndeliverableBoards, host: Host) -> None:
    id, owed = await turn(app)
    before = await clock_of(app, id)
    host.passes(120)
    assert (await stranded.board_to_post(owed)).deadline == before.deadline
    await app.outbox.note_delivered(owed, MESSAGE)
    assert await clock_of(app, id) == before


async def test_a_board_that_is_no_longer_the_newest_gives_nothing_back(
    app: App, stranded: UndeliverableBoards, host: Host
) -> None:
    id, owed = await turn(app)
    host.passes(DAY)
    await app.games.play_typed(id, BOB.user, "b3")
    host.passes(HOUR)
    before = await clock_of(app, id)
    assert (await stranded.board_to_post(owed)).deadline != before.deadline
    await app.outbox.note_delivered(owed, MESSAGE)
    assert await clock_of(app, id) == before


# ── Not taken ──


async def test_what_was_tried_in_vain_for_a_day_has_cost_him_none(app: App, host: Host) -> None:
    id, owed = await turn(app)
    host.passes(DAY)
    await app.outbox.note_channel_refusal(owed, "no answer")
    assert (await clock_of(app, id)).paused_left == 3 * DAY


async def test_brought_elsewhere_a_game_whose_clock_stood_goes_on_and_its_board_says_until_when(
    app: App, stranded: UndeliverableBoards, host: Host
) -> None:
    id, owed = await turn(app)
    await shut(app.games.store, BOB.user)
    await app.outbox.note_channel_refusal(owed, "forbidden")
    assert (await clock_of(app, id)).paused_left == 3 * DAY
    host.passes(DAY)
    (there,) = (await app.venues.relocate(id, Venue(10, 21))).owed
    assert (await stranded.board_to_post(there)).deadline == host.now + 3 * DAY
    await app.outbox.note_delivered(there, MESSAGE)
    assert (await clock_of(app, id)).deadline == host.now + 3 * DAY


async def test_his_clock_stands_until_his_letter_is_posted(app: App, stranded: UndeliverableBoards, host: Host) -> None:
    id, owed = await turn(app)
    await app.outbox.note_channel_refusal(owed, "forbidden")
    letter = await claimed(app, UNDELIVERABLE)
    assert (await clock_of(app, id)).paused_left == 3 * DAY
    host.passes(30 * 60)
    game = await stranded.fallback_dm_game(letter)
    assert game
    assert game.clock
    assert game.clock.deadline == host.now + 3 * DAY
    await app.outbox.note_delivered(letter, MESSAGE)
    assert (await clock_of(app, id)).deadline == host.now + 3 * DAY


async def test_a_letter_that_was_needless_for_a_moment_is_written_when_its_board_is_refused_again(
    app: App, stranded: UndeliverableBoards, host: Host
) -> None:
    id, owed = await turn(app)
    await app.outbox.note_channel_refusal(owed, "forbidden")
    letter = await claimed(app, UNDELIVERABLE)
    host.passes(HOUR)
    await stranded.retry_due_boards()
    assert await stranded.fallback_dm_game(letter) is None
    await app.outbox.note_delivered(letter, None)
    await app.outbox.note_channel_refusal(await claimed(app, "board"), "forbidden")
    assert await stranded.fallback_dm_game(await claimed(app, UNDELIVERABLE))
    assert (await clock_of(app, id)).paused_left == 3 * DAY


async def test_who_has_had_his_letter_gains_nothing_by_the_board_that_follows(
    app: App, stranded: UndeliverableBoards, host: Host
) -> None:
    id, owed = await turn(app)
    await app.outbox.note_channel_refusal(owed, "forbidden")
    await app.outbox.note_delivered(await claimed(app, UNDELIVERABLE), MESSAGE)
    told = await clock_of(app, id)
    for refused in (True, False):
        host.passes(DAY)
        await stranded.retry_due_boards()
        again = await claimed(app, "board")
        assert again.id == owed.id
        await (
            app.outbox.note_channel_refusal(again, "forbidden")
            if refused
            else app.outbox.note_delivered(again, MESSAGE)
        )
        assert await clock_of(app, id) == told


async def test_a_vacation_that_ends_starts_no_clock_of_who_has_been_told_nowhere(
    app: App, stranded: UndeliverableBoards, host: Host
) -> None:
    id, owed = await turn(app)
    await shut(app.games.store, BOB.user)
    await app.outbox.note_channel_refusal(owed, "forbidden")
    vacations = app.vacations
    await vacations.start_vacation(BOB.user, 2)
    host.passes(HOUR)
    _, announced = await vacations.end_vacation(BOB.user)
    assert announced == ()
    assert (await clock_of(app, id)).paused_left == 3 * DAY


async def test_one_that_ends_starts_that_of_who_has_had_a_letter(app: App, host: Host) -> None:
    id, owed = await turn(app)
    await app.outbox.note_channel_refusal(owed, "forbidden")
    await app.outbox.note_delivered(await claimed(app, UNDELIVERABLE), MESSAGE)
    vacations = app.vacations
    await vacations.start_vacation(BOB.user, 2)
    host.passes(HOUR)
    await vacations.end_vacation(BOB.user)
    assert (await clock_of(app, id)).deadline == host.now + 3 * DAY


# ── The host's clock, and an absence that is not noted yet ──


async def test_a_clock_that_is_set_right_between_two_processes_costs_and_gives_nobody_anything(
    app: App, flag_watch: FlagWatch, host: Host
) -> None:
    """Wrong by ten days when the bot starts, it looks like an absence; right again, all clocks go back with it."""
    id, before = await begun(app), host.now
    for wrong in (10 * DAY, -10 * DAY):
        host.now += wrong + 60
        await FlagWatch(app.games.store, lambda: host.now, lambda: host.ticks).check_flags()
    assert host.now == before + 120
    now = await clock_of(app, id)
    assert (now.deadline, now.credited) == (host.now + 3 * DAY, 120)


async def test_what_was_put_off_by_a_wrong_clock_is_tried_once_that_is_right(
    app: App, flag_watch: FlagWatch, host: Host
) -> None:
    _, owed = await turn(app)
    host.now += 2 * DAY
    await flag_watch.check_flags()
    await app.outbox.retry_later(owed)
    host.now -= 2 * DAY
    await flag_watch.check_flags()
    assert await app.outbox.deliverable_rows() == [owed.id]


async def test_a_vacation_that_ends_in_an_absence_not_noted_yet_gives_back_what_is_due_and_no_more(
    app: App, flag_watch: FlagWatch, host: Host
) -> None:
    id, vacations = await begun(app), app.vacations
    await posted(app.games.store)
    host.passes(2 * DAY)
    async with app.games.store.transaction() as db:
        await meta.save_value(db, LAST_ALIVE_KEY, str(host.now))
    await vacations.start_vacation(ANN.user, 8)
    host.passes(5 * DAY)
    await vacations.end_vacation(ANN.user)
    await flag_watch.check_flags()
    assert (await clock_of(app, id)).deadline == host.now + DAY


async def test_a_reminder_that_a_vacation_made_needless_comes_after_it(
    app: App, flag_watch: FlagWatch, host: Host
) -> None:
    """It was owed, and Discord took nothing, when he went on vacation."""
    await begun(app)
    reminders, vacations = app.reminders, app.vacations
    await waits(flag_watch, host, 60 * HOUR)
    await reminders.owe_due_reminders()
    owed = await claimed(app, REMINDER)
    await vacations.start_vacation(ANN.user, 2)
    assert await reminders.game_to_remind(owed) is None
    await app.outbox.note_delivered(owed, None)
    host.passes(HOUR)
    await vacations.end_vacation(ANN.user)
    await reminders.owe_due_reminders()
    assert await reminders.game_to_remind(await claimed(app, REMINDER))


# ── Both together ──


async def refuses(app: App, stranded: UndeliverableBoards, flag_watch: FlagWatch, host: Host, hours: int) -> None:
    """Let time pass in which the channel refuses all boards, and nobody takes direct messages."""
    for _ in range(hours):
        for row in await app.outbox.deliverable_rows():
            owed = await app.outbox.lease_row(row)
            if owed and owed.kind == "board":
                await app.outbox.note_channel_refusal(owed, "forbidden")
        await waits(flag_watch, host, HOUR)
        await stranded.retry_due_boards()


async def test_on_vacation_nobody_is_taken_to_have_left(
    app: App, stranded: UndeliverableBoards, flag_watch: FlagWatch, host: Host
) -> None:
    id, vacations = await begun(app), app.vacations
    await vacations.start_vacation(BOB.user, 20)
    await app.games.play_actions(id, ANN.user, [E1])
    await shut(app.games.store, BOB.user)
    await refuses(app, stranded, flag_watch, host, 17 * 24)
    assert (await clock_of(app, id)).paused_left == 3 * DAY
    await vacations.end_vacation(BOB.user)
    await refuses(app, stranded, flag_watch, host, 48)
    assert (await clock_of(app, id)).deadline


async def test_time_in_which_a_board_was_not_yet_tried_is_no_silence_of_the_player(
    app: App, flag_watch: FlagWatch, host: Host
) -> None:
    """The bot was away, or another board went before it."""
    id, owed = await turn(app)
    await app.games.play_typed(id, BOB.user, "b3")
    host.passes(15 * DAY)
    await flag_watch.check_flags()
    await app.outbox.note_delivered(owed, MESSAGE)
    await app.outbox.note_channel_refusal(await claimed(app, "board"), "forbidden")
    assert (await clock_of(app, id)).paused_left == 3 * DAY
    await app.outbox.note_delivered(await claimed(app, UNDELIVERABLE), MESSAGE)
    assert (await clock_of(app, id)).deadline == host.now + 3 * DAY


async def test_in_his_grace_nobody_loses_whom_nobody_could_tell(
    app: App, stranded: UndeliverableBoards, flag_watch: FlagWatch, host: Host
) -> None:
    """As long as he may be there."""
    id, owed = await turn(app)
    await app.outbox.note_delivered(owed, MESSAGE)
    await shut(app.games.store, BOB.user)
    await waits(flag_watch, host, 3 * DAY + 60)
    await refuses(app, stranded, flag_watch, host, 13 * 24)
    assert (await clock_of(app, id)).flagged
    await refuses(app, stranded, flag_watch, host, 3 * 24)
    assert (await app.games.game(id)).game.status is Status.OVER


async def test_brought_elsewhere_a_game_keeps_what_its_old_board_has_cost(
    app: App, stranded: UndeliverableBoards, flag_watch: FlagWatch, host: Host
) -> None:
    id, owed = await turn(app)
    await app.outbox.retry_later(owed)
    await waits(flag_watch, host, 4 * DAY)
    (there,) = (await app.venues.relocate(id, Venue(10, 21))).owed
    assert (await stranded.board_to_post(there)).deadline == host.now + 3 * DAY
    assert (await clock_of(app, id)).deadline == host.now + 3 * DAY


async def test_a_board_written_in_the_middle_of_a_turn_gives_back_what_it_has_cost_and_no_more(
    app: App, flag_watch: FlagWatch, host: Host
) -> None:
    """Not even where the bot was away meanwhile."""
    id, owed = await turn(app)
    await app.outbox.note_delivered(owed, MESSAGE)
    await waits(flag_watch, host, 60 * HOUR)
    (there,) = (await app.venues.relocate(id, Venue(10, 21))).owed
    host.passes(2 * DAY)
    await flag_watch.check_flags()
    await app.outbox.note_delivered(there, MESSAGE)
    assert (await clock_of(app, id)).deadline == host.now + 12 * HOUR


async def test_a_letter_is_not_sent_where_the_game_goes_on_elsewhere(
    app: App, stranded: UndeliverableBoards, host: Host
) -> None:
    id, owed = await turn(app)
    await app.outbox.note_channel_refusal(owed, "forbidden")
    letter = await claimed(app, UNDELIVERABLE)
    (there,) = (await app.venues.relocate(id, Venue(10, 21))).owed
    await app.outbox.note_delivered(there, MESSAGE)
    assert await stranded.fallback_dm_game(letter) is None


@pytest.mark.parametrize("back", [20 * 60, 10 * DAY])
async def test_a_clock_set_back_takes_nothing_from_whose_board_is_refused(
    app: App, flag_watch: FlagWatch, host: Host, back: int
) -> None:
    id, owed = await turn(app)
    host.now -= back
    await flag_watch.check_flags()
    await app.outbox.note_channel_refusal(owed, "forbidden")
    assert (await clock_of(app, id)).paused_left == 3 * DAY


async def test_a_late_board_says_that_its_player_is_on_vacation(
    app: App, stranded: UndeliverableBoards, flag_watch: FlagWatch, host: Host
) -> None:
    _, owed = await turn(app)
    await waits(flag_watch, host, 4 * HOUR)
    await app.vacations.start_vacation(BOB.user, 9)
    shown = await stranded.board_to_post(owed)
    assert (shown.deadline, shown.paused_left, shown.vacation_until) == (None, 3 * DAY, host.now + 9 * DAY)


async def test_two_who_bring_a_game_elsewhere_at_once_leave_it_at_the_second_place(app: App) -> None:
    id, _ = await turn(app)
    await app.venues.relocate(id, Venue(10, 21))
    (there,) = (await app.venues.relocate(id, Venue(10, 22))).owed
    assert there.channel == 22
