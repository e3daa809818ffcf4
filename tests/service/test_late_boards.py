"""Boards that are posted late, or not where they were to be: nobody's time runs while he cannot know of his turn."""

import pytest

from gipfbot.match import Clock, Status, Terms
from gipfbot.service.app import App
from gipfbot.service.clock.downtime import LAST_ALIVE_KEY
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.reminders import REMINDER, Reminders
from gipfbot.service.clock.undeliverable import UNDELIVERABLE, UndeliverableBoards
from gipfbot.service.clock.vacations import Vacations
from gipfbot.store import Store, meta, users
from gipfbot.values import OutboxRow, Venue

from .conftest import posted, posting
from .test_flag_watch import ANN, BOB, DAY, E1, HOUR, SAVING, THREE_DAYS, Host, begun, clock, host, keeper, service

__all__ = ["host", "keeper", "service"]
MESSAGE = 99


@pytest.fixture
def stranded(service: App) -> UndeliverableBoards:
    return UndeliverableBoards(service.games.store, service.now)


async def waits(keeper: FlagWatch, host: Host, seconds: int) -> None:
    """Let time pass in which the bot lives, but posts nothing, and let it look at all clocks."""
    host.passes(seconds - 60)
    async with keeper.store.transaction() as db:
        await meta.save_value(db, LAST_ALIVE_KEY, str(host.now))
    host.passes(60)
    await keeper.check_flags()


async def turn(service: App, terms: Terms = THREE_DAYS) -> tuple[int, OutboxRow]:
    """Return a game in which Ann has just played, and the board that asks Bob."""
    id = await begun(service, terms)
    (owed,) = (await service.games.play_actions(id, ANN.user, [E1])).owed
    return id, owed


async def claimed(service: App, kind: str) -> OutboxRow:
    """Return the one row of this kind that is owed now."""
    rows = [await posting(service).lease_row(row) for row in await posting(service).deliverable_rows()]
    (found,) = [owed for owed in rows if owed and owed.kind == kind]
    return found


async def shut(store: Store, user: int) -> None:
    async with store.transaction() as db:
        await users.set_dms_shut(db, user, True)


# ── Posted late ──


async def test_no_flag_falls_while_a_board_is_owed_and_once_it_is_posted_all_the_time_is_there(
    service: App, stranded: UndeliverableBoards, keeper: FlagWatch, host: Host
) -> None:
    """The board itself says so, whatever it was to say when it became due."""
    id, owed = await turn(service)
    await waits(keeper, host, 4 * DAY)
    assert not (await clock(service, id)).flagged
    shown = await stranded.board_to_post(owed)
    assert (shown.deadline, shown.credited) == (host.now + 3 * DAY, 4 * DAY)
    await posting(service).note_delivered(owed, MESSAGE)
    assert await clock(service, id) == Clock((3 * DAY, 3 * DAY), host.now + 3 * DAY, credited=4 * DAY)
    await waits(keeper, host, 3 * DAY + 60)
    assert (await clock(service, id)).flagged


async def test_the_grace_begins_when_the_board_that_tells_of_it_is_posted(
    service: App, stranded: UndeliverableBoards, keeper: FlagWatch, host: Host
) -> None:
    id, owed = await turn(service)
    await posting(service).note_delivered(owed, MESSAGE)
    await waits(keeper, host, 3 * DAY + 60)
    flag = await claimed(service, "board")
    await waits(keeper, host, 20 * HOUR)
    assert (await stranded.board_to_post(flag)).deadline == host.now + 12 * HOUR
    await posting(service).note_delivered(flag, MESSAGE + 1)
    now = await clock(service, id)
    assert (now.flagged, now.deadline) == (True, host.now + 12 * HOUR)


async def test_who_plays_before_his_board_is_posted_has_used_no_time(
    service: App, keeper: FlagWatch, host: Host
) -> None:
    id, _ = await turn(service, SAVING)
    await waits(keeper, host, 11 * DAY)
    await service.games.play_typed(id, BOB.user, "b3")
    assert (await clock(service, id)).bank == (11 * DAY, 11 * DAY)


async def test_a_minute_or_two_are_nobodys_gain(service: App, stranded: UndeliverableBoards, host: Host) -> None:
    id, owed = await turn(service)
    before = await clock(service, id)
    host.passes(120)
    assert (await stranded.board_to_post(owed)).deadline == before.deadline
    await posting(service).note_delivered(owed, MESSAGE)
    assert await clock(service, id) == before


async def test_a_board_that_is_no_longer_the_newest_gives_nothing_back(
    service: App, stranded: UndeliverableBoards, host: Host
) -> None:
    id, owed = await turn(service)
    host.passes(DAY)
    await service.games.play_typed(id, BOB.user, "b3")
    host.passes(HOUR)
    before = await clock(service, id)
    assert (await stranded.board_to_post(owed)).deadline != before.deadline
    await posting(service).note_delivered(owed, MESSAGE)
    assert await clock(service, id) == before


# ── Not taken ──


async def test_what_was_tried_in_vain_for_a_day_has_cost_him_none(service: App, host: Host) -> None:
    id, owed = await turn(service)
    host.passes(DAY)
    await posting(service).note_channel_refusal(owed, "no answer")
    assert (await clock(service, id)).paused_left == 3 * DAY


async def test_brought_elsewhere_a_game_whose_clock_stood_goes_on_and_its_board_says_until_when(
    service: App, stranded: UndeliverableBoards, host: Host
) -> None:
    id, owed = await turn(service)
    await shut(service.games.store, BOB.user)
    await posting(service).note_channel_refusal(owed, "forbidden")
    assert (await clock(service, id)).paused_left == 3 * DAY
    host.passes(DAY)
    (there,) = (await service.venues.relocate(id, Venue(10, 21))).owed
    assert (await stranded.board_to_post(there)).deadline == host.now + 3 * DAY
    await posting(service).note_delivered(there, MESSAGE)
    assert (await clock(service, id)).deadline == host.now + 3 * DAY


async def test_his_clock_stands_until_his_letter_is_posted(
    service: App, stranded: UndeliverableBoards, host: Host
) -> None:
    id, owed = await turn(service)
    await posting(service).note_channel_refusal(owed, "forbidden")
    letter = await claimed(service, UNDELIVERABLE)
    assert (await clock(service, id)).paused_left == 3 * DAY
    host.passes(30 * 60)
    game = await stranded.fallback_dm_game(letter)
    assert game
    assert game.clock
    assert game.clock.deadline == host.now + 3 * DAY
    await posting(service).note_delivered(letter, MESSAGE)
    assert (await clock(service, id)).deadline == host.now + 3 * DAY


async def test_a_letter_that_was_needless_for_a_moment_is_written_when_its_board_is_refused_again(
    service: App, stranded: UndeliverableBoards, host: Host
) -> None:
    id, owed = await turn(service)
    await posting(service).note_channel_refusal(owed, "forbidden")
    letter = await claimed(service, UNDELIVERABLE)
    host.passes(HOUR)
    await stranded.retry_due_boards()
    assert await stranded.fallback_dm_game(letter) is None
    await posting(service).note_delivered(letter, None)
    await posting(service).note_channel_refusal(await claimed(service, "board"), "forbidden")
    assert await stranded.fallback_dm_game(await claimed(service, UNDELIVERABLE))
    assert (await clock(service, id)).paused_left == 3 * DAY


async def test_who_has_had_his_letter_gains_nothing_by_the_board_that_follows(
    service: App, stranded: UndeliverableBoards, host: Host
) -> None:
    id, owed = await turn(service)
    await posting(service).note_channel_refusal(owed, "forbidden")
    await posting(service).note_delivered(await claimed(service, UNDELIVERABLE), MESSAGE)
    told = await clock(service, id)
    for refused in (True, False):
        host.passes(DAY)
        await stranded.retry_due_boards()
        again = await claimed(service, "board")
        assert again.id == owed.id
        await (
            posting(service).note_channel_refusal(again, "forbidden")
            if refused
            else posting(service).note_delivered(again, MESSAGE)
        )
        assert await clock(service, id) == told


async def test_a_vacation_that_ends_starts_no_clock_of_who_has_been_told_nowhere(
    service: App, stranded: UndeliverableBoards, host: Host
) -> None:
    id, owed = await turn(service)
    await shut(service.games.store, BOB.user)
    await posting(service).note_channel_refusal(owed, "forbidden")
    vacations = Vacations(service.games.store, service.now)
    await vacations.start_vacation(BOB.user, 2)
    host.passes(HOUR)
    _, announced = await vacations.end_vacation(BOB.user)
    assert announced == ()
    assert (await clock(service, id)).paused_left == 3 * DAY


async def test_one_that_ends_starts_that_of_who_has_had_a_letter(service: App, host: Host) -> None:
    id, owed = await turn(service)
    await posting(service).note_channel_refusal(owed, "forbidden")
    await posting(service).note_delivered(await claimed(service, UNDELIVERABLE), MESSAGE)
    vacations = Vacations(service.games.store, service.now)
    await vacations.start_vacation(BOB.user, 2)
    host.passes(HOUR)
    await vacations.end_vacation(BOB.user)
    assert (await clock(service, id)).deadline == host.now + 3 * DAY


# ── The host's clock, and an absence that is not noted yet ──


async def test_a_clock_that_is_set_right_between_two_processes_costs_and_gives_nobody_anything(
    service: App, keeper: FlagWatch, host: Host
) -> None:
    """Wrong by ten days when the bot starts, it looks like an absence; right again, all clocks go back with it."""
    id, before = await begun(service), host.now
    for wrong in (10 * DAY, -10 * DAY):
        host.now += wrong + 60
        await FlagWatch(service.games.store, lambda: host.now, lambda: host.ticks).check_flags()
    assert host.now == before + 120
    now = await clock(service, id)
    assert (now.deadline, now.credited) == (host.now + 3 * DAY, 120)


async def test_what_was_put_off_by_a_wrong_clock_is_tried_once_that_is_right(
    service: App, keeper: FlagWatch, host: Host
) -> None:
    _, owed = await turn(service)
    host.now += 2 * DAY
    await keeper.check_flags()
    await posting(service).retry_later(owed)
    host.now -= 2 * DAY
    await keeper.check_flags()
    assert await posting(service).deliverable_rows() == [owed.id]


async def test_a_vacation_that_ends_in_an_absence_not_noted_yet_gives_back_what_is_due_and_no_more(
    service: App, keeper: FlagWatch, host: Host
) -> None:
    id, vacations = await begun(service), Vacations(service.games.store, service.now)
    await posted(service.games.store)
    host.passes(2 * DAY)
    async with service.games.store.transaction() as db:
        await meta.save_value(db, LAST_ALIVE_KEY, str(host.now))
    await vacations.start_vacation(ANN.user, 8)
    host.passes(5 * DAY)
    await vacations.end_vacation(ANN.user)
    await keeper.check_flags()
    assert (await clock(service, id)).deadline == host.now + DAY


async def test_a_reminder_that_a_vacation_made_needless_comes_after_it(
    service: App, keeper: FlagWatch, host: Host
) -> None:
    """It was owed, and Discord took nothing, when he went on vacation."""
    await begun(service)
    reminders, vacations = Reminders(service.games.store, service.now), Vacations(service.games.store, service.now)
    await waits(keeper, host, 60 * HOUR)
    await reminders.owe_due_reminders()
    owed = await claimed(service, REMINDER)
    await vacations.start_vacation(ANN.user, 2)
    assert await reminders.game_to_remind(owed) is None
    await posting(service).note_delivered(owed, None)
    host.passes(HOUR)
    await vacations.end_vacation(ANN.user)
    await reminders.owe_due_reminders()
    assert await reminders.game_to_remind(await claimed(service, REMINDER))


# ── Both together ──


async def refuses(service: App, stranded: UndeliverableBoards, keeper: FlagWatch, host: Host, hours: int) -> None:
    """Let time pass in which the channel refuses all boards, and nobody takes direct messages."""
    for _ in range(hours):
        for row in await posting(service).deliverable_rows():
            owed = await posting(service).lease_row(row)
            if owed and owed.kind == "board":
                await posting(service).note_channel_refusal(owed, "forbidden")
        await waits(keeper, host, HOUR)
        await stranded.retry_due_boards()


async def test_on_vacation_nobody_is_taken_to_have_left(
    service: App, stranded: UndeliverableBoards, keeper: FlagWatch, host: Host
) -> None:
    id, vacations = await begun(service), Vacations(service.games.store, service.now)
    await vacations.start_vacation(BOB.user, 20)
    await service.games.play_actions(id, ANN.user, [E1])
    await shut(service.games.store, BOB.user)
    await refuses(service, stranded, keeper, host, 17 * 24)
    assert (await clock(service, id)).paused_left == 3 * DAY
    await vacations.end_vacation(BOB.user)
    await refuses(service, stranded, keeper, host, 48)
    assert (await clock(service, id)).deadline


async def test_time_in_which_a_board_was_not_yet_tried_is_no_silence_of_the_player(
    service: App, keeper: FlagWatch, host: Host
) -> None:
    """The bot was away, or another board went before it."""
    id, owed = await turn(service)
    await service.games.play_typed(id, BOB.user, "b3")
    host.passes(15 * DAY)
    await keeper.check_flags()
    await posting(service).note_delivered(owed, MESSAGE)
    await posting(service).note_channel_refusal(await claimed(service, "board"), "forbidden")
    assert (await clock(service, id)).paused_left == 3 * DAY
    await posting(service).note_delivered(await claimed(service, UNDELIVERABLE), MESSAGE)
    assert (await clock(service, id)).deadline == host.now + 3 * DAY


async def test_in_his_grace_nobody_loses_whom_nobody_could_tell(
    service: App, stranded: UndeliverableBoards, keeper: FlagWatch, host: Host
) -> None:
    """As long as he may be there."""
    id, owed = await turn(service)
    await posting(service).note_delivered(owed, MESSAGE)
    await shut(service.games.store, BOB.user)
    await waits(keeper, host, 3 * DAY + 60)
    await refuses(service, stranded, keeper, host, 13 * 24)
    assert (await clock(service, id)).flagged
    await refuses(service, stranded, keeper, host, 3 * 24)
    assert (await service.games.game(id)).game.status is Status.OVER


async def test_brought_elsewhere_a_game_keeps_what_its_old_board_has_cost(
    service: App, stranded: UndeliverableBoards, keeper: FlagWatch, host: Host
) -> None:
    id, owed = await turn(service)
    await posting(service).retry_later(owed)
    await waits(keeper, host, 4 * DAY)
    (there,) = (await service.venues.relocate(id, Venue(10, 21))).owed
    assert (await stranded.board_to_post(there)).deadline == host.now + 3 * DAY
    assert (await clock(service, id)).deadline == host.now + 3 * DAY


async def test_a_board_written_in_the_middle_of_a_turn_gives_back_what_it_has_cost_and_no_more(
    service: App, keeper: FlagWatch, host: Host
) -> None:
    """Not even where the bot was away meanwhile."""
    id, owed = await turn(service)
    await posting(service).note_delivered(owed, MESSAGE)
    await waits(keeper, host, 60 * HOUR)
    (there,) = (await service.venues.relocate(id, Venue(10, 21))).owed
    host.passes(2 * DAY)
    await keeper.check_flags()
    await posting(service).note_delivered(there, MESSAGE)
    assert (await clock(service, id)).deadline == host.now + 12 * HOUR


async def test_a_letter_is_not_sent_where_the_game_goes_on_elsewhere(
    service: App, stranded: UndeliverableBoards, host: Host
) -> None:
    id, owed = await turn(service)
    await posting(service).note_channel_refusal(owed, "forbidden")
    letter = await claimed(service, UNDELIVERABLE)
    (there,) = (await service.venues.relocate(id, Venue(10, 21))).owed
    await posting(service).note_delivered(there, MESSAGE)
    assert await stranded.fallback_dm_game(letter) is None


@pytest.mark.parametrize("back", [20 * 60, 10 * DAY])
async def test_a_clock_set_back_takes_nothing_from_whose_board_is_refused(
    service: App, keeper: FlagWatch, host: Host, back: int
) -> None:
    id, owed = await turn(service)
    host.now -= back
    await keeper.check_flags()
    await posting(service).note_channel_refusal(owed, "forbidden")
    assert (await clock(service, id)).paused_left == 3 * DAY


async def test_a_late_board_says_that_its_player_is_on_vacation(
    service: App, stranded: UndeliverableBoards, keeper: FlagWatch, host: Host
) -> None:
    _, owed = await turn(service)
    await waits(keeper, host, 4 * HOUR)
    await Vacations(service.games.store, service.now).start_vacation(BOB.user, 9)
    shown = await stranded.board_to_post(owed)
    assert (shown.deadline, shown.paused_left, shown.vacation_until) == (None, 3 * DAY, host.now + 9 * DAY)


async def test_two_who_bring_a_game_elsewhere_at_once_leave_it_at_the_second_place(service: App) -> None:
    id, _ = await turn(service)
    await service.venues.relocate(id, Venue(10, 21))
    (there,) = (await service.venues.relocate(id, Venue(10, 22))).owed
    assert there.channel == 22
