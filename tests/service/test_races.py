"""What happens when people and clocks act in the same moment: one of them comes first, and nothing happens twice.

Unlike most tests, these have a database file with threads of its own, as the bot does.
"""

from collections.abc import AsyncIterator, Awaitable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gipfbot.match import Game, Refused, RequestState, Seat, Side, Status, Terms, Why, days_per_turn
from gipfbot.notation import parse_action_code, parse_position
from gipfbot.rules import BASIC, STANDARD, Colour
from gipfbot.service.app import App, create_app
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.store import Store, requests
from gipfbot.values import NO_LIMITS
from tests.match.helpers import CHOICE
from tests.service.helpers import Host, at_once, basic_game_after, begun, boards, passes, play_codes, put
from tests.support.people import ANN, BOB, HOME
from tests.support.stores import copy_empty
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, HOUR, MINUTE

MANY = 50
# A stretch of GIPF-pieces that may stay. With one of them taken, any push completes the turn, as it does without.
LOOSE_OFFER = "tournament w W=Gd2,Gd3,Gd4,Gd5,g2 B=Ge8,h3 reserve=9-15 captured=0-0"


@pytest.fixture
async def store(empty_database: Path, tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open_database(copy_empty(empty_database, tmp_path / "races.sqlite3"))
    yield opened
    await opened.close()


@pytest.fixture
def app(store: Store, host: Host) -> App:
    return create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS)


def each_way(works: Sequence[Awaitable[Any]], number: int) -> Sequence[Awaitable[Any]]:
    """Return works in their order, and in the opposite one in odd rounds."""
    return works if number % 2 else list(reversed(works))


async def half_turn(app: App, line: str, code: str, terms: Terms = THREE_DAYS) -> tuple[int, Game]:
    """Return a game at this position in which Ann has begun her turn by an action."""
    position = parse_position(line)
    game = await begun(app, terms, position.rules)
    await put(app, await app.games.game(game), position=position)
    return game, (await play_codes(app, game, ANN.user, code)).game


async def test_accepting_twice_begins_one_game(app: App) -> None:
    """As with two devices, or with an impatient thumb."""
    challenge = (await app.lobby.challenge(ANN, BOB, STANDARD, Side.LOT, HOME))[0].challenge.id
    done, refused = await at_once(*(app.lobby.accept_challenge(challenge, BOB) for _ in range(8)))
    assert (len(done), len(refused)) == (1, 7)
    assert len(await app.games.running_games(ANN.user)) == 1
    assert len(await boards(app)) == 1


async def test_accepting_and_withdrawing_agree(app: App) -> None:
    for number in range(6):
        challenge = (await app.lobby.challenge(ANN, BOB, STANDARD, Side.LOT, HOME))[0].challenge.id
        works = [app.lobby.accept_challenge(challenge, BOB), app.lobby.withdraw_challenge(challenge, ANN.user)]
        before = len(await app.games.running_games(ANN.user))
        done, _ = await at_once(*each_way(works, number))
        state = (await app.lobby.stored_challenge(challenge)).challenge.state
        begun_now = len(await app.games.running_games(ANN.user)) - before
        assert (len(done), begun_now) == (1, state is RequestState.ACCEPTED)


async def test_places_of_a_seek_are_taken_once(app: App) -> None:
    seek = (await app.lobby.challenge(ANN, None, BASIC, Side.LOT, HOME, takers=3))[0].challenge.id
    takers = [Seat(user, f"Taker {user}") for user in range(1, 9)]
    done, _ = await at_once(*(app.lobby.accept_challenge(seek, taker) for taker in takers))
    assert len(done) == 3
    assert len(await app.games.running_games(ANN.user)) == 3


async def test_rematch_of_both_is_one_game(app: App) -> None:
    game = await basic_game_after(app, 2)
    await app.games.resign(game, ANN.user)
    await at_once(app.lobby.rematch(game, ANN), app.lobby.rematch(game, BOB))
    assert len(await app.games.running_games(ANN.user)) == 1


async def test_two_devices_play_one_turn(app: App) -> None:
    """Each shows the same version of the game. The other turn is refused."""
    game = await begun(app)
    texts = ["e1-e3", "a2-c2"] * 4
    done, refused = await at_once(*(app.games.play_typed(game, ANN.user, text) for text in texts))
    assert (len(done), len(refused)) == (1, 7)
    assert (await app.games.game(game)).game.turn_number == 1
    assert len(await boards(app)) == 2


async def test_fifty_turns_at_once_are_all_stored(app: App) -> None:
    """In as many games: none is lost, and none waits for ever."""
    games = [await begun(app) for _ in range(MANY)]
    done, refused = await at_once(*(app.games.play_typed(game, ANN.user, "e1-e3") for game in games))
    assert (len(done), refused) == (MANY, [])
    for game in games:
        assert (await app.games.game(game)).game.turn_number == 1
    assert len(await boards(app)) == 2 * MANY


@pytest.mark.parametrize("grace", [0, HOUR])
async def test_turn_and_flag_agree(app: App, flag_watch: FlagWatch, host: Host, grace: int) -> None:
    """At the last second and a little later: the turn was played in time, or the time is over. Never both."""
    for number, late in enumerate((-1, 0, 1, 30, 60, 61) * 2):
        game = await begun(app, Terms(days_per_turn(1), grace=grace))
        await passes(flag_watch, host, DAY - MINUTE)
        host.passes(MINUTE + late)
        await at_once(*each_way([flag_watch.check_flags(), app.games.play_typed(game, ANN.user, "e1-e3")], number))
        await passes(flag_watch, host, MINUTE)
        found = (await app.games.game(game)).game
        lost = found.status is Status.OVER
        ended = [board for board in await boards(app) if board.game == game and board.position.result]
        assert len(ended) == lost
        if lost:
            assert found.position.result
            assert found.position.result.winner is Colour.BLACK
        if late < 0:
            assert (lost, found.turn_number) == (False, 1)


async def test_games_that_have_just_moved_on_are_not_flagged(app: App, flag_watch: FlagWatch, host: Host) -> None:
    """While the overdue games are flagged one after the other, turns are played in them."""
    games = [await begun(app, Terms(days_per_turn(1), grace=0)) for _ in range(10)]
    await passes(flag_watch, host, DAY - MINUTE)
    host.passes(MINUTE + 1)
    turns = [app.games.play_typed(game, ANN.user, "e1-e3") for game in games]
    await at_once(flag_watch.check_flags(), *turns)
    found = [(await app.games.game(game)).game for game in games]
    shown = [(board.game, board.turn_number) for board in await boards(app)]
    assert [game.turn_number for game in found] == [shown.count((game.id, 1)) for game in found]
    assert [game.turn_number for game in found] == [int(game.status is Status.RUNNING) for game in found]


async def test_takeback_and_turn_agree(app: App) -> None:
    """The opponent accepts on one device and plays on another."""
    for number in range(6):
        game = await basic_game_after(app, 1)
        request = (await app.requests.make(TAKEBACK, game, ANN.user)).request.id
        works = [
            app.requests.settle(request, BOB.user, RequestState.ACCEPTED),
            app.games.play_typed(game, BOB.user, "g2"),
        ]
        done, _ = await at_once(*each_way(works, number))
        assert len(done) == 1
        assert (await app.games.game(game)).game.turn_number in (0, 2)


async def test_request_and_turn_agree(app: App) -> None:
    """A player asks for a takeback while the opponent plays."""
    for number in range(6):
        game = await basic_game_after(app, 1)
        works = [app.requests.make(TAKEBACK, game, ANN.user), app.games.play_typed(game, BOB.user, "g2")]
        await at_once(*each_way(works, number))
        found = (await app.games.game(game)).game
        open_requests = await app.requests.open_requests([found])
        assert found.turn_number == 2
        assert all(request.turn_serial == found.turn_serial for request in open_requests)


async def test_resigning_of_both_has_one_result(app: App) -> None:
    for number in range(4):
        game = await basic_game_after(app, 2)
        works = [app.games.resign(game, ANN.user), app.games.resign(game, BOB.user)]
        done, (refusal,) = await at_once(*each_way(works, number))
        assert len(done) == 1
        assert isinstance(refusal, Refused)
        assert refusal.why is Why.OVER


async def test_resigning_and_a_turn_agree(app: App) -> None:
    for number in range(4):
        game = await basic_game_after(app, 2)
        works = [app.games.resign(game, BOB.user), app.games.play_typed(game, ANN.user, "d2")]
        await at_once(*each_way(works, number))
        found = (await app.games.game(game)).game
        assert found.status is Status.OVER
        assert found.turn_number in (2, 3)


async def test_of_two_turns_typed_for_one_position_one_is_played(app: App) -> None:
    """An answer to either is ready, so it is the same player's turn again at once."""
    for number in range(6):
        game = await basic_game_after(app)
        for line in ("c2 g2", "b3 h3"):
            await app.conditionals.add_typed_line(game, BOB.user, line)
        at = (await app.games.game(game)).game.moment_for(ANN.user)
        works = [app.games.play_typed(game, ANN.user, text, at=at) for text in ("c2", "b3")]
        done, (refusal,) = await at_once(*each_way(works, number))
        assert (len(done), (await app.games.game(game)).game.turn_number) == (1, 2)
        assert isinstance(refusal, Refused)
        assert refusal.why is Why.STALE


async def test_line_and_turn_agree(app: App) -> None:
    """A line is saved for the position for which it was typed, or for none."""
    for number in range(6):
        game = await basic_game_after(app)
        await app.conditionals.add_typed_line(game, BOB.user, "c2 g2")
        at = (await app.games.game(game)).game.moment_for(BOB.user)
        works = [
            app.conditionals.add_typed_line(game, BOB.user, "b3 h3", at=at),
            app.games.play_typed(game, ANN.user, "c2"),
        ]
        await at_once(*each_way(works, number))
        assert (await app.games.game(game)).game.turn_number == 2
        assert (await app.conditionals.conditionals_of(game, BOB.user)).lines == ()


async def test_request_is_made_at_the_turn_asked_about(app: App) -> None:
    for number in range(6):
        game = await basic_game_after(app, 1)
        serial = (await app.games.game(game)).game.turn_serial
        works = [
            app.requests.make(TAKEBACK, game, ANN.user, serial),
            app.games.play_typed(game, BOB.user, "g2"),
        ]
        await at_once(*each_way(works, number))
        async with app.games.store.reading() as db:
            assert {made.turn_serial for made in await requests.requests_of(db, game)} <= {serial}


async def test_starting_over_and_finishing_the_turn_agree(app: App) -> None:
    """Two devices show the same question. One finishes the turn, the other starts it over: one of them comes first."""
    for number in range(6):
        game, half = await half_turn(app, CHOICE, "b1b2")
        works = [
            app.games.start_turn_over(game, ANN.user, half.version),
            app.games.play_actions(game, ANN.user, [parse_action_code("xb:b2b3b4")], half.version),
        ]
        shown = len(await boards(app))
        done, (refusal,) = await at_once(*each_way(works, number))
        assert len(done) == 1
        assert isinstance(refusal, Refused)
        assert refusal.why is Why.STALE
        found = (await app.games.game(game)).game
        assert (found.draft, found.version) == ((), half.version + 1)
        assert len(await boards(app)) == shown + found.turn_number


async def test_starting_over_twice_takes_back_one_beginning(app: App) -> None:
    game, half = await half_turn(app, CHOICE, "b1b2")
    done, refused = await at_once(*(app.games.start_turn_over(game, ANN.user, half.version) for _ in range(8)))
    assert (len(done), len(refused)) == (1, 7)
    assert (await app.games.game(game)).game.version == half.version + 1


async def test_starting_over_and_a_typed_remainder_agree(app: App) -> None:
    """The remainder would be a whole turn by itself, another than the one that its player has begun."""
    for number in range(6):
        game, half = await half_turn(app, LOOSE_OFFER, "xd:d2")
        works = [
            app.games.start_turn_over(game, ANN.user, half.version),
            app.games.play_typed(game, ANN.user, "c2", at=half.moment_for(ANN.user)),
        ]
        done, _ = await at_once(*each_way(works, number))
        assert len(done) == 1
        found = (await app.games.game(game)).game
        assert found.draft == ()
        assert found.last is None or found.last.text == "xGd2;c2"


@pytest.mark.parametrize("grace", [0, HOUR])
async def test_starting_over_and_the_flag_agree(app: App, flag_watch: FlagWatch, host: Host, grace: int) -> None:
    """A game that is lost on time has no beginning of a turn left, and one that goes on may be started over."""
    for number, late in enumerate((-1, 0, 1, 30, 60, 61) * 2):
        game, half = await half_turn(app, CHOICE, "b1b2", Terms(days_per_turn(1), grace=grace))
        await passes(flag_watch, host, DAY - MINUTE)
        host.passes(MINUTE + late)
        works = [flag_watch.check_flags(), app.games.start_turn_over(game, ANN.user)]
        done, refused = await at_once(*each_way(works, number))
        assert [error.why for error in refused if isinstance(error, Refused)] in ([], [Why.OVER])
        await passes(flag_watch, host, MINUTE)
        found = (await app.games.game(game)).game
        assert (found.draft, found.turn_number) == ((), 0)
        assert half.clock
        if found.status is Status.RUNNING:
            assert found.clock
            assert found.clock.bank == half.clock.bank
            assert len(done) == 2
