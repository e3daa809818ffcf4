"""Conditional turns that answer an owner's question in Overboard (R8.4), as players see them."""

import pytest

from gipfbot.match.study import Study
from gipfbot.rules import OVERBOARD, Position
from gipfbot.store import studies
from gipfbot.ui.records import study_texts
from gipfbot.ui.requests import conditionals
from gipfbot.values import StoredStudy
from tests.rules.boards_of_overboard import ASKS, ASKS_BACK
from tests.ui.studying import fill
from tests.ui.table import Desk
from tests.ui.world import World, private, told

PLANNED = "1. if they play a4 → b4 and remove e4 e5, you remove e3 (also written `a4-b4;xe4*,e5* xGe3*`)"
pytestmark = [pytest.mark.simcord(settle_timeout=60), pytest.mark.looks_every(60)]


async def add(world: World, turns: str) -> str:
    """Let Bob add a line, and return the answer."""
    return told(await world.bob.slash(world.channel, "gipf if", turns=turns))


async def test_an_answer_is_played_at_once_and_nobody_is_asked(world: World) -> None:
    game_id = await world.prepared(ASKS)
    before = len(world.public())
    said = await add(world, "if a4-b4;xe4,e5 then xGe3")
    assert said.splitlines()[-1] == PLANNED
    answer = private(await world.ann.slash(world.channel, "move", notation="a4-b4;xe4,e5"))
    assert "a4-b4;xGe3*,e4*,e5*" in answer.content
    (board,) = world.public()[before:]
    assert world.pings(board) == {world.bob.id}
    assert board.content.startswith(f"<@{world.bob.id}> your turn · game #a1 vs Ann · Ann played a4 → b4")
    assert "conditional" not in board.content.splitlines()[0]
    assert (await world.game(game_id)).turn_number == 1


async def test_a_line_goes_on_within_the_turn_and_is_listed_from_there(world: World) -> None:
    await world.prepared(ASKS_BACK)
    await add(world, "if a4-b4;xe4,e5,e6,e7 then xGe3, if xd7,f6,g5,h4 then c1-c2")
    await world.ann.slash(world.channel, "move", notation="a4-b4;xe4,e5,e6,e7")
    board = world.public()[-1]
    first = board.content.splitlines()[0]
    assert first == f"<@{world.ann.id}> your turn goes on · #a1 vs Bob · Bob has decided (planned)"
    listed = told(await world.bob.slash(world.channel, "gipf if"))
    assert "1. if they remove d7, you play c1 → c2 (also written `xd7 c1-c2`)" in listed


async def test_a_line_that_goes_on_for_the_same_player_is_refused(world: World) -> None:
    await world.prepared(ASKS)
    said = await add(world, "if a4-b4;xe4,e5 then xGe3, if c1-c2 then d1-d2")
    assert said.startswith("After `xGe3` Bob is to play again, so nothing can follow it in this plan.")
    assert "Nothing was saved." in said


async def test_a_mistake_in_an_answer_is_called_your_answer(world: World) -> None:
    await world.prepared(ASKS)
    said = await add(world, "if a4-b4;xe4,e5 then xGh5")
    assert "your answer: " in said
    assert "Ann's turn: " in await add(world, "if a4-b4;xGe3 then -")


async def test_an_answer_offered_in_a_line_can_be_typed(world: World) -> None:
    await world.prepared(ASKS)
    said = await add(world, "if a4-b4;xe4,e5 then xGh5")
    assert "Did you mean `xGe3*` or `xGe6*`?" in said
    assert "you remove e3 (" in await add(world, "if a4-b4;xe4,e5 then xGe3*")
    assert "or `-` for none" in await add(world, "if a4-b4;xe4,e5 then keep")
    assert "you remove nothing (" in await add(world, "if a4-b4;xe4,e5 then -")


# ── From a study ──


async def study_at_asks(world: World, position: Position = ASKS) -> Desk:
    """Return Bob's study of a game at this position, which a game from the start cannot reach."""
    game_id = await world.prepared(position)
    study = Study(0, OVERBOARD, ("Ann", "Bob"), (), start_position=position)
    async with world.store.transaction() as db:
        await studies.add_study(db, StoredStudy(study, world.bob.id, "", game_id), 0, 2**40)
    return Desk(world.bob, await world.bob.slash(world.channel, "gipf board", game="study 1"))


async def test_an_answer_tried_in_a_study_is_saved(world: World) -> None:
    desk = await study_at_asks(world)
    await desk.press(study_texts.TRY_TURN_LABEL)
    await fill(desk, study_texts.TYPE_TURN_LABEL, "a4-b4;xe4,e5")
    assert "Line from the start: **1. a4-b4;xe4\\*,e5\\*** · Black is next" in desk.text
    assert conditionals.KEEP_CONDITIONALS_LABEL not in desk.labels
    await fill(desk, study_texts.TYPE_TURN_LABEL, "xGe3")
    answer = await world.bob.click(desk.message, label=conditionals.KEEP_CONDITIONALS_LABEL)
    assert told(answer).splitlines()[-1] == PLANNED
    await fill(desk, study_texts.TYPE_TURN_LABEL, "c1-c2")
    assert conditionals.KEEP_CONDITIONALS_LABEL not in desk.labels
    assert "After `xGe3*` Bob is to play again, so nothing can follow it in this plan." in desk.text


async def test_an_answer_inside_a_tried_turn_is_saved(world: World) -> None:
    """An answer that takes nothing is written as a dash."""
    desk = await study_at_asks(world, ASKS_BACK)
    await desk.press(study_texts.TRY_TURN_LABEL)
    for text in ("a4-b4;xe4,e5,e6,e7", "-"):
        await fill(desk, study_texts.TYPE_TURN_LABEL, text)
    assert "White is next" in desk.text
    answer = await world.bob.click(desk.message, label=conditionals.KEEP_CONDITIONALS_LABEL)
    assert told(answer).splitlines()[-1].endswith(", you remove nothing (also written `a4-b4;xe4*,e5*,e6*,e7* -`)")
