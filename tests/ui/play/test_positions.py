"""Every kind of question in built positions, answered by buttons, by typing, and by both."""

from random import Random

import pytest

from gipfbot.match import Status, position_after
from gipfbot.notation import parse_turn
from gipfbot.rules import BASIC, STANDARD, TOURNAMENT, Action, Kind, Position, Remove, Ruleset, legal, play
from gipfbot.rules.pending import question
from gipfbot.ui.desk import desk_texts
from tests.rules.generate import dense, row_seeking
from tests.rules.helpers import board
from tests.ui.positions import (
    APART,
    CASES,
    CROSSING,
    FORCED,
    GIPF_CROSSING,
    GIPF_ROW,
    LAST_GIPF,
    OFFER,
    OFFER_AND_THREE,
    ONLY_AN_OFFER,
)
from tests.ui.table import Desk, assert_buttons_play, desk_of, open_desk, play_at
from tests.ui.world import World, game_name, told


@pytest.mark.parametrize("name", CASES)
async def test_by_buttons_a_turn_leads_where_the_rules_say(world: World, name: str) -> None:
    await assert_buttons_play(world, *CASES[name])


async def test_typed_the_same_turns_lead_there_too(world: World) -> None:
    for position, turn in CASES.values():
        game_id = await world.prepared(position)
        answer = await world.ann.slash(world.channel, "move", notation=turn, game=game_name(game_id))
        assert await world.confirmed(told(answer))
        game = await world.game(game_id)
        assert (game.position, game.turn_number) == (position_after(position, parse_turn(position, turn)), 1)


@pytest.mark.parametrize("rules", [BASIC, STANDARD, TOURNAMENT], ids=lambda rules: str(rules.name))
async def test_buttons_can_play_any_turn_of_a_crowded_position(world: World, rules: Ruleset) -> None:
    for seed in range(5):
        rng = Random(seed)
        position = dense(rules, rng)
        actions = turn_as_asked(position, rng)
        game_id = await world.prepared(position)
        await play_at(await open_desk(world, game_id), position, actions)
        assert (await world.game(game_id)).position == position_after(position, actions), f"seed {seed}"


def turn_as_asked(position: Position, rng: Random) -> list[Action]:
    """Return a turn whose removals come in the order in which the desk asks for them."""
    mover, turn = position.mover, list[Action]()
    while position.mover is mover and position.result is None:
        asked = question(position)
        assert asked
        due = [group for group in asked.groups if any(row.due for row in group)]
        lines = {row.line.number for row in (due[0] if due else asked.rows)}
        choices = tuple(a for a in legal(position) if not isinstance(a, Remove) or a.line in lines)
        turn.append(asked.forced or row_seeking(position, choices, rng))
        position = play(position, turn[-1])
    return turn


async def test_rows_that_cross_are_asked_for_by_letter(world: World) -> None:
    """R4.5: each button names the row, what returns and what is captured."""
    desk = await desk_of(world, CROSSING)
    assert "Which row comes off first?" in desk.text
    assert sorted(label[2:] for label in desk.answers) == ["b2–e5: 4 back", "d2–d5: 4 back"]
    assert [label[0] for label in desk.answers] == ["A", "B"]
    await desk.press(next(label for label in desk.labels if "b2–e5" in label))
    assert desk.answers == []
    assert desk.dots[:2] == ["a1", "a2"]
    game = await world.game()
    assert [action.spots for action in game.draft if isinstance(action, Remove)] == [("b2", "c3", "d4", "e5")]


async def test_a_removal_without_a_choice_is_done_and_told(world: World) -> None:
    """Nobody is asked, and no button undoes it. The desk asks for the push at once."""
    desk = await desk_of(world, FORCED)
    assert "Your row came off: d2 d3 d4 d5 back to you, d6 captured." in desk.text
    assert len(desk.dots) > 20
    assert (await world.game()).draft == ()
    answer = told(await world.ann.slash(world.channel, "move", notation="c2"))
    assert await world.confirmed(answer) == "xd2,d3,d4,d5,d6*;c2"
    assert "· 4 back to White, 1 captured from Black" in world.public()[-1].content


async def test_gipf_pieces_are_toggled_until_done_is_pressed(world: World) -> None:
    desk = await desk_of(world, GIPF_ROW)
    assert desk.answers == ["1 Take d2", "2 Take d6", "Done"]
    assert (
        "Your row **d2–d5** comes off: "
        "**3 back to you**. Take GIPF-pieces off, too? Press them, then **Done**." in desk.text
    )
    await desk.press("2 Take d6")
    await desk.press("1 Take d2")
    assert desk.answers == ["1 ✓ Take d2", "2 ✓ Take d6", "Done"]
    assert "comes off: **5 back to you**, 2 captured." in desk.text
    assert "Captured GIPF-piece d6" in desk.alt
    await desk.press("2 ✓ Take d6")
    assert desk.answers == ["1 ✓ Take d2", "2 Take d6", "Done"]
    assert "Captured" not in desk.alt
    assert (await world.game()).draft == ()
    await desk.press("Done")
    (removal,) = (await world.game()).draft
    assert isinstance(removal, Remove)
    assert removal.spots == ("d2", "d3", "d4", "d5")


async def test_back_from_the_pieces_leads_to_the_rows_again(world: World) -> None:
    desk = await desk_of(world, GIPF_CROSSING)
    rows = desk.labels
    await desk.press(rows[0])
    assert desk.answers == ["Leave d4 on the board", "Take d4", "Back"]
    await desk.press("Back")
    assert desk.labels == rows
    assert (await world.game()).draft == ()


async def test_an_offer_may_be_looked_at_and_left(world: World) -> None:
    """R4.7: Back leads to the push, which alone ends the turn and keeps the offer."""
    desk = await desk_of(world, OFFER)
    assert desk.answers == [desk_texts.TAKE_FIRST_LABEL]
    await desk.press(desk_texts.TAKE_FIRST_LABEL)
    assert desk.answers == [*(f"{n} Take d{n + 1}" for n in range(1, 5)), "Back"]
    await desk.press("1 Take d2")
    assert "Done" in desk.labels
    await desk.press("Back")
    await desk.press("c1")
    assert desk.answers[:2] == ["→ c2", desk_texts.push_then_take_label("c2")]
    assert desk.answers[2].startswith("→ d2")
    assert desk.answers[-1] == "Back"
    await desk.push("c2")
    assert await world.confirmed(desk.text) == "c2"
    assert (await world.game()).position == position_after(OFFER, parse_turn(OFFER, "c2"))


async def test_push_then_take_asks_and_may_still_keep_all(world: World) -> None:
    desk = await desk_of(world, OFFER)
    posted = len(world.public())
    await desk.press("c1")
    await desk.press(desk_texts.push_then_take_label("c2"))
    assert desk.answers == [*(f"{n} Take d{n + 1}" for n in range(1, 5)), desk_texts.KEEP_ALL_LABEL]
    assert len(world.public()) == posted
    assert len((await world.game()).draft) == 1
    await desk.press(desk_texts.KEEP_ALL_LABEL)
    assert await world.confirmed(desk.text) == "c2"
    assert (await world.game()).position == position_after(OFFER, parse_turn(OFFER, "c2"))
    assert len(world.public()) == posted + 1


async def test_without_a_reserve_an_offer_has_to_be_taken(world: World) -> None:
    """R6.1: the player can only remove. No button leads to a push."""
    desk = await desk_of(world, ONLY_AN_OFFER)
    while desk_texts.TAKE_FIRST_LABEL in desk.labels:
        await desk.press(desk_texts.TAKE_FIRST_LABEL)
    assert "Back" not in desk.labels
    await desk.press("1 Take d2")
    await desk.press("Done")
    assert "c1" in desk.labels


async def test_a_removal_alone_can_end_the_game(world: World) -> None:
    """R6.2 is checked before the push. The board says who won and by which rule."""
    desk = await desk_of(world, LAST_GIPF)
    await desk.press("Take d6")
    assert await world.confirmed(desk.text) == "xd2,d3,d4,d5,Gd6*"
    assert (await world.game()).status is Status.OVER
    last = world.public()[-1]
    assert "Ann (White) wins #a1 in 1 turn · Bob has no GIPF-piece left on the board" in last.content
    assert world.pings(last) == {world.ann.id, world.bob.id}


async def test_the_first_piece_of_a_tournament_is_a_gipf_piece(world: World) -> None:
    """R5.1: a basic piece is never offered, and refused if it is typed."""
    await world.begin("tournament")
    before = await world.game()
    desk = await open_desk(world)
    assert desk.answers == []
    assert "Choose the dot for the new GIPF-piece." in desk.text
    assert "must bring one in" in told(await world.ann.slash(world.channel, "move", notation="e2"))
    assert await world.game() == before
    await desk.press("e1")
    await desk.push("e2")
    assert await world.confirmed(desk.text) == "Ge2"


async def test_one_button_changes_between_the_kinds_of_pieces(world: World) -> None:
    """R5.2: both are legal in the opening, once a GIPF-piece is on the board. The kind stays while dots are tried."""
    desk = await desk_of(world, board("tournament w", "W=Gd3", "B=Ge8", opening="wb"))
    to_basic, to_gipf = desk_texts.kind_label(Kind.BASIC), desk_texts.kind_label(Kind.GIPF)
    assert desk.answers == [to_basic]
    await desk.press(to_basic)
    assert "no more GIPF-pieces can come in" in desk.text
    await desk.press("c1")
    await desk.press("Back")
    assert desk.answers == [to_gipf]
    await desk.press(to_gipf)
    await desk.press("c1")
    await desk.push("c2")
    assert await world.confirmed(desk.text) == "Gc2"


async def test_one_piece_left_allows_only_a_basic_piece(world: World) -> None:
    """R5.3: a GIPF-piece costs two."""
    desk = await desk_of(world, board("tournament w", "W=Gd3,Gg4", "B=Ge8", captured="13-0", opening="wb"))
    assert desk.answers == []
    await desk.press("c1")
    await desk.push("c2")
    assert await world.confirmed(desk.text) == "c2"


async def test_a_dot_is_taken_back_by_choosing_another(world: World) -> None:
    """R3.5: nothing is played until a push is pressed. All pushes from a dot are shown at once, as are the dots."""
    await world.begin("basic")
    before = await world.game()
    desk = await open_desk(world)
    dots = desk.dots
    assert len(dots) == 24
    await desk.press("c1")
    assert "c1 chosen. Possible pushes: c2, d2." in desk.alt
    assert desk.answers == ["→ c2", "→ d2", "Back"]
    assert desk.dots == dots
    await desk.press("a1")
    assert desk.answers == ["→ b2", "Back"]
    await desk.press("Back")
    assert (desk.answers, desk.dots) == ([], dots)
    assert await world.game() == before


@pytest.mark.parametrize("typed", ["c2", "xGd2;c2"])
async def test_the_rest_of_a_turn_can_be_typed(world: World, typed: str) -> None:
    """After a half by buttons, the text may be the whole turn or the rest of it."""
    game_id = await world.prepared(OFFER_AND_THREE)
    desk = await open_desk(world, game_id)
    await desk.press(desk_texts.TAKE_FIRST_LABEL)
    await desk.press("1 Take d2")
    await desk.press("Done")
    assert len((await world.game(game_id)).draft) == 1
    answer = told(await world.ann.slash(world.channel, "move", notation=typed))
    assert await world.confirmed(answer) == "xGd2;c2"
    assert (await world.game(game_id)).position == position_after(
        OFFER_AND_THREE, parse_turn(OFFER_AND_THREE, "xGd2;c2")
    )


async def test_desk_asks_what_a_typed_turn_leaves_open(world: World) -> None:
    """Nothing is public meanwhile. The next typed part completes the turn."""
    three = board("standard w", "W=d2,d3,Gd4,Gb5", "B=Ge8,h3")
    game_id = await world.prepared(three)
    posted = len(world.public())
    asked = Desk(world.ann, await world.ann.slash(world.channel, "move", notation="d1-d5"))
    assert desk_texts.PUSHED_TEXT in asked.text
    assert asked.answers == ["Leave d5 on the board", "Take d5"]
    assert len(world.public()) == posted
    assert len((await world.game(game_id)).draft) == 1
    again = told(await world.ann.slash(world.channel, "move", notation="g2"))
    assert "You have pushed d1-d5. Does d5 stay on the board, or come off, too?" in again
    answer = told(await world.ann.slash(world.channel, "move", notation="xGd5,d2,d3,d4"))
    assert (await world.confirmed(answer)).startswith("d1-d5;x")


async def test_two_rows_apart_are_dealt_with_one_by_one(world: World) -> None:
    desk = await desk_of(world, APART)
    assert "b2 b3 b4 b5 back to you" in desk.text
    assert desk.answers == ["Leave f2 on the board", "Take f2"]
    await desk.press("Leave f2 on the board")
    assert "c1" in desk.labels
