"""The answer to a slip says what is wrong, where, and what to type instead."""

import re

import pytest

from gipfbot.rules import Position
from gipfbot.ui.desk import desk_texts
from tests.notation.helpers import at
from tests.ui.positions import CROSSING, GIPF_ROW
from tests.ui.table import refused
from tests.ui.world import World, game_name, told

TWO_WAYS = at("tournament w W=g2,Gg3,g4,g5,Gf4,Ge5,Gh2 B=Gb2")
SETUP = at("standard w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2")


async def reads(world: World, notation: str) -> None:
    """Let Ann choose a notation."""
    await world.ann.slash(world.channel, "gipf-me settings", notation=notation)


def offered(answer: str) -> list[str]:
    """Return the turns that an answer offers for copying."""
    return re.findall(r"(?<!`)`([^`\n]+)`(?!`)", answer)


async def test_place_of_a_fault_is_shown_with_a_suggestion(world: World) -> None:
    await world.begin()
    answer = (await refused(world, world.ann, "e1;e3")).content
    assert answer == (
        "e1 is only the dot. Add “-” and where the push ends, as in e1-e4.\n"
        "```\ne1;e3\n  ^\n```\n"
        "Did you mean `e1-e3`?\n"
        "Nothing was played."
    )


async def test_what_is_meant_is_written_in_the_own_notation(world: World) -> None:
    await reads(world, "julio974")
    await world.begin()
    assert "Did you mean `e1`?" in (await refused(world, world.ann, "e1;e3")).content
    answer = (await refused(world, world.ann, "e1-e4")).content
    assert answer == (
        "From e1, the new piece stops on the first spot, and the last piece in its way on e3: write `e1`.\n"
        "Nothing was played."
    )


SAID_ONCE = [
    # the typed text, and what the answer offers
    ("e2", ["d1-f2", "e1-e3", "f1-d2"]),
    ("e1-e4", ["e1-e3"]),
    ("d1-e2", ["d1-f2"]),
    ("c1-c3", ["c2"]),
    ("a1-h2", ["a1-c3"]),
    ("Gc2", ["c2"]),
    ("c2 d2", ["c2"]),
    ("zz9", []),
]


async def test_nothing_is_said_twice(world: World) -> None:
    """If the sentence about the rule names a turn, that turn is ready to copy there."""
    await world.begin()
    for typed, turns in SAID_ONCE:
        answer = (await refused(world, world.ann, typed)).content
        assert offered(answer) == turns, answer
        assert ("Did you mean" in answer) == (typed in ("Gc2", "c2 d2")), answer


OFFERS = {
    "a forgotten G": (GIPF_ROW, "xd2,d3,d4,d5;c2"),
    "a list too short": (GIPF_ROW, "xd3,d4;c2"),
    "no semicolon": (GIPF_ROW, "xd3,d4,d5,c2"),
    "one list of two rows": (CROSSING, "xb2,c3,d4,e5,d5;c2"),
    "a wrong far end": (SETUP, "e1-e4"),
    "a needless G": (SETUP, "Ge1-e3"),
    "a star at a spot": (SETUP, "c2*"),
}


@pytest.mark.parametrize("notation", ["official", "julio974"])
async def test_what_is_offered_can_be_typed(world: World, notation: str) -> None:
    """It is played, or the desk asks for its GIPF-pieces, as after a bare X."""
    await reads(world, notation)
    for name, (position, typed) in OFFERS.items():
        turns = offered(await answer_to(world, position, typed))
        assert turns, name
        for turn in turns:
            answer = await answer_to(world, position, turn)
            assert await world.confirmed(answer) or desk_texts.PUSHED_TEXT in answer or "doesn't say" in answer, answer


async def answer_to(world: World, position: Position, typed: str) -> str:
    """Return the answer when Ann types this in a new game at this position."""
    name = game_name(await world.prepared(position))
    return told(await world.ann.slash(world.channel, "move", notation=typed, game=name))


async def test_both_meanings_of_an_ambiguous_text_are_offered(world: World) -> None:
    """The first is in the reader's notation. Each can be typed and is played."""
    await world.prepared(TWO_WAYS)
    answer = (await refused(world, world.ann, "xgg3;c6")).content
    assert answer == (
        "That can be read in two ways. Nothing was played. Type one of these:\n"
        "`xGg3;c6` (official notation)\n"
        "`XgXg3;c6` (Julio974 notation)"
    )
    await reads(world, "julio974")
    assert offered((await refused(world, world.ann, "xgg3;c6")).content) == ["XgXg3;c6", "xGg3;c6"]
    for turn, stays in {"xGg3;c6": True, "XgXg3;c6": False}.items():
        game_id = await world.prepared(TWO_WAYS)
        assert told(await world.ann.slash(world.channel, "move", notation=turn, game=game_name(game_id))).startswith(
            "Played"
        )
        pieces = (await world.game(game_id)).position.pieces()
        assert ("g3" in pieces, "g2" in pieces, "c6" in pieces) == (False, stays, True)


async def test_in_the_middle_of_a_turn_whole_turns_are_offered(world: World) -> None:
    await world.prepared(at("standard w W=Ge3,e4,e5,Gb5 B=Gh2"))
    await world.ann.slash(world.channel, "move", notation="e2")
    answer = told(await world.ann.slash(world.channel, "move", notation="xe2,e3,e4,e5"))
    assert "Did you mean `e2;xe2,Ge3,e4,e5` or `e2;xe2,e4,e5`?" in answer
    answer = told(await world.ann.slash(world.channel, "move", notation="e2;xe2,Ge3,e4,e5"))
    assert await world.confirmed(answer) == "e2;xe2,Ge3,e4,e5"


LONG = ["c2," * 60, " " * 150 + "c2y" + " " * 40, "`" * 190, "x" + "c2*" * 60, "||" * 90, "\n" * 99 + "y", "c2 " * 66]


async def test_a_long_text_is_cut_and_escapes_nothing(world: World) -> None:
    """The line with the caret fits a phone. Nothing in the typed text formats the answer."""
    await world.begin()
    for typed in LONG:
        answer = (await refused(world, world.ann, typed)).content
        if "isn't a turn" in answer:
            assert not re.search(r"(?<!\\)[`*|_~]", answer), answer
            continue
        before, block, after = answer.split("```")
        assert all(len(line) <= 42 for line in block.splitlines()), answer
        assert block.splitlines()[-1].strip() == "^"
        assert not re.search(r"(?<!\\)[`*|_~]", before), answer
        assert after.endswith("Nothing was played.")
