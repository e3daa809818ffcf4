"""Claimed games, on a real database: who is warned until when, what ends a claim, and what it comes to."""

import pytest
from sqlalchemy import select

from gipfbot.match import UNTIMED, RequestState, Seat, Status, Terms, Why, days_per_turn
from gipfbot.rules import Colour, Reason, Result
from gipfbot.service.app import App
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.requests.claim_win import CLAIM_WIN, CLAIM_WIN_DM, WinClaims
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.store import Store, clocks, due, tables, users
from gipfbot.values import OutboxRow, Venue
from tests.service.helpers import Host, assert_refused, basic_game_after, boards, passes
from tests.support.people import ANN, BOB, CLUB, HALL, HOME
from tests.support.times import DAY, MONTH, WEEK


@pytest.fixture
def claims(app: App) -> WinClaims:
    return app.win_claims


async def game_after(app: App, turns: int = 2, terms: Terms = UNTIMED) -> int:
    """Return a game of Ann, White, and Bob after so many turns, whose boards are posted."""
    game_id = await basic_game_after(app, turns, terms)
    await deliver(app)
    return game_id


async def deliver(app: App) -> list[OutboxRow]:
    """Note what is owed as posted; return it."""
    await app.outbox.release_leases()
    rows = []
    while due := await app.outbox.deliverable_rows():
        for row in due:
            owed = await app.outbox.lease_row(row)
            assert owed
            await app.outbox.note_delivered(owed, 1000 + owed.id)
            rows.append(owed)
    return rows


async def claim(app: App, claims: WinClaims, game_id: int, by: int) -> tuple[int, OutboxRow]:
    """Claim a game; return until when the opponent may play, and the warning, which is posted."""
    claimed = await claims.claim_win(game_id, by)
    (owed,) = claimed.owed
    await app.outbox.note_delivered(owed, 900)
    return claimed.until, owed


async def claimed(app: App, claims: WinClaims, host: Host, turns: int = 2) -> tuple[int, int, OutboxRow]:
    """Return a game that Bob has claimed after a month, until when Ann may play, and her warning, which is posted."""
    game_id = await game_after(app, turns)
    host.passes(MONTH)
    return game_id, *(await claim(app, claims, game_id, BOB.user))


async def unwarned(app: App, claims: WinClaims, host: Host, *, shut: bool = False) -> tuple[int, OutboxRow]:
    """Return a game that Bob has claimed after a month, and Ann's warning, which is not posted yet."""
    game_id = await game_after(app)
    host.passes(MONTH)
    async with app.games.store.transaction() as db:
        await users.set_dms_shut(db, ANN.user, host.now if shut else None)
    (owed,) = (await claims.claim_win(game_id, BOB.user)).owed
    return game_id, owed


async def over(app: App, claims: WinClaims, host: Host, game_id: int) -> bool:
    """Let a week pass and the claims be decided; return whether the game is over then."""
    host.passes(WEEK)
    await claims.settle_due_win_claims()
    return (await app.games.game(game_id)).game.status is Status.OVER


async def test_a_claim_after_a_month_wins_after_a_week(app: App, claims: WinClaims, host: Host) -> None:
    game_id = await game_after(app)
    host.passes(MONTH - 1)
    too_early = await assert_refused(Why.CLAIM_WIN_TOO_EARLY, claims.claim_win(game_id, BOB.user))
    assert too_early == {"at": host.now + 1}
    assert not await claims.may_claim_win(await app.games.game(game_id), BOB.user)
    host.passes(1)
    assert await claims.may_claim_win(await app.games.game(game_id), BOB.user)
    claimed = await claims.claim_win(game_id, BOB.user)
    until, (owed,) = claimed.until, claimed.owed
    assert (until, owed.kind, owed.channel, owed.game) == (host.now + WEEK, CLAIM_WIN, HOME.channel, game_id)
    found = await claims.current_warning(owed)
    assert found
    assert found[1] == until
    await app.outbox.note_delivered(owed, 900)
    host.passes(WEEK - 1)
    await claims.settle_due_win_claims()
    assert (await app.games.game(game_id)).game.status is Status.RUNNING
    host.passes(1)
    await claims.settle_due_win_claims()
    assert (await app.games.game(game_id)).game.position.result == Result(Colour.BLACK, Reason.TIME)
    (last,) = (await boards(app))[3:]
    assert (last.over, last.untimed) == (True, True)
    await claims.settle_due_win_claims()
    assert len(await boards(app)) == 4
    assert await claims.current_warning(owed) is None


@pytest.mark.parametrize(("turns", "by"), [(0, BOB), (1, ANN)])
async def test_a_claim_before_both_have_moved_cancels_the_game(
    app: App, claims: WinClaims, host: Host, turns: int, by: Seat
) -> None:
    game_id = await game_after(app, turns)
    host.passes(MONTH)
    until, _ = await claim(app, claims, game_id, by.user)
    host.passes(until - host.now)
    await claims.settle_due_win_claims()
    stored = await app.games.game(game_id)
    assert (stored.game.status, stored.game.position.result) == (Status.CANCELLED, None)
    assert (await boards(app))[-1].cancelled_by is stored.game.colour_of(by.user)


async def test_a_game_is_claimed_once_and_only_if_untimed(app: App, claims: WinClaims, host: Host) -> None:
    game_id, until, _ = await claimed(app, claims, host)
    assert await assert_refused(Why.CLAIM_WIN_PENDING, claims.claim_win(game_id, BOB.user)) == {"at": until}
    assert not await claims.may_claim_win(await app.games.game(game_id), BOB.user)
    await assert_refused(Why.OWN_TURN, claims.claim_win(game_id, ANN.user))
    await assert_refused(Why.NOT_A_PLAYER, claims.claim_win(game_id, 3))
    await assert_refused(Why.NO_GAME, claims.claim_win(99, BOB.user))
    timed = await game_after(app, 2, Terms(days_per_turn(14)))
    host.passes(MONTH)
    await assert_refused(Why.CLAIM_WIN_TIMED, claims.claim_win(timed, BOB.user))


async def test_a_turn_ends_the_claim(app: App, claims: WinClaims, host: Host) -> None:
    """The game can be claimed again after another month. The old claim does nothing."""
    game_id, _, owed = await claimed(app, claims, host)
    host.passes(WEEK - 1)
    await app.games.play_typed(game_id, ANN.user, "d2")
    assert await claims.current_warning(owed) is None
    host.passes(2)
    await claims.settle_due_win_claims()
    assert (await app.games.game(game_id)).game.asked is Colour.BLACK
    await assert_refused(Why.CLAIM_WIN_TOO_EARLY, claims.claim_win(game_id, ANN.user))
    host.passes(MONTH)
    await claims.claim_win(game_id, ANN.user)


@pytest.mark.parametrize("turns", [0, 2])
async def test_an_end_of_the_game_ends_the_claim(app: App, claims: WinClaims, host: Host, turns: int) -> None:
    game_id, until, _ = await claimed(app, claims, host, turns)
    await (app.games.resign(game_id, ANN.user) if turns else app.games.cancel_game(game_id, BOB.user))
    ended = (await app.games.game(game_id)).game
    host.passes(until - host.now)
    await claims.settle_due_win_claims()
    assert (await app.games.game(game_id)).game == ended


async def test_a_takeback_ends_the_claim(app: App, claims: WinClaims, host: Host) -> None:
    game_id, until, _ = await claimed(app, claims, host)
    takebacks = app.requests
    await takebacks.settle(
        (await takebacks.make(TAKEBACK, game_id, BOB.user)).request.id, ANN.user, RequestState.ACCEPTED
    )
    host.passes(until - host.now)
    await claims.settle_due_win_claims()
    assert (await app.games.game(game_id)).game.asked is Colour.BLACK


async def test_a_refused_warning_goes_to_the_opponent_as_a_dm(app: App, claims: WinClaims, host: Host) -> None:
    """Ann's week starts when the direct message is posted."""
    game_id, owed = await unwarned(app, claims, host)
    await app.outbox.note_channel_refusal(owed, "gone")
    assert (await app.games.game(game_id)).unreachable
    host.passes(DAY)
    assert await assert_refused(Why.CLAIM_WIN_PENDING, claims.claim_win(game_id, BOB.user)) == {"at": None}
    ((_, dm),) = [(row.kind, row) for row in await deliver(app)]
    assert (dm.kind, dm.channel) == (CLAIM_WIN_DM, ANN.user)
    assert await assert_refused(Why.CLAIM_WIN_PENDING, claims.claim_win(game_id, BOB.user)) == {"at": host.now + WEEK}
    host.passes(-1)
    assert not await over(app, claims, host, game_id)
    host.passes(1 - WEEK)
    assert await over(app, claims, host, game_id)


async def test_the_week_of_a_warning_starts_when_it_is_posted(app: App, claims: WinClaims, host: Host) -> None:
    game_id, owed = await unwarned(app, claims, host)
    await app.outbox.retry_later(owed)
    host.passes(6 * DAY)
    found = await claims.current_warning(owed)
    assert found
    assert found[1] == host.now + WEEK
    assert [row.kind for row in await deliver(app)] == [CLAIM_WIN]
    host.passes(-1)
    assert not await over(app, claims, host, game_id)
    host.passes(1 - WEEK)
    assert await over(app, claims, host, game_id)


async def test_no_game_is_lost_before_a_warning_is_delivered(app: App, claims: WinClaims, host: Host) -> None:
    """Neither the channel nor Ann accepts the warning. The bot retries each day, until it is accepted."""
    game_id, owed = await unwarned(app, claims, host, shut=True)
    await app.outbox.note_channel_refusal(owed, "gone")
    assert await deliver(app) == []
    assert not await over(app, claims, host, game_id)
    (row,) = await app.outbox.deliverable_rows()
    again = await app.outbox.lease_row(row)
    assert again
    assert (again.kind, again.channel) == (CLAIM_WIN, HOME.channel)
    await app.outbox.note_channel_refusal(again, "still gone")
    await claims.settle_due_win_claims()
    assert await app.outbox.deliverable_rows() == []
    host.passes(DAY)
    await claims.settle_due_win_claims()
    assert [row.kind for row in await deliver(app)] == [CLAIM_WIN]
    host.passes(-1)
    assert not await over(app, claims, host, game_id)
    host.passes(1 - WEEK)
    assert await over(app, claims, host, game_id)


async def test_a_refused_dm_warns_nobody(app: App, claims: WinClaims, host: Host) -> None:
    """Once Ann accepts direct messages again, another one is owed."""
    reminders = app.reminders
    game_id, owed = await unwarned(app, claims, host)
    await app.outbox.note_channel_refusal(owed, "gone")
    dm = await app.outbox.lease_row((await app.outbox.deliverable_rows())[0])
    assert dm
    await app.outbox.note_dm_refusal(dm, "403", shut=True)
    assert not await over(app, claims, host, game_id)
    await reminders.note_dms_open(ANN.user)
    again = await app.outbox.lease_row((await app.outbox.deliverable_rows())[0])
    assert again
    await app.outbox.note_channel_refusal(again, "gone")
    assert [(row.kind, row.channel) for row in await deliver(app)] == [(CLAIM_WIN_DM, ANN.user)]
    assert await over(app, claims, host, game_id)


@pytest.mark.parametrize("tried", [False, True])
async def test_an_unposted_warning_follows_the_game_to_its_new_channel(
    app: App, claims: WinClaims, host: Host, tried: bool
) -> None:
    """It comes after the board. A warning that was posted is not repeated."""
    game_id, owed = await unwarned(app, claims, host, shut=True)
    await (app.outbox.note_channel_refusal(owed, "gone") if tried else app.outbox.retry_later(owed))
    await app.venues.relocate(game_id, Venue(CLUB, 22))
    assert [(row.kind, row.channel) for row in await deliver(app)] == [("board", 22), (CLAIM_WIN, 22)]
    host.passes(1)
    await app.venues.relocate(game_id, Venue(CLUB, 23))
    assert [(row.kind, row.channel) for row in await deliver(app)] == [("board", 23)]
    assert await over(app, claims, host, game_id)


async def test_a_dropped_warning_follows_its_game_out_of_a_thread(app: App, claims: WinClaims, host: Host) -> None:
    game_id = await game_after(app)
    await app.venues.relocate(game_id, Venue(CLUB, 30, HALL))
    await deliver(app)
    host.passes(MONTH)
    (owed,) = (await claims.claim_win(game_id, BOB.user)).owed
    await app.outbox.give_up(owed, "spoilt")
    await app.outbox.leave_thread(game_id)
    rows = [(row.kind, row.channel) for row in await deliver(app)]
    assert (CLAIM_WIN, HALL) in rows


async def test_a_claim_is_settled_once_even_if_it_is_void(app: App, claims: WinClaims, host: Host) -> None:
    game_id, _, _ = await claimed(app, claims, host)
    await app.games.play_typed(game_id, ANN.user, "d2")
    host.passes(WEEK)
    await claims.settle_due_win_claims()
    async with app.games.store.reading() as db:
        assert await due.ready_rows(db, CLAIM_WIN, host.now) == []


async def test_downtime_does_not_count_for_a_claim(app: App, claims: WinClaims, host: Host) -> None:
    """Nobody could play then. What happened during it counts as happening now."""
    flag_watch = FlagWatch(app.games.store, lambda: host.now, lambda: host.ticks)
    game_id, ended = await game_after(app), await game_after(app)
    await app.games.resign(ended, ANN.user)
    at = (await app.games.game(ended)).changed_at
    await flag_watch.check_flags()
    host.passes(10 * DAY)
    later = await game_after(app)
    host.passes(10 * DAY)
    await flag_watch.check_flags()
    too_early = await assert_refused(Why.CLAIM_WIN_TOO_EARLY, claims.claim_win(game_id, BOB.user))
    assert too_early == {"at": host.now + MONTH}
    assert (await app.games.game(later)).changed_at == host.now
    assert (await app.games.game(ended)).changed_at == at


async def test_trouble_with_its_channel_does_not_restart_the_month(app: App, claims: WinClaims, host: Host) -> None:
    game_id = await game_after(app)
    host.passes(MONTH)
    await app.venues.note_unreachable(game_id, "a player left")
    assert await claims.may_claim_win(await app.games.game(game_id), BOB.user)
    await app.venues.relocate(game_id, Venue(CLUB, 22))
    assert await claims.may_claim_win(await app.games.game(game_id), BOB.user)


async def test_a_stale_button_claims_nothing(app: App, claims: WinClaims, host: Host) -> None:
    game_id = await game_after(app)
    version = (await app.games.game(game_id)).game.version
    host.passes(MONTH)
    await assert_refused(Why.STALE, claims.claim_win(game_id, BOB.user, version - 1))
    await claims.claim_win(game_id, BOB.user, version)


async def test_a_vacation_of_the_opponent_holds_a_claim_up(app: App, claims: WinClaims, host: Host) -> None:
    """They have a week after it, whether it began before the claim or after, and also if they end it themselves."""
    leave = app.vacations
    game_id = await game_after(app)
    host.passes(MONTH)
    await leave.start_vacation(ANN.user, 10)
    until, _ = await claim(app, claims, game_id, BOB.user)
    assert until == host.now + 10 * DAY + WEEK
    host.passes(5 * DAY)
    await leave.end_vacation(ANN.user)
    host.passes(4 * DAY)
    await leave.start_vacation(ANN.user, 10)
    host.passes(10 * DAY)
    await leave.end_due_vacations()
    await claims.settle_due_win_claims()
    host.passes(WEEK - 1)
    await claims.settle_due_win_claims()
    assert (await app.games.game(game_id)).game.status is Status.RUNNING
    assert await assert_refused(Why.CLAIM_WIN_PENDING, claims.claim_win(game_id, BOB.user)) == {"at": host.now + 1}
    host.passes(1)
    await claims.settle_due_win_claims()
    assert (await app.games.game(game_id)).game.status is Status.OVER


async def test_other_vacations_do_not_hold_a_claim_up(app: App, claims: WinClaims, host: Host) -> None:
    leave = app.vacations
    await leave.start_vacation(ANN.user, 1)
    await leave.end_vacation(ANN.user)
    game_id, until, _ = await claimed(app, claims, host)
    await leave.start_vacation(BOB.user, 20)
    await leave.start_vacation(ANN.user, 20)
    await leave.end_vacation(ANN.user)
    host.passes(until - host.now)
    await claims.settle_due_win_claims()
    assert (await app.games.game(game_id)).game.status is Status.OVER


async def test_a_vacation_holds_a_claim_up_while_days_are_left(app: App, claims: WinClaims, host: Host) -> None:
    game_id, until, _ = await claimed(app, claims, host)
    async with app.games.store.transaction() as db:
        await clocks.add_vacation(db, ANN.user, host.now, host.now + 33 * DAY)
    host.passes(until - host.now)
    await claims.settle_due_win_claims()
    assert (await app.games.game(game_id)).game.status is Status.RUNNING
    host.passes(30 * DAY + 1)
    await claims.settle_due_win_claims()
    assert (await app.games.game(game_id)).game.status is Status.OVER


async def test_downtime_extends_a_warning(app: App, claims: WinClaims, host: Host) -> None:
    """Nobody could play meanwhile."""
    flag_watch = FlagWatch(app.games.store, lambda: host.now, lambda: host.ticks)
    game_id, until, _ = await claimed(app, claims, host)
    await flag_watch.check_flags()
    await passes(flag_watch, host, 6 * DAY)
    host.passes(20 * DAY)
    assert await FlagWatch(app.games.store, lambda: host.now, lambda: host.ticks).check_flags()
    await claims.settle_due_win_claims()
    assert (await app.games.game(game_id)).game.status is Status.RUNNING
    assert await assert_refused(Why.CLAIM_WIN_PENDING, claims.claim_win(game_id, BOB.user)) == {"at": until + 20 * DAY}
    await passes(flag_watch, host, DAY)
    await claims.settle_due_win_claims()
    assert (await app.games.game(game_id)).game.status is Status.OVER


async def test_only_open_claims_are_extended(store: Store) -> None:
    async with store.transaction() as db:
        for key, kind in (("a", CLAIM_WIN), ("b", CLAIM_WIN), ("c", "vacation")):
            await due.schedule(db, key, kind, 100, ANN.user)
        (first, *_) = await due.ready_rows(db, CLAIM_WIN, 100)
        await due.finish_row(db, first.id, 100)
        await due.postpone_kind(db, CLAIM_WIN, 50)
        rows = await db.execute(select(tables.due.c.key, tables.due.c.at).order_by(tables.due.c.key))
    assert [tuple(row) for row in rows] == [("a", 100), ("b", 150), ("c", 100)]
