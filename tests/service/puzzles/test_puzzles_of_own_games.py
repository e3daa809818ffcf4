"""A puzzle that is open tells nothing about a position that stands in an own running game meanwhile."""

import pytest

from gipfbot.match import Why, position_after
from gipfbot.match.puzzle import Outcome, Puzzle
from gipfbot.match.study import Actions
from gipfbot.notation import parse_turn
from gipfbot.service.app import App
from gipfbot.service.puzzles.puzzles import OpenPuzzle
from tests.service.helpers import assert_refused
from tests.support.people import ANN, CLUB

from .helpers import stand, store_both


async def look(app: App, puzzle: int = 1) -> OpenPuzzle:
    return await app.puzzles.look(puzzle, ANN.user, CLUB)


def wrong_turn(two: Puzzle) -> Actions:
    return parse_turn(two.position, "c1-c5")


@pytest.mark.parametrize("right", [True, False])
async def test_turn_is_not_judged_in_the_position_of_an_own_game(app: App, *, right: bool) -> None:
    """The first try goes on once the game has moved on."""
    two, _ = await store_both(app)
    opened = await app.puzzles.open(1, ANN.user, CLUB)
    game = await stand(app, two.position)
    turn = two.line[0] if right else wrong_turn(two)
    assert await assert_refused(Why.PUZZLE_OF_OWN_GAME, app.puzzles.play(opened, turn)) == {"game": game}
    assert (await look(app)).entered == opened.entered
    await app.games.resign(game, ANN.user)
    judged = (await app.puzzles.play(await look(app), turn)).judged
    assert judged
    assert judged.outcome is (Outcome.GOES_ON if right else Outcome.FAILED)


async def test_part_of_a_turn_is_not_entered_either(app: App) -> None:
    two, _ = await store_both(app)
    opened = await app.puzzles.open(1, ANN.user, CLUB)
    push = parse_turn(two.position, "a2-e6;xb3,c4,d5,e6,Gf6,g6*")[:1]  # the GIPF-piece may stay, too
    game = await stand(app, two.position)
    await assert_refused(Why.PUZZLE_OF_OWN_GAME, app.puzzles.play(opened, push))
    assert (await look(app)).entered == opened.entered
    await app.games.resign(game, ANN.user)
    assert (await app.puzzles.play(opened, push)).entered.draft == push


async def test_wrong_turn_is_not_refuted_in_the_position_of_an_own_game(app: App) -> None:
    """The position after it is in no solution, but the refutation would be advice there."""
    two, _ = await store_both(app)
    opened = await app.puzzles.open(1, ANN.user, CLUB)
    await stand(app, position_after(two.position, wrong_turn(two)))
    await assert_refused(Why.PUZZLE_OF_OWN_GAME, app.puzzles.play(opened, wrong_turn(two)))
    assert (await look(app)).entered.solved is None


async def test_answer_is_not_shown_again_in_the_position_of_an_own_game(app: App) -> None:
    two, _ = await store_both(app)
    opened = await app.puzzles.open(1, ANN.user, CLUB)
    after = await app.puzzles.play(opened, two.line[0])
    game = await stand(app, position_after(two.position, two.line[0]))
    assert await assert_refused(Why.PUZZLE_OF_OWN_GAME, look(app)) == {"game": game}
    await assert_refused(Why.PUZZLE_OF_OWN_GAME, app.puzzles.play(after, two.line[2]))
    await app.games.resign(game, ANN.user)
    assert (await look(app)).entered == after.entered
