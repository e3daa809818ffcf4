"""Which puzzle a person gets next: today's, or a new one near their rating."""

import pytest

from gipfbot.match import Why
from gipfbot.notation import parse_position
from gipfbot.service.app import App
from gipfbot.service.puzzles.puzzle_file import shipped_puzzles
from gipfbot.service.puzzles.puzzle_stock import store_puzzle
from tests.service.helpers import assert_refused
from tests.support.people import ANN, CLUB, HALL
from tests.support.puzzles import TWO as TWO_LINE

from .helpers import attempt, stand, store_both

TWO, THREE, NEW = 1, 2, 3  # the numbers of the puzzles
OTHER = next(each for each in shipped_puzzles() if each.own_turns == 2)  # puzzle NEW


@pytest.fixture
async def stock(app: App) -> App:
    """The services with three puzzles, of which the first is given first."""
    await store_both(app)
    assert await store_puzzle(app.games.store, OTHER, app.now())
    return app


async def next_for(app: App, server: int | None = None, own_turns: int | None = None) -> int:
    return (await app.puzzles.open_next(ANN.user, server, own_turns)).stored.id


async def test_puzzle_of_an_own_game_is_passed_over(stock: App) -> None:
    """A new one, and the puzzle of the day, which its own button refuses."""
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
