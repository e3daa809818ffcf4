"""Vacations on a real database: which clocks stand still, for how long, and what is told where."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from gipfbot.match import Refused, Side, Terms, Why, days_per_turn
from gipfbot.match.clock import DEFAULT_VACATION_DAYS
from gipfbot.rules import STANDARD
from gipfbot.service.app import App
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.reminders import NUDGE, REMINDER
from gipfbot.service.clock.vacations import USED_UP, VACATION, Vacations
from gipfbot.store import Connection, due, tables
from gipfbot.values import DueRow, Venue
from tests.service.helpers import Host, begun, boards, clock_of, passes
from tests.support.games import E1
from tests.support.people import ANN, BOB, CLUB, HALL, HOME
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, HOUR


@pytest.fixture
def vacations(app: App) -> Vacations:
    return app.vacations


async def announced(app: App) -> list[tuple[int, list[int], bool]]:
    """Return what channels were told of vacations: the channel, the games with a clock, whether it is over."""
    async with app.games.store.reading() as db:
        rows = await db.execute(select(tables.outbox).where(tables.outbox.c.kind == VACATION))
        return [(row.channel, [game_id for game_id, *_ in row.payload["games"]], row.payload["over"]) for row in rows]


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
    assert [*await vacations.opponents_on_vacation(await app.games.running_games(BOB.user), BOB.user)] == [kept]
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


async def owed(app: App, kind: str) -> int:
    """Return how many such messages were ever owed."""
    async with app.games.store.reading() as db:
        return len((await db.execute(select(tables.outbox.c.id).where(tables.outbox.c.kind == kind))).all())


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


# ── Games count their own days ──


def with_days(days: int) -> Terms:
    """Return terms with three days for each turn and so many vacation days a year."""
    return Terms(days_per_turn(3), vacation=days)


async def run_sweep(app: App, flag_watch: FlagWatch, host: Host, seconds: int) -> None:
    """Let time pass; then do what is due for vacations."""
    await passes(flag_watch, host, seconds)
    await app.vacations.end_due_vacations()


async def test_the_days_that_a_server_sets_are_kept_with_the_game(app: App, vacations: Vacations) -> None:
    """A later setting changes neither the game nor the rematch of it."""
    await app.servers.change(CLUB, {"vacation": 5})
    agreed = (await app.servers.settings(CLUB)).terms
    game_id = await begun(app, agreed)
    await app.servers.change(CLUB, {"vacation": 20})
    assert (await app.games.game(game_id)).game.terms.vacation == 5
    assert await refused_days(vacations, 6) == 5
    await app.games.resign(game_id, ANN.user)
    again, _ = await app.lobby.rematch(game_id, ANN)
    assert again.challenge.terms.vacation == 5


async def test_a_vacation_pauses_a_game_until_its_days_are_used_up(
    app: App, flag_watch: FlagWatch, host: Host, vacations: Vacations
) -> None:
    """Then its clock runs on. The person and the opponents are told at the start."""
    begin, short, long = host.now, await begun(app, with_days(5)), await begun(app)
    status, (told,) = await vacations.start_vacation(ANN.user, 8)
    assert (status.shorter, status.used_up) == ({short: begin + 5 * DAY}, ())
    assert told.payload["games"] == [[short, BOB.name, begin + 5 * DAY], [long, BOB.name]]
    await run_sweep(app, flag_watch, host, 5 * DAY - 60)
    assert (await clock_of(app, short)).paused_left == 3 * DAY
    await run_sweep(app, flag_watch, host, 60)
    assert (await clock_of(app, short)).deadline == host.now + 3 * DAY
    assert (await clock_of(app, long)).paused_left == 3 * DAY
    status = await vacations.vacation_status(ANN.user)
    assert (status.shorter, status.used_up) == ({}, (short,))
    await run_sweep(app, flag_watch, host, 3 * DAY)
    assert (await announced(app))[-1] == (HALL, [long], True), "its clock alone runs again"


async def test_a_turn_after_the_days_are_used_up_starts_the_clock(
    app: App, flag_watch: FlagWatch, host: Host, vacations: Vacations
) -> None:
    """The opponent's list and the boards name that moment before it, and nothing after it."""
    short, long, waits = await begun(app, with_days(2)), await begun(app), await begun(app, with_days(2))
    for game_id in (short, long):
        await app.games.play_actions(game_id, ANN.user, [E1])
    end = host.now + 2 * DAY
    await vacations.start_vacation(BOB.user, 3)
    ends = await vacations.opponents_on_vacation(await app.games.running_games(ANN.user), ANN.user)
    assert ends == {short: end, long: end + DAY, waits: end}
    await app.games.play_actions(short, BOB.user, [E1])
    await app.games.play_typed(short, ANN.user, "a2")
    assert (await boards(app))[-1].vacation_until == end
    await run_sweep(app, flag_watch, host, 2 * DAY)
    await app.games.play_actions(waits, ANN.user, [E1])
    assert (await clock_of(app, waits)).deadline == host.now + 3 * DAY
    assert (await boards(app))[-1].vacation_until is None
    ends = await vacations.opponents_on_vacation(await app.games.running_games(ANN.user), ANN.user)
    assert ends == {long: end + DAY}


async def test_a_game_that_begins_in_a_vacation_counts_from_there(
    app: App, flag_watch: FlagWatch, host: Host, vacations: Vacations
) -> None:
    await begun(app)
    await vacations.start_vacation(ANN.user, 9)
    await run_sweep(app, flag_watch, host, 3 * DAY)
    new = await begun(app, with_days(2))
    assert (await vacations.vacation_status(ANN.user)).shorter == {new: host.now + 2 * DAY}
    assert (await clock_of(app, new)).paused_left == 3 * DAY
    await run_sweep(app, flag_watch, host, 2 * DAY)
    assert (await clock_of(app, new)).deadline == host.now + 3 * DAY


async def test_each_game_counts_the_days_since_it_began(
    app: App, flag_watch: FlagWatch, host: Host, vacations: Vacations
) -> None:
    """Days of an earlier vacation count in the game that ran then, and not in one that began after it."""
    old = await begun(app, with_days(10))
    await vacations.start_vacation(ANN.user, 6)
    await run_sweep(app, flag_watch, host, 6 * DAY)
    new = await begun(app, with_days(10))
    status = await vacations.vacation_status(ANN.user)
    assert (status.left, status.allowed, status.days_left) == ((4, 10), (10,), 10)
    assert await refused_days(vacations, 11) == 10
    begin = host.now
    assert (await vacations.start_vacation(ANN.user, 10))[0].shorter == {old: begin + 4 * DAY}
    await run_sweep(app, flag_watch, host, 4 * DAY)
    assert [(await clock_of(app, game)).deadline is None for game in (old, new)] == [False, True]


async def test_a_vacation_of_an_hour_leaves_no_end_behind(
    app: App, flag_watch: FlagWatch, host: Host, vacations: Vacations
) -> None:
    """Neither its own, nor those in the games with fewer days."""
    await begun(app, with_days(5))
    await begun(app)
    await vacations.start_vacation(ANN.user, 8)
    await vacations.end_vacation(ANN.user)
    host.passes(9 * DAY)
    async with app.games.store.reading() as db:
        assert await due.ready_rows(db, USED_UP, host.now) == []
    assert (await vacations.vacation_status(ANN.user)).left == (5, DEFAULT_VACATION_DAYS)


async def test_a_game_without_vacation_days_is_never_paused(app: App, vacations: Vacations) -> None:
    """Nothing is announced of it, and its takeback starts the clock."""
    game_id = await begun(app, with_days(0))
    with_thirty = await begun(app)
    running = await clock_of(app, game_id)
    status, _ = await vacations.start_vacation(ANN.user, 6)
    assert (status.used_up, status.shorter) == ((game_id,), {})
    assert await clock_of(app, game_id) == running
    assert await announced(app) == [(HALL, [with_thirty], False)]
    await app.games.play_actions(game_id, ANN.user, [E1])
    asked = await app.takebacks.request_takeback(game_id, ANN.user)
    await app.takebacks.accept_takeback(asked.request.id, BOB.user)
    assert (await clock_of(app, game_id)).deadline is not None


async def test_a_vacation_that_does_not_hold_allows_nudges(app: App, host: Host, vacations: Vacations) -> None:
    here, there = await begun(app), await begun(app, with_days(0))
    await vacations.start_vacation(ANN.user, 2)
    host.passes(DAY)
    with pytest.raises(Refused) as refused:
        await app.reminders.nudge(here, BOB.user, 0)
    assert refused.value.why is Why.OPPONENT_AWAY
    await app.reminders.nudge(there, BOB.user, 0)
    assert await owed(app, NUDGE) == 1


async def test_the_game_with_the_most_days_limits_a_vacation(app: App, vacations: Vacations) -> None:
    """For a person without games the default does."""
    assert await refused_days(vacations, 31) == DEFAULT_VACATION_DAYS
    await begun(app, with_days(7))
    await begun(app, with_days(60))
    assert await refused_days(vacations, 61) == 60
    assert (await vacations.start_vacation(ANN.user, 60))[0].used_up == ()


async def refused_days(vacations: Vacations, days: int) -> int:
    """Return how many days are left to Ann, who is refused so many."""
    with pytest.raises(Refused) as refused:
        await vacations.start_vacation(ANN.user, days)
    assert refused.value.why is Why.VACATION_TOO_LONG
    left: int = refused.value.facts["left"]
    return left


async def test_over_new_year_each_year_has_its_own_days(app: App, host: Host, vacations: Vacations) -> None:
    """Two of ten days fall into the old year, so that eight days a year are enough."""
    host.now = int(datetime(2027, 12, 30, tzinfo=UTC).timestamp())
    await begun(app)
    eight, seven, one = [await begun(app, with_days(days)) for days in (8, 7, 1)]
    status, _ = await vacations.start_vacation(ANN.user, 10)
    assert status.shorter == {seven: host.now + 9 * DAY, one: host.now + DAY}
    assert (await clock_of(app, eight)).deadline is None


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
