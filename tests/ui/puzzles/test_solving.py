"""`/gipf-learn puzzle`: a person solves puzzles on the desk."""

from typing import Any

import pytest
from sqlalchemy import select, update

from gipfbot.match import position_after
from gipfbot.match.fair_play import GUARDED_FROM
from gipfbot.match.puzzle import Puzzle
from gipfbot.notation import parse_turn
from gipfbot.rules import Push
from gipfbot.rules.push_effects import push_effect
from gipfbot.service.puzzles import making
from gipfbot.service.puzzles.making import shipped_puzzles, store_puzzle
from gipfbot.store import tables
from gipfbot.store.study_tables import puzzle_tries, puzzles
from gipfbot.ui.puzzles import solving
from render import Picture
from tests.support.puzzles import THREE, TWO, proven
from tests.ui.puzzles.entering import enter, opened, solve
from tests.ui.world import World, told

pytestmark = pytest.mark.looks_every(60)


@pytest.fixture
async def two(world: World, monkeypatch: pytest.MonkeyPatch) -> Puzzle:
    """A puzzle to win in two, the only one there is."""
    monkeypatch.setattr(making, "shipped_puzzles", tuple)
    puzzle = proven(TWO, 2)
    await store_puzzle(world.store, puzzle, world.bot.app.now())
    return puzzle


async def tries(world: World) -> list[Any]:
    async with world.store.reading() as db:
        return [*await db.execute(select(puzzle_tries).order_by(puzzle_tries.c.id))]


async def test_puzzle_is_solved_by_buttons(world: World, two: Puzzle) -> None:
    """The whole way: the puzzle, the answer, the win, the rating, and the profile."""
    desk = await opened(world)
    assert desk.text.startswith("**Puzzle 1 · White wins in two**\nYou play White.")
    await enter(desk, two, (), two.line[0])
    assert "is right" in desk.text
    assert "Win with your next turn." in desk.text
    await enter(desk, two, two.line[:2], two.line[2])
    assert "**Solved!**\nYour puzzle rating: 1500 → **1662**" in desk.text
    assert "White wins" in desk.alt
    assert world.public() == []
    assert "**Puzzles:** **1662** ±290 · 1 puzzle, 1 solved" in told(
        await world.cara.slash(world.channel, "gipf profile")
    )


async def test_no_button_names_the_win_before_it_is_pressed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says where the push goes, as those that do not win."""
    shipped = shipped_puzzles()[0]
    monkeypatch.setattr(making, "shipped_puzzles", tuple)
    await store_puzzle(world.store, shipped, world.bot.app.now())
    desk = await opened(world)
    await enter(desk, shipped, (), shipped.line[0])
    position = position_after(position_after(shipped.position, shipped.line[0]), shipped.line[1])
    (push,) = (action for action in shipped.line[2] if isinstance(action, Push))
    assert push_effect(position, push).wins
    await desk.press(push.dot)
    assert f"→ {push.spot}" in desk.labels
    assert "win" not in " ".join(desk.labels)


async def test_wrong_turn_is_refuted_and_counts_once(
    world: World, two: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    captions, draw = [], world.bot.painter.png

    async def noted(picture: Picture, *args: Any, **options: Any) -> bytes:
        captions.append(picture.caption)
        return await draw(picture, *args, **options)

    monkeypatch.setattr(world.bot.painter, "png", noted)
    desk = await opened(world)
    await enter(desk, two, (), parse_turn(two.position, "c1-c5"))
    assert "**c1-c5;xc2,c3,c4,c5** fails: after **" in desk.text
    assert "Your puzzle rating: 1500 → **1338**" in desk.text
    assert captions[-1] == solving.FAILED_CAPTION
    await desk.press(solving.AGAIN_LABEL)
    assert "This try doesn't count any more." in desk.text
    await solve(desk, two)
    assert solving.NOT_COUNTED in desk.text
    assert [row.solved for row in await tries(world)] == [False]


async def test_wrong_last_turn_is_told_and_tried_again(world: World, two: Puzzle) -> None:
    desk = await opened(world)
    await enter(desk, two, (), two.line[0])
    here = position_after(position_after(two.position, two.line[0]), two.line[1])
    await enter(desk, two, two.line[:2], parse_turn(here, "c1-c5"))
    assert "**c1-c5;xc2,c3,c4,c5** doesn't win." in desk.text
    await desk.press(solving.AGAIN_LABEL)
    assert "Win with your next turn." in desk.text
    await enter(desk, two, two.line[:2], two.line[2])
    assert solving.SOLVED in desk.text


async def test_puzzle_goes_on_after_a_restart(world: World, two: Puzzle) -> None:
    desk = await opened(world)
    await enter(desk, two, (), two.line[0])
    await world.restart()
    assert "Win with your next turn." in (await opened(world)).text
    await enter(desk, two, two.line[:2], two.line[2])
    assert solving.SOLVED in desk.text


async def test_outdated_button_enters_nothing(world: World, two: Puzzle) -> None:
    old, desk = await opened(world), await opened(world)
    await enter(desk, two, (), two.line[0])
    await old.press(old.dots[0])
    assert old.text.startswith(solving.STALE_PUZZLE)
    assert (await tries(world))[0].solved is None


async def test_giving_up_shows_the_solution_step_by_step(world: World, two: Puzzle) -> None:
    desk = await opened(world)
    await desk.press(solving.GIVE_UP_LABEL)
    assert "Solution: **b1-b4**" in desk.text
    assert "The opponent's answers are the best defence." in desk.text
    assert "1500 → **1338**" in desk.text
    for _ in two.line[1:]:
        await desk.press(solving.NEXT_STEP_LABEL)
    assert "White wins" in desk.alt


async def test_win_in_three_is_offered_by_its_level(world: World, two: Puzzle) -> None:
    three = proven(THREE, 3)
    await store_puzzle(world.store, three, world.bot.app.now())
    desk = await opened(world, level=3)
    assert "White wins in three" in desk.text
    await enter(desk, three, (), three.line[0])
    assert "Win within two turns." in desk.text
    assert "White wins in two" in (await opened(world, level=2)).text


async def test_puzzle_near_ones_rating_comes_first(world: World, two: Puzzle) -> None:
    """After a loss, the puzzle that was not solved has a high rating, so another one comes first."""
    three = proven(THREE, 3)
    await store_puzzle(world.store, three, world.bot.app.now())
    desk = await opened(world, world.ann)
    await desk.press(solving.GIVE_UP_LABEL)
    assert "Puzzle 2" in (await opened(world)).text


async def test_nobody_gets_a_puzzle_twice(world: World, two: Puzzle) -> None:
    await (await opened(world)).press(solving.GIVE_UP_LABEL)
    assert "no such puzzle left for you" in (await opened(world)).text
    assert "White wins in two" in (await opened(world, world.ann)).text


async def test_new_bot_has_puzzles_at_once(world: World) -> None:
    assert "Puzzle" in (await opened(world)).text
    async with world.store.reading() as db:
        assert len([*await db.execute(select(puzzles))]) == len(shipped_puzzles())


async def test_old_button_of_a_solved_puzzle_says_that_it_is_solved(world: World, two: Puzzle) -> None:
    old, desk = await opened(world), await opened(world)
    await solve(desk, two)
    await old.press(old.dots[0])
    assert old.text.endswith(solving.SOLVED)  # nothing of the rating, which has changed
    assert [row.solved for row in await tries(world)] == [True]


async def test_button_tells_nothing_about_a_position_of_an_own_game(world: World, two: Puzzle) -> None:
    """The puzzle was opened before the game came to its position."""
    desk = await opened(world, world.ann)
    game = await world.prepared(two.position)
    async with world.store.transaction() as db:
        await db.execute(update(tables.games).where(tables.games.c.id == game).values(turn_number=GUARDED_FROM))
    await desk.press(desk.dots[0])
    await desk.press(next(label for label in desk.labels if label.startswith("→")))
    assert told(desk.last).startswith("A position of this puzzle is on the board in your own game")
    (row,) = await tries(world)
    assert (row.version, row.solved) == (0, None)
    assert "is on the board in your own game" in (await opened(world, world.ann)).text
