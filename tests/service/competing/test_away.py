"""Losses on time of a player who is away count for the winners only; of one who plays elsewhere, each counts."""

import pytest

from gipfbot.match import RequestState, Terms
from gipfbot.match.clock import days_per_turn
from gipfbot.match.glicko import Rating
from gipfbot.match.ratings import MonthRating, Uncounted
from gipfbot.rules import BASIC
from gipfbot.service.app import App
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.store import Store, ratings
from tests.service.helpers import Host, basic_game_after, begin_game, passes
from tests.support.people import ANN, BOB, CARA
from tests.support.times import DAY, HOUR, NOW

from .ended_games import BLACK_WINS, PEOPLE, THIS_MONTH, WHITE_LATE, Ending, counted_games, live_through

LATER = NOW + 2 * HOUR


async def lose_again(app: App, host: Host, at: int = LATER) -> list[int]:
    """Let Ann lose another game on time, to Cara. Return the games that count for Ann."""
    host.now = at
    await live_through(app.games.store, [Ending(at, black=2, result=WHITE_LATE)])
    return await counted_games(app.games.store, ANN.user)


@pytest.fixture
async def lost(app: App, host: Host) -> int:
    """Let Ann lose a game on time. Return another one, unrated, that waits for her; both have moved in it."""
    other = await basic_game_after(app, 4)
    await live_through(app.games.store, [Ending(NOW, result=WHITE_LATE)])
    host.now = NOW + HOUR
    return other


@pytest.mark.usefixtures("lost")
async def test_a_loss_on_time_while_away_does_not_count_for_the_loser(app: App, host: Host) -> None:
    first, second = await lose_again(app, host), await counted_games(app.games.store, CARA.user)
    assert (first, second) == ([2], [3])
    async with app.games.store.reading() as db:
        reasons = {(each.game, each.user): each.uncounted for each in await ratings.all_results(db)}
    assert {key: why for key, why in reasons.items() if why} == {(3, ANN.user): Uncounted.AWAY}


async def test_a_turn_anywhere_since_makes_it_count(app: App, host: Host, lost: int) -> None:
    await app.games.play_typed(lost, ANN.user, "b3")
    assert await lose_again(app, host) == [2, 3]


async def test_a_turn_before_the_newest_loss_makes_nothing_count(app: App, host: Host, lost: int) -> None:
    await app.games.play_typed(lost, ANN.user, "b3")
    assert await lose_again(app, host) == [2, 3]
    await live_through(app.games.store, [Ending(LATER + 1, black=3, result=WHITE_LATE)])
    assert await counted_games(app.games.store, ANN.user) == [2, 3]


async def test_a_turn_of_the_opponent_makes_nothing_count(app: App, host: Host) -> None:
    other = await basic_game_after(app, 3)
    await live_through(app.games.store, [Ending(NOW, result=WHITE_LATE)])
    host.now = NOW + HOUR
    await app.games.play_typed(other, BOB.user, "f2")
    assert await lose_again(app, host) == [2]


async def test_a_turn_that_was_taken_back_is_one(app: App, host: Host, lost: int) -> None:
    await app.games.play_typed(lost, ANN.user, "b3")
    request = (await app.requests.make(TAKEBACK, lost, ANN.user)).request
    await app.requests.settle(request.id, BOB.user, RequestState.ACCEPTED)
    assert (await app.games.game(lost)).game.turn_number == 4
    assert await lose_again(app, host) == [2, 3]


async def test_taking_back_an_older_turn_is_none(app: App, host: Host) -> None:
    """Nor is it one that the opponent takes a turn back that they have played since."""
    older, theirs = await basic_game_after(app, 3), await basic_game_after(app, 3)
    await live_through(app.games.store, [Ending(NOW, result=WHITE_LATE)])
    host.now = NOW + HOUR
    await app.games.play_typed(theirs, BOB.user, "f2")
    for game, by in ((older, ANN), (theirs, BOB)):
        request = (await app.requests.make(TAKEBACK, game, by.user)).request
        await app.requests.settle(request.id, (BOB if by is ANN else ANN).user, RequestState.ACCEPTED)
    assert await lose_again(app, host) == [3]


async def test_a_conditional_turn_is_none(app: App, host: Host) -> None:
    other = await basic_game_after(app, 3)
    await live_through(app.games.store, [Ending(NOW, result=WHITE_LATE)])
    host.now = NOW + HOUR
    await app.conditionals.add_typed_line(other, ANN.user, "f2 b3")
    await app.games.play_typed(other, BOB.user, "f2")
    assert (await app.games.game(other)).game.turn_number == 5
    assert await lose_again(app, host) == [2]


@pytest.mark.usefixtures("lost")
@pytest.mark.parametrize(("seconds", "counting"), [(168 * HOUR - 1, [2]), (168 * HOUR, [2, 3])])
async def test_it_counts_after_168_hours(app: App, host: Host, seconds: int, counting: list[int]) -> None:
    assert await lose_again(app, host, NOW + seconds) == counting


async def test_a_loss_by_a_late_turn_of_ones_own_always_counts(app: App, flag_watch: FlagWatch, host: Host) -> None:
    """R6.4: two turns that do not win, in the grace, in the same second."""
    terms = Terms(days_per_turn(1), grace=12 * HOUR, rated=True)
    late = [(await begin_game(app, terms, BASIC, black=black)).game.id for black in (CARA, BOB)]
    for game, black in zip(late, (CARA, BOB), strict=True):
        for by, text in ((ANN, "c2"), (black, "g2"), (ANN, "d2"), (black, "f2")):
            await app.games.play_typed(game, by.user, text)
    await passes(flag_watch, host, DAY + HOUR)
    for game in late:
        await app.games.play_typed(game, ANN.user, "b3", sure=True)
    assert await counted_games(app.games.store, ANN.user) == late


async def test_a_loss_on_time_takes_one_of_the_five_games_of_a_pair(store: Store) -> None:
    """Although it counts for the winner only."""
    late = [Ending(NOW + at, result=WHITE_LATE) for at in range(6)]
    await live_through(store, [*late, Ending(NOW + 9)])
    assert await counted_games(store, ANN.user) == [1]
    assert await counted_games(store, BOB.user) == [1, 2, 3, 4, 5]


async def ratings_after(app: App, host: Host, endings: list[Ending], *, plays: bool) -> list[float]:
    """Let these games of Ann, who is at 1880, end. Return the ratings of all after it.

    With `plays`, she plays a turn elsewhere before each.
    """
    known = MonthRating(
        "basic", ANN.user, THIS_MONTH - 1, Rating(), Rating(1880.0, 180.0), 40, 30, 3, 1, NOW - 40 * DAY
    )
    async with app.games.store.transaction() as db:
        await ratings.save_months(db, [known])
    for how in endings:
        host.now = how.at
        if plays:
            other = (await begin_game(app)).game.id
            await app.games.play_typed(other, ANN.user, "a2-c2")
        host.now += 1
        await live_through(app.games.store, [how])
    async with app.games.store.reading() as db:
        newest = [(await ratings.newest_months(db, person.user)).get("basic") for person in PEOPLE]
    return [known.rating.value for known in newest if known]


SIX = [NOW + number * HOUR for number in range(6)]


async def test_games_that_run_out_are_no_shield(app: App, host: Host) -> None:
    """Six that run out, while one plays elsewhere, cost what six resigned ones cost. All winners get theirs."""
    late = [Ending(at, black=1 + place % 4, result=WHITE_LATE) for place, at in enumerate(SIX)]
    ann, *others = await ratings_after(app, host, late, plays=True)
    assert await counted_games(app.games.store, ANN.user) == await counted_games(app.games.store)
    assert ann == pytest.approx(1457, abs=1)
    assert min(others) > 1600


async def test_resigned_games_cost_as_much(app: App, host: Host) -> None:
    resigned = [Ending(at, black=1 + place % 4, result=BLACK_WINS) for place, at in enumerate(SIX)]
    ann, *others = await ratings_after(app, host, resigned, plays=True)
    assert ann == pytest.approx(1457, abs=1)
    assert min(others) > 1600


async def test_who_is_away_loses_one_game_and_all_winners_get_theirs(app: App, host: Host) -> None:
    late = [Ending(at, black=1 + place % 4, result=WHITE_LATE) for place, at in enumerate(SIX)]
    ann, *others = await ratings_after(app, host, late, plays=False)
    assert len(await counted_games(app.games.store, ANN.user)) == 1
    assert ann == pytest.approx(1785, abs=1)
    assert min(others) > 1600
