"""Claimed games, on a real database: who is warned until when, what ends a claim, and what it comes to."""

import pytest
from sqlalchemy import select

from gipfbot.match import UNTIMED, Refused, Seat, Side, Status, Terms, Why, days_per_turn
from gipfbot.rules import BASIC, Colour, Reason, Result
from gipfbot.service.app import App, create_app
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.reminders import Reminders
from gipfbot.service.clock.vacations import Vacations
from gipfbot.service.delivery.board_message import BoardMessage, unpack_board
from gipfbot.service.requests.claim_win import CLAIM_WIN, CLAIM_WIN_DM, WinClaims
from gipfbot.service.requests.takebacks import Takebacks
from gipfbot.store import Store, due, tables, users, vacations
from gipfbot.values import OutboxRow, Venue

from .conftest import posting
from .test_flag_watch import Host, passes

ANN, BOB = Seat(1, "ann"), Seat(2, "bob")
HOME = Venue(10, 20)
DAY = 24 * 3600
MONTH, WEEK = 30 * DAY, 7 * DAY


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.fixture
def service(store: Store, host: Host) -> App:
    return create_app(store, lambda: host.now, lambda: True)


@pytest.fixture
def claims(service: App) -> WinClaims:
    return WinClaims(service.games.store, service.now)


async def begun(service: App, turns: int = 2, terms: Terms = UNTIMED) -> int:
    """Return a game of Ann, White, and Bob after so many turns."""
    offered, _ = await service.lobby.challenge(ANN, BOB, BASIC, Side.WHITE, HOME, terms)
    id = (await service.lobby.accept_challenge(offered.challenge.id, BOB))[1].game.id
    for number, text in enumerate(("c2", "g2", "d2")[:turns]):
        await service.games.play_typed(id, BOB.user if number % 2 else ANN.user, text)
    await deliver(service)
    return id


async def deliver(service: App) -> list[OutboxRow]:
    """Post what is owed, as it were; return it."""
    await posting(service).release_leases()
    rows = []
    while due := await posting(service).deliverable_rows():
        for row in due:
            owed = await posting(service).lease_row(row)
            assert owed
            await posting(service).note_delivered(owed, 1000 + owed.id)
            rows.append(owed)
    return rows


async def claim(service: App, claims: WinClaims, id: int, by: int) -> tuple[int, OutboxRow]:
    """Claim a game; return until when the opponent may play, and the warning, which is posted."""
    claimed = await claims.claim_win(id, by)
    (owed,) = claimed.owed
    await posting(service).note_delivered(owed, 900)
    return claimed.until, owed


async def claimed(service: App, claims: WinClaims, host: Host, turns: int = 2) -> tuple[int, int, OutboxRow]:
    """Return a game that Bob has claimed after a month, until when Ann may play, and her warning, which is posted."""
    id = await begun(service, turns)
    host.passes(MONTH)
    return id, *(await claim(service, claims, id, BOB.user))


async def unwarned(service: App, claims: WinClaims, host: Host, *, shut: bool = False) -> tuple[int, OutboxRow]:
    """Return a game that Bob has claimed after a month, and Ann's warning, which is not posted yet."""
    id = await begun(service)
    host.passes(MONTH)
    async with service.games.store.transaction() as db:
        await users.set_dms_shut(db, ANN.user, shut)
    (owed,) = (await claims.claim_win(id, BOB.user)).owed
    return id, owed


async def over(service: App, claims: WinClaims, host: Host, id: int) -> bool:
    """Let a week pass and the claims be decided; return whether the game is over then."""
    host.passes(WEEK)
    await claims.settle_due_win_claims()
    return (await service.games.game(id)).game.status is Status.OVER


async def boards(service: App) -> list[BoardMessage]:
    """Return all boards that are owed, oldest first."""
    async with service.games.store.reading() as db:
        rows = await db.execute(select(tables.outbox).order_by(tables.outbox.c.id))
        return [unpack_board(row.game, row.payload) for row in rows if row.kind == "board"]


async def refused(why: Why, work: object) -> Refused:
    """Assert that this is refused for that reason; return it."""
    with pytest.raises(Refused) as refusal:
        await work  # type: ignore[misc]
    assert refusal.value.why is why
    return refusal.value


async def test_after_a_month_the_opponent_has_a_week_and_then_it_is_won(
    service: App, claims: WinClaims, host: Host
) -> None:
    id = await begun(service)
    host.passes(MONTH - 1)
    too_early = await refused(Why.CLAIM_WIN_TOO_EARLY, claims.claim_win(id, BOB.user))
    assert too_early.facts == {"at": host.now + 1}
    assert not await claims.may_claim_win(await service.games.game(id), BOB.user)
    host.passes(1)
    assert await claims.may_claim_win(await service.games.game(id), BOB.user)
    claimed = await claims.claim_win(id, BOB.user)
    until, (owed,) = claimed.until, claimed.owed
    assert (until, owed.kind, owed.channel, owed.game) == (host.now + WEEK, CLAIM_WIN, HOME.channel, id)
    found = await claims.current_warning(owed)
    assert found
    assert found[1] == until
    await posting(service).note_delivered(owed, 900)
    host.passes(WEEK - 1)
    await claims.settle_due_win_claims()
    assert (await service.games.game(id)).game.status is Status.RUNNING
    host.passes(1)
    await claims.settle_due_win_claims()
    assert (await service.games.game(id)).game.position.result == Result(Colour.BLACK, Reason.TIME)
    (last,) = (await boards(service))[3:]
    assert (last.over, last.untimed) == (True, True)
    await claims.settle_due_win_claims()
    assert len(await boards(service)) == 4
    assert await claims.current_warning(owed) is None


@pytest.mark.parametrize(("turns", "by"), [(0, BOB), (1, ANN)])
async def test_before_both_have_moved_it_is_called_off(
    service: App, claims: WinClaims, host: Host, turns: int, by: Seat
) -> None:
    id = await begun(service, turns)
    host.passes(MONTH)
    until, _ = await claim(service, claims, id, by.user)
    host.passes(until - host.now)
    await claims.settle_due_win_claims()
    stored = await service.games.game(id)
    assert (stored.game.status, stored.game.position.result) == (Status.CANCELLED, None)
    assert (await boards(service))[-1].cancelled_by is stored.game.colour_of(by.user)


async def test_it_is_claimed_once_and_not_where_time_runs(service: App, claims: WinClaims, host: Host) -> None:
    id, until, _ = await claimed(service, claims, host)
    assert (await refused(Why.CLAIM_WIN_PENDING, claims.claim_win(id, BOB.user))).facts == {"at": until}
    assert not await claims.may_claim_win(await service.games.game(id), BOB.user)
    await refused(Why.OWN_TURN, claims.claim_win(id, ANN.user))
    await refused(Why.NOT_A_PLAYER, claims.claim_win(id, 3))
    await refused(Why.NO_GAME, claims.claim_win(99, BOB.user))
    timed = await begun(service, 2, Terms(days_per_turn(14)))
    host.passes(MONTH)
    await refused(Why.CLAIM_WIN_TIMED, claims.claim_win(timed, BOB.user))


async def test_a_turn_ends_the_claim(service: App, claims: WinClaims, host: Host) -> None:
    """It can be claimed again after another month, and the old claim does nothing."""
    id, _, owed = await claimed(service, claims, host)
    host.passes(WEEK - 1)
    await service.games.play_typed(id, ANN.user, "d2")
    assert await claims.current_warning(owed) is None
    host.passes(2)
    await claims.settle_due_win_claims()
    assert (await service.games.game(id)).game.asked is Colour.BLACK
    await refused(Why.CLAIM_WIN_TOO_EARLY, claims.claim_win(id, ANN.user))
    host.passes(MONTH)
    await claims.claim_win(id, ANN.user)


@pytest.mark.parametrize("turns", [0, 2])
async def test_an_end_of_the_game_ends_the_claim(service: App, claims: WinClaims, host: Host, turns: int) -> None:
    id, until, _ = await claimed(service, claims, host, turns)
    await (service.games.resign(id, ANN.user) if turns else service.games.cancel_game(id, BOB.user))
    ended = (await service.games.game(id)).game
    host.passes(until - host.now)
    await claims.settle_due_win_claims()
    assert (await service.games.game(id)).game == ended


async def test_a_turn_taken_back_by_consent_ends_the_claim(service: App, claims: WinClaims, host: Host) -> None:
    id, until, _ = await claimed(service, claims, host)
    offers = Takebacks(service.games.store, service.now)
    await offers.accept_takeback((await offers.request_takeback(id, BOB.user)).request.id, ANN.user)
    host.passes(until - host.now)
    await claims.settle_due_win_claims()
    assert (await service.games.game(id)).game.asked is Colour.BLACK


async def test_a_warning_that_the_channel_does_not_take_goes_to_the_opponent_himself(
    service: App, claims: WinClaims, host: Host
) -> None:
    """Her week begins when she has the letter."""
    id, owed = await unwarned(service, claims, host)
    await posting(service).note_channel_refusal(owed, "gone")
    assert (await service.games.game(id)).unreachable
    host.passes(DAY)
    assert (await refused(Why.CLAIM_WIN_PENDING, claims.claim_win(id, BOB.user))).facts == {"at": None}
    ((_, letter),) = [(row.kind, row) for row in await deliver(service)]
    assert (letter.kind, letter.channel) == (CLAIM_WIN_DM, ANN.user)
    assert (await refused(Why.CLAIM_WIN_PENDING, claims.claim_win(id, BOB.user))).facts == {"at": host.now + WEEK}
    host.passes(-1)
    assert not await over(service, claims, host, id)
    host.passes(1 - WEEK)
    assert await over(service, claims, host, id)


async def test_a_week_of_warning_begins_when_it_is_posted(service: App, claims: WinClaims, host: Host) -> None:
    id, owed = await unwarned(service, claims, host)
    await posting(service).retry_later(owed)
    host.passes(6 * DAY)
    found = await claims.current_warning(owed)
    assert found
    assert found[1] == host.now + WEEK
    assert [row.kind for row in await deliver(service)] == [CLAIM_WIN]
    host.passes(-1)
    assert not await over(service, claims, host, id)
    host.passes(1 - WEEK)
    assert await over(service, claims, host, id)


async def test_nobody_loses_a_game_whom_nobody_could_warn(service: App, claims: WinClaims, host: Host) -> None:
    """Neither the channel nor she herself takes the warning: it is tried each day, and one day it is taken."""
    id, owed = await unwarned(service, claims, host, shut=True)
    await posting(service).note_channel_refusal(owed, "gone")
    assert await deliver(service) == []
    assert not await over(service, claims, host, id)
    (row,) = await posting(service).deliverable_rows()
    again = await posting(service).lease_row(row)
    assert again
    assert (again.kind, again.channel) == (CLAIM_WIN, HOME.channel)
    await posting(service).note_channel_refusal(again, "still gone")
    await claims.settle_due_win_claims()
    assert await posting(service).deliverable_rows() == []
    host.passes(DAY)
    await claims.settle_due_win_claims()
    assert [row.kind for row in await deliver(service)] == [CLAIM_WIN]
    host.passes(-1)
    assert not await over(service, claims, host, id)
    host.passes(1 - WEEK)
    assert await over(service, claims, host, id)


async def test_a_letter_that_is_refused_warns_nobody(service: App, claims: WinClaims, host: Host) -> None:
    """And once her messages are open again, the next one is another letter."""
    reminders = Reminders(service.games.store, service.now)
    id, owed = await unwarned(service, claims, host)
    await posting(service).note_channel_refusal(owed, "gone")
    letter = await posting(service).lease_row((await posting(service).deliverable_rows())[0])
    assert letter
    await posting(service).note_dm_refusal(letter, "403", shut=True)
    assert not await over(service, claims, host, id)
    await reminders.note_dms_open(ANN.user)
    again = await posting(service).lease_row((await posting(service).deliverable_rows())[0])
    assert again
    await posting(service).note_channel_refusal(again, "gone")
    assert [(row.kind, row.channel) for row in await deliver(service)] == [(CLAIM_WIN_DM, ANN.user)]
    assert await over(service, claims, host, id)


@pytest.mark.parametrize("tried", [False, True])
async def test_a_warning_that_could_not_be_posted_follows_the_game_to_its_new_home(
    service: App, claims: WinClaims, host: Host, tried: bool
) -> None:
    """It comes after the board; one that was posted is not said twice."""
    id, owed = await unwarned(service, claims, host, shut=True)
    await (posting(service).note_channel_refusal(owed, "gone") if tried else posting(service).retry_later(owed))
    await service.venues.relocate(id, Venue(10, 22))
    assert [(row.kind, row.channel) for row in await deliver(service)] == [("board", 22), (CLAIM_WIN, 22)]
    host.passes(1)
    await service.venues.relocate(id, Venue(10, 23))
    assert [(row.kind, row.channel) for row in await deliver(service)] == [("board", 23)]
    assert await over(service, claims, host, id)


async def test_a_warning_that_was_given_up_follows_its_game_out_of_a_thread(
    service: App, claims: WinClaims, host: Host
) -> None:
    id = await begun(service)
    await service.venues.relocate(id, Venue(10, 30, 20))
    await deliver(service)
    host.passes(MONTH)
    (owed,) = (await claims.claim_win(id, BOB.user)).owed
    await posting(service).give_up(owed, "spoilt")
    await posting(service).leave_thread(id)
    rows = [(row.kind, row.channel) for row in await deliver(service)]
    assert (CLAIM_WIN, 20) in rows


async def test_what_a_claim_has_to_decide_is_settled_once_also_where_it_is_void(
    service: App, claims: WinClaims, host: Host
) -> None:
    id, _, _ = await claimed(service, claims, host)
    await service.games.play_typed(id, ANN.user, "d2")
    host.passes(WEEK)
    await claims.settle_due_win_claims()
    async with service.games.store.reading() as db:
        assert await due.ready_rows(db, CLAIM_WIN, host.now) == []


async def test_time_in_which_the_bot_was_away_does_not_count_for_a_claim(
    service: App, claims: WinClaims, host: Host
) -> None:
    """Nobody could play then. What happened after it began is no older than now."""
    keeper = FlagWatch(service.games.store, lambda: host.now, lambda: host.ticks)
    id, ended = await begun(service), await begun(service)
    await service.games.resign(ended, ANN.user)
    at = (await service.games.game(ended)).changed_at
    await keeper.check_flags()
    host.passes(10 * DAY)
    later = await begun(service)
    host.passes(10 * DAY)
    await keeper.check_flags()
    too_early = await refused(Why.CLAIM_WIN_TOO_EARLY, claims.claim_win(id, BOB.user))
    assert too_early.facts == {"at": host.now + MONTH}
    assert (await service.games.game(later)).changed_at == host.now
    assert (await service.games.game(ended)).changed_at == at


async def test_what_becomes_of_its_channel_is_nothing_that_a_player_does(
    service: App, claims: WinClaims, host: Host
) -> None:
    id = await begun(service)
    host.passes(MONTH)
    await service.venues.note_unreachable(id, "a player left")
    assert await claims.may_claim_win(await service.games.game(id), BOB.user)
    await service.venues.relocate(id, Venue(10, 22))
    assert await claims.may_claim_win(await service.games.game(id), BOB.user)


async def test_a_button_of_before_claims_nothing(service: App, claims: WinClaims, host: Host) -> None:
    id = await begun(service)
    version = (await service.games.game(id)).game.version
    host.passes(MONTH)
    await refused(Why.STALE, claims.claim_win(id, BOB.user, version - 1))
    await claims.claim_win(id, BOB.user, version)


async def test_a_vacation_of_the_opponent_holds_it_up(service: App, claims: WinClaims, host: Host) -> None:
    """He has a week from its end on, whether it began before the claim or after it, also if he ends it himself."""
    leave = Vacations(service.games.store, service.now)
    id = await begun(service)
    host.passes(MONTH)
    await leave.start_vacation(ANN.user, 10)
    until, _ = await claim(service, claims, id, BOB.user)
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
    assert (await service.games.game(id)).game.status is Status.RUNNING
    assert (await refused(Why.CLAIM_WIN_PENDING, claims.claim_win(id, BOB.user))).facts == {"at": host.now + 1}
    host.passes(1)
    await claims.settle_due_win_claims()
    assert (await service.games.game(id)).game.status is Status.OVER


async def test_a_vacation_of_the_claimant_or_one_that_is_over_does_not(
    service: App, claims: WinClaims, host: Host
) -> None:
    leave = Vacations(service.games.store, service.now)
    await leave.start_vacation(ANN.user, 1)
    await leave.end_vacation(ANN.user)
    id, until, _ = await claimed(service, claims, host)
    await leave.start_vacation(BOB.user, 20)
    await leave.start_vacation(ANN.user, 20)
    await leave.end_vacation(ANN.user)
    host.passes(until - host.now)
    await claims.settle_due_win_claims()
    assert (await service.games.game(id)).game.status is Status.OVER


async def test_a_vacation_that_is_too_long_for_the_server_does_not(service: App, claims: WinClaims, host: Host) -> None:
    id, until, _ = await claimed(service, claims, host)
    async with service.games.store.transaction() as db:
        await vacations.add_vacation(db, ANN.user, host.now, host.now + 5 * DAY, 30, {HOME.server or 0: 29})
    host.passes(until - host.now)
    await claims.settle_due_win_claims()
    assert (await service.games.game(id)).game.status is Status.OVER


async def test_time_in_which_the_bot_was_away_is_given_back(service: App, claims: WinClaims, host: Host) -> None:
    """Nobody could play meanwhile."""
    keeper = FlagWatch(service.games.store, lambda: host.now, lambda: host.ticks)
    id, until, _ = await claimed(service, claims, host)
    await keeper.check_flags()
    await passes(keeper, host, 6 * DAY)
    host.passes(20 * DAY)
    assert await FlagWatch(service.games.store, lambda: host.now, lambda: host.ticks).check_flags()
    await claims.settle_due_win_claims()
    assert (await service.games.game(id)).game.status is Status.RUNNING
    assert (await refused(Why.CLAIM_WIN_PENDING, claims.claim_win(id, BOB.user))).facts == {"at": until + 20 * DAY}
    await passes(keeper, host, DAY)
    await claims.settle_due_win_claims()
    assert (await service.games.game(id)).game.status is Status.OVER


async def test_only_claims_are_put_off_and_only_those_that_are_open(store: Store) -> None:
    async with store.transaction() as db:
        for key, kind in (("a", CLAIM_WIN), ("b", CLAIM_WIN), ("c", "vacation")):
            await due.schedule(db, key, kind, 100, ANN.user)
        (first, *_) = await due.ready_rows(db, CLAIM_WIN, 100)
        await due.finish_row(db, first.id, 100)
        await due.postpone_kind(db, CLAIM_WIN, 50)
        rows = await db.execute(select(tables.due.c.key, tables.due.c.at).order_by(tables.due.c.key))
    assert [tuple(row) for row in rows] == [("a", 100), ("b", 150), ("c", 100)]
