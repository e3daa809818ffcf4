"""Whatever reads settled messages still finds them after months in which retention has worked."""

import pytest
from sqlalchemy import select, update

from gipfbot.match import RequestState, Status, Terms, Why
from gipfbot.rules import OVERBOARD
from gipfbot.service.app import App, create_app, message_kinds
from gipfbot.service.clock.digests import DIGEST
from gipfbot.service.clock.reminders import CHANNEL_REMINDER, NUDGE, REMINDER
from gipfbot.service.clock.undeliverable import UNDELIVERABLE
from gipfbot.service.clock.vacations import VACATION
from gipfbot.service.delivery.board_message import BOARD
from gipfbot.service.delivery.venues import LEFT_THREAD
from gipfbot.service.requests.claim_win import CLAIM_WIN, CLAIM_WIN_DM
from gipfbot.service.requests.game_requests import DRAW, TAKEBACK
from gipfbot.service.settings.servers import SETTINGS_CHANGED
from gipfbot.service.watching.follows import FOLLOWED
from gipfbot.store import due, outbox, tables, users
from gipfbot.values import THREAD, News, OutboxRow, Venue
from tests.service.helpers import (
    Host,
    basic_game_after,
    begin_game,
    begun,
    lease_next,
    play_on,
    posted,
    why_refused,
)
from tests.service.house.helpers import act, begin as begin_against_house
from tests.service.privacy.kept import a_month_later, kinds_left, pass_over, post_all, rows_in
from tests.support.games import TURNS
from tests.support.people import ANN, BOB, CARA, CLUB, DAN, HALL, HOME
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, HOUR, MONTH, WEEK

ELSEWHERE = Venue(CLUB, HALL + 5)


# ── Boards ──


async def test_the_newest_board_of_a_game_is_known(app: App, host: Host) -> None:
    """The next board finds it as the older one, and its mark confirms nothing, as before."""
    game_id = await basic_game_after(app, 1)
    *_, newest = await post_all(app)
    await a_month_later(app, host)
    assert await kinds_left(app) == {}
    assert (await app.games.game(game_id)).board_message == 1000 + newest.id
    assert await app.outbox.confirm(newest.mark, HOME.channel, 1000 + newest.id) is None
    assert await app.outbox.message_with_mark(newest.mark) is None
    (then,) = (await app.games.play_typed(game_id, BOB.user, TURNS[1])).owed
    assert await app.outbox.note_delivered(then, 5) == (HOME.channel, 1000 + newest.id)


async def refused_board(app: App) -> OutboxRow:
    """Return the first board of a new game of Ann, which its channel has refused."""
    (board,) = (await begin_game(app, THREE_DAYS)).owed
    await app.outbox.note_channel_refusal(board, "forbidden")
    return board


async def test_a_board_that_is_retried_keeps_what_it_shows(app: App, host: Host) -> None:
    """The bot was down for two months, and retention comes before the retry."""
    board = await refused_board(app)
    await a_month_later(app, host)
    await app.undeliverable.retry_due_boards()
    again = await app.outbox.lease_row(board.id)
    assert again
    assert (again.payload["position"], again.mark != board.mark) == (board.payload["position"], True)


async def test_a_dropped_board_goes_once_another_was_posted(app: App, host: Host) -> None:
    board = await refused_board(app)
    assert board.game
    (newer,) = (await app.venues.relocate(board.game, ELSEWHERE)).owed
    await app.outbox.note_delivered(newer, 5)
    await a_month_later(app, host)
    assert BOARD not in await kinds_left(app)


async def test_nobody_gets_a_second_fallback_dm_for_one_board(app: App, host: Host) -> None:
    board = await refused_board(app)
    await app.outbox.note_delivered(await lease_next(app, UNDELIVERABLE), 6)
    for _ in range(2):
        await a_month_later(app, host)
        await app.undeliverable.retry_due_boards()
        again = await app.outbox.lease_row(board.id)
        assert again
        await app.outbox.note_channel_refusal(again, "forbidden")
    assert [row.message for row in await rows_in(app, tables.outbox) if row.kind == UNDELIVERABLE] == [6]


async def test_a_fallback_dm_goes_with_its_board(app: App, host: Host) -> None:
    board = await refused_board(app)
    assert board.game
    await app.outbox.note_delivered(await lease_next(app, UNDELIVERABLE), 6)
    (newer,) = (await app.venues.relocate(board.game, ELSEWHERE)).owed
    await app.outbox.note_delivered(newer, 5)
    await a_month_later(app, host)
    assert UNDELIVERABLE not in await kinds_left(app)


# ── Threads ──


async def threaded(app: App) -> int:
    """Return an ended game whose thread 77 was made for it."""
    game_id = (await begin_game(app, Terms(thread=True))).game.id
    await posted(app.games.store)
    await app.outbox.note_delivered(await lease_next(app, THREAD), 77)
    await app.games.resign(game_id, ANN.user)
    await post_all(app)
    return game_id


async def test_a_rematch_finds_the_channel_of_an_old_games_thread(app: App, host: Host) -> None:
    game_id = await threaded(app)
    await a_month_later(app, host)
    assert await kinds_left(app) == {THREAD: 1}
    assert (await app.games.game(game_id)).venue == Venue(CLUB, 77, HALL)
    assert await app.lobby.rematch_venue(await app.games.game(game_id)) == HOME


async def test_boards_of_a_left_thread_are_posted_after_months(app: App, host: Host) -> None:
    """Three games left it, and the process died before their boards were owed."""
    thread = Venue(CLUB, 30, HALL)
    games = [(await begin_game(app, venue=thread)).game.id for _ in range(3)]
    await posted(app.games.store)
    app.outbox._reposts._do_batch = _fails
    await app.outbox.leave_thread(games[0])
    await app.outbox.note_delivered(await lease_next(app, LEFT_THREAD), 99)
    await a_month_later(app, host)
    assert await kinds_left(app, full=True) == {LEFT_THREAD: 1}
    next_process = create_app(app.games.store, lambda: host.now, lambda: True)
    await next_process.outbox.finish_reposts()
    owed = [row.game for row in await rows_in(app, tables.outbox) if row.kind == BOARD and row.done_at is None]
    assert sorted(owed) == games
    await post_all(app)
    await a_month_later(app, host)
    assert await kinds_left(app) == {}


async def _fails(*_: object) -> None:
    raise RuntimeError("the process dies")


# ── What a turn has once ──


async def test_one_nudge_in_a_turn_however_long_it_takes(app: App, host: Host) -> None:
    game_id = await basic_game_after(app, 2)
    await post_all(app)
    host.passes(2 * DAY)
    await app.reminders.nudge(game_id, BOB.user, 2)
    await post_all(app)
    await a_month_later(app, host)
    assert await why_refused(app.reminders.nudge(game_id, BOB.user, 2)) is Why.NUDGED
    await play_on(app, game_id, TURNS[2])
    await post_all(app)
    await a_month_later(app, host)
    assert await kinds_left(app) == {}


async def test_one_reminder_in_the_channel_in_a_turn_without_a_time_limit(app: App, host: Host) -> None:
    game_id = await basic_game_after(app, 2, Terms())
    await post_all(app)
    for reminded in ([CHANNEL_REMINDER], [], []):
        host.passes(WEEK)
        async with app.games.store.transaction() as db:
            await users.set_dms_shut(db, ANN.user, host.now)
        await app.reminders.owe_weekly_reminders()
        assert [row.kind for row in await post_all(app)] == reminded
        await a_month_later(app, host)
    await play_on(app, game_id, TURNS[2])
    await post_all(app)
    await a_month_later(app, host)
    assert await kinds_left(app) == {}


async def test_followers_are_told_once_when_a_board_is_posted_again(app: App, host: Host) -> None:
    game_id = await basic_game_after(app, 1)
    await app.follows.follow_game(CARA.user, game_id, News.EACH_TURN)
    await app.follows.follow_player(DAN.user, ANN, News.EACH_TURN)
    assert FOLLOWED in {row.kind for row in await post_all(app)}
    await a_month_later(app, host)
    await app.venues.relocate(game_id, ELSEWHERE)
    assert [row.kind for row in await post_all(app)] == [BOARD]


async def test_followers_are_told_once_of_a_result_whose_game_moves(app: App, host: Host) -> None:
    """Its venue takes no messages, so a player may still move it when it has ended."""
    game_id = await basic_game_after(app, 2)
    await app.follows.follow_player(DAN.user, ANN, News.RESULT)
    await app.games.resign(game_id, ANN.user)
    assert FOLLOWED in {row.kind for row in await post_all(app)}
    await app.venues.note_unreachable(game_id, "gone")
    await a_month_later(app, host)
    assert await kinds_left(app) == {FOLLOWED: 1}
    await app.venues.relocate(game_id, ELSEWHERE)
    assert [row.kind for row in await post_all(app)] == [BOARD]
    await a_month_later(app, host)
    assert await kinds_left(app) == {}


async def test_a_reminder_needs_no_old_digest(app: App, host: Host) -> None:
    """A digest that named the game long ago does not count, though its row is still there."""
    game_id = await begun(app, THREE_DAYS)
    host.passes(3 * DAY - 6 * HOUR)
    key = f"{DIGEST}:{ANN.user}:{host.now}"
    async with app.games.store.transaction() as db:
        row = await outbox.owe(db, key, DIGEST, ANN.user, {"games": [game_id], "at": host.now}, host.now)
        await outbox.mark_posted(db, row, 8, host.now)
        values = {"payload": {}, "emptied_at": host.now}
        await db.execute(update(tables.outbox).where(tables.outbox.c.id == row).values(values))
    await app.reminders.owe_due_reminders()
    assert (await lease_next(app, REMINDER)).channel == ANN.user


# ── Requests ──


async def test_a_draw_offer_can_be_answered_after_months(app: App, host: Host) -> None:
    game_id = (await begin_game(app, ruleset=OVERBOARD)).game.id
    offer = (await app.requests.make(DRAW, game_id, ANN.user)).request
    (row,) = [row for row in await post_all(app) if row.kind == DRAW]
    await a_month_later(app, host)
    standing = await app.requests.current(offer.id)
    assert standing.request.state is RequestState.OPEN
    assert standing.message == (HOME.channel, 1000 + row.id)
    assert (await app.requests.settle(offer.id, BOB.user, RequestState.DECLINED)).message == standing.message
    await app.games.resign(game_id, ANN.user)
    await post_all(app)
    await a_month_later(app, host)
    assert DRAW not in await kinds_left(app)


async def test_a_refused_draw_offer_goes_to_the_new_venue_after_months(app: App, host: Host) -> None:
    game_id = (await begin_game(app, ruleset=OVERBOARD)).game.id
    await post_all(app)
    (owed,) = (await app.requests.make(DRAW, game_id, ANN.user)).owed
    await app.outbox.note_channel_refusal(owed, "forbidden")
    await a_month_later(app, host)
    await app.venues.relocate(game_id, ELSEWHERE)
    assert [(row.kind, row.channel) for row in await post_all(app)] == [(BOARD, HALL + 5), (DRAW, HALL + 5)]


async def test_a_refused_offer_that_the_bot_has_declined_goes_to_the_new_venue_after_months(
    app: App, host: Host
) -> None:
    game_id = (await begin_against_house(app, ruleset=OVERBOARD)).game.id
    await post_all(app)
    (owed,) = (await app.requests.make(DRAW, game_id, ANN.user)).owed
    (done,) = await act(app)
    assert done.draw
    assert done.draw.request.state is RequestState.DECLINED
    await app.outbox.note_channel_refusal(owed, "forbidden")
    await a_month_later(app, host)
    await app.venues.relocate(game_id, ELSEWHERE)
    assert [(row.kind, row.channel) for row in await post_all(app)] == [(BOARD, HALL + 5), (DRAW, HALL + 5)]


async def test_an_expired_takeback_is_closed_with_its_message(app: App, host: Host) -> None:
    """The bot was down, and retention comes before the request is closed."""
    game_id = await basic_game_after(app, 1)
    await app.requests.make(TAKEBACK, game_id, ANN.user)
    (row,) = [row for row in await post_all(app) if row.kind == TAKEBACK]
    await a_month_later(app, host)
    (closed,) = await app.requests.close_expired()
    assert closed.message == (HOME.channel, 1000 + row.id)
    await a_month_later(app, host)
    assert await kinds_left(app) == {}


async def claimed(app: App, host: Host) -> tuple[int, OutboxRow]:
    """Return a game of Ann's turn whose win Bob has just claimed, and the warning, which is not posted yet."""
    game_id = await basic_game_after(app, 2, Terms(vacation=100))
    await post_all(app)
    host.passes(MONTH)
    (warning,) = (await app.win_claims.claim_win(game_id, BOB.user)).owed
    return game_id, warning


async def test_a_warned_claim_is_awarded_after_a_long_vacation(app: App, host: Host) -> None:
    """The week of the warning began after the vacation."""
    game_id, warning = await claimed(app, host)
    await app.vacations.start_vacation(ANN.user, 60)
    await app.outbox.note_delivered(warning, 9)
    await a_month_later(app, host)
    await app.vacations.end_due_vacations()
    await app.win_claims.settle_due_win_claims()
    assert (await app.games.game(game_id)).game.status is Status.RUNNING
    host.passes(WEEK)
    await pass_over(app)
    await app.win_claims.settle_due_win_claims()
    assert (await app.games.game(game_id)).game.status is Status.OVER
    await post_all(app)
    await a_month_later(app, host)
    assert CLAIM_WIN not in await kinds_left(app)


async def test_a_refused_warning_is_posted_again_after_months(app: App, host: Host) -> None:
    """Neither the channel nor the player took it. The claim waits, and the warning is tried daily."""
    game_id, warning = await claimed(app, host)
    await app.outbox.note_channel_refusal(warning, "forbidden")
    await app.outbox.note_dm_refusal(await lease_next(app, CLAIM_WIN_DM), "forbidden", shut=False)
    await a_month_later(app, host)
    await app.win_claims.settle_due_win_claims()
    again = await lease_next(app, CLAIM_WIN)
    found = await app.win_claims.current_warning(again)
    assert found
    assert (found[0].game.id, found[1]) == (game_id, host.now + WEEK)


# ── Vacations and settings ──


async def test_channels_are_told_of_the_end_of_a_long_vacation(app: App, host: Host) -> None:
    """They know the name from the announcement of its beginning, though the game has ended since."""
    game_id = await begun(app, Terms(THREE_DAYS.time_control, vacation=100))
    await app.vacations.start_vacation(ANN.user, 70)
    await post_all(app)
    await app.games.resign(game_id, ANN.user)
    await a_month_later(app, host)
    assert await kinds_left(app, full=True) == {VACATION: 1, BOARD: 1}
    host.passes(9 * DAY)
    await app.vacations.end_due_vacations()
    told = await lease_next(app, VACATION)
    assert (told.channel, told.payload["name"], told.payload["over"]) == (HOME.channel, "Ann", True)


async def test_the_end_of_a_vacation_is_told_though_months_lie_between(app: App, host: Host) -> None:
    """Its clocks run again, but the process died before the channels were told."""
    game_id = await begun(app, Terms(THREE_DAYS.time_control, vacation=100))
    await app.vacations.start_vacation(ANN.user, 5)
    await post_all(app)
    host.passes(5 * DAY)
    await app.games.resign(game_id, ANN.user)
    app.vacations._announce_vacation = _fails  # type: ignore[method-assign,assignment]
    with pytest.raises(RuntimeError):
        await app.vacations.end_due_vacations()
    await a_month_later(app, host)
    del app.vacations._announce_vacation
    await app.vacations.finish_vacation_work()
    assert (await lease_next(app, VACATION)).payload["name"] == "Ann"


async def test_news_of_settings_is_owed_after_months(app: App, host: Host) -> None:
    await app.servers.change(CLUB, {"channel": HALL})
    host.passes(HOUR)
    await post_all(app)
    await a_month_later(app, host)
    assert (await app.servers.change(CLUB, {"cap": 5}))[1] == HALL
    assert [row.kind for row in await rows_in(app, tables.outbox)] == [SETTINGS_CHANGED]


# ── Rows that have lost their payload are never used again ──


async def test_an_empty_row_is_not_queued_again(app: App) -> None:
    (board,) = (await begin_game(app)).owed
    async with app.games.store.transaction() as db:
        await outbox.drop_row(db, board.id, "gone", 1)
        await db.execute(update(tables.outbox).where(tables.outbox.c.id == board.id).values(payload={}, emptied_at=1))
        assert await outbox.dropped_payload(db, board.id) is None
        assert not await outbox.requeue_dropped(db, board.key, HALL, 1)
        assert not await due.unfinished_keys(db, [board.key])
        assert await db.scalar(select(tables.outbox.c.emptied_at).where(tables.outbox.c.id == board.id)) == 1


def test_kinds_that_are_needed_are_checked() -> None:
    """Each of them has a test above."""
    needed = {BOARD, UNDELIVERABLE, LEFT_THREAD, NUDGE, CHANNEL_REMINDER, FOLLOWED, DRAW, TAKEBACK, VACATION}
    needed |= {CLAIM_WIN, CLAIM_WIN_DM}
    found = {kind for kind in message_kinds().values() if kind.check}
    assert found == needed, "write a test here of what reads its settled rows, and add the kind to `needed`"
