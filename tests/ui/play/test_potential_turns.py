"""Turns with potentials by buttons and by typing: what is asked, what each button says, and bad input."""

import re

import pytest

from gipfbot.match import position_after
from gipfbot.notation import parse_turn, position_text
from gipfbot.rules import Position
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.records import study_texts
from tests.rules.loaded import FREES_OWN, FREES_OWN_GIPF, POOR, at
from tests.ui.studying import fill, imported
from tests.ui.table import assert_buttons_play, desk_of, open_desk, refused
from tests.ui.world import World, game_name, labels, told

BOTH = at("standard+Z3P3 w W=Gb5,Ge2,Zc3,Pe3,d3 B=Ge4,Gb2,c4,c5,Pf3,h5 left=Z1P1-Z1P1")
OPENING = at("tournament+Z3P4 w W=Gb5 B=Ge8 opening=wb left=Z3P4-Z3P4")
NOTHING_TO_PUSH = at("standard+P3 w W=Gd2,Pd3,Pc3 B=Gd4,Ge8,Pc4 captured=14-0")
LOADED_ROW = at("standard+Z3 w W=Gb5,e2,e3,Ze4,e5 B=Gh5")
MUST_LOSE = at("tournament+Z3 w W=Ge2,Ge3,Ze4,Ge5 B=Gh5,e6")
USED_IN_ROW = at("standard+Z3 w W=Gb5,e2,ze3,Ge4,e5 B=Gh5,ze6")
OPEN_AGAIN = at("tournament+P6 w W=Ge2,Ge3,Ge4,Ge5,e7 B=Gh2,pe6[P]")
AND_OTHER_ROW = at("standard+P6 w W=Gd3,b5,e2,e3,e4,e5,b2,b3,b4 B=Gh2,pe6[P]")

CASES = {
    "a loaded piece comes in": (BOTH, "Zc2"),
    "a plain piece ends the potentials": (BOTH, "c2"),
    "a jump": (BOTH, "Zc3>c6"),
    "onto a potential": (BOTH, "Pe3>f3"),
    "one piece onto a GIPF-piece": (BOTH, "Pe3>e4+1"),
    "a new GIPF-piece": (BOTH, "Pe3>e4+2"),
    "the last GIPF-piece is covered": (at("standard+P3 w W=Gb5,Pd3 B=Gd4,h2"), "Pd3>d4+2"),
    "a loaded piece comes in last": (OPENING, "Pd2"),
    "the only potential": (POOR, "Pd3>d4+1"),
    "nothing left to push": (NOTHING_TO_PUSH, "Pc3>c4"),
    "a loaded piece stays in its row": (LOADED_ROW, "xe2,e3,e5;c2"),
    "a loaded piece goes with its row": (LOADED_ROW, "xe2,e3,Ze4,e5;c2"),
    "a row loses its loaded piece": (MUST_LOSE, "xZe4,e6*;c2"),
    "a row loses two": (MUST_LOSE, "xGe2,Ze4,e6*;c2"),
    "used potentials go": (USED_IN_ROW, "xe2,ze3,e5,ze6*;c2"),
    "a freed potential stays": (at(FREES_OWN), "xe2,e3,e4,e5,pe6*;xf5,g4,h3;c2"),
    "a freed potential goes": (at(FREES_OWN), "xe2,e3,e4,e5,pe6*;xPe6,f5,g4,h3;c2"),
    "a freed GIPF-piece goes": (at(FREES_OWN_GIPF), "xe2,e3,e4,e5,e6*;xGe6,f5,g4,h3;c2"),
    "a line is open again": (OPEN_AGAIN, "xpe6*,e7;xGe2,Pe6;d2"),
    "a use makes a row": (at("standard+P3 w W=Gb5,e2,e3,e4,Pd5 B=Gh2,Ge5"), "Pd5>e5+1;xe2,e3,e4,e5"),
    "a new GIPF-piece in its row": (at("standard+P3 w W=Gb5,e2,e3,e4,Pd5 B=Gh2,Ge5"), "Pd5>e5+2;xe2,e3,e4"),
    "a use out of a row that may stay": (at("tournament+Z3 w W=Ge2,Ge3,Ge4,Ge5,Zd3,d4 B=Gh5"), "Zd3>d5"),
    "a use, then an offer": (at("tournament+Z3 w W=Ge2,Ge3,Ge4,Ge5,Zd3,d4 B=Gh5"), "Zd3>d5;xGe2"),
}


@pytest.mark.parametrize("name", CASES)
async def test_by_buttons_a_turn_leads_where_the_rules_say(world: World, name: str) -> None:
    await assert_buttons_play(world, *CASES[name])


async def test_typed_the_same_turns_lead_there_too(world: World) -> None:
    for position, turn in CASES.values():
        game_id = await world.prepared(position)
        answer = await world.ann.slash(world.channel, "move", notation=turn, game=game_name(game_id))
        assert await world.confirmed(told(answer)), turn
        assert (await world.game(game_id)).position == position_after(position, parse_turn(position, turn))


# ── What is asked ──


async def test_the_kind_is_chosen_like_the_gipf_piece_of_the_opening(world: World) -> None:
    """The GIPF-piece comes first, then the loaded pieces. The desk says what a kind ends."""
    desk = await desk_of(world, OPENING)
    others = [
        "Push a ZÈRTZ-piece instead",
        "Push a PÜNCT-piece instead",
        "Push a basic piece instead",
    ]
    assert desk.answers == others
    assert "Choose the dot for the new GIPF-piece." in desk.text
    await desk.press("Push a PÜNCT-piece instead")
    assert "PÜNCT-piece. After a PÜNCT-piece, no more GIPF-pieces can come in." in desk.text
    await desk.press("Push a basic piece instead")
    assert "After a basic piece, no more GIPF-pieces, ZÈRTZ-pieces or PÜNCT-pieces can come in." in desk.text
    await desk.press("Push a ZÈRTZ-piece instead")
    await desk.press("d1")
    assert "Your ZÈRTZ-piece is on **d1**." in desk.text
    assert desk.answers == ["→ d2", "→ e2", "Back"]


async def test_a_push_takes_three_presses_and_a_use_four(world: World) -> None:
    """From the public board. With one loaded piece, a use takes three."""
    desk = await desk_of(world, BOTH)
    await desk.press("f8")
    await desk.push("f7")
    assert await world.confirmed(desk.text) == "Zf7"
    desk = await desk_of(world, BOTH)
    await desk.press(desk_texts.USE_LABEL)
    assert desk.answers == ["c3 ZÈRTZ", "e3 PÜNCT", "Back"]
    await desk.press("e3 PÜNCT")
    assert desk.answers == ["→ e4 +1", "→ e4 +2", "→ f3", "Back", "c3 ZÈRTZ", "e3 PÜNCT"]
    assert "Possible uses:" in desk.alt
    await desk.press("c3 ZÈRTZ")
    assert desk.answers[0] == "→ c6"
    await desk.press("→ c6")
    assert await world.confirmed(desk.text) == "Zc3>c6"
    desk = await desk_of(world, POOR)
    await desk.press(desk_texts.USE_LABEL)
    assert desk.answers == ["→ d4 +1", "Back"]


async def test_back_leads_from_the_use_to_the_push(world: World) -> None:
    desk = await desk_of(world, BOTH)
    await desk.press(desk_texts.USE_LABEL)
    await desk.press("e3 PÜNCT")
    await desk.press("Back")
    assert desk.answers == ["c3 ZÈRTZ", "e3 PÜNCT", "Back"]
    await desk.press("Back")
    assert len(desk.dots) == 24
    assert (await world.game()).draft == ()


async def test_without_a_push_the_desk_asks_for_a_use_at_once(world: World) -> None:
    desk = await desk_of(world, NOTHING_TO_PUSH)
    assert desk.answers == ["→ c4"]
    assert desk.text.endswith("Where does your PÜNCT on **c3** jump? The piece below it stays there.")


async def test_a_use_says_the_least_and_the_most_that_it_does(world: World) -> None:
    desk = await desk_of(world, CASES["a use makes a row"][0])
    await desk.press(desk_texts.USE_LABEL)
    assert desk.answers[:2] == ["→ e5 +1 · row: 4 back", "→ e5 +2 · row: 3 or 5 back"]
    desk = await desk_of(world, CASES["the last GIPF-piece is covered"][0])
    await desk.press(desk_texts.USE_LABEL)
    assert desk.answers[0] == "→ d4 +1 · you win"


async def test_a_loaded_piece_of_a_row_is_kept_or_taken(world: World) -> None:
    desk = await desk_of(world, LOADED_ROW)
    assert "Take your ZÈRTZ-piece **e4** off, too?" in desk.text
    assert "If it comes off, its potential is out of the game." in desk.text
    assert desk.answers == ["Leave e4 on the board", "Take e4"]


async def test_a_row_without_a_plain_piece_must_lose_one(world: World) -> None:
    """Until one of its own pieces is selected, nothing can be done. The extension goes anyway."""
    desk = await desk_of(world, MUST_LOSE)
    assert "at least one of e2 e3 e4 e5 must come off" in desk.text
    assert desk_texts.DONE_LABEL not in desk.labels
    await desk.press("1 Take e2")
    assert "**2 back to you**, 1 captured" in desk.text
    assert desk_texts.DONE_LABEL in desk.labels
    await desk.press("1 ✓ Take e2")
    assert desk_texts.DONE_LABEL not in desk.labels


async def test_the_button_of_such_a_row_says_so(world: World) -> None:
    desk = await desk_of(world, at("tournament+Z3 w W=Ge2,Ge3,Ze4,Ge5,Ge6,d2,c2,b2 B=Gh5"))
    assert sorted(label[2:] for label in desk.answers) == ["b2–e2: 3 back", "e2–e6: at least one piece"]


async def test_used_potentials_are_out_of_the_game_not_back(world: World) -> None:
    desk = await desk_of(world, USED_IN_ROW)
    assert "Leave e4 on the board: **2 back to you**, 2 used potentials out of the game." in desk.text


async def test_a_forced_row_that_frees_a_piece_is_told_and_the_new_row_asked(world: World) -> None:
    desk = await desk_of(world, at(FREES_OWN))
    assert "Your row came off: e2 e3 e4 e5 back to you, used PÜNCT e6 out of the game." in desk.text
    assert "Take your PÜNCT-piece **e6** off" in desk.text


async def test_where_a_row_can_free_a_piece_the_order_is_asked(world: World) -> None:
    """Also of rows that share nothing."""
    desk = await desk_of(world, AND_OTHER_ROW)
    assert "A row can free a piece below it, which may make another row. Which row comes off first?" in desk.text
    assert [label[:8] for label in desk.labels if re.match("[AB] ", label)] == ["A b2–b5:", "B e2–e5:"]


# ── Half-played turns ──


@pytest.mark.parametrize("text", ["xpe6*,e7;xGe2,Pe6;d2", "xGe2,Pe6;d2"])
async def test_a_half_played_turn_is_continued_by_typing(world: World, text: str) -> None:
    """By its whole text, in which e6 stands twice, and by its rest."""
    game_id = await world.prepared(OPEN_AGAIN)
    desk = await open_desk(world, game_id)
    await desk.press(desk_texts.DONE_LABEL)
    assert (await world.game(game_id)).draft
    assert await world.confirmed(told(await world.ann.slash(world.channel, "move", notation=text)))
    whole = CASES["a line is open again"]
    assert (await world.game(game_id)).position == position_after(OPEN_AGAIN, parse_turn(*whole))


async def test_a_use_that_does_not_say_how_many_offers_both(world: World) -> None:
    await world.prepared(BOTH)
    answer = await refused(world, world.ann, "Pe3>e4")
    assert [label for label in labels(answer) if "e4" in label] == ["Play Pe3>e4+1", "Play Pe3>e4+2"]
    await world.ann.click(answer, label="Play Pe3>e4+2")
    assert (await world.game()).position == position_after(BOTH, parse_turn(BOTH, "Pe3>e4+2"))


async def test_autocomplete_offers_uses(world: World) -> None:
    await world.prepared(BOTH)
    choices = await world.ann.autocomplete(world.channel, "move", "notation", "pe3")
    assert {"Pe3>e4+1", "Pe3>e4+2", "Pe3>f3"} <= {choice["value"].removeprefix("#a1@0.0.0 ") for choice in choices}


async def test_a_conditional_turn_may_be_a_use(world: World) -> None:
    await world.prepared(BOTH._replace(mover=BOTH.mover.other))
    said = told(await world.ann.slash(world.channel, "gipf if", turns="g2 > Pe3>e4+1"))
    assert "Pe3>e4+1" in said
    await world.bob.slash(world.channel, "move", notation="g2")
    game = await world.game()
    assert game.last
    assert game.last.text == "Pe3>e4+1"


async def test_a_study_tries_uses(world: World) -> None:
    desk = await imported(world, position_text(BOTH))
    await desk.press(study_texts.TRY_TURN_LABEL)
    await desk.press(desk_texts.USE_LABEL)
    await desk.press("c3 ZÈRTZ")
    await desk.press("→ c6")
    assert "Zc3>c6" in desk.text
    await fill(desk, study_texts.TYPE_TURN_LABEL, "Pf3>e3")
    assert "Pf3>e3" in desk.text


# ── Bad input ──

SENTENCES = [
    (BOTH, "Z99", "a spot or dot behind Z, such as Zc2"),
    (BOTH, "Zc3", "Say where the ZÈRTZ-potential on c3 jumps to: write `Zc3>c6`"),
    (BOTH, "Zc3>c4", "A ZÈRTZ-potential jumps in a straight line over pieces to the first vacant spot."),
    (BOTH, "Pe3>d3", "A PÜNCT-potential jumps onto an adjacent PÜNCT or GIPF-piece of the opponent."),
    (POOR, "Pd3>d4+2", "White has 1 in reserve and can put +1 on d4."),
    (NOTHING_TO_PUSH, "Pd3>d4+1", "White has no piece in reserve to put on the GIPF-piece."),
    (at("standard+Z3 w W=Gb5,d3 B=Ge8"), "Zd2", "or has already brought in a basic piece. Leave the Z out."),
]


@pytest.mark.parametrize(("position", "text", "sentence"), SENTENCES, ids=[text for _, text, _ in SENTENCES])
async def test_bad_input_says_the_rule_in_words(world: World, position: Position, text: str, sentence: str) -> None:
    """Without its number. Nothing is played."""
    await world.prepared(position)
    answer = await refused(world, world.ann, text)
    assert sentence in answer.content.replace("\\", "")
    assert "R7" not in answer.content


async def test_the_wrong_person_is_told_who_has_to_answer(world: World) -> None:
    await world.prepared(MUST_LOSE)
    answer = await refused(world, world.bob, "xZe4,e6*;c2", boards=1)
    assert "It's not your turn. **#a1** is waiting for Ann." in answer.content
