"""While a decision in an Overboard turn is the opponent's (R8.4), the game waits for them everywhere."""

import pytest

from gipfbot.match import UNTIMED, Clock, GameRequest, Refused, RequestState, Status, Terms, Why
from gipfbot.rules import Colour, Reason, Result
from gipfbot.service.app import App, create_app
from gipfbot.service.clock.downtime import note_alive
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.reminders import CHANNEL_REMINDER, NUDGE, REMINDER
from gipfbot.service.clock.undeliverable import UNDELIVERABLE
from gipfbot.service.requests.claim_win import CLAIM_WIN
from gipfbot.service.requests.game_requests import DRAW, TAKEBACK
from gipfbot.store import games, requests
from gipfbot.values import OutboxRow, Venue
from tests.rules.boards_of_overboard import OUT_OF_TURN
from tests.service.helpers import (
    Host,
    boards,
    clock_of,
    deliver,
    lease_next,
    lease_only,
    messages,
    overboard_at,
    passes,
    play_codes,
    posted,
    why_refused,
)
from tests.support.people import ANN, BOB, CLUB
from tests.support.terms import BANK, PER_TURN
from tests.support.times import DAY, HOUR, MONTH, WEEK

# Bob pushes and leaves the pieces at both ends of the row, which are Black's. Then Ann, the owner, is asked.
PUSH = "a4b4", "xe:"


async def asked_ann(app: App, terms: Terms = PER_TURN) -> int:
    """Return a game at OUT_OF_TURN in which Bob has pushed at once, and whose boards are posted."""
    game_id = await overboard_at(app, OUT_OF_TURN, terms)
    await deliver(app, await play_codes(app, game_id, BOB.user, *PUSH))
    await posted(app.games.store)
    return game_id


async def result_of(app: App, game_id: int) -> Result | None:
    return (await app.games.game(game_id)).game.position.result


async def last_board(app: App) -> tuple[Colour, bool, int | None]:
    """Return whom the newest board asks, whether it is within a turn, and its deadline."""
    board = (await boards(app))[-1]
    return board.position.decider, board.within_turn, board.deadline


# ── Clocks ──


async def test_days_per_turn_run_for_the_owner_and_then_anew_for_each(app: App, host: Host) -> None:
    game_id = await overboard_at(app, OUT_OF_TURN, PER_TURN)
    host.passes(DAY)
    await play_codes(app, game_id, BOB.user, *PUSH)
    assert await clock_of(app, game_id) == Clock((3 * DAY, 2 * DAY), deadline=host.now + 3 * DAY)
    assert await last_board(app) == (Colour.WHITE, True, host.now + 3 * DAY)
    await posted(app.games.store)
    host.passes(2 * DAY)
    await play_codes(app, game_id, ANN.user, "xe:e3")
    assert await clock_of(app, game_id) == Clock((3 * DAY, 3 * DAY), deadline=host.now + 3 * DAY)
    assert await last_board(app) == (Colour.WHITE, False, host.now + 3 * DAY)


async def test_a_bank_is_used_by_whoever_decides(app: App, host: Host) -> None:
    game_id = await overboard_at(app, OUT_OF_TURN, BANK)
    host.passes(DAY)
    await play_codes(app, game_id, BOB.user, *PUSH)
    await posted(app.games.store)
    host.passes(3 * DAY)
    await play_codes(app, game_id, ANN.user, "xe:")
    assert await clock_of(app, game_id) == Clock((7 * DAY, 10 * DAY), deadline=host.now + 7 * DAY)


async def test_the_owner_is_flagged_and_loses_after_the_grace(app: App, flag_watch: FlagWatch, host: Host) -> None:
    game_id = await asked_ann(app)
    await passes(flag_watch, host, 3 * DAY + 60)
    assert (await clock_of(app, game_id)).flagged
    assert await last_board(app) == (Colour.WHITE, True, host.now + 12 * HOUR)
    await passes(flag_watch, host, 12 * HOUR + 60)
    assert await result_of(app, game_id) == Result(Colour.BLACK, Reason.TIME)


async def test_an_answer_in_the_grace_loses_after_a_warning(app: App, flag_watch: FlagWatch, host: Host) -> None:
    game_id = await asked_ann(app)
    await passes(flag_watch, host, 3 * DAY + 60)
    assert await why_refused(play_codes(app, game_id, ANN.user, "xe:")) is Why.LOSES_ON_TIME
    await app.games.play_typed(game_id, ANN.user, "-", sure=True)
    assert await result_of(app, game_id) == Result(Colour.BLACK, Reason.TIME)


async def test_a_vacation_of_the_owner_pauses_and_of_the_mover_does_not(app: App, host: Host) -> None:
    game_id = await asked_ann(app)
    await app.vacations.start_vacation(BOB.user, 5)
    assert (await clock_of(app, game_id)).deadline == host.now + 3 * DAY
    host.passes(DAY)
    await app.vacations.start_vacation(ANN.user, 5)
    assert (await clock_of(app, game_id)).paused_left == 2 * DAY
    stored = await app.games.game(game_id)
    assert await app.vacations.waits_for_vacation_until(stored) == host.now + 5 * DAY


async def test_an_owner_on_vacation_is_asked_with_a_paused_clock(app: App, host: Host) -> None:
    game_id = await overboard_at(app, OUT_OF_TURN, PER_TURN)
    await app.vacations.start_vacation(ANN.user, 5)
    await play_codes(app, game_id, BOB.user, *PUSH)
    assert (await clock_of(app, game_id)).paused_left == 3 * DAY


async def test_downtime_is_credited_to_the_owner(app: App, flag_watch: FlagWatch, host: Host) -> None:
    game_id = await asked_ann(app)
    async with app.games.store.transaction() as db:
        await note_alive(db, host.now)
    host.passes(DAY)
    await flag_watch.check_flags()
    assert await clock_of(app, game_id) == Clock((3 * DAY, 3 * DAY), host.now + 3 * DAY, credited=DAY)


async def test_downtime_is_credited_to_the_owner_who_leaves_for_a_vacation(app: App, host: Host) -> None:
    """Their vacation is the first thing that anybody does after the downtime. Bob had used days of the bank by then."""
    game_id = await overboard_at(app, OUT_OF_TURN, BANK)
    host.passes(4 * DAY)
    await deliver(app, await play_codes(app, game_id, BOB.user, *PUSH))
    await posted(app.games.store)
    async with app.games.store.transaction() as db:
        await note_alive(db, host.now)
    host.passes(DAY)
    await app.vacations.start_vacation(ANN.user, 5)
    assert await clock_of(app, game_id) == Clock((10 * DAY, 6 * DAY), paused_left=10 * DAY, credited=DAY)


# ── A flagged mover (R6.4) ──


async def asked_by_flagged(app: App, flag_watch: FlagWatch, host: Host, line: str = "") -> int:
    """Return a game in which Bob was flagged and has pushed after an hour. Ann may have entered a line before."""
    game_id = await overboard_at(app, OUT_OF_TURN, PER_TURN)
    if line:
        await app.conditionals.add_typed_line(game_id, ANN.user, line)
    await passes(flag_watch, host, 3 * DAY + 60)
    await passes(flag_watch, host, HOUR)
    await deliver(app, await play_codes(app, game_id, BOB.user, *PUSH))
    return game_id


async def test_a_flagged_mover_has_not_lost_while_the_owner_is_asked(
    app: App, flag_watch: FlagWatch, host: Host
) -> None:
    game_id = await asked_by_flagged(app, flag_watch, host)
    assert await clock_of(app, game_id) == Clock((3 * DAY, -11 * HOUR), deadline=host.now + 3 * DAY)
    assert await last_board(app) == (Colour.WHITE, True, host.now + 3 * DAY)
    await passes(flag_watch, host, 2 * DAY)
    assert await result_of(app, game_id) is None
    done = await play_codes(app, game_id, ANN.user, "xe:")
    assert done.turn
    assert (done.turn.colour, done.game.position.result) == (Colour.BLACK, Result(Colour.WHITE, Reason.TIME))
    board = (await boards(app))[-1]
    assert (board.lost_after_flag, board.text) == (True, done.turn.text)


async def test_a_conditional_answer_completes_the_turn_of_a_flagged_mover(
    app: App, flag_watch: FlagWatch, host: Host
) -> None:
    game_id = await asked_by_flagged(app, flag_watch, host, "if a4-b4;xe4,e5 then xGe3")
    assert await result_of(app, game_id) == Result(Colour.WHITE, Reason.TIME)


async def test_a_takeback_request_expires_although_a_flagged_mover_has_pushed(
    app: App, flag_watch: FlagWatch, host: Host
) -> None:
    """No pass has seen the request between the flag and the push."""
    game_id = await asked_by_flagged(app, flag_watch, host)
    async with app.games.store.transaction() as db:
        request = GameRequest(0, TAKEBACK, game_id, ANN.user, 1, 0, host.now + DAY)
        await requests.add_request(db, request, host.now)
        assert [found.by for found in await requests.expired_requests(db, host.now, 5)] == [ANN.user]


# ── Reminders, nudges, claims ──


async def test_the_owner_has_a_reminder_of_their_own(app: App, host: Host) -> None:
    game_id = await overboard_at(app, OUT_OF_TURN, PER_TURN)
    host.passes(54 * HOUR)
    await app.reminders.owe_due_reminders()
    await play_codes(app, game_id, BOB.user, *PUSH)
    host.passes(54 * HOUR)
    await app.reminders.owe_due_reminders()
    await app.reminders.owe_due_reminders()
    owed = [BOB.user, ANN.user]
    assert await messages(app.games.store, REMINDER, CHANNEL_REMINDER) == [(REMINDER, user) for user in owed]
    await posted(app.games.store)
    await app.games.play_typed(game_id, ANN.user, "-")
    host.passes(54 * HOUR)
    await app.reminders.owe_due_reminders()
    assert len(await messages(app.games.store, REMINDER)) == 3, "their own turn has another"


async def test_a_reminder_is_needless_once_the_decision_has_passed_on(app: App, host: Host) -> None:
    game_id = await overboard_at(app, OUT_OF_TURN, PER_TURN)
    host.passes(54 * HOUR)
    await app.reminders.owe_due_reminders()
    owed = await lease_next(app, REMINDER)
    assert await app.reminders.game_to_remind(owed)
    await play_codes(app, game_id, BOB.user, *PUSH)
    assert await app.reminders.game_to_remind(owed) is None


async def test_reminders_are_turned_off_for_a_decision(app: App, host: Host) -> None:
    game_id = await asked_ann(app)
    serial = (await app.games.game(game_id)).game.turn_serial
    assert await why_refused(app.reminders.turn_off_for_turn(BOB.user, game_id, serial)) is Why.STALE
    assert (await app.reminders.turn_off_for_turn(ANN.user, game_id, serial)).quiet_turn
    host.passes(54 * HOUR)
    await app.reminders.owe_due_reminders()
    assert await messages(app.games.store, REMINDER) == []


async def test_the_owner_is_nudged(app: App, host: Host) -> None:
    game_id = await overboard_at(app, OUT_OF_TURN, PER_TURN)
    serial = (await app.games.game(game_id)).game.turn_serial
    host.passes(DAY)
    first = await app.reminders.nudge(game_id, ANN.user, serial)
    assert first
    await app.outbox.note_delivered(first, 5)
    await deliver(app, await play_codes(app, game_id, BOB.user, *PUSH))
    assert await why_refused(app.reminders.nudge(game_id, BOB.user, serial)) is Why.NUDGE_TOO_EARLY
    host.passes(DAY)
    assert await why_refused(app.reminders.nudge(game_id, ANN.user, serial)) is Why.OWN_TURN
    nudge = await app.reminders.nudge(game_id, BOB.user, serial)
    assert nudge
    assert (nudge.kind, nudge.payload["user"]) == (NUDGE, ANN.user)
    assert await app.reminders.game_to_remind(nudge)
    assert await why_refused(app.reminders.nudge(game_id, BOB.user, serial)) is Why.NUDGED


async def claimed(app: App, host: Host) -> tuple[int, OutboxRow]:
    """Return an untimed game that Bob has claimed after a month in which Ann did not answer, and the posted warning."""
    game_id = await asked_ann(app, UNTIMED)
    host.passes(MONTH)
    assert await why_refused(app.win_claims.claim_win(game_id, ANN.user)) is Why.OWN_TURN
    (warning,) = (await app.win_claims.claim_win(game_id, BOB.user)).owed
    await app.outbox.note_delivered(warning, 900)
    return game_id, warning


async def test_a_game_that_waits_for_the_owner_can_be_claimed(app: App, host: Host) -> None:
    game_id, warning = await claimed(app, host)
    assert warning.kind == CLAIM_WIN
    brief = (await app.games.running_games(ANN.user))[0]
    assert await app.win_claims.win_claims_to_answer([brief], ANN.user) == {game_id: host.now + WEEK}
    assert await app.win_claims.win_claims_to_answer([brief], BOB.user) == {}
    host.passes(WEEK)
    await app.win_claims.settle_due_win_claims()
    assert (await app.games.game(game_id)).game.status is Status.CANCELLED, "not both have moved"


async def test_an_answer_ends_the_claim(app: App, host: Host) -> None:
    game_id, warning = await claimed(app, host)
    await app.games.play_typed(game_id, ANN.user, "-")
    assert await app.win_claims.current_warning(warning) is None
    host.passes(WEEK)
    await app.win_claims.settle_due_win_claims()
    assert (await app.games.game(game_id)).game.status is Status.RUNNING


async def test_lists_name_the_owner_as_waited_for(app: App, host: Host) -> None:
    game_id = await overboard_at(app, OUT_OF_TURN, PER_TURN)
    host.passes(HOUR)
    await play_codes(app, game_id, BOB.user, *PUSH)
    assert await app.games.waiting_games(BOB.user) == []
    (brief,) = await app.games.waiting_games(ANN.user)
    assert (brief.id, brief.asked, brief.answering, brief.waiting_since) == (game_id, Colour.WHITE, True, host.now)
    await app.games.play_typed(game_id, ANN.user, "-")
    assert [found.answering for found in await app.games.waiting_games(ANN.user)] == [False]


# ── Boards ──


async def test_an_undeliverable_board_pauses_the_owners_clock_and_tells_them(app: App, host: Host) -> None:
    game_id = await overboard_at(app, OUT_OF_TURN, PER_TURN)
    (board,) = (await play_codes(app, game_id, BOB.user, *PUSH)).owed
    host.passes(DAY)
    await app.outbox.note_channel_refusal(board, "forbidden")
    assert (await clock_of(app, game_id)).paused_left == 3 * DAY
    letter = await lease_only(app, UNDELIVERABLE)
    assert letter.channel == ANN.user
    found = await app.undeliverable.fallback_dm_game(letter)
    assert found
    assert found.answering
    await app.outbox.note_delivered(letter, 7)
    assert (await clock_of(app, game_id)).deadline == host.now + 3 * DAY


async def test_a_late_board_of_the_movers_turn_credits_the_owner_nothing(app: App, host: Host) -> None:
    """Its turn serial is that of the decision, too."""
    game_id = await asked_ann(app)
    await app.games.play_typed(game_id, ANN.user, "-")
    (late,) = (await app.venues.relocate(game_id, Venue(CLUB, 21))).owed
    game = (await app.games.game(game_id)).game
    assert late.payload["turn_serial"] == game.turn_serial
    game_id = await overboard_at(app, OUT_OF_TURN, PER_TURN)
    (late,) = (await app.venues.relocate(game_id, Venue(CLUB, 21))).owed
    await play_codes(app, game_id, BOB.user, *PUSH)
    host.passes(DAY)
    before = await clock_of(app, game_id)
    assert (await app.undeliverable.board_to_post(late)).position.decider is Colour.BLACK
    await app.outbox.note_delivered(late, 7)
    assert await clock_of(app, game_id) == before


async def test_a_game_is_relocated_within_a_decision(app: App, host: Host) -> None:
    game_id = await asked_ann(app)
    host.passes(HOUR)
    (there,) = (await app.venues.relocate(game_id, Venue(CLUB, 21))).owed
    assert there.channel == 21
    assert await last_board(app) == (Colour.WHITE, True, host.now + 3 * DAY - HOUR)


# ── Takebacks, and ends ──


async def test_a_takeback_takes_back_the_turn_with_all_its_decisions(app: App, host: Host) -> None:
    """Both players have the time again that they had when the turn began."""
    game_id = await overboard_at(app, OUT_OF_TURN, BANK)
    host.passes(DAY)
    await play_codes(app, game_id, BOB.user, *PUSH)
    await posted(app.games.store)
    host.passes(2 * DAY)
    await play_codes(app, game_id, ANN.user, "xe:e3")
    async with app.games.store.reading() as db:
        (turn,) = await games.turns_of(db, game_id)
    assert (turn.by, turn.colour, turn.bank) == (BOB.user, Colour.BLACK, (10 * DAY, 10 * DAY))
    planned = await app.requests.make(TAKEBACK, game_id, BOB.user)
    update = await app.requests.settle(planned.request.id, ANN.user, RequestState.ACCEPTED)
    game = update.stored.game
    assert (game.turn_number, game.draft, game.handed_over) == (0, (), False)
    assert game.clock
    assert game.clock.bank == (10 * DAY, 10 * DAY)


async def test_nobody_takes_back_a_turn_that_is_not_complete(app: App) -> None:
    game_id = await asked_ann(app)
    for user in (ANN.user, BOB.user):
        assert await why_refused(app.requests.make(TAKEBACK, game_id, user)) is Why.NOTHING_TO_TAKE_BACK


@pytest.mark.parametrize("by", [ANN, BOB])
async def test_either_player_resigns_within_a_decision(app: App, by: object) -> None:
    game_id = await asked_ann(app)
    user = ANN.user if by is ANN else BOB.user
    await app.games.resign(game_id, user)
    winner = Colour.BLACK if by is ANN else Colour.WHITE
    assert await result_of(app, game_id) == Result(winner, Reason.RESIGN)
    assert (await app.games.game(game_id)).game.draft == ()


async def test_a_draw_is_agreed_within_a_decision(app: App) -> None:
    game_id = await asked_ann(app)
    offer = (await app.requests.make(DRAW, game_id, BOB.user)).request
    await app.requests.settle(offer.id, ANN.user, RequestState.ACCEPTED)
    assert await result_of(app, game_id) == Result(None, Reason.AGREEMENT)


async def test_a_restart_within_a_decision_changes_nothing(app: App, host: Host) -> None:
    game_id = await asked_ann(app)
    before = await app.games.game(game_id)
    again = create_app(app.games.store, lambda: host.now, lambda: True)
    watch = FlagWatch(again.games.store, lambda: host.now, lambda: host.ticks)
    await watch.check_flags()
    assert await again.games.game(game_id) == before
    with pytest.raises(Refused):
        await again.games.play_typed(game_id, BOB.user, "-")
    assert (await again.games.play_typed(game_id, ANN.user, "xGe3")).turn
