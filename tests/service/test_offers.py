"""Turns taken back, on a real database: what is kept, what is owed, and requests that cross something else."""

import asyncio

import pytest
from sqlalchemy import select

from gipfbot import match
from gipfbot.match import Clock, Refused, Seat, Side, State, Status, Terms, Why, days_per_turn
from gipfbot.rules import BASIC, Colour
from gipfbot.service.boards import Board, unpack
from gipfbot.service.offers import UNDO, Offers
from gipfbot.service.reminders import REMINDER, Reminders
from gipfbot.service.service import Home, Service
from gipfbot.service.timekeeping import Timekeeper
from gipfbot.service.vacations import Vacations
from gipfbot.store import Store, conditions, games, tables

from .test_service import put
from .test_timekeeping import Host, passes, repeat

ANN, BOB, EVE = Seat(1, "ann"), Seat(2, "bob"), Seat(3, "eve")
HOME = Home(10, 20)
DAY = 24 * 3600
DAYS = Terms(days_per_turn(3))
TURNS = ("c2", "g2", "d2", "f2", "b3")


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.fixture
def service(store: Store, host: Host) -> Service:
    return Service(store, lambda: host.now, lambda: True)


@pytest.fixture
def offers(service: Service) -> Offers:
    return Offers(service.store, service.now)


@pytest.fixture
async def keeper(service: Service, host: Host) -> Timekeeper:
    found = Timekeeper(service.store, lambda: host.now, lambda: host.ticks)
    await found.look()
    return found


async def begun(service: Service, turns: int = 0, terms: Terms = DAYS) -> int:
    """Return a game of Ann, White, and Bob after so many turns."""
    offered, _ = await service.challenge(ANN, BOB, BASIC, Side.WHITE, HOME, terms)
    id = (await service.accept(offered.challenge.id, BOB))[1].game.id
    for number, text in enumerate(TURNS[:turns]):
        await service.type(id, BOB.user if number % 2 else ANN.user, text)
    return id


async def asked(offers: Offers, id: int, by: Seat = ANN) -> int:
    """Return a request to take back this player's last turn."""
    return (await offers.ask(id, by.user)).offer.id


async def boards(service: Service) -> list[Board]:
    """Return all boards that are owed, oldest first."""
    async with service.store.reading() as db:
        rows = await db.execute(select(tables.outbox).order_by(tables.outbox.c.id))
        return [unpack(row.game, row.payload) for row in rows if row.kind == "board"]


async def turns(service: Service, id: int) -> list[str]:
    async with service.store.reading() as db:
        return [turn.text for turn in await games.turns_of(db, id)]


async def test_a_request_is_owed_to_the_channel_and_changes_nothing_else(service: Service, offers: Offers) -> None:
    id = await begun(service, 1)
    before = (await service.game(id)).game
    asked = await offers.ask(id, ANN.user)
    assert (await service.game(id)).game == before
    async with service.store.reading() as db:
        (row,) = (await db.execute(select(tables.outbox).where(tables.outbox.c.kind == UNDO))).all()
    assert (row.channel, row.game, row.payload) == (HOME.channel, id, {"offer": asked.offer.id})
    assert await offers.turns(asked.offer) == ["c2"]


@pytest.mark.parametrize(("played", "back"), [(1, ["c2"]), (2, ["c2", "g2"]), (5, ["b3"])])
async def test_an_accepted_one_takes_the_turns_back_and_keeps_them(
    service: Service, offers: Offers, host: Host, played: int, back: list[str]
) -> None:
    """The game is as before; a board is owed that says so, and the same turn can be played again."""
    id = await begun(service, played)
    offer = await asked(offers, id)
    host.passes(DAY)
    done = await offers.accept(offer, BOB.user)
    assert (done.offer.state, done.stored.game) == (State.ACCEPTED, (await service.game(id)).game)
    assert (await offers.offered(offer)).offer.state is State.ACCEPTED
    async with service.store.reading() as db:
        assert await games.waiting_since(db, id) == host.now
    left = list(TURNS[: played - len(back)])
    assert await turns(service, id) == left
    game = (await service.game(id)).game
    assert (game.asked, game.number, game.last and game.last.text) == (
        Colour.WHITE,
        len(left),
        left[-1] if left else None,
    )
    board = (await boards(service))[-1]
    assert (board.taken_back, board.number, board.serial) == (tuple(back), len(left), game.serial)
    assert board.position == game.position
    async with service.store.reading() as db:
        (event,) = (await db.execute(select(tables.events))).all()
    assert (event.kind, event.by, [turn["text"] for turn in event.data["turns"]]) == (UNDO, ANN.user, back)
    await service.type(id, ANN.user, back[0])
    assert await turns(service, id) == [*left, back[0]]


async def test_the_game_goes_on_to_the_same_position_as_if_nothing_had_been(service: Service, offers: Offers) -> None:
    id, other = await begun(service, 3), await begun(service, 3)
    await offers.accept(await asked(offers, id), BOB.user)
    await service.type(id, ANN.user, "d2")
    one, two = (await service.game(id)).game, (await service.game(other)).game
    assert (one.position, one.number, one.last) == (two.position, two.number, two.last)


async def test_a_board_of_before_does_not_stand_for_the_one_after(service: Service, offers: Offers) -> None:
    """The newest board is the one that undoes, although fewer turns are played; what is late is passed over."""
    id = await begun(service, 2)
    async with service.store.transaction() as db:
        await games.set_board(db, id, 2, 20, 500)
    await offers.accept(await asked(offers, id), BOB.user)
    serial = (await service.game(id)).game.serial
    async with service.store.transaction() as db:
        await games.set_board(db, id, serial, 20, 600)
        await games.set_board(db, id, 2, 20, 500)
    assert (await service.game(id)).board_message == 600


async def test_the_clock_runs_anew_for_whoever_is_to_move(service: Service, offers: Offers, host: Host) -> None:
    id = await begun(service, 2)
    host.passes(2 * DAY)
    await offers.accept(await asked(offers, id), BOB.user)
    assert (await service.game(id)).game.clock == Clock((3 * DAY, 3 * DAY), host.now + 3 * DAY)


async def test_the_clock_of_who_is_on_vacation_stands_after_it(service: Service, offers: Offers, host: Host) -> None:
    """And that of the other, who was not to move before, runs."""
    for away, by in ((ANN, ANN), (BOB, ANN)):
        id, vacations = await begun(service, 1), Vacations(service.store, service.now)
        await vacations.start(away.user, 5)
        offer = await asked(offers, id, by)
        host.passes(DAY)
        await offers.accept(offer, BOB.user)
        clock = (await service.game(id)).game.clock
        assert clock
        expected = (None, 3 * DAY) if away is ANN else (host.now + 3 * DAY, None)
        assert (clock.deadline, clock.left) == expected
        await vacations.end(away.user)


async def test_reminders_are_planned_anew_and_come_again_for_the_new_turn(
    service: Service, offers: Offers, host: Host
) -> None:
    """Ann had been reminded of her turn before she played it; it waits for her again."""
    reminders = Reminders(service.store, service.now)
    id = await begun(service)
    host.passes(2 * DAY + DAY // 2)
    await reminders.remind()
    await service.type(id, ANN.user, "c2")
    await offers.accept(await asked(offers, id), BOB.user)
    async with service.store.reading() as db:
        (row,) = (await db.execute(select(tables.due).where(tables.due.c.done_at.is_(None)))).all()
    assert row.user == ANN.user
    host.passes(2 * DAY + DAY // 2)
    await reminders.remind()
    async with service.store.reading() as db:
        sent = (await db.execute(select(tables.outbox).where(tables.outbox.c.kind == REMINDER))).all()
    assert [row.channel for row in sent] == [ANN.user, ANN.user]


async def test_r6_3_a_position_that_was_taken_back_has_not_stood(service: Service, offers: Offers) -> None:
    id = await begun(service, 1)
    hash = match.position_hash((await service.game(id)).game.position)
    await offers.accept(await asked(offers, id), BOB.user)
    async with service.store.reading() as db:
        assert await games.occurrences(db, id, hash) == 0


async def test_the_turn_that_made_a_game_void_stands_and_the_next_game_has_none_yet(
    service: Service, offers: Offers
) -> None:
    """R6.3: the void game is over, and nothing leads back across the beginning of the one that follows it."""
    id = await begun(service, 1, Terms())
    game = (await service.game(id)).game
    turn = match.answer(game, BOB.user, match.read(game, BOB.user, "g2")).turn
    assert turn
    async with service.store.transaction() as db:
        await repeat(db, id, match.position_hash(turn.after))
    offer = await asked(offers, id)
    await service.type(id, BOB.user, "g2")
    assert (await service.game(id)).game.status is Status.OVER
    await refused(Why.OVER, offers.accept(offer, BOB.user))
    await refused(Why.OVER, offers.ask(id, BOB.user))
    for player in (ANN, BOB):
        await refused(Why.NOTHING_TO_UNDO, offers.ask(id + 1, player.user))


async def refused(why: Why, work: object) -> None:
    """Assert that this is refused for that reason."""
    with pytest.raises(Refused) as refusal:
        await work  # type: ignore[misc]
    assert refusal.value.why is why


async def test_a_turn_ends_the_request_and_the_accept_that_comes_after_it_is_refused(
    service: Service, offers: Offers
) -> None:
    id = await begun(service, 1)
    offer = await asked(offers, id)
    await service.type(id, BOB.user, "g2")
    await refused(Why.UNDO_CLOSED, offers.accept(offer, BOB.user))
    assert await turns(service, id) == ["c2", "g2"]


async def test_half_a_turn_does_not_end_it(service: Service, offers: Offers) -> None:
    """What the opponent has begun is dropped with it: he agrees."""
    id = await begun(service, 1)
    offer = await asked(offers, id)
    stored = await service.game(id)
    (push,) = match.read(stored.game, BOB.user, "g2")
    await put(service, stored, draft=(push,))
    await offers.accept(offer, BOB.user)
    assert (await service.game(id)).game.draft == ()


async def test_accept_and_a_turn_at_the_same_moment_do_not_mix(service: Service, offers: Offers) -> None:
    """Whichever comes first wins, and the other is refused."""
    for again in range(6):
        id = await begun(service, 1)
        offer = await asked(offers, id)
        both = [offers.accept(offer, BOB.user), service.type(id, BOB.user, "g2")]
        results = await asyncio.gather(*(both if again % 2 else reversed(both)), return_exceptions=True)
        assert sum(isinstance(result, Refused) for result in results) == 1
        assert len(await turns(service, id)) in (0, 2)


async def test_accept_pressed_twice_takes_one_turn_back(service: Service, offers: Offers) -> None:
    id = await begun(service, 4)
    offer = await asked(offers, id)
    both = await asyncio.gather(*(offers.accept(offer, BOB.user) for _ in range(2)), return_exceptions=True)
    assert sorted(type(each).__name__ for each in both) == ["Offered", "Refused"]
    assert await turns(service, id) == ["c2", "g2"]
    assert len([board for board in await boards(service) if board.taken_back]) == 1


async def test_two_requests_that_cross_are_one(service: Service, offers: Offers) -> None:
    id = await begun(service, 2)
    both = await asyncio.gather(offers.ask(id, ANN.user), offers.ask(id, BOB.user), return_exceptions=True)
    (refusal,) = [each for each in both if isinstance(each, Refused)]
    assert refusal.why is Why.UNDO_TO_ANSWER


async def test_accept_and_decline_at_the_same_moment_do_not_mix(service: Service, offers: Offers) -> None:
    id = await begun(service, 2)
    offer = await asked(offers, id)
    both = await asyncio.gather(offers.decline(offer, BOB.user), offers.accept(offer, BOB.user), return_exceptions=True)
    assert sum(isinstance(each, Refused) for each in both) == 1
    assert len(await turns(service, id)) == (0 if isinstance(both[0], Refused) else 2)


async def test_it_expires_after_seven_days_at_the_latest(service: Service, offers: Offers, host: Host) -> None:
    """Also before anything has noted it; the next look closes it, once."""
    id = await begun(service, 1, Terms())
    offer = await asked(offers, id)
    host.passes(7 * DAY - 1)
    assert await offers.lapse() == []
    host.passes(1)
    await refused(Why.UNDO_CLOSED, offers.accept(offer, BOB.user))
    (closed,) = await offers.lapse()
    assert (closed.offer.id, closed.offer.state) == (offer, State.EXPIRED)
    assert await offers.lapse() == []
    await asked(offers, id)


@pytest.mark.parametrize("end", ["resign", "turn", "flag"])
async def test_what_ends_it_is_noted_by_the_next_look(
    service: Service, offers: Offers, keeper: Timekeeper, host: Host, end: str
) -> None:
    id = await begun(service, 1)
    offer = await asked(offers, id)
    assert await offers.lapse() == []
    if end == "flag":
        await passes(keeper, host, 3 * DAY + 60)
    else:
        await (service.resign(id, ANN.user) if end == "resign" else service.type(id, BOB.user, "g2"))
    await refused(Why.OVER if end == "resign" else Why.UNDO_CLOSED, offers.decline(offer, BOB.user))
    assert [closed.offer.id for closed in await offers.lapse()] == [offer]


async def test_who_was_refused_is_refused_again(service: Service, offers: Offers) -> None:
    id = await begun(service, 1)
    await offers.decline(await asked(offers, id), BOB.user)
    await refused(Why.UNDO_AGAIN, offers.ask(id, ANN.user))
    await service.type(id, BOB.user, "g2")
    await refused(Why.UNDO_AGAIN, offers.ask(id, ANN.user))
    await asked(offers, id, BOB)


async def test_answers_left_in_advance_are_forgotten(service: Service, offers: Offers) -> None:
    id = await begun(service, 1)
    async with service.store.transaction() as db:
        await conditions.add(db, id, ANN.user, 1, (), 0)
    await offers.accept(await asked(offers, id), BOB.user)
    async with service.store.reading() as db:
        assert await conditions.lines(db, id) == []


async def test_an_undo_of_an_undone_turn_leads_further_back(service: Service, offers: Offers) -> None:
    id = await begun(service, 5)
    for left in (4, 2, 0):
        offer = await asked(offers, id)
        assert await offers.lapse() == []
        await offers.accept(offer, BOB.user)
        assert len(await turns(service, id)) == left
    await refused(Why.NOTHING_TO_UNDO, offers.ask(id, ANN.user))
    await refused(Why.NO_UNDO, offers.accept(99, ANN.user))
