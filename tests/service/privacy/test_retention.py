"""How long settled messages, closed requests and the settings of servers are kept, and how they are deleted."""

from collections import Counter

import pytest
from sqlalchemy import insert, select, update

from gipfbot.match import RequestState, Seat, Side, Terms, Why
from gipfbot.match.tournament import bank_for_game
from gipfbot.rules import BASIC, STANDARD
from gipfbot.service.app import App
from gipfbot.service.clock.downtime import DOWNTIME_NOTICE
from gipfbot.service.delivery.board_message import BOARD
from gipfbot.service.lobby.lobby import CHALLENGE
from gipfbot.service.privacy.export_words import export_data
from gipfbot.service.privacy.retention import MOST_BATCHES, REST_SECONDS
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.store import outbox, servers, tables
from gipfbot.store.retention import Batch
from gipfbot.store.study_tables import puzzle_days
from gipfbot.values.tournaments import Tournament
from tests.service.helpers import (
    Host,
    assert_refused,
    basic_game_after,
    begun,
    delete_all,
    lease_only,
    offered,
    why_refused,
)
from tests.service.privacy.kept import a_month_later, kinds_left, pass_over, post_all, rows_in
from tests.support.games import TURNS
from tests.support.people import ANN, BOB, CARA, CLUB, HOME, OTHER_CLUB
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, HOUR, NOW


async def test_a_settled_message_loses_its_payload_then_its_row(app: App, host: Host) -> None:
    await begun(app)
    await post_all(app)
    host.passes(7 * DAY - 1)
    await pass_over(app)
    assert await kinds_left(app, full=True) == {CHALLENGE: 1, BOARD: 1}
    host.passes(1)
    await pass_over(app)
    assert await kinds_left(app, full=True) == {}
    assert [row.payload for row in await rows_in(app, tables.outbox)] == [{}, {}]
    host.passes(23 * DAY - 1)
    await pass_over(app)
    assert await kinds_left(app) == {CHALLENGE: 1, BOARD: 1}
    host.passes(1)
    await pass_over(app)
    assert await kinds_left(app) == {}


async def test_a_dropped_message_goes_likewise(app: App, host: Host) -> None:
    await offered(app)
    await app.outbox.release_leases()
    owed = await lease_only(app, CHALLENGE)
    await app.outbox.give_up(owed, "refused")
    await a_month_later(app, host)
    assert await kinds_left(app) == {}


async def test_what_is_owed_stays_however_old_it_is(app: App, host: Host) -> None:
    await begun(app)
    await app.games.play_typed(1, ANN.user, "c2")
    before = await rows_in(app, tables.outbox)
    await a_month_later(app, host)
    assert [row for row in await rows_in(app, tables.outbox) if row.done_at is None] == [
        row for row in before if row.done_at is None
    ]


async def add_settled(app: App, number: int, done_at: int) -> None:
    """Store so many messages that were posted at a time."""
    async with app.games.store.transaction() as db:
        await outbox.owe_each(db, "told", DOWNTIME_NOTICE, {channel: {"a": 1} for channel in range(number)}, done_at)
        await db.execute(update(tables.outbox).values(done_at=done_at, message=tables.outbox.c.id))


async def test_one_sweep_deletes_a_few_batches_only(app: App, host: Host) -> None:
    most = MOST_BATCHES * Batch(0).limit
    app.retention.seconds = 600
    await add_settled(app, most + 300, host.now - 20 * DAY)
    await app.retention.delete_old()
    assert await kinds_left(app, full=True) == {DOWNTIME_NOTICE: 300}
    await app.retention.delete_old()
    assert await kinds_left(app, full=True) == {}
    assert await kinds_left(app) == {DOWNTIME_NOTICE: most + 300}
    host.passes(10 * DAY)
    await pass_over(app)
    assert await kinds_left(app) == {}


async def test_one_sweep_ends_when_its_time_is_over(app: App, host: Host) -> None:
    """On a slow disk that may be after a single batch."""
    await add_settled(app, 3 * Batch(0).limit, host.now - 20 * DAY)
    app.retention.seconds = 0
    await app.retention.delete_old()
    assert await kinds_left(app, full=True) == {DOWNTIME_NOTICE: 2 * Batch(0).limit}
    await app.retention.finish_pass()
    assert await kinds_left(app, full=True) == {}


async def test_a_pass_rests_for_an_hour(app: App, host: Host) -> None:
    """Also if the host's clock is set back meanwhile."""
    await pass_over(app)
    await add_settled(app, 1, host.now - 40 * DAY)
    host.passes(REST_SECONDS - 1)
    await app.retention.delete_old()
    assert await kinds_left(app, full=True) == {DOWNTIME_NOTICE: 1}
    host.passes(-REST_SECONDS * 2)
    await app.retention.delete_old()
    assert await kinds_left(app, full=True) == {}


async def test_rows_that_stay_do_not_hold_up_those_behind(app: App, host: Host) -> None:
    """A batch begins behind the last one, so that a whole batch of needed rows is passed over."""
    game_id = await basic_game_after(app)
    await post_all(app)
    await add_settled(app, Batch(0).limit + 1, host.now - 40 * DAY)
    nudges = [{"id": 10_000 + n, "key": f"nudge:reminder:{game_id}:0:{n}", "mark": f"m{n}"} for n in range(600)]
    shared = {"kind": "nudge", "channel": 1, "payload": {}, "attempts": 1, "not_before": 0, "created_at": 0}
    async with app.games.store.transaction() as db:
        await db.execute(insert(tables.outbox), [{**shared, **nudge, "done_at": 1} for nudge in nudges])
    await pass_over(app)
    assert await kinds_left(app) == {"nudge": 600}


# ── Tasks, challenges, takebacks, vacations ──


async def test_done_reminders_of_ended_games_go(app: App, host: Host) -> None:
    running, over = await begun(app, THREE_DAYS), await begun(app, THREE_DAYS)
    host.passes(3 * DAY - 6 * HOUR)
    await app.reminders.owe_due_reminders()
    await app.games.resign(over, ANN.user)
    await a_month_later(app, host)
    assert [row.game for row in await rows_in(app, tables.due) if row.done_at] == [running]


async def test_no_turn_is_reminded_twice_after_a_month(app: App, host: Host) -> None:
    game_id = await begun(app, THREE_DAYS)
    host.passes(3 * DAY - 6 * HOUR)
    await app.reminders.owe_due_reminders()
    await post_all(app)
    await a_month_later(app, host)
    await app.reminders.turn_off_for_game(ANN.user, game_id)
    await app.reminders.turn_on_for_game(ANN.user, game_id)
    await app.reminders.owe_due_reminders()
    assert await app.outbox.deliverable_rows() == []


async def test_closed_challenges_go_and_open_ones_stay(app: App, host: Host) -> None:
    withdrawn, declined, expired = [await offered(app, Seat(user, "x")) for user in (50, 51, 52)]
    await app.lobby.withdraw_challenge(withdrawn, ANN.user)
    await app.lobby.decline_challenge(declined, 51)
    await begun(app)  # accepted
    host.passes(8 * DAY)
    await app.lobby.expire_challenges()
    host.passes(28 * DAY)
    still = await offered(app)
    await pass_over(app)
    assert {row.id for row in await rows_in(app, tables.challenges)} == {withdrawn, declined, expired, 4, still}
    host.passes(DAY)
    await pass_over(app)
    assert [row.id for row in await rows_in(app, tables.challenges)] == [still]
    assert await why_refused(app.lobby.accept_challenge(declined, BOB)) is Why.NO_CHALLENGE
    assert (await offered(app, CARA)) == still + 1, "ids are never used again"


async def test_a_game_gets_no_second_rematch_after_months(app: App, host: Host) -> None:
    game_id = await begun(app)
    await app.games.resign(game_id, ANN.user)
    await app.lobby.rematch(game_id, ANN)
    await app.lobby.rematch(game_id, BOB)
    await a_month_later(app, host)
    facts = await assert_refused(Why.REMATCH_BEGUN, app.lobby.rematch(game_id, ANN))
    assert facts["game"] == game_id + 1


async def test_takebacks_go_with_their_game(app: App, host: Host) -> None:
    """In a running game a declined request still says that the turn was asked about."""
    games = [await basic_game_after(app, 1) for _ in range(2)]
    asked = [(await app.requests.make(TAKEBACK, game, ANN.user)).request.id for game in games]
    for request in asked:
        await app.requests.settle(request, BOB.user, RequestState.DECLINED)
    await app.games.resign(games[1], ANN.user)
    host.passes(38 * DAY)
    await pass_over(app)
    assert [row.id for row in await rows_in(app, tables.requests)] == [asked[0]]
    assert await why_refused(app.requests.make(TAKEBACK, games[0], ANN.user)) is Why.REQUEST_AGAIN
    assert await why_refused(app.requests.settle(asked[1], BOB.user, RequestState.ACCEPTED)) is Why.NO_REQUEST


async def test_vacations_go_a_year_after_their_end(app: App, host: Host) -> None:
    """Until then their days count."""
    await begun(app, THREE_DAYS)
    await app.vacations.start_vacation(ANN.user, 5)
    host.passes(5 * DAY)
    await app.vacations.end_due_vacations()
    left = (await app.vacations.vacation_status(ANN.user)).days_left
    await a_month_later(app, host)
    assert (await app.vacations.vacation_status(ANN.user)).days_left == left == 25
    host.passes(300 * DAY)
    await pass_over(app)
    assert len(await rows_in(app, tables.vacations)) == 1
    host.passes(4 * DAY)
    await pass_over(app)
    assert await rows_in(app, tables.vacations) == []


async def test_a_vacation_that_goes_on_stays(app: App, host: Host) -> None:
    await begun(app, THREE_DAYS)
    await app.vacations.start_vacation(ANN.user, 5)
    host.passes(400 * DAY)
    await pass_over(app)
    assert len(await rows_in(app, tables.vacations)) == 1


async def test_entries_of_seasons_called_off_go_after_30_days(app: App, host: Host) -> None:
    new = Tournament(0, "league", "League", HOME, ANN, BASIC, Terms(bank_for_game(5)), 0, NOW + DAY, NOW)
    tournament = (await app.tournaments.open(new))[0].id
    await app.tournaments.join(tournament, BOB)
    host.passes(DAY)
    await app.tournament_course.go_on_with_due()
    host.passes(29 * DAY)
    await pass_over(app)
    assert [entry.seat for entry in (await app.tournaments.show(tournament)).entered] == [BOB]
    host.passes(2 * DAY)
    await pass_over(app)
    assert (await app.tournaments.show(tournament)).entered == []


# ── Servers ──


async def test_daily_puzzles_of_a_server_go_with_its_settings(app: App, host: Host) -> None:
    for server in (CLUB, OTHER_CLUB):
        await app.arrivals.note_arrival(server, NOW, [])
        await app.servers.change(server, {"puzzles": 5})
    await app.daily_puzzles.owe_due_puzzles()
    await app.arrivals.note_departure(CLUB)
    host.passes(90 * DAY)
    await pass_over(app)
    assert {row.server for row in await rows_in(app, puzzle_days)} == {OTHER_CLUB}


async def test_settings_of_a_server_go_90_days_after_the_bot_left(app: App, host: Host) -> None:
    for server in (CLUB, OTHER_CLUB):
        await app.arrivals.note_arrival(server, NOW, [])
        await app.servers.change(server, {"cap": 5})
    await app.arrivals.note_departure(CLUB)
    host.passes(90 * DAY - 1)
    await pass_over(app)
    assert (await app.servers.settings(CLUB)).cap == 5
    host.passes(1)
    await pass_over(app)
    assert (await app.servers.settings(CLUB)).cap is None
    assert (await app.servers.settings(OTHER_CLUB)).cap == 5
    assert [row.server for row in await rows_in(app, tables.arrivals)] == [OTHER_CLUB]


async def test_settings_stay_if_the_bot_comes_back_in_time(app: App, host: Host) -> None:
    await app.arrivals.note_arrival(CLUB, NOW, [])
    await app.servers.change(CLUB, {"cap": 5})
    await app.arrivals.note_departure(CLUB)
    host.passes(80 * DAY)
    await app.arrivals.note_arrival(CLUB, host.now, [])
    host.passes(80 * DAY)
    await pass_over(app)
    assert (await app.servers.settings(CLUB)).cap == 5
    await app.arrivals.note_departure(CLUB)
    host.passes(80 * DAY)
    await pass_over(app)
    assert (await app.servers.settings(CLUB)).cap == 5, "counted from the second departure"


async def test_a_server_that_was_forgotten_is_greeted_as_a_new_one(app: App, host: Host) -> None:
    await app.arrivals.note_arrival(CLUB, NOW, [])
    await app.arrivals.note_departure(CLUB)
    host.passes(91 * DAY)
    await pass_over(app)
    assert await app.arrivals.new_servers({CLUB: host.now}) == [CLUB]
    assert len(await app.arrivals.note_arrival(CLUB, host.now, [HOME.channel])) == 1
    async with app.games.store.reading() as db:
        assert await servers.present_servers(db) == {CLUB: host.now}


# ── The data of a person ──


@pytest.mark.parametrize("months", [1, 2])
async def test_export_and_deletion_work_on_what_is_left(app: App, host: Host, months: int) -> None:
    """After one pass the rows are empty, after the second they are gone."""
    game_id = await basic_game_after(app, 2, THREE_DAYS)
    await app.vacations.start_vacation(BOB.user, 3)
    await post_all(app)
    await app.vacations.end_vacation(BOB.user)
    await post_all(app)
    for _ in range(months):
        host.passes(10 * DAY if months == 1 else 31 * DAY)
        await pass_over(app)
    told = export_data(await app.exports.collect(BOB.user)).get("messages", [])
    assert all("says" not in message for message in told)
    assert bool(told) == (months == 1)
    await delete_all(app, BOB.user)
    left = str(await rows_in(app, tables.outbox))
    assert str(BOB.user) not in left
    assert (await app.games.game(game_id)).game.seats[1].user != BOB.user


async def test_a_deletion_goes_on_while_rows_go(app: App, host: Host) -> None:
    """It goes through the outbox by ids, and some of them are gone meanwhile."""
    await basic_game_after(app, len(TURNS))
    await post_all(app)
    host.passes(31 * DAY)
    await app.deletions.begin(BOB.user)
    await pass_over(app)
    await app.deletions.finish(BOB.user)
    assert str(BOB.user) not in str(await rows_in(app, tables.outbox))
    async with app.games.store.reading() as db:
        assert (await db.execute(select(tables.deletions))).all() == []


async def test_nothing_is_read_or_written_while_nothing_is_over(app: App, host: Host) -> None:
    """Only the first pass asks; later sweeps of the same hour open no transaction."""
    await app.lobby.challenge(ANN, BOB, STANDARD, Side.LOT, HOME)
    await pass_over(app)
    opened = Counter[str]()
    transaction = app.retention.store.transaction

    def counted() -> object:
        opened["write"] += 1
        return transaction()

    app.retention.store.transaction = counted  # type: ignore[method-assign,assignment]
    for _ in range(3):
        await app.retention.delete_old()
    app.retention.store.transaction = transaction  # type: ignore[method-assign]
    assert opened == Counter()
