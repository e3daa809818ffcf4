"""Vacations on a real database: which clocks stand still, for how long, and what is told where."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from gipfbot.match import Refused, Side, Terms, Why
from gipfbot.match.clock import DEFAULT_VACATION_DAYS
from gipfbot.rules import STANDARD
from gipfbot.service.app import App
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.reminders import REMINDER
from gipfbot.service.clock.vacations import VACATION, Vacations
from gipfbot.store import Connection, due, tables
from gipfbot.values import DueRow, Venue
from tests.service.helpers import Host, begun, boards, clock_of, passes
from tests.support.games import E1
from tests.support.people import ANN, BOB, CLUB, HALL, HOME
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, HOUR

from .announced import announced, owed


async def last_games(app: App) -> list[list[object]]:
    """Return the games that the last such message names."""
    async with app.games.store.reading() as db:
        payloads = await db.scalars(select(tables.outbox.c.payload).where(tables.outbox.c.kind == VACATION))
        found: list[list[object]] = [*payloads][-1]["games"]
        return found


async def test_a_vacation_pauses_ones_own_clocks_alone(
    app: App, flag_watch: FlagWatch, host: Host, vacations: Vacations
) -> None:
    mine, others = await begun(app), await begun(app)
    await app.games.play_actions(others, ANN.user, [E1])
    await passes(flag_watch, host, DAY)
    running = await clock_of(app, others)
    await vacations.start_vacation(ANN.user, 10)
    stands = await clock_of(app, mine)
    assert (stands.deadline, stands.paused_left) == (None, 2 * DAY)
    assert await clock_of(app, others) == running
    await passes(flag_watch, host, 9 * DAY)
    assert not (await clock_of(app, mine)).flagged
    await vacations.end_vacation(ANN.user)
    assert (await clock_of(app, mine)).deadline == host.now + 2 * DAY


async def test_a_turn_during_a_vacation_starts_paused(app: App, host: Host, vacations: Vacations) -> None:
    """Also in a new game. The player on vacation may play."""
    game_id = await begun(app)
    until = host.now + 5 * DAY
    await vacations.start_vacation(BOB.user, 5)
    await app.games.play_actions(game_id, ANN.user, [E1])
    assert ((await clock_of(app, game_id)).deadline, (await clock_of(app, game_id)).paused_left) == (None, 3 * DAY)
    board = (await boards(app))[-1]
    assert (board.deadline, board.paused_left, board.vacation_until) == (None, 3 * DAY, until)
    await app.games.play_actions(game_id, BOB.user, [E1])
    assert (await clock_of(app, game_id)).deadline == host.now + 3 * DAY
    assert (await boards(app))[-1].vacation_until is None
    offered, _ = await app.lobby.challenge(ANN, BOB, STANDARD, Side.BLACK, HOME, THREE_DAYS)
    done = (await app.lobby.accept_challenge(offered.challenge.id, BOB))[1]
    assert (await clock_of(app, done.game.id)).paused_left == 3 * DAY


async def test_a_vacation_ends_when_its_days_are_over(
    app: App, flag_watch: FlagWatch, host: Host, vacations: Vacations
) -> None:
    game_id = await begun(app)
    await vacations.start_vacation(ANN.user, 2)
    await passes(flag_watch, host, 2 * DAY - 1)
    await vacations.end_due_vacations()
    assert (await vacations.vacation_status(ANN.user)).current
    await passes(flag_watch, host, HOUR)
    await vacations.end_due_vacations()
    leave = await vacations.vacation_status(ANN.user)
    assert (leave.current, leave.days_left) == (None, DEFAULT_VACATION_DAYS - 2)
    assert (await clock_of(app, game_id)).deadline == host.now + 3 * DAY
    assert await announced(app) == [(HOME.channel, [game_id], False), (HOME.channel, [game_id], True)]
    assert await last_games(app) == [[game_id, BOB.name, host.now + 3 * DAY]], "the new deadline is told"
    await vacations.end_due_vacations()
    assert len(await announced(app)) == 2


async def test_a_vacation_ended_early_leaves_nothing_due(app: App, host: Host, vacations: Vacations) -> None:
    await vacations.start_vacation(ANN.user, 2)
    await vacations.end_vacation(ANN.user)
    host.passes(3 * DAY)
    async with app.games.store.reading() as db:
        assert await due.ready_rows(db, VACATION, host.now) == []


async def test_each_channel_is_told_once_of_all_games_there(app: App, vacations: Vacations) -> None:
    """The end is told wherever the beginning was. Untimed games are named apart. Unreachable games are left out."""
    first, second, unreachable = await begun(app), await begun(app, Terms()), await begun(app)
    await app.venues.note_unreachable(unreachable, "a player left")
    offered, _ = await app.lobby.challenge(ANN, BOB, STANDARD, Side.BLACK, Venue(CLUB, 21), THREE_DAYS)
    third = (await app.lobby.accept_challenge(offered.challenge.id, BOB))[1].game.id
    _, to_deliver = await vacations.start_vacation(ANN.user, 3)
    assert {owed.channel for owed in to_deliver} == {HALL, 21}
    assert sorted(await announced(app)) == [(21, [third], False), (HALL, [first], False)]
    assert {owed.channel: owed.payload["untimed"] for owed in to_deliver} == {HALL: [[second, BOB.name]], 21: []}
    await vacations.end_vacation(ANN.user)
    assert sorted((await announced(app))[2:]) == [(21, [], True), (HALL, [first], True)]


async def test_a_vacation_does_not_hold_once_flagged(
    app: App, flag_watch: FlagWatch, host: Host, vacations: Vacations
) -> None:
    """Whether the bot has noticed it or not."""
    early = await begun(app)
    await passes(flag_watch, host, HOUR)
    late, kept = await begun(app), await begun(app)
    await app.games.play_actions(kept, ANN.user, [E1])
    await passes(flag_watch, host, 3 * DAY - 60)
    before = await clock_of(app, early)
    assert before.flagged
    host.passes(120)
    leave, (told,) = await vacations.start_vacation(ANN.user, 3)
    assert set(leave.flagged) == {early, late}
    assert sorted(told.payload["runs"]) == [[early, BOB.name], [late, BOB.name]], (
        "their opponents are told that it runs on"
    )
    assert leave == await vacations.vacation_status(ANN.user)
    assert await clock_of(app, early) == before
    assert await announced(app) == [(HOME.channel, [kept], False)]
    _, away = await vacations.vacations_in_list(await app.games.running_games(BOB.user), BOB.user)
    assert [*away] == [kept]
    await app.reminders.nudge(early, BOB.user, 0)
    await flag_watch.check_flags()
    assert (await clock_of(app, late)).flagged


async def test_downtime_is_credited_before_a_vacation_pauses(
    app: App, flag_watch: FlagWatch, host: Host, vacations: Vacations
) -> None:
    """Even if the vacation is the first thing anybody does after it."""
    game_id = await begun(app)
    await passes(flag_watch, host, DAY)
    host.passes(DAY)
    await vacations.start_vacation(ANN.user, 3)
    assert (await clock_of(app, game_id)).paused_left == 2 * DAY


async def test_a_vacation_begun_while_others_end_goes_on(
    app: App, host: Host, vacations: Vacations, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player comes back and leaves again between the search for what is over and its end."""
    await vacations.start_vacation(ANN.user, 2)
    host.passes(2 * DAY)
    ready = due.ready_rows

    async def ready_and_then(db: Connection, kind: str, now: int) -> list[DueRow]:
        found = await ready(db, kind, now)
        await vacations.end_vacation(ANN.user)
        await vacations.start_vacation(ANN.user, 5)
        return found

    monkeypatch.setattr(due, "ready_rows", ready_and_then)
    monkeypatch.setattr("gipfbot.service.clock.vacations.MOST_BEGUN_A_DAY", 100)  # it happens at each search
    await vacations.end_due_vacations()
    current = (await vacations.vacation_status(ANN.user)).current
    assert current
    assert current.until == host.now + 5 * DAY


async def test_reminders_wait_for_the_end_of_a_vacation(app: App, host: Host, vacations: Vacations) -> None:
    game_id = await begun(app)
    reminders = app.reminders
    host.passes(2 * DAY)
    await vacations.start_vacation(ANN.user, 20)
    host.passes(10 * DAY)
    await reminders.owe_due_reminders()
    assert await owed(app, REMINDER) == 0
    await vacations.end_vacation(ANN.user)
    host.passes(6 * HOUR)
    await reminders.owe_due_reminders()
    assert await owed(app, REMINDER) == 1
    await vacations.start_vacation(ANN.user, 2)
    await vacations.end_vacation(ANN.user)
    host.passes(DAY)
    await reminders.owe_due_reminders()
    assert await owed(app, REMINDER) == 1, "there is one for a turn"
    assert (await app.games.game(game_id)).game.turn_number == 0


async def test_part_of_a_vacation_day_counts_as_a_day(host: Host, vacations: Vacations) -> None:
    host.now = int(datetime(2027, 3, 1, tzinfo=UTC).timestamp())
    await vacations.start_vacation(ANN.user, 20)
    host.passes(5 * DAY + 1)
    assert (await vacations.end_vacation(ANN.user))[0].days_left == DEFAULT_VACATION_DAYS - 6
    with pytest.raises(Refused) as refused:
        await vacations.start_vacation(ANN.user, 25)
    assert (refused.value.why, refused.value.facts) == (Why.VACATION_TOO_LONG, {"left": 24})
    await vacations.start_vacation(ANN.user, 23)
    host.passes(HOUR)
    await vacations.end_vacation(ANN.user)
    assert (await vacations.vacation_status(ANN.user)).days_left == 23, "at least one"
    assert (await vacations.vacation_status(BOB.user)).days_left == DEFAULT_VACATION_DAYS


async def test_vacation_ended_within_an_hour_counts_as_never_begun(app: App, host: Host, vacations: Vacations) -> None:
    """No day is used, and no time is given: neither in a running turn nor in one that began meanwhile."""
    game_id, other = await begun(app), await begun(app)
    await app.games.play_actions(other, ANN.user, [E1])
    deadline = (await clock_of(app, game_id)).deadline
    await vacations.start_vacation(ANN.user, 5)
    host.passes(HOUR // 2)
    await app.games.play_actions(other, BOB.user, [E1])
    host.passes(HOUR // 2 - 1)
    status, _ = await vacations.end_vacation(ANN.user)
    assert (status.current, status.days_left) == (None, DEFAULT_VACATION_DAYS)
    assert (await clock_of(app, game_id)).deadline == deadline
    assert (await clock_of(app, other)).deadline == host.now - HOUR // 2 + 1 + 3 * DAY
    assert (await announced(app))[-1] == (HOME.channel, [game_id, other], True)


async def test_three_vacations_may_begin_within_a_day(app: App, host: Host, vacations: Vacations) -> None:
    """Each is announced wherever the person plays, also one that counts as never begun."""
    await begun(app)
    first = host.now
    for _ in range(3):
        await vacations.start_vacation(ANN.user, 1)
        await vacations.end_vacation(ANN.user)
        host.passes(60)
    before = await announced(app)
    with pytest.raises(Refused) as refused:
        await vacations.start_vacation(ANN.user, 1)
    assert (refused.value.why, refused.value.facts) == (Why.TOO_MANY_VACATIONS, {"most": 3, "at": first + DAY})
    assert await announced(app) == before
    host.now = first + DAY
    await vacations.start_vacation(ANN.user, 1)
    assert len(await announced(app)) > len(before)


async def test_days_after_new_year_count_for_the_next_year(host: Host, vacations: Vacations) -> None:
    host.now = int(datetime(2027, 12, 30, tzinfo=UTC).timestamp())
    assert (await vacations.start_vacation(ANN.user, 10))[0].days_left == DEFAULT_VACATION_DAYS - 2
    host.passes(10 * DAY)
    await vacations.end_due_vacations()
    assert (await vacations.vacation_status(ANN.user)).days_left == DEFAULT_VACATION_DAYS - 8


async def test_a_vacation_until_new_year_costs_nothing_next_year(host: Host, vacations: Vacations) -> None:
    host.now = int(datetime(2027, 12, 30, tzinfo=UTC).timestamp())
    await vacations.start_vacation(ANN.user, 2)
    host.passes(3 * DAY)
    await vacations.end_due_vacations()
    assert (await vacations.vacation_status(ANN.user)).days_left == DEFAULT_VACATION_DAYS


@pytest.mark.parametrize("days", [0, -3, DEFAULT_VACATION_DAYS + 1])
async def test_an_impossible_number_of_days_is_refused(vacations: Vacations, days: int) -> None:
    with pytest.raises(Refused):
        await vacations.start_vacation(ANN.user, days)
    assert (await vacations.vacation_status(ANN.user)).current is None


async def test_a_person_has_one_vacation_at_a_time(vacations: Vacations) -> None:
    with pytest.raises(Refused) as refused:
        await vacations.end_vacation(ANN.user)
    assert refused.value.why is Why.NO_VACATION
    first = (await vacations.start_vacation(ANN.user, 3))[0].current
    with pytest.raises(Refused) as refused:
        await vacations.start_vacation(ANN.user, 4)
    assert refused.value.why is Why.ON_VACATION
    assert (await vacations.vacation_status(ANN.user)).current == first


async def test_work_of_a_vacation_that_is_gone_is_passed_over(
    app: App, host: Host, vacations: Vacations, caplog: pytest.LogCaptureFixture
) -> None:
    """Its person has deleted their data before the clocks were resumed."""
    game_id = await begun(app)
    async with app.games.store.transaction() as db:
        for kind in ("vacation_pause", "vacation_resume", "vacation_tell"):
            await due.schedule(db, f"{kind}:7", kind, host.now, ANN.user)
    before = await clock_of(app, game_id)
    await vacations.finish_vacation_work()
    assert await clock_of(app, game_id) == before
    assert await announced(app) == []
    assert caplog.text == ""
    async with app.games.store.reading() as db:
        assert await due.ready_rows(db, "vacation_tell", host.now) == []
