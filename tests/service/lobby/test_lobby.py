"""Challenges and seeks on a real database: who may take them, and the game that begins."""

import asyncio

from gipfbot.match import REQUEST_LIFETIME, Refused, RequestState, Seat, Side, Terms, Why, days_per_turn
from gipfbot.rules import BASIC, STANDARD
from gipfbot.service.app import App
from gipfbot.service.delivery.board_message import unpack_board
from gipfbot.service.kit.message_kinds import LEASE_SECONDS
from gipfbot.values import StoredChallenge, Venue
from tests.service.helpers import Host, begin_game, offered, refused
from tests.support.people import ANN, BOB, CARA, CLUB, DAN, ELSEWHERE, EVE, HALL, HOME
from tests.support.times import DAY, WEEK


async def test_an_accepted_challenge_begins_a_game_and_owes_its_board(app: App) -> None:
    done = await begin_game(app)
    assert done.game.seats == (ANN, BOB)
    (leased,) = done.owed
    board = unpack_board(done.game.id, leased.payload)
    assert (board.turn_number, board.position, board.names) == (0, done.game.position, (ANN.name, BOB.name))


async def test_first_board_has_the_servers_style_and_whites_vacation(app: App, host: Host) -> None:
    await app.servers.change(CLUB, {"theme": "night", "below": "black"})
    await app.vacations.start_vacation(ANN.user, 3)
    done = await begin_game(app)
    board = unpack_board(done.game.id, done.owed[0].payload)
    assert (board.theme, board.flipped, board.vacation_until) == ("night", True, host.now + 3 * DAY)


async def test_a_challenge_knows_its_message(app: App) -> None:
    stored, (row,) = await app.lobby.challenge(ANN, BOB, STANDARD, Side.LOT, HOME)
    assert stored.message is None
    await app.outbox.note_delivered(row, 77)
    assert (await app.lobby.stored_challenge(stored.challenge.id)).message == 77


async def test_a_challenge_is_posted_as_written_and_retried_as_stored(app: App, host: Host) -> None:
    """Only the transaction that leases its row hands it on."""
    new, (owed,) = await app.lobby.challenge(ANN, BOB, STANDARD, Side.LOT, HOME)
    await app.lobby.withdraw_challenge(new.challenge.id, ANN.user)
    assert (await app.lobby.challenge_to_post(owed)).stored == new
    host.passes(LEASE_SECONDS)
    again = await app.outbox.lease_row(owed.id)
    assert again
    assert (await app.lobby.challenge_to_post(again)).stored.challenge.state is RequestState.WITHDRAWN


async def test_of_two_simultaneous_takers_one_plays(app: App) -> None:
    seek, _ = await app.lobby.challenge(ANN, None, BASIC, Side.LOT, HOME)
    takers = [app.lobby.accept_challenge(seek.challenge.id, Seat(user, str(user))) for user in (2, 3)]
    results = await asyncio.gather(*takers, return_exceptions=True)
    refusal = next(result for result in results if isinstance(result, BaseException))
    assert isinstance(refusal, Refused)
    assert refusal.why is Why.CHALLENGE_CLOSED
    assert len(await app.games.running_games(ANN.user)) == 1


async def test_challenges_expire_after_a_week(app: App, host: Host) -> None:
    offered, _ = await app.lobby.challenge(ANN, None, BASIC, Side.LOT, HOME)
    assert await app.lobby.expire_challenges() == []
    assert [seek.challenge.id for seek in await app.lobby.open_seeks(CLUB)] == [offered.challenge.id]
    host.passes(WEEK)
    assert await app.lobby.open_seeks(CLUB) == []
    assert [late.challenge.id for late in await app.lobby.expire_challenges()] == [offered.challenge.id]
    assert await app.lobby.expire_challenges() == []


async def test_a_challenge_refused_by_its_channel_is_closed(app: App) -> None:
    """Nobody could ever answer it."""
    offered, (owed,) = await app.lobby.challenge(ANN, BOB, STANDARD, Side.WHITE, HOME)
    await app.outbox.note_channel_refusal(owed, "forbidden")
    assert (await app.lobby.stored_challenge(offered.challenge.id)).challenge.state is RequestState.EXPIRED
    assert await app.outbox.deliverable_rows() == []


async def stands(app: App, game_id: int) -> tuple[RequestState, int, int | None]:
    """Return the state of a challenge, its free places, and the last game it led to."""
    stored: StoredChallenge = await app.lobby.stored_challenge(game_id)
    return stored.challenge.state, stored.challenge.takes_left, stored.game


async def test_a_seek_for_several_is_open_until_all_took_it(app: App) -> None:
    """Each take begins a game."""
    seek = await offered(app, None, takers=3)
    assert await stands(app, seek) == (RequestState.OPEN, 3, None)
    stored, done = await app.lobby.accept_challenge(seek, BOB)
    assert (stored.challenge.state, stored.challenge.takes_left) == (RequestState.OPEN, 2)
    second = (await app.lobby.accept_challenge(seek, CARA))[1]
    assert [game.seats for game in (done.game, second.game)] == [(ANN, BOB), (ANN, CARA)]
    assert done.game.id != second.game.id
    assert [opened.challenge.id for opened in await app.lobby.open_seeks(CLUB)] == [seek]
    last = (await app.lobby.accept_challenge(seek, DAN))[1].game.id
    assert await stands(app, seek) == (RequestState.ACCEPTED, 0, last)
    assert await app.lobby.open_seeks(CLUB) == []
    assert (await refused(app.lobby.accept_challenge(seek, EVE)))[0] is Why.CHALLENGE_CLOSED


async def test_nobody_takes_a_seek_twice(app: App) -> None:
    """Not even after the first game is over."""
    seek = await offered(app, None, takers=3)
    game_id = (await app.lobby.accept_challenge(seek, BOB))[1].game.id
    assert await refused(app.lobby.accept_challenge(seek, BOB)) == (Why.TAKEN_ALREADY, {"game": game_id})
    await app.games.resign(game_id, BOB.user)
    assert await refused(app.lobby.accept_challenge(seek, BOB)) == (Why.TAKEN_ALREADY, {"game": game_id})
    assert await refused(app.lobby.accept_challenge(seek, ANN)) == (Why.OWN_CHALLENGE, {"is_seek": True})
    assert await stands(app, seek) == (RequestState.OPEN, 2, game_id)
    assert (await app.lobby.accept_challenge(await offered(app, None), BOB))[1].game.id != game_id


async def test_the_last_place_of_a_seek_is_taken_once(app: App) -> None:
    seek = await offered(app, None, takers=2)
    await app.lobby.accept_challenge(seek, DAN)
    results = await asyncio.gather(
        app.lobby.accept_challenge(seek, BOB), app.lobby.accept_challenge(seek, CARA), return_exceptions=True
    )
    assert sum(isinstance(result, Refused) for result in results) == 1
    assert (await stands(app, seek))[:2] == (RequestState.ACCEPTED, 0)


async def test_a_seek_taken_by_some_can_be_withdrawn_or_expire(app: App, host: Host) -> None:
    """It still knows the game it led to."""
    first, second = await offered(app, None, takers=2), await offered(app, None, takers=2)
    games = [(await app.lobby.accept_challenge(seek, BOB))[1].game.id for seek in (first, second)]
    await app.lobby.withdraw_challenge(first, ANN.user)
    host.passes(REQUEST_LIFETIME)
    await app.lobby.expire_challenges()
    assert await stands(app, first) == (RequestState.WITHDRAWN, 1, games[0])
    assert await stands(app, second) == (RequestState.EXPIRED, 1, games[1])


async def test_a_challenge_to_one_person_has_one_taker(app: App) -> None:
    assert (await refused(offered(app, BOB, takers=2)))[0] is Why.TAKERS_OF_CHALLENGE


async def test_crossing_challenges_are_refused(app: App, host: Host) -> None:
    """On any server, whatever the terms. Seeks do not cross."""
    await offered(app, None)
    first = await offered(app, BOB)
    crossing = {"name": ANN.name, "challenge": first}

    async def back(to: Seat = ANN, home: Venue = HOME) -> StoredChallenge:
        return (await app.lobby.challenge(BOB, to, BASIC, Side.BLACK, home, Terms(days_per_turn(1))))[0]

    assert await refused(back()) == (Why.CHALLENGES_CROSS, crossing)
    assert [found.challenge.id for found in await app.lobby.challenges_of(BOB.user)] == [first]
    assert await refused(back(ANN, ELSEWHERE)) == (Why.CHALLENGES_CROSS, crossing)
    await offered(app, BOB), await back(CARA)
    await app.lobby.withdraw_challenge(first, ANN.user)
    assert (await refused(back()))[0] is Why.CHALLENGES_CROSS, "Ann has asked twice"
    host.passes(REQUEST_LIFETIME)
    assert (await back()).challenge.to == ANN


async def test_a_rematch_in_a_thread_stays_there(app: App) -> None:
    """It gets no thread of its own."""
    terms, thread = Terms(thread=True), Venue(CLUB, 30, HALL)
    challenge = (await app.lobby.challenge(ANN, BOB, STANDARD, Side.WHITE, HOME, terms))[0].challenge
    game_id = (await app.lobby.accept_challenge(challenge.id, BOB))[1].game.id
    await app.games.resign(game_id, ANN.user)
    await app.venues.relocate(game_id, thread)
    again = (await app.lobby.rematch(game_id, ANN))[0]
    assert (again.venue, again.challenge.terms.thread) == (thread, False)
