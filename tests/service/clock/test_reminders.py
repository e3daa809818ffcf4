"""Reminders on a real database: one for each turn, at its time, never of what is past."""

import pytest

from gipfbot.match import Refused, RequestState, Terms, Why
from gipfbot.service.app import App
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.reminders import CHANNEL_REMINDER, NUDGE, REMINDER, Reminders
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.store import Connection, due, users
from gipfbot.values import DueRow
from tests.service.helpers import Host, begun, lease_next, messages, passes
from tests.support.games import E1
from tests.support.people import ANN, BOB, HOME
from tests.support.times import DAY, HOUR


async def reminded(reminders: Reminders) -> list[tuple[str, int]]:
    """Let whatever is due be owed; return all reminders that were, by kind and target."""
    await reminders.owe_due_reminders()
    return await messages(reminders.store, REMINDER, CHANNEL_REMINDER)


async def test_each_turn_has_one_reminder_at_its_time(
    app: App,
    flag_watch: FlagWatch,
    host: Host,
    reminders: Reminders,
) -> None:
    game_id = await begun(app)
    host.passes(54 * HOUR - 1)
    assert await reminded(reminders) == []
    host.passes(1)
    assert await reminded(reminders) == [(REMINDER, ANN.user)]
    host.passes(10 * HOUR)
    assert await reminded(reminders) == [(REMINDER, ANN.user)]
    await app.games.play_actions(game_id, ANN.user, [E1])
    host.passes(54 * HOUR)
    assert await reminded(reminders) == [(REMINDER, ANN.user), (REMINDER, BOB.user)]


async def test_no_reminder_after_the_turn_or_the_game(
    app: App,
    host: Host,
    reminders: Reminders,
) -> None:
    moved, ended = await begun(app), await begun(app)
    host.passes(54 * HOUR - 1)
    await app.games.play_actions(moved, ANN.user, [E1])
    await app.games.resign(ended, BOB.user)
    host.passes(HOUR)
    assert await reminded(reminders) == []


async def test_a_game_that_ends_just_before_its_reminder_gets_none(
    app: App, host: Host, reminders: Reminders, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The player resigns after the pass has read what is due."""
    game_id, ready_rows = await begun(app), due.ready_rows

    async def read_and_resign(db: Connection, kind: str, now: int) -> list[DueRow]:
        rows = await ready_rows(db, kind, now)
        await app.games.resign(game_id, ANN.user)
        return rows

    monkeypatch.setattr("gipfbot.service.clock.reminders.due.ready_rows", read_and_resign)
    host.passes(54 * HOUR)
    assert await reminded(reminders) == []
    assert caplog.records == []


async def test_a_turn_is_reminded_of_once(app: App, host: Host, reminders: Reminders) -> None:
    """Whatever happens to the clock and to direct messages afterwards."""
    await begun(app)
    host.passes(54 * HOUR)
    await reminders.owe_due_reminders()
    owed = await lease_next(app, REMINDER)
    await app.outbox.note_delivered(owed, 5)
    vacations = app.vacations
    await vacations.start_vacation(ANN.user, 1)
    await vacations.end_vacation(ANN.user)
    async with app.games.store.transaction() as db:
        await users.set_dms_shut(db, ANN.user, host.now)
    host.passes(HOUR)
    assert await reminded(reminders) == [(REMINDER, ANN.user)]


async def test_an_outdated_reminder_is_needless(
    app: App,
    host: Host,
    reminders: Reminders,
) -> None:
    """It was put off, and meanwhile they have moved, or want no more reminders."""
    game_id = await begun(app)
    host.passes(54 * HOUR)
    await reminders.owe_due_reminders()
    owed = await lease_next(app, REMINDER)
    fresh = await reminders.game_to_remind(owed)
    assert fresh
    assert fresh.game.id == game_id
    await reminders.turn_off_for_game(ANN.user, game_id)
    assert await reminders.game_to_remind(owed) is None
    await reminders.set_wish(ANN.user, "25%")
    assert await reminders.game_to_remind(owed)
    await app.games.play_actions(game_id, ANN.user, [E1])
    assert await reminders.game_to_remind(owed) is None
    await app.outbox.note_dm_refusal(owed, "shut", shut=True)
    assert await reminded(reminders) == [(REMINDER, ANN.user)]


async def test_credit_puts_a_reminder_off_and_a_flag_ends_it(
    app: App,
    flag_watch: FlagWatch,
    host: Host,
    reminders: Reminders,
) -> None:
    await begun(app)
    host.passes(10 * DAY)
    await flag_watch.check_flags()
    assert await reminded(reminders) == []
    await passes(flag_watch, host, 3 * DAY + 60)
    assert await reminded(reminders) == [], "the board that tells the fall is enough"


async def test_a_pass_tells_whether_the_hosts_clock_is_right(flag_watch: FlagWatch, host: Host) -> None:
    host.now += 10 * DAY
    assert not await flag_watch.check_flags()
    assert await flag_watch.check_flags()


async def test_a_wish_counts_for_waiting_turns_unless_already_past(
    app: App,
    host: Host,
    reminders: Reminders,
) -> None:
    await begun(app)
    await reminders.set_wish(ANN.user, "12h")
    host.passes(59 * HOUR)
    assert await reminded(reminders) == []
    await reminders.set_wish(ANN.user, "50%")
    assert await reminded(reminders) == []
    await reminders.set_wish(ANN.user, "12h")
    host.passes(HOUR)
    assert await reminded(reminders) == [(REMINDER, ANN.user)]


async def test_reminders_stay_off_until_a_time_is_chosen(
    app: App,
    host: Host,
    reminders: Reminders,
) -> None:
    first, _ = await begun(app), await begun(app)
    await reminders.turn_off_for_game(ANN.user, first)
    assert (await reminders.reminder_settings(ANN.user)).quiet_games == (first,)
    host.passes(54 * HOUR)
    assert await reminded(reminders) == [(REMINDER, ANN.user)]
    await reminders.set_wish(ANN.user, "off")
    assert (await reminders.reminder_settings(ANN.user)).quiet_games == (first,)
    host.passes(HOUR)
    await reminders.set_wish(ANN.user, "12h")
    assert (await reminders.reminder_settings(ANN.user)).quiet_games == ()
    host.passes(5 * HOUR)
    assert await reminded(reminders) == [(REMINDER, ANN.user)] * 2, "one for each game, and not a second one"


async def test_a_quiet_turn_ends_with_the_turn(app: App, host: Host, reminders: Reminders) -> None:
    game_id = await begun(app)
    await reminders.turn_off_for_turn(ANN.user, game_id, 0)
    assert (await reminders.reminder_settings(ANN.user)).quiet_turns == (game_id,)
    assert (await reminders.reminder_settings(ANN.user)).quiet_games == ()
    host.passes(54 * HOUR)
    assert await reminded(reminders) == []
    await app.games.play_actions(game_id, ANN.user, [E1])
    await app.games.play_actions(game_id, BOB.user, [E1])
    assert (await reminders.reminder_settings(ANN.user)).quiet_turns == ()
    host.passes(54 * HOUR)
    assert await reminded(reminders) == [(REMINDER, ANN.user)]


async def test_a_quiet_turn_ends_with_a_takeback(app: App, host: Host, reminders: Reminders) -> None:
    """The turn number comes again, the turn serial does not."""
    game_id, takebacks = await begun(app), app.requests
    await app.games.play_actions(game_id, ANN.user, [E1])
    await reminders.turn_off_for_turn(BOB.user, game_id, 1)
    await app.games.play_actions(game_id, BOB.user, [E1])
    asked = await takebacks.make(TAKEBACK, game_id, BOB.user)
    await takebacks.settle(asked.request.id, ANN.user, RequestState.ACCEPTED)
    assert (await app.games.game(game_id)).game.turn_number == 1
    assert (await reminders.reminder_settings(BOB.user)).quiet_turns == ()
    host.passes(54 * HOUR)
    assert await reminded(reminders) == [(REMINDER, BOB.user)]


async def test_an_owed_reminder_turned_off_is_not_sent(app: App, host: Host, reminders: Reminders) -> None:
    game_id = await begun(app)
    host.passes(54 * HOUR)
    await reminders.owe_due_reminders()
    owed = await lease_next(app, REMINDER)
    await reminders.turn_off_for_turn(ANN.user, game_id, 0)
    assert await reminders.game_to_remind(owed) is None
    await app.outbox.note_dm_refusal(owed, "50007", shut=True)
    assert await reminded(reminders) == [(REMINDER, ANN.user)], "and nothing is called in the channel instead"
    await reminders.turn_on_for_game(ANN.user, game_id)
    assert await reminders.game_to_remind(owed)


@pytest.mark.parametrize("passed", [0, 53 * HOUR])
async def test_reminders_turned_on_in_time_come_in_this_turn(
    app: App, host: Host, reminders: Reminders, passed: int
) -> None:
    game_id = await begun(app)
    await reminders.turn_off_for_game(ANN.user, game_id)
    await reminders.turn_off_for_turn(ANN.user, game_id, 0)
    host.passes(passed)
    now = await reminders.game_reminder_settings(ANN.user, game_id)
    assert (now.quiet, now.quiet_turn) == (True, True)
    await reminders.turn_on_for_game(ANN.user, game_id)
    now = await reminders.game_reminder_settings(ANN.user, game_id)
    assert (now.quiet, now.quiet_turn, now.reminder_at) == (False, False, host.now - passed + 54 * HOUR)
    host.passes(54 * HOUR - passed)
    assert await reminded(reminders) == [(REMINDER, ANN.user)]
    assert (await reminders.game_reminder_settings(ANN.user, game_id)).reminder_at is None


async def test_reminders_turned_on_within_a_turn_come(app: App, host: Host, reminders: Reminders) -> None:
    game_id = await begun(app)
    await reminders.turn_off_for_game(BOB.user, game_id)
    await app.games.play_actions(game_id, ANN.user, [E1])
    assert (await reminders.game_reminder_settings(BOB.user, game_id)).reminder_at is None
    host.passes(HOUR)
    await reminders.turn_on_for_game(BOB.user, game_id)
    host.passes(53 * HOUR)
    assert await reminded(reminders) == [(REMINDER, BOB.user)]


async def test_reminders_turned_on_late_come_in_the_next_turn(app: App, host: Host, reminders: Reminders) -> None:
    """The player has just been here."""
    game_id = await begun(app)
    await app.games.play_actions(game_id, ANN.user, [E1])
    await reminders.turn_off_for_game(ANN.user, game_id)
    await app.games.play_actions(game_id, BOB.user, [E1])
    host.passes(54 * HOUR)
    await reminders.turn_on_for_game(ANN.user, game_id)
    assert (await reminders.game_reminder_settings(ANN.user, game_id)).reminder_at is None
    host.passes(HOUR)
    assert await reminded(reminders) == []


async def test_a_new_time_ends_a_quiet_turn(app: App, host: Host, reminders: Reminders) -> None:
    game_id = await begun(app)
    await reminders.turn_off_for_turn(ANN.user, game_id, 0)
    await reminders.set_wish(ANN.user, "12h")
    host.passes(60 * HOUR)
    assert await reminded(reminders) == [(REMINDER, ANN.user)]


async def test_games_without_reminders_cannot_be_turned_off_or_on(app: App, reminders: Reminders) -> None:
    game_id, over = await begun(app), await begun(app)
    await app.games.resign(over, BOB.user)
    none = (game_id, 99, Why.NOT_A_PLAYER), (over + 1, ANN.user, Why.NO_GAME), (over, ANN.user, Why.OVER)
    for game, user, why in none:
        for act in (
            reminders.turn_off_for_game(user, game),
            reminders.turn_off_for_turn(user, game, 0),
            reminders.turn_on_for_game(user, game),
            reminders.game_reminder_settings(user, game),
        ):
            with pytest.raises(Refused) as refused:
                await act
            assert refused.value.why is why
    await app.games.play_actions(game_id, ANN.user, [E1])
    for user, serial in ((ANN.user, 0), (BOB.user, 0), (ANN.user, 1)):
        with pytest.raises(Refused) as refused:
            await reminders.turn_off_for_turn(user, game_id, serial)
        assert refused.value.why is Why.STALE


async def test_without_direct_messages_channel_reminders_come(
    app: App,
    host: Host,
    reminders: Reminders,
) -> None:
    game_id = await begun(app)
    host.passes(54 * HOUR)
    await reminders.owe_due_reminders()
    await app.outbox.note_dm_refusal(await lease_next(app, REMINDER), "50007", shut=True)
    assert await reminded(reminders) == [(REMINDER, ANN.user), (CHANNEL_REMINDER, HOME.channel)]
    assert (await reminders.reminder_settings(ANN.user)).dms_shut
    await app.games.play_actions(game_id, ANN.user, [E1])
    await app.games.play_actions(game_id, BOB.user, [E1])
    host.passes(54 * HOUR)
    assert (await reminded(reminders))[2:] == [(CHANNEL_REMINDER, HOME.channel)], "a refusal is not tried again"
    await reminders.note_dms_open(ANN.user)
    await app.games.play_actions(game_id, ANN.user, [E1])
    await app.games.play_actions(game_id, BOB.user, [E1])
    host.passes(54 * HOUR)
    assert (await reminded(reminders))[3:] == [(REMINDER, ANN.user)]


async def test_an_unreachable_player_gets_no_reminder(
    app: App,
    host: Host,
    reminders: Reminders,
) -> None:
    game_id = await begun(app)
    host.passes(54 * HOUR)
    await reminders.owe_due_reminders()
    owed = await lease_next(app, REMINDER)
    await app.venues.note_unreachable(game_id, "gone")
    await app.outbox.note_dm_refusal(owed, "50007", shut=True)
    assert await reminded(reminders) == [(REMINDER, ANN.user)]


async def test_a_channel_reminder_is_no_board(
    app: App,
    host: Host,
    reminders: Reminders,
) -> None:
    """The newest board stays the newest. A channel that refuses a reminder makes the game unreachable."""
    game_id = await begun(app)
    host.passes(54 * HOUR)
    await reminders.owe_due_reminders()
    await app.outbox.note_dm_refusal(await lease_next(app, REMINDER), "50007", shut=True)
    call = await lease_next(app, CHANNEL_REMINDER)
    await app.outbox.note_channel_refusal(call, "gone")
    before = await app.games.game(game_id)
    assert before.unreachable
    assert await app.outbox.note_delivered(call, 77) is None
    assert (await app.games.game(game_id)).board_message == before.board_message


# ── Nudges ──


async def refusal(reminders: Reminders, game_id: int, by: int, number: int = 0) -> Why:
    """Return why somebody may not nudge."""
    with pytest.raises(Refused) as refused:
        await reminders.nudge(game_id, by, number)
    return refused.value.why


async def test_the_waiting_player_may_nudge_once_after_a_day(app: App, host: Host, reminders: Reminders) -> None:
    game_id = await begun(app)
    host.passes(DAY - 1)
    await claimed_boards(app)
    stored = await app.games.game(game_id)
    assert await refusal(reminders, game_id, BOB.user) is Why.NUDGE_TOO_EARLY
    assert not await reminders.may_nudge(stored, BOB.user)
    host.passes(1)
    assert [await reminders.may_nudge(stored, user) for user in (BOB.user, ANN.user, 99)] == [True, False, False]
    owed = await reminders.nudge(game_id, BOB.user, 0)
    assert owed
    assert not await reminders.may_nudge(stored, BOB.user)
    assert (owed.kind, owed.channel, owed.payload["user"]) == (NUDGE, HOME.channel, ANN.user)
    host.passes(DAY)
    assert await refusal(reminders, game_id, BOB.user) is Why.NUDGED
    assert await reminders.game_to_remind(owed)
    await reminders.turn_off_for_game(ANN.user, game_id)
    assert await reminders.game_to_remind(owed), "they have turned reminders off, the opponent has not"
    await app.games.play_actions(game_id, ANN.user, [E1])
    assert await reminders.game_to_remind(owed) is None
    assert await refusal(reminders, game_id, ANN.user, 1) is Why.NUDGE_TOO_EARLY
    host.passes(DAY)
    assert await refusal(reminders, game_id, ANN.user, 0) is Why.STALE


async def claimed_boards(app: App) -> None:
    """Post whatever is owed."""
    while due := await app.outbox.deliverable_rows():
        for game_id in due:
            if owed := await app.outbox.lease_row(game_id):
                await app.outbox.note_delivered(owed, owed.id)


async def test_an_untimed_game_can_be_nudged_too(app: App, host: Host, reminders: Reminders) -> None:
    game_id = await begun(app, Terms())
    host.passes(DAY)
    await claimed_boards(app)
    assert await reminders.nudge(game_id, BOB.user, 0)


async def test_only_a_player_to_move_and_present_is_nudged(app: App, host: Host, reminders: Reminders) -> None:
    game_id = await begun(app)
    host.passes(DAY)
    assert await refusal(reminders, game_id, ANN.user) is Why.OWN_TURN
    assert await refusal(reminders, game_id, 99) is Why.NOT_A_PLAYER
    assert await refusal(reminders, game_id + 1, BOB.user) is Why.NO_GAME
    await app.vacations.start_vacation(ANN.user, 5)
    assert await refusal(reminders, game_id, BOB.user) is Why.OPPONENT_AWAY
    await app.games.resign(game_id, BOB.user)
    assert await refusal(reminders, game_id, BOB.user) is Why.OVER
