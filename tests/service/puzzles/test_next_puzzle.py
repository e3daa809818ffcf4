"""Which puzzle a person gets next: today's, then the one that they have left, then a new one near their rating."""

import pytest

from gipfbot.match import Why
from gipfbot.notation import parse_position
from gipfbot.service.app import App
from gipfbot.service.puzzles.making import shipped_puzzles, store_puzzle
from tests.service.helpers import Host, assert_refused
from tests.support.people import ANN, BOB, CLUB, HALL, OTHER_CLUB
from tests.support.puzzles import TWO as TWO_LINE
from tests.support.times import DAY

from .helpers import attempt, stand, store_both

TWO, THREE, NEW = 1, 2, 3  # the numbers of the puzzles
OTHER = next(each for each in shipped_puzzles() if each.own_turns == 2)  # puzzle NEW


@pytest.fixture
async def stock(app: App) -> App:
    """The services with three puzzles, of which the first is given first."""
    await store_both(app)
    assert await store_puzzle(app.games.store, OTHER, app.now())
    return app


async def next_for(app: App, server: int | None = None, own_turns: int | None = None, user: int = ANN.user) -> int:
    return (await app.puzzles.open_next(user, server, own_turns)).stored.id


async def test_left_puzzle_is_taken_up_before_a_new_one(stock: App) -> None:
    """With the turns that were entered, though the rating has moved away from it."""
    left = await stock.puzzles.open_next(ANN.user, None)
    await stock.puzzles.play(left, left.stored.puzzle.line[0])
    await attempt(stock, BOB.user, TWO, solved=True)
    await attempt(stock, ANN.user, THREE, solved=True)
    again = await stock.puzzles.open_next(ANN.user, None)
    assert (again.stored.id, len(again.entered.played)) == (TWO, 2)
    assert await next_for(stock, user=BOB.user) != TWO


async def test_last_opened_of_the_left_puzzles_comes_first(stock: App) -> None:
    for puzzle in (NEW, THREE):
        await stock.puzzles.open(puzzle, ANN.user, None)
    assert await next_for(stock) == THREE
    await stock.puzzles.give_up(THREE, ANN.user, None)
    assert await next_for(stock) == NEW


async def test_left_puzzle_of_another_length_waits(stock: App) -> None:
    await stock.puzzles.open(THREE, ANN.user, None)
    assert await next_for(stock, own_turns=2) != THREE
    assert await next_for(stock, own_turns=3) == THREE


async def test_puzzle_of_the_day_comes_before_a_left_one(stock: App) -> None:
    await stock.puzzles.open(THREE, ANN.user, None)
    await stock.servers.change(CLUB, {"puzzles": HALL})
    await stock.daily_puzzles.owe_due_puzzles()
    assert await next_for(stock, CLUB) == TWO
    assert await next_for(stock, CLUB, own_turns=3) == THREE


async def test_left_puzzle_that_does_not_count_any_more_is_not_taken_up(stock: App, host: Host) -> None:
    """Its solution was posted on the server where it was opened, or on the one where the person asks."""
    await stock.servers.change(CLUB, {"puzzles": HALL})
    await stock.daily_puzzles.owe_due_puzzles()
    await stock.puzzles.open(THREE, ANN.user, OTHER_CLUB)
    await stock.puzzles.open(TWO, ANN.user, CLUB)
    host.passes(DAY)
    await stock.daily_puzzles.owe_due_puzzles()
    assert await next_for(stock) == THREE
    host.passes(DAY)
    await stock.daily_puzzles.owe_due_puzzles()
    await attempt(stock, ANN.user, NEW, solved=True)
    await assert_refused(Why.NO_PUZZLE, stock.puzzles.open_next(ANN.user, CLUB))
    assert await next_for(stock, OTHER_CLUB) == THREE


async def test_puzzle_of_an_own_game_is_passed_over(stock: App) -> None:
    """A new one, one that was left, and the puzzle of the day; their own buttons refuse them."""
    assert await next_for(stock) == TWO
    game = await stand(stock, parse_position(TWO_LINE))
    assert await next_for(stock, own_turns=2) == NEW
    await stock.servers.change(CLUB, {"puzzles": HALL})
    await stock.daily_puzzles.owe_due_puzzles()
    assert await next_for(stock, CLUB) == NEW
    await assert_refused(Why.PUZZLE_OF_OWN_GAME, stock.puzzles.open(TWO, ANN.user, CLUB))
    await stock.games.resign(game, ANN.user)
    assert await next_for(stock, CLUB) == TWO


async def test_puzzles_are_refused_when_all_left_stand_in_own_games(stock: App) -> None:
    await attempt(stock, ANN.user, THREE, solved=False)
    first = await stand(stock, parse_position(TWO_LINE))
    await stand(stock, OTHER.position)
    facts = await assert_refused(Why.PUZZLE_OF_OWN_GAME, stock.puzzles.open_next(ANN.user, None))
    assert facts == {"game": first}
