"""Each game counts its own vacation days: how long a vacation stops its clock, and what the person is told."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from gipfbot.match import Refused, RequestState, Terms, Why, days_per_turn
from gipfbot.match.clock import DEFAULT_VACATION_DAYS
from gipfbot.service.app import App
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.reminders import NUDGE
from gipfbot.service.clock.vacations import USED_UP, Vacations
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.service.settings.vacation_days import vacation_end_in_game
from gipfbot.store import due
from gipfbot.values import Vacation, VacationDays
from tests.service.helpers import Host, begun, boards, clock_of, passes
from tests.support.games import E1
from tests.support.people import ANN, BOB, CLUB, HALL
from tests.support.times import DAY

from .announced import announced, owed


def with_days(days: int) -> Terms:
    """Return terms with three days for each turn and so many vacation days a year."""
    return Terms(days_per_turn(3), vacation=days)


@pytest.mark.parametrize(("tournament", "days"), [(None, 5 + 5), (1, 5)])
def test_days_of_a_tournament_are_for_the_whole_game(tournament: int | None, days: int) -> None:
    """Other games have as many days in the new year again."""
    new_year = int(datetime(2027, 1, 1, tzinfo=UTC).timestamp())
    began, vacation = new_year - 9 * DAY, Vacation(1, ANN.user, new_year - 5 * DAY, new_year + 20 * DAY)
    allowed = VacationDays.by_terms(replace(with_days(5), tournament=tournament), began)
    assert vacation_end_in_game(allowed, [vacation], new_year - DAY) == vacation.since + days * DAY


def test_days_of_a_tournament_are_not_cut_at_new_year() -> None:
    """A part of a day counts as a day, but only at the end of a vacation."""
    new_year = int(datetime(2027, 1, 1, tzinfo=UTC).timestamp())
    vacation = Vacation(1, ANN.user, new_year - DAY // 2, new_year + 20 * DAY)
    allowed = VacationDays(7, new_year - 9 * DAY, each_year=False)
    assert vacation_end_in_game(allowed, [vacation], new_year) == vacation.since + 7 * DAY


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
    _, ends = await vacations.vacations_in_list(await app.games.running_games(ANN.user), ANN.user)
    assert ends == {short: end, long: end + DAY, waits: end}
    await app.games.play_actions(short, BOB.user, [E1])
    await app.games.play_typed(short, ANN.user, "a2")
    assert (await boards(app))[-1].vacation_until == end
    await run_sweep(app, flag_watch, host, 2 * DAY)
    await app.games.play_actions(waits, ANN.user, [E1])
    assert (await clock_of(app, waits)).deadline == host.now + 3 * DAY
    assert (await boards(app))[-1].vacation_until is None
    _, ends = await vacations.vacations_in_list(await app.games.running_games(ANN.user), ANN.user)
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
    asked = await app.requests.make(TAKEBACK, game_id, ANN.user)
    await app.requests.settle(asked.request.id, BOB.user, RequestState.ACCEPTED)
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
