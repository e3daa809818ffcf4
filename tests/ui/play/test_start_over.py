"""**Start this turn over**: what a player has begun and nobody else has seen is taken back, and nothing else."""

import pytest

from gipfbot.rules import Colour
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.kit import texts
from gipfbot.ui.records import study_texts
from gipfbot.ui.requests import request_texts
from tests.notation.helpers import at
from tests.rules.boards_of_overboard import ASKS_TWICE
from tests.support.games import OPENING
from tests.ui.forged import answered_text, forger
from tests.ui.positions import APART, GIPF_CROSSING, GIPF_ROW, OFFER_AND_THREE
from tests.ui.studying import imported, playing
from tests.ui.table import Desk, desk_of, open_desk
from tests.ui.world import World, told

OVER = desk_texts.START_OVER_LABEL
# A stretch that is still an offer when one of its pieces is taken, so that each push has two buttons.
LONG_OFFER = at("tournament w W=Gd2,Gd3,Gd4,Gd5,Gd6 B=Ge8,h3")


async def test_a_push_that_makes_a_row_is_taken_back(world: World) -> None:
    game_id = await world.prepared(OFFER_AND_THREE)
    before, posted = await world.stored(game_id), [m.id for m in world.public()]
    desk = await open_desk(world, game_id)
    first = desk.labels
    await desk.press("g1")
    assert OVER not in desk.labels, "nothing is played yet: Back takes the piece off its dot"
    await desk.push("g2")
    assert OVER in desk.labels
    await desk.press(OVER)
    assert "Your turn starts over. Nobody saw what you had begun." in desk.text
    assert desk.labels == first
    after = await world.stored(game_id)
    assert (after.game.draft, after.game.position, after.game.turn_number) == ((), before.game.position, 0)
    assert [m.id for m in world.public()] == posted
    await desk.press("c1")
    await desk.push("c2")
    assert await world.confirmed(desk.text) == "c2"


async def test_removals_are_taken_back_one_after_the_other_or_typed(world: World) -> None:
    game_id = await world.prepared(APART)
    desk = await open_desk(world, game_id)
    first = desk.labels
    assert OVER not in first, "the row that left no choice comes off again"
    await desk.press("Take f2")
    assert OVER in desk.labels
    await desk.press(OVER)
    assert desk.labels == first
    typed = Desk(world.ann, await world.ann.slash(world.channel, "move", notation="xb2,b3,b4,b5;xGf2,f3,f4,f5"))
    assert "Choose the dot" in typed.text
    await typed.press(OVER)
    assert typed.labels == first
    assert (await world.game(game_id)).draft == ()


async def test_another_turn_typed_inside_a_turn_leads_to_it(world: World) -> None:
    game_id = await world.prepared(at("standard w W=d2,d3,Gd4,Gb5 B=Ge8"))
    await world.ann.slash(world.channel, "move", notation="d1-d5")
    assert (await world.game(game_id)).draft
    answer = Desk(world.ann, await world.ann.slash(world.channel, "move", notation="c2"))
    await answer.press(OVER)
    assert "Your turn starts over." in answer.text
    assert (await world.game(game_id)).draft == ()


async def test_it_is_offered_at_each_later_question_and_after_reopening(world: World) -> None:
    game_id = await world.prepared(GIPF_CROSSING)
    desk = await open_desk(world, game_id)
    await desk.press(next(label for label in desk.labels if label.startswith("A ")))
    await desk.press("Leave d4 on the board")
    assert (await world.game(game_id)).draft
    again = await open_desk(world, game_id)
    assert OVER in again.labels
    await again.press(OVER)
    assert (await world.game(game_id)).draft == ()


async def test_an_old_button_takes_back_nothing_and_is_told_so(world: World) -> None:
    """The turn was finished, or started over and begun anew, on another device."""
    game_id = await world.prepared(GIPF_ROW)
    first, second = await open_desk(world, game_id), await open_desk(world, game_id)
    await first.press("Done")
    second = await open_desk(world, game_id)
    third = await open_desk(world, game_id)
    await first.press(OVER)
    await first.press("Done")
    stands = await world.stored(game_id)
    await second.press(OVER)
    assert texts.GAME_MOVED_ON in second.text
    assert await world.stored(game_id) == stands
    await first.press("c1")
    await first.push("c2")
    stands = await world.stored(game_id)
    await third.press(OVER)
    assert "not your turn. **#a1** is waiting for Bob" in third.text
    assert third.labels == [texts.MORE_LABEL]
    assert await world.stored(game_id) == stands


@pytest.mark.parametrize("name", ["bob", "cara"])
async def test_nobody_else_starts_a_turn_over(world: World, name: str) -> None:
    game_id = await world.prepared(GIPF_ROW)
    desk = await open_desk(world, game_id)
    await desk.press("Done")
    before = await world.stored(game_id)
    sender = await forger(world, getattr(world, name), world.channel)
    said = answered_text(await sender.send(f"desk:{game_id}:{before.game.version}::over:-"))
    assert ("It's not your turn" if name == "bob" else texts.NOT_YOUR_GAME) in said
    assert await world.stored(game_id) == before


async def test_r8_4_each_takes_back_only_their_own_answers(world: World) -> None:
    """White takes back a push as long as Black was not asked; then Black takes back a first answer."""
    game_id = await world.prepared(ASKS_TWICE)
    desk = await open_desk(world, game_id)
    await desk.press("a4")
    await desk.push("b4")
    await desk.press(OVER)
    assert (await world.game(game_id)).draft == ()
    await desk.press("a4")
    await desk.push("b4")
    while (await world.game(game_id)).asked is Colour.WHITE:
        await desk.press(next(label for label in desk.answers if label.startswith(("Leave", "A ", "B "))))
    handed, posted = await world.game(game_id), [m.id for m in world.public()]
    owner = await open_desk(world, game_id)
    assert OVER not in owner.labels, "the push is public"
    await owner.press(next(label for label in owner.answers if label.startswith("Keep")))
    assert (await world.game(game_id)).asked is Colour.BLACK
    await owner.press(OVER)
    assert "What you had begun is taken back. What was public stands." in owner.text
    game = await world.game(game_id)
    assert (game.draft, game.asked) == (handed.draft, Colour.BLACK)
    assert [m.id for m in world.public()] == posted


@pytest.mark.parametrize("page", [False, True], ids=["from the board", "from the list"])
async def test_the_most_crowded_desk_has_room_for_it(world: World, page: bool) -> None:
    """All dots, two buttons for each of two pushes: the way back to the list gives way, and stands in **More…**."""
    desk = await desk_of(world, LONG_OFFER)
    if page:
        desk = Desk(world.ann, await world.ann.slash(world.channel, "gipf games"))
        await desk.press("Move #a1")
    await desk.press(desk_texts.TAKE_FIRST_LABEL)
    await desk.press("1 Take d2")
    await desk.press("Done")
    assert [label in desk.labels for label in (OVER, texts.ALL_GAMES_LABEL)] == [True, page]
    await desk.press("g1")
    assert len(desk.dots) == 24
    assert sorted(desk.answers) == ["Back", "→ f2", "→ f2, then take…", "→ g2", "→ g2, then take…"]
    assert OVER in desk.labels
    assert desk.message.size == 40
    assert texts.ALL_GAMES_LABEL not in desk.labels
    await desk.press(texts.MORE_LABEL)
    assert (texts.ALL_GAMES_LABEL in desk.labels) is page


async def test_a_study_keeps_its_own_way_back(world: World) -> None:
    desk = await imported(world, "1. e1-e3", rules="basic")
    await desk.press(study_texts.TRY_TURN_LABEL)
    assert OVER not in desk.labels


async def test_undo_inside_a_turn_leads_to_it(world: World) -> None:
    """The last complete turn can be taken back from there, too, if there is one."""
    game_id = await world.prepared(GIPF_ROW)
    desk = await open_desk(world, game_id)
    first = desk.labels
    await desk.press("Done")
    asked = Desk(world.ann, await world.ann.slash(world.channel, "move", notation="undo"))
    assert (asked.text, asked.labels) == (request_texts.TURN_IS_BEGUN, [OVER])
    await asked.press(OVER)
    assert asked.labels == first
    again = await world.ann.slash(world.channel, "move", notation="undo")
    assert told(again).startswith("You have not played a turn in this game yet")


async def test_undo_inside_a_later_turn_also_asks_for_the_last_one(world: World) -> None:
    await playing(world, *OPENING[:4])
    await world.ann.slash(world.channel, "move", notation="b6-b4")
    asked = Desk(world.ann, await world.ann.slash(world.channel, "move", notation="undo"))
    assert asked.labels == [OVER, request_texts.TAKE_BACK_LAST_LABEL]
    await asked.press(request_texts.TAKE_BACK_LAST_LABEL)
    assert "Ask Bob to let you take back your last turn and Bob's answer" in asked.text
