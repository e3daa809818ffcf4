"""Turns taken back, on a real database: what is kept, what is owed, and requests that cross something else."""

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import select

from gipfbot import match
from gipfbot.match import TIME_CONTROLS, Clock, Refused, RequestState, Seat, Side, Status, Terms, Why, days_per_turn
from gipfbot.rules import BASIC, Colour
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.reminders import REMINDER, Reminders
from gipfbot.service.clock.vacations import Vacations
from gipfbot.service.delivery.undeliverable import UndeliverableBoards
from gipfbot.service.play.board_message import BoardMessage, unpack_board
from gipfbot.service.play.conditionals_on_turn import DISCARDED_BY_TAKEBACK
from gipfbot.service.requests.takebacks import TAKEBACK, Takebacks
from gipfbot.service.service import Service, Venue
from gipfbot.store import Store, conditionals, games, tables, users
from gipfbot.ui.requests import conditional_texts, takeback_texts

from .conftest import posted, posting
from .test_service import put
from .test_timekeeping import Host, passes, repeat

ANN, BOB, EVE = Seat(1, "ann"), Seat(2, "bob"), Seat(3, "eve")
HOME = Venue(10, 20)
HOUR, DAY = 3600, 24 * 3600
DAYS = Terms(days_per_turn(3))
TURNS = ("c2", "g2", "d2", "f2", "b3")


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.fixture
def service(store: Store, host: Host) -> Service:
    return Service(store, lambda: host.now, lambda: True)


@pytest.fixture
def offers(service: Service) -> Takebacks:
    return Takebacks(service.store, service.now)


@pytest.fixture
async def keeper(service: Service, host: Host) -> FlagWatch:
    found = FlagWatch(service.store, lambda: host.now, lambda: host.ticks)
    await found.check_flags()
    return found


async def begun(service: Service, turns: int = 0, terms: Terms = DAYS) -> int:
    """Return a game of Ann, White, and Bob after so many turns."""
    offered, _ = await service.challenge(ANN, BOB, BASIC, Side.WHITE, HOME, terms)
    id = (await service.accept_challenge(offered.challenge.id, BOB))[1].game.id
    for number, text in enumerate(TURNS[:turns]):
        await service.play_typed(id, BOB.user if number % 2 else ANN.user, text)
    return id


async def asked(offers: Takebacks, id: int, by: Seat = ANN) -> int:
    """Return a request to take back this player's last turn."""
    return (await offers.request_takeback(id, by.user)).request.id


async def boards(service: Service) -> list[BoardMessage]:
    """Return all boards that are owed, oldest first."""
    async with service.store.reading() as db:
        rows = await db.execute(select(tables.outbox).order_by(tables.outbox.c.id))
        return [unpack_board(row.game, row.payload) for row in rows if row.kind == "board"]


async def turns(service: Service, id: int) -> list[str]:
    async with service.store.reading() as db:
        return [turn.text for turn in await games.turns_of(db, id)]


async def test_a_request_is_owed_to_the_channel_and_changes_nothing_else(service: Service, offers: Takebacks) -> None:
    id = await begun(service, 1)
    before = (await service.game(id)).game
    asked = await offers.request_takeback(id, ANN.user)
    assert (await service.game(id)).game == before
    async with service.store.reading() as db:
        (row,) = (await db.execute(select(tables.outbox).where(tables.outbox.c.kind == TAKEBACK))).all()
    assert (row.channel, row.game, row.payload) == (HOME.channel, id, {"request": asked.request.id})
    assert asked.request.turns == ("c2",)


@pytest.mark.parametrize(("played", "back"), [(1, ["c2"]), (2, ["c2", "g2"]), (5, ["b3"])])
async def test_an_accepted_one_takes_the_turns_back_and_keeps_them(
    service: Service, offers: Takebacks, host: Host, played: int, back: list[str]
) -> None:
    """The game is as before; a board is owed that says so, and the same turn can be played again."""
    id = await begun(service, played)
    offer = await asked(offers, id)
    host.passes(DAY)
    done = await offers.accept_takeback(offer, BOB.user)
    assert (done.request.state, done.stored.game) == (RequestState.ACCEPTED, (await service.game(id)).game)
    assert (await offers.current_request(offer)).request.state is RequestState.ACCEPTED
    async with service.store.reading() as db:
        assert await games.waiting_since(db, id) == host.now
    left = list(TURNS[: played - len(back)])
    assert await turns(service, id) == left
    game = (await service.game(id)).game
    assert (game.asked, game.turn_number, game.last and game.last.text) == (
        Colour.WHITE,
        len(left),
        left[-1] if left else None,
    )
    board = (await boards(service))[-1]
    assert (board.turns_taken_back, board.turn_number, board.turn_serial) == (tuple(back), len(left), game.turn_serial)
    assert board.position == game.position
    async with service.store.reading() as db:
        (event,) = (await db.execute(select(tables.events))).all()
    assert (event.kind, event.by, [turn["text"] for turn in event.data["turns"]]) == (TAKEBACK, ANN.user, back)
    await service.play_typed(id, ANN.user, back[0])
    assert await turns(service, id) == [*left, back[0]]


async def test_the_game_goes_on_to_the_same_position_as_if_nothing_had_been(
    service: Service, offers: Takebacks
) -> None:
    id, other = await begun(service, 3), await begun(service, 3)
    await offers.accept_takeback(await asked(offers, id), BOB.user)
    await service.play_typed(id, ANN.user, "d2")
    one, two = (await service.game(id)).game, (await service.game(other)).game
    assert (one.position, one.turn_number, one.last) == (two.position, two.turn_number, two.last)


async def test_a_board_of_before_does_not_stand_for_the_one_after(service: Service, offers: Takebacks) -> None:
    """The newest board is the one that undoes, although fewer turns are played; what is late is passed over."""
    id = await begun(service, 2)
    async with service.store.transaction() as db:
        await games.set_board_message(db, id, 2, 20, 500)
    await offers.accept_takeback(await asked(offers, id), BOB.user)
    serial = (await service.game(id)).game.turn_serial
    async with service.store.transaction() as db:
        await games.set_board_message(db, id, serial, 20, 600)
        await games.set_board_message(db, id, 2, 20, 500)
    assert (await service.game(id)).board_message == 600


async def test_the_clock_runs_anew_for_whoever_is_to_move(service: Service, offers: Takebacks, host: Host) -> None:
    id = await begun(service, 2)
    host.passes(2 * DAY)
    await offers.accept_takeback(await asked(offers, id), BOB.user)
    assert (await service.game(id)).game.clock == Clock((3 * DAY, 3 * DAY), host.now + 3 * DAY)


async def test_nobody_gains_time_by_turns_taken_back(service: Service, offers: Takebacks, host: Host) -> None:
    """The increments go back with the turns: both have what they had when the first of them began."""
    id = await begun(service, 0, Terms(TIME_CONTROLS["saving"]))
    for text in ("c2", "g2", "d2"):
        await posted(service.store)
        host.passes(6 * HOUR if text == "g2" else 3 * HOUR)
        await service.play_typed(id, BOB.user if text == "g2" else ANN.user, text)
    for text in ("d2", "f2"):
        await posted(service.store)
        host.passes(HOUR)
        await offers.accept_takeback(await asked(offers, id), BOB.user)
        clock = (await service.game(id)).game.clock
        saved = 10 * DAY + 21 * HOUR, 10 * DAY + 18 * HOUR
        assert clock == Clock(saved, host.now + saved[0])
        await service.play_typed(id, ANN.user, text)
    await service.play_typed(id, BOB.user, "b3")
    await offers.accept_takeback(await asked(offers, id, ANN), BOB.user)
    assert (await service.game(id)).game.clock == Clock(saved, host.now + saved[0])


async def test_the_clock_of_who_is_on_vacation_stands_after_it(service: Service, offers: Takebacks, host: Host) -> None:
    """And that of the other, who was not to move before, runs."""
    for away, by in ((ANN, ANN), (BOB, ANN)):
        id, vacations = await begun(service, 1), Vacations(service.store, service.now)
        await vacations.start_vacation(away.user, 5)
        offer = await asked(offers, id, by)
        host.passes(DAY)
        await offers.accept_takeback(offer, BOB.user)
        clock = (await service.game(id)).game.clock
        assert clock
        expected = (None, 3 * DAY) if away is ANN else (host.now + 3 * DAY, None)
        assert (clock.deadline, clock.paused_left) == expected
        await vacations.end_vacation(away.user)


async def test_reminders_are_planned_anew_and_come_again_for_the_new_turn(
    service: Service, offers: Takebacks, host: Host
) -> None:
    """Ann had been reminded of her turn before she played it; it waits for her again."""
    reminders = Reminders(service.store, service.now)
    id = await begun(service)
    host.passes(2 * DAY + DAY // 2)
    await reminders.owe_due_reminders()
    await service.play_typed(id, ANN.user, "c2")
    await offers.accept_takeback(await asked(offers, id), BOB.user)
    async with service.store.reading() as db:
        (row,) = (await db.execute(select(tables.due).where(tables.due.c.done_at.is_(None)))).all()
    assert row.user == ANN.user
    host.passes(2 * DAY + DAY // 2)
    await reminders.owe_due_reminders()
    async with service.store.reading() as db:
        sent = (await db.execute(select(tables.outbox).where(tables.outbox.c.kind == REMINDER))).all()
    assert [row.channel for row in sent] == [ANN.user, ANN.user]


async def test_r6_3_a_position_that_was_taken_back_has_not_stood(service: Service, offers: Takebacks) -> None:
    id = await begun(service, 1)
    hash = match.position_hash((await service.game(id)).game.position)
    await offers.accept_takeback(await asked(offers, id), BOB.user)
    async with service.store.reading() as db:
        assert await games.count_occurrences(db, id, hash) == 0


async def test_the_turn_that_made_a_game_void_stands_and_the_next_game_has_none_yet(
    service: Service, offers: Takebacks
) -> None:
    """R6.3: the void game is over, and nothing leads back across the beginning of the one that follows it."""
    id = await begun(service, 1, Terms())
    game = (await service.game(id)).game
    turn = match.perform(game, BOB.user, match.read_typed_turn(game, BOB.user, "g2")).turn
    assert turn
    async with service.store.transaction() as db:
        await repeat(db, id, match.position_hash(turn.after))
    offer = await asked(offers, id)
    await service.play_typed(id, BOB.user, "g2")
    assert (await service.game(id)).game.status is Status.OVER
    await refused(Why.OVER, offers.accept_takeback(offer, BOB.user))
    await refused(Why.OVER, offers.request_takeback(id, BOB.user))
    for player in (ANN, BOB):
        await refused(Why.NOTHING_TO_TAKE_BACK, offers.request_takeback(id + 1, player.user))


async def refused(why: Why, work: object) -> None:
    """Assert that this is refused for that reason."""
    with pytest.raises(Refused) as refusal:
        await work  # type: ignore[misc]
    assert refusal.value.why is why


async def test_a_turn_ends_the_request_and_the_accept_that_comes_after_it_is_refused(
    service: Service, offers: Takebacks
) -> None:
    id = await begun(service, 1)
    offer = await asked(offers, id)
    await service.play_typed(id, BOB.user, "g2")
    await refused(Why.TAKEBACK_CLOSED, offers.accept_takeback(offer, BOB.user))
    assert await turns(service, id) == ["c2", "g2"]


async def test_half_a_turn_does_not_end_it(service: Service, offers: Takebacks) -> None:
    """What the opponent has begun is dropped with it: he agrees."""
    id = await begun(service, 1)
    offer = await asked(offers, id)
    stored = await service.game(id)
    (push,) = match.read_typed_turn(stored.game, BOB.user, "g2")
    await put(service, stored, draft=(push,))
    await offers.accept_takeback(offer, BOB.user)
    assert (await service.game(id)).game.draft == ()


async def test_accept_and_a_turn_at_the_same_moment_do_not_mix(service: Service, offers: Takebacks) -> None:
    """Whichever comes first wins, and the other is refused."""
    for again in range(6):
        id = await begun(service, 1)
        offer = await asked(offers, id)
        both = [offers.accept_takeback(offer, BOB.user), service.play_typed(id, BOB.user, "g2")]
        results = await asyncio.gather(*(both if again % 2 else reversed(both)), return_exceptions=True)
        assert sum(isinstance(result, Refused) for result in results) == 1
        assert len(await turns(service, id)) in (0, 2)


async def test_accept_pressed_twice_takes_one_turn_back(service: Service, offers: Takebacks) -> None:
    id = await begun(service, 4)
    offer = await asked(offers, id)
    both = await asyncio.gather(*(offers.accept_takeback(offer, BOB.user) for _ in range(2)), return_exceptions=True)
    assert sorted(type(each).__name__ for each in both) == ["Refused", "TakebackUpdate"]
    assert await turns(service, id) == ["c2", "g2"]
    assert len([board for board in await boards(service) if board.turns_taken_back]) == 1


async def test_two_requests_that_cross_are_one(service: Service, offers: Takebacks) -> None:
    id = await begun(service, 2)
    both = await asyncio.gather(
        offers.request_takeback(id, ANN.user), offers.request_takeback(id, BOB.user), return_exceptions=True
    )
    (refusal,) = [each for each in both if isinstance(each, Refused)]
    assert refusal.why is Why.TAKEBACK_TO_ANSWER


async def test_accept_and_decline_at_the_same_moment_do_not_mix(service: Service, offers: Takebacks) -> None:
    id = await begun(service, 2)
    offer = await asked(offers, id)
    both = await asyncio.gather(
        offers.decline_takeback(offer, BOB.user), offers.accept_takeback(offer, BOB.user), return_exceptions=True
    )
    assert sum(isinstance(each, Refused) for each in both) == 1
    assert len(await turns(service, id)) == (0 if isinstance(both[0], Refused) else 2)


async def test_it_expires_after_seven_days_at_the_latest(service: Service, offers: Takebacks, host: Host) -> None:
    """Also before anything has noted it; the next look closes it, once."""
    id = await begun(service, 1, Terms())
    offer = await asked(offers, id)
    host.passes(7 * DAY - 1)
    assert await offers.close_stale_requests() == []
    host.passes(1)
    await refused(Why.TAKEBACK_CLOSED, offers.accept_takeback(offer, BOB.user))
    (closed,) = await offers.close_stale_requests()
    assert (closed.request.id, closed.request.state) == (offer, RequestState.EXPIRED)
    assert await offers.close_stale_requests() == []
    await asked(offers, id)


@pytest.mark.parametrize("end", ["resign", "turn", "flag"])
async def test_what_ends_it_is_noted_by_the_next_look(
    service: Service, offers: Takebacks, keeper: FlagWatch, host: Host, end: str
) -> None:
    id = await begun(service, 1)
    offer = await asked(offers, id)
    assert await offers.close_stale_requests() == []
    if end == "flag":
        await passes(keeper, host, 3 * DAY + 60)
    else:
        await (service.resign(id, ANN.user) if end == "resign" else service.play_typed(id, BOB.user, "g2"))
    await refused(Why.OVER if end == "resign" else Why.TAKEBACK_CLOSED, offers.decline_takeback(offer, BOB.user))
    assert [closed.request.id for closed in await offers.close_stale_requests()] == [offer]


async def test_who_was_refused_is_refused_again(service: Service, offers: Takebacks) -> None:
    id = await begun(service, 1)
    await offers.decline_takeback(await asked(offers, id), BOB.user)
    await refused(Why.TAKEBACK_AGAIN, offers.request_takeback(id, ANN.user))
    await service.play_typed(id, BOB.user, "g2")
    await refused(Why.TAKEBACK_AGAIN, offers.request_takeback(id, ANN.user))
    await asked(offers, id, BOB)


async def test_answers_left_in_advance_are_forgotten_and_their_owners_told(service: Service, offers: Takebacks) -> None:
    """Nobody else is, nor whose messages are shut; and each once, however many there were."""
    id = await begun(service, 1)
    async with service.store.transaction() as db:
        for user in (BOB.user, BOB.user, ANN.user):
            await conditionals.add_conditional_line(db, id, user, 1, (), 0)
        await users.set_dms_shut(db, ANN.user, True)
    await offers.accept_takeback(await asked(offers, id), BOB.user)
    async with service.store.reading() as db:
        assert await conditionals.conditional_lines(db, id) == []
        (letter,) = (await db.execute(select(tables.outbox).where(tables.outbox.c.kind == DISCARDED_BY_TAKEBACK))).all()
    assert (letter.channel, letter.game, letter.payload) == (BOB.user, None, {"game": id})
    told = conditional_texts.discarded_by_takeback_text((await service.game(id)).game, BOB.user)
    assert told.splitlines()[0] == "#a1 vs ann: turns were taken back by consent"


async def test_a_request_says_which_game_and_turns_and_what_comes_of_it(service: Service, offers: Takebacks) -> None:
    """Also when it is settled, and the turns are gone; but for requests of before, which only know a number."""
    id, untimed = await begun(service, 2), await begun(service, 1, Terms())
    first = await offers.request_takeback(id, ANN.user)
    offer, game = first.request, first.stored.game
    time = "both have the time again that they had when that turn began"
    dropped = "answers left in advance in this game are dropped."
    request = takeback_texts.takeback_request_text(offer, game)
    assert request.splitlines()[0] == "<@2> ann asks to take back c2, and with it your answer g2 · #a1"
    said = takeback_texts.takeback_sent_text(offer, game, None)
    assert "let you take back c2, and with it their answer g2 in #a1." in said
    other = takeback_texts.answer_takeback_first_text(offer, game)
    assert "to take back c2 and g2 in #a1" in other
    assert all(time in text and dropped in text for text in (request, said, other))
    later = await offers.request_takeback(untimed, ANN.user)
    assert f"If it is accepted, {dropped}" in takeback_texts.takeback_request_text(later.request, later.stored.game)
    done = await offers.accept_takeback(offer.id, BOB.user)
    for found in (done, await offers.current_request(offer.id)):
        told = takeback_texts.takeback_settled_text(found.request, found.stored.game)
        assert told == "ann's request to take back c2 and g2 in #a1 was accepted by bob; the board follows."
    assert "take back turn 1 in #a1" in takeback_texts.takeback_settled_text(replace(done.request, turns=()), game)
    assert "take back turn 1 · #a1" in takeback_texts.takeback_request_text(replace(offer, turns=()), game)


async def test_an_undo_of_an_undone_turn_leads_further_back(service: Service, offers: Takebacks) -> None:
    id = await begun(service, 5)
    for left in (4, 2, 0):
        offer = await asked(offers, id)
        assert await offers.close_stale_requests() == []
        await offers.accept_takeback(offer, BOB.user)
        assert len(await turns(service, id)) == left
    await refused(Why.NOTHING_TO_TAKE_BACK, offers.request_takeback(id, ANN.user))
    await refused(Why.NO_TAKEBACK, offers.accept_takeback(99, ANN.user))


async def given_up(service: Service) -> None:
    """Let the channel take nothing of what is owed."""
    await posting(service).release_leases()
    while rows := await posting(service).deliverable_rows():
        owed = await posting(service).lease_row(rows[0])
        assert owed
        await posting(service).note_channel_refusal(owed, "gone")


async def owed_now(service: Service) -> list[tuple[str, int]]:
    """Return kind and channel of all that games still owe, in order."""
    async with service.store.reading() as db:
        rows = await db.execute(select(tables.outbox).order_by(tables.outbox.c.id))
        return [(row.kind, row.channel) for row in rows if row.game and row.done_at is None]


@pytest.mark.parametrize("tried", [False, True])
async def test_a_request_that_could_not_be_posted_follows_its_game_to_its_new_home(
    service: Service, offers: Takebacks, host: Host, tried: bool
) -> None:
    """Behind the board; who asks has not asked in vain."""
    id = await begun(service, 1, Terms())
    offer = await asked(offers, id)
    if tried:
        await given_up(service)
    await service.relocate(id, Venue(10, 77))
    assert await owed_now(service) == [("board", 77), (TAKEBACK, 77)]
    await offers.withdraw_takeback(offer, ANN.user)
    await given_up(service)
    host.passes(1)
    await service.relocate(id, Venue(10, 78))
    assert await owed_now(service) == [("board", 78)]


async def test_it_is_tried_again_with_the_board_that_was_not_taken(
    service: Service, offers: Takebacks, host: Host
) -> None:
    id = await begun(service, 1, Terms())
    await asked(offers, id)
    await given_up(service)
    assert await owed_now(service) == []
    host.passes(DAY)
    await UndeliverableBoards(service.store, service.now).retry_due_boards()
    assert await owed_now(service) == [("board", HOME.channel), (TAKEBACK, HOME.channel)]
