"""Turns taken back, on a real database: what is kept, what is owed, and requests that cross something else."""

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import select

from gipfbot import match
from gipfbot.match import TIME_CONTROLS, Clock, Refused, RequestState, Seat, Status, Terms, Why
from gipfbot.rules import Colour
from gipfbot.service.app import App
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.reminders import REMINDER
from gipfbot.service.play.turn import DISCARDED_BY_TAKEBACK
from gipfbot.service.requests.game_requests import TAKEBACK, Requests
from gipfbot.store import conditionals, games, tables, users
from gipfbot.ui.requests import request_texts
from gipfbot.ui.requests.conditionals import discarded_by_takeback_text
from gipfbot.values import Venue
from tests.service.helpers import (
    Host,
    assert_refused,
    basic_game_after,
    boards,
    passes,
    posted,
    put,
    repeat,
)
from tests.support.games import TURNS
from tests.support.people import ANN, BOB, CLUB, HALL, HOME
from tests.support.times import DAY, HOUR


@pytest.fixture
def takebacks(app: App) -> Requests:
    return app.requests


async def asked(takebacks: Requests, game_id: int, by: Seat = ANN) -> int:
    """Return a request to take back this player's last turn."""
    return (await takebacks.make(TAKEBACK, game_id, by.user)).request.id


async def turns(app: App, game_id: int) -> list[str]:
    async with app.games.store.reading() as db:
        return [turn.text for turn in await games.turns_of(db, game_id)]


async def test_a_request_is_owed_to_the_channel(app: App, takebacks: Requests) -> None:
    game_id = await basic_game_after(app, 1)
    before = (await app.games.game(game_id)).game
    asked = await takebacks.make(TAKEBACK, game_id, ANN.user)
    assert (await app.games.game(game_id)).game == before
    async with app.games.store.reading() as db:
        (row,) = (await db.execute(select(tables.outbox).where(tables.outbox.c.kind == TAKEBACK))).all()
    assert (row.channel, row.game, row.payload) == (HOME.channel, game_id, {"request": asked.request.id})
    assert asked.request.turns == ("c2",)


async def test_a_planned_request_is_not_made(app: App, takebacks: Requests) -> None:
    game_id = await basic_game_after(app, 4)
    planned = (await takebacks.plan(TAKEBACK, game_id, ANN.user)).request
    assert (planned.id, planned.turns) == (0, TURNS[2:4])
    assert await takebacks.open_requests([(await app.games.game(game_id)).game]) == []
    made = (await takebacks.make(TAKEBACK, game_id, ANN.user)).request
    assert replace(planned, id=made.id) == made
    for by, why in ((ANN.user, Why.REQUEST_OPEN), (BOB.user, Why.REQUEST_TO_ANSWER)):
        with pytest.raises(Refused) as refused:
            await takebacks.plan(TAKEBACK, game_id, by)
        assert (refused.value.why, refused.value.facts) == (why, {"kind": TAKEBACK, "request": made.id})


async def test_open_requests_are_those_that_can_be_answered(app: App, takebacks: Requests, host: Host) -> None:
    """Whether they are looked for in a list of games or in a game. The others are closed later."""
    lasting, expired, moved = [await basic_game_after(app, 1, Terms()) for _ in range(3)]
    await asked(takebacks, expired)
    host.passes(8 * DAY)
    for game_id in (lasting, moved):
        await asked(takebacks, game_id)
    await app.games.play_typed(moved, BOB.user, "g2")
    running = [(await app.games.game(game_id)).game for game_id in (lasting, expired, moved)]
    for found in (running, await app.games.running_games(BOB.user)):
        assert [request.game for request in await takebacks.open_requests(found)] == [lasting]


@pytest.mark.parametrize(("played", "back"), [(1, ["c2"]), (2, ["c2", "g2"]), (5, ["b3"])])
async def test_an_accepted_request_takes_the_turns_back_and_records_them(
    app: App, takebacks: Requests, host: Host, played: int, back: list[str]
) -> None:
    """The game is as before. A board is owed that says so, and the same turn can be played again."""
    game_id = await basic_game_after(app, played)
    request = await asked(takebacks, game_id)
    host.passes(DAY)
    async with app.games.store.reading() as db:
        pressed = [*await db.scalars(select(tables.turns.c.actions).order_by(tables.turns.c.turn_number))]
    done = await takebacks.settle(request, BOB.user, RequestState.ACCEPTED)
    assert (done.request.state, done.stored.game) == (RequestState.ACCEPTED, (await app.games.game(game_id)).game)
    assert (await takebacks.current(request)).request.state is RequestState.ACCEPTED
    async with app.games.store.reading() as db:
        assert await games.waiting_since(db, game_id) == host.now
    left = list(TURNS[: played - len(back)])
    assert await turns(app, game_id) == left
    game = (await app.games.game(game_id)).game
    assert (game.asked, game.turn_number, game.last and game.last.text) == (
        Colour.WHITE,
        len(left),
        left[-1] if left else None,
    )
    board = (await boards(app))[-1]
    assert (board.turns_taken_back, board.turn_number, board.turn_serial) == (tuple(back), len(left), game.turn_serial)
    assert board.position == game.position
    async with app.games.store.reading() as db:
        (event,) = (await db.execute(select(tables.events))).all()
    assert (event.kind, event.by, [turn["text"] for turn in event.data["turns"]]) == (TAKEBACK, ANN.user, back)
    assert [turn["actions"] for turn in event.data["turns"]] == pressed[len(left) :]
    await app.games.play_typed(game_id, ANN.user, back[0])
    assert await turns(app, game_id) == [*left, back[0]]


async def test_after_a_takeback_the_same_turns_lead_to_one_position(app: App, takebacks: Requests) -> None:
    game_id, other = await basic_game_after(app, 3), await basic_game_after(app, 3)
    await takebacks.settle(await asked(takebacks, game_id), BOB.user, RequestState.ACCEPTED)
    await app.games.play_typed(game_id, ANN.user, "d2")
    one, two = (await app.games.game(game_id)).game, (await app.games.game(other)).game
    assert (one.position, one.turn_number, one.last) == (two.position, two.turn_number, two.last)


async def test_after_a_takeback_an_older_board_is_not_the_newest(app: App, takebacks: Requests) -> None:
    """The newest board is that of the takeback, although it shows fewer turns. A late one is passed over."""
    game_id = await basic_game_after(app, 2)
    async with app.games.store.transaction() as db:
        await games.set_board_message(db, game_id, 2, HALL, 500)
    await takebacks.settle(await asked(takebacks, game_id), BOB.user, RequestState.ACCEPTED)
    serial = (await app.games.game(game_id)).game.turn_serial
    async with app.games.store.transaction() as db:
        await games.set_board_message(db, game_id, serial, HALL, 600)
        await games.set_board_message(db, game_id, 2, HALL, 500)
    assert (await app.games.game(game_id)).board_message == 600


async def test_a_takeback_restarts_the_clock_of_the_player_to_move(app: App, takebacks: Requests, host: Host) -> None:
    game_id = await basic_game_after(app, 2)
    host.passes(2 * DAY)
    await takebacks.settle(await asked(takebacks, game_id), BOB.user, RequestState.ACCEPTED)
    assert (await app.games.game(game_id)).game.clock == Clock((3 * DAY, 3 * DAY), host.now + 3 * DAY)


async def test_a_takeback_gives_nobody_time(app: App, takebacks: Requests, host: Host) -> None:
    """The increments go back with the turns: both have what they had when the first of them began."""
    game_id = await basic_game_after(app, 0, Terms(TIME_CONTROLS["saving"]))
    for text in ("c2", "g2", "d2"):
        await posted(app.games.store)
        host.passes(6 * HOUR if text == "g2" else 3 * HOUR)
        await app.games.play_typed(game_id, BOB.user if text == "g2" else ANN.user, text)
    for text in ("d2", "f2"):
        await posted(app.games.store)
        host.passes(HOUR)
        await takebacks.settle(await asked(takebacks, game_id), BOB.user, RequestState.ACCEPTED)
        clock = (await app.games.game(game_id)).game.clock
        saved = 10 * DAY + 21 * HOUR, 10 * DAY + 18 * HOUR
        assert clock == Clock(saved, host.now + saved[0])
        await app.games.play_typed(game_id, ANN.user, text)
    await app.games.play_typed(game_id, BOB.user, "b3")
    await takebacks.settle(await asked(takebacks, game_id, ANN), BOB.user, RequestState.ACCEPTED)
    assert (await app.games.game(game_id)).game.clock == Clock(saved, host.now + saved[0])


async def test_after_a_takeback_the_clock_of_a_vacation_stands(app: App, takebacks: Requests, host: Host) -> None:
    """The clock of the other player, who was not to move before, runs."""
    for away, by in ((ANN, ANN), (BOB, ANN)):
        game_id, vacations = await basic_game_after(app, 1), app.vacations
        await vacations.start_vacation(away.user, 5)
        request = await asked(takebacks, game_id, by)
        host.passes(DAY)
        await takebacks.settle(request, BOB.user, RequestState.ACCEPTED)
        clock = (await app.games.game(game_id)).game.clock
        assert clock
        expected = (None, 3 * DAY) if away is ANN else (host.now + 3 * DAY, None)
        assert (clock.deadline, clock.paused_left) == expected
        await vacations.end_vacation(away.user)


async def test_a_takeback_plans_reminders_anew(app: App, takebacks: Requests, host: Host) -> None:
    """Ann had been reminded of her turn before she played it. It waits for her again."""
    reminders = app.reminders
    game_id = await basic_game_after(app)
    host.passes(2 * DAY + DAY // 2)
    await reminders.owe_due_reminders()
    await app.games.play_typed(game_id, ANN.user, "c2")
    await takebacks.settle(await asked(takebacks, game_id), BOB.user, RequestState.ACCEPTED)
    async with app.games.store.reading() as db:
        (row,) = (await db.execute(select(tables.due).where(tables.due.c.done_at.is_(None)))).all()
    assert row.user == ANN.user
    host.passes(2 * DAY + DAY // 2)
    await reminders.owe_due_reminders()
    async with app.games.store.reading() as db:
        sent = (await db.execute(select(tables.outbox).where(tables.outbox.c.kind == REMINDER))).all()
    assert [row.channel for row in sent] == [ANN.user, ANN.user]


async def test_r6_3_a_position_taken_back_does_not_count(app: App, takebacks: Requests) -> None:
    game_id = await basic_game_after(app, 1)
    digest = match.position_hash((await app.games.game(game_id)).game.position)
    await takebacks.settle(await asked(takebacks, game_id), BOB.user, RequestState.ACCEPTED)
    async with app.games.store.reading() as db:
        assert await games.count_occurrences(db, game_id, digest) == 0


async def test_r6_3_the_turn_that_voids_a_game_stands(app: App, takebacks: Requests) -> None:
    """The void game is over, and the game that follows it has no turn to take back."""
    game_id = await basic_game_after(app, 1, Terms())
    game = (await app.games.game(game_id)).game
    turn = match.perform(game, BOB.user, match.read_typed_turn(game, BOB.user, "g2")).turn
    assert turn
    async with app.games.store.transaction() as db:
        await repeat(db, game_id, match.position_hash(turn.after))
    request = await asked(takebacks, game_id)
    await app.games.play_typed(game_id, BOB.user, "g2")
    assert (await app.games.game(game_id)).game.status is Status.OVER
    await assert_refused(Why.OVER, takebacks.settle(request, BOB.user, RequestState.ACCEPTED))
    await assert_refused(Why.OVER, takebacks.make(TAKEBACK, game_id, BOB.user))
    for player in (ANN, BOB):
        await assert_refused(Why.NOTHING_TO_TAKE_BACK, takebacks.make(TAKEBACK, game_id + 1, player.user))


async def test_a_turn_ends_the_request(app: App, takebacks: Requests) -> None:
    game_id = await basic_game_after(app, 1)
    request = await asked(takebacks, game_id)
    await app.games.play_typed(game_id, BOB.user, "g2")
    await assert_refused(Why.REQUEST_CLOSED, takebacks.settle(request, BOB.user, RequestState.ACCEPTED))
    assert await turns(app, game_id) == ["c2", "g2"]


async def test_an_unfinished_turn_does_not_end_a_request(app: App, takebacks: Requests) -> None:
    """What the opponent has begun is dropped when they accept."""
    game_id = await basic_game_after(app, 1)
    request = await asked(takebacks, game_id)
    stored = await app.games.game(game_id)
    (push,) = match.read_typed_turn(stored.game, BOB.user, "g2")
    await put(app, stored, draft=(push,))
    await takebacks.settle(request, BOB.user, RequestState.ACCEPTED)
    assert (await app.games.game(game_id)).game.draft == ()


async def test_of_accepting_and_a_turn_at_once_one_counts(app: App, takebacks: Requests) -> None:
    """Whichever comes first wins, and the other is refused."""
    for again in range(6):
        game_id = await basic_game_after(app, 1)
        request = await asked(takebacks, game_id)
        both = [
            takebacks.settle(request, BOB.user, RequestState.ACCEPTED),
            app.games.play_typed(game_id, BOB.user, "g2"),
        ]
        results = await asyncio.gather(*(both if again % 2 else reversed(both)), return_exceptions=True)
        assert sum(isinstance(result, Refused) for result in results) == 1
        assert len(await turns(app, game_id)) in (0, 2)


async def test_accepting_twice_takes_one_turn_back(app: App, takebacks: Requests) -> None:
    game_id = await basic_game_after(app, 4)
    request = await asked(takebacks, game_id)
    both = await asyncio.gather(
        *(takebacks.settle(request, BOB.user, RequestState.ACCEPTED) for _ in range(2)), return_exceptions=True
    )
    assert sorted(type(each).__name__ for each in both) == ["Refused", "RequestUpdate"]
    assert await turns(app, game_id) == ["c2", "g2"]
    assert len([board for board in await boards(app) if board.turns_taken_back]) == 1


async def test_crossing_requests_are_one(app: App, takebacks: Requests) -> None:
    game_id = await basic_game_after(app, 2)
    both = await asyncio.gather(
        takebacks.make(TAKEBACK, game_id, ANN.user),
        takebacks.make(TAKEBACK, game_id, BOB.user),
        return_exceptions=True,
    )
    (refusal,) = [each for each in both if isinstance(each, Refused)]
    assert refusal.why is Why.REQUEST_TO_ANSWER


async def test_of_accepting_and_declining_at_once_one_counts(app: App, takebacks: Requests) -> None:
    game_id = await basic_game_after(app, 2)
    request = await asked(takebacks, game_id)
    both = await asyncio.gather(
        takebacks.settle(request, BOB.user, RequestState.DECLINED),
        takebacks.settle(request, BOB.user, RequestState.ACCEPTED),
        return_exceptions=True,
    )
    assert sum(isinstance(each, Refused) for each in both) == 1
    assert len(await turns(app, game_id)) == (0 if isinstance(both[0], Refused) else 2)


async def test_a_request_expires_after_seven_days(app: App, takebacks: Requests, host: Host) -> None:
    """Also before anything has noted it. The next pass closes it, once."""
    game_id = await basic_game_after(app, 1, Terms())
    request = await asked(takebacks, game_id)
    host.passes(7 * DAY - 1)
    assert await takebacks.close_expired() == []
    host.passes(1)
    await assert_refused(Why.REQUEST_CLOSED, takebacks.settle(request, BOB.user, RequestState.ACCEPTED))
    (closed,) = await takebacks.close_expired()
    assert (closed.request.id, closed.request.state) == (request, RequestState.EXPIRED)
    assert await takebacks.close_expired() == []
    await asked(takebacks, game_id)


@pytest.mark.parametrize("end", ["resign", "turn", "flag"])
async def test_the_next_pass_closes_a_request_that_has_ended(
    app: App, takebacks: Requests, flag_watch: FlagWatch, host: Host, end: str
) -> None:
    game_id = await basic_game_after(app, 1)
    request = await asked(takebacks, game_id)
    assert await takebacks.close_expired() == []
    if end == "flag":
        await passes(flag_watch, host, 3 * DAY + 60)
    else:
        await (
            app.games.resign(game_id, ANN.user) if end == "resign" else app.games.play_typed(game_id, BOB.user, "g2")
        )
    await assert_refused(
        Why.OVER if end == "resign" else Why.REQUEST_CLOSED, takebacks.settle(request, BOB.user, RequestState.DECLINED)
    )
    assert [closed.request.id for closed in await takebacks.close_expired()] == [request]


async def test_a_declined_request_cannot_be_made_again(app: App, takebacks: Requests) -> None:
    game_id = await basic_game_after(app, 1)
    await takebacks.settle(await asked(takebacks, game_id), BOB.user, RequestState.DECLINED)
    await assert_refused(Why.REQUEST_AGAIN, takebacks.make(TAKEBACK, game_id, ANN.user))
    await app.games.play_typed(game_id, BOB.user, "g2")
    await assert_refused(Why.REQUEST_AGAIN, takebacks.make(TAKEBACK, game_id, ANN.user))
    await asked(takebacks, game_id, BOB)


async def test_a_takeback_discards_conditionals_with_a_notice(app: App, takebacks: Requests, host: Host) -> None:
    """Only their owners get one, if they accept direct messages; one each, however many lines there were."""
    game_id = await basic_game_after(app, 1)
    async with app.games.store.transaction() as db:
        for user in (BOB.user, BOB.user, ANN.user):
            await conditionals.add_conditional_line(db, game_id, user, 1, (), 0)
        await users.set_dms_shut(db, ANN.user, host.now)
    await takebacks.settle(await asked(takebacks, game_id), BOB.user, RequestState.ACCEPTED)
    async with app.games.store.reading() as db:
        assert await conditionals.conditional_lines(db, game_id) == []
        (notice,) = (await db.execute(select(tables.outbox).where(tables.outbox.c.kind == DISCARDED_BY_TAKEBACK))).all()
    assert (notice.channel, notice.game, notice.payload) == (BOB.user, None, {"game": game_id})
    told = discarded_by_takeback_text((await app.games.game(game_id)).game, BOB.user)
    assert told.splitlines()[0] == "#a1 vs Ann: turns were taken back (you both agreed)"


async def test_a_request_tells_its_game_its_turns_and_its_consequences(app: App, takebacks: Requests) -> None:
    """Also once it is settled and the turns are gone."""
    game_id, untimed = await basic_game_after(app, 2), await basic_game_after(app, 1, Terms())
    first = await takebacks.make(TAKEBACK, game_id, ANN.user)
    request, game = first.request, first.stored.game
    time = "If it's accepted, both clocks go back to the start of that turn."
    asked_text = request_texts.takeback_request_text(request, game)
    said = "Ann asks to take back their last turn and your answer · game #a1"
    assert asked_text.splitlines()[0] == f"<@{BOB.user}> {said}"
    said = request_texts.takeback_sent_text(request, game, None)
    assert "let you take back your last turn and their answer in game #a1." in said
    other = request_texts.takeback_to_answer_text(request, game)
    assert other.startswith("Ann asks to take back their last turn and your answer in game #a1. Accept?")
    assert all(time in text for text in (asked_text, said, other))
    later = await takebacks.make(TAKEBACK, untimed, ANN.user)
    assert "accepted" not in request_texts.takeback_request_text(later.request, later.stored.game)
    assert request_texts.takeback_sent_text(later.request, later.stored.game, None).endswith(" until they accept.")
    done = await takebacks.settle(request.id, BOB.user, RequestState.ACCEPTED)
    for found in (done, await takebacks.current(request.id)):
        told = request_texts.takeback_settled_text(found.request, found.stored.game)
        asked = "Ann's request to take back their last turn and the answer in game #a1"
        assert told == f"{asked} was accepted by Bob. The board follows."


@pytest.mark.parametrize(
    ("number", "said"), [(1, "c2 · game #a1"), (2, "c2 and your answer g2 · game #a1")], ids=["one", "two"]
)
async def test_a_request_names_its_turns_if_nobody_is_new(
    app: App, takebacks: Requests, number: int, said: str
) -> None:
    made = await takebacks.make(TAKEBACK, await basic_game_after(app, number), ANN.user)
    game = replace(made.stored.game, terms=replace(made.stored.game.terms, newcomer=False))
    first, *_ = request_texts.takeback_request_text(made.request, game).splitlines()
    assert first == f"<@{BOB.user}> Ann asks to take back {said}"
    settled = request_texts.takeback_settled_text(replace(made.request, state=RequestState.DECLINED), game)
    assert f"take back {said.replace('your', 'the').partition(' · ')[0]} in" in settled


async def test_a_second_takeback_leads_further_back(app: App, takebacks: Requests) -> None:
    game_id = await basic_game_after(app, 5)
    for left in (4, 2, 0):
        request = await asked(takebacks, game_id)
        assert await takebacks.close_expired() == []
        await takebacks.settle(request, BOB.user, RequestState.ACCEPTED)
        assert len(await turns(app, game_id)) == left
    await assert_refused(Why.NOTHING_TO_TAKE_BACK, takebacks.make(TAKEBACK, game_id, ANN.user))
    await assert_refused(Why.NO_REQUEST, takebacks.settle(99, ANN.user, RequestState.ACCEPTED))


async def given_up(app: App) -> None:
    """Let the channel refuse everything that is owed."""
    await app.outbox.release_leases()
    while rows := await app.outbox.deliverable_rows():
        owed = await app.outbox.lease_row(rows[0])
        assert owed
        await app.outbox.note_channel_refusal(owed, "gone")


async def owed_now(app: App) -> list[tuple[str, int]]:
    """Return kind and channel of all that games still owe, in order."""
    async with app.games.store.reading() as db:
        rows = await db.execute(select(tables.outbox).order_by(tables.outbox.c.id))
        return [(row.kind, row.channel) for row in rows if row.game and row.done_at is None]


@pytest.mark.parametrize("tried", [False, True])
async def test_an_unposted_request_follows_its_game_to_its_new_channel(
    app: App, takebacks: Requests, host: Host, tried: bool
) -> None:
    """It comes after the board."""
    game_id = await basic_game_after(app, 1, Terms())
    request = await asked(takebacks, game_id)
    if tried:
        await given_up(app)
    await app.venues.relocate(game_id, Venue(CLUB, 77))
    assert await owed_now(app) == [("board", 77), (TAKEBACK, 77)]
    await takebacks.settle(request, ANN.user, RequestState.WITHDRAWN)
    await given_up(app)
    host.passes(1)
    await app.venues.relocate(game_id, Venue(CLUB, 78))
    assert await owed_now(app) == [("board", 78)]


async def test_a_dropped_request_is_retried_with_its_board(app: App, takebacks: Requests, host: Host) -> None:
    game_id = await basic_game_after(app, 1, Terms())
    await asked(takebacks, game_id)
    await given_up(app)
    assert await owed_now(app) == []
    host.passes(DAY)
    await app.undeliverable.retry_due_boards()
    assert await owed_now(app) == [("board", HOME.channel), (TAKEBACK, HOME.channel)]
