"""What a desk shows before anything is played: the opponent's turn, the pushes from a dot, what a choice would do."""

import re

import pytest

from gipfbot.notation import parse_position
from gipfbot.rules import OVERBOARD, Position, start
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.desk.desk_texts import other_reader
from gipfbot.ui.records import study_texts
from tests.notation.helpers import at
from tests.ui import positions
from tests.ui.shown_screens import game_at, screens
from tests.ui.studying import fill, imported
from tests.ui.table import Desk, open_desk
from tests.ui.world import World, private

ROW = at("standard w W=d2,d3,d4,Gb5 B=Ge8,d6")


async def typed(world: World, turn: str) -> Desk:
    """Return the answer to a turn that Ann types."""
    return Desk(world.ann, await world.ann.slash(world.channel, "move", notation=turn))


async def test_the_opponents_turn_stays_marked_until_a_dot_is_chosen(world: World) -> None:
    """Afterwards it stays in words."""
    await world.begin()
    await world.ann.slash(world.channel, "move", notation="e1-e3")
    desk = await open_desk(world)
    assert "White pushed e1 → e2." in desk.alt
    assert "Ann played **e1 → e2**." in desk.text
    await desk.press("f8")
    assert "White pushed" not in desk.alt
    assert "Ann played **e1 → e2**." in desk.text
    await desk.press("Back")
    assert "White pushed e1 → e2." in desk.alt


async def test_each_push_says_where_it_goes_and_what_it_does(world: World) -> None:
    await world.prepared(ROW)
    desk = await open_desk(world)
    await desk.press("d1")
    assert desk.answers == ["→ d2 · row: 4 back, 1 captured", "→ e2", "Back"]
    assert "d1 chosen. Possible pushes: d1-d5, e2." in desk.alt
    await desk.press("d1")
    await desk.push("d2")
    assert (await world.confirmed(desk.text)).startswith("d1-d5")


async def test_a_row_has_a_letter_only_where_a_button_names_it(world: World) -> None:
    """A lone row is outlined without one, on the board, on the desk, and in what a spectator sees."""
    game = await world.prepared(at("basic w W=b2,f3,h5 B=b3,c4,d4,e4 reserve=12-11"))
    await world.ann.slash(world.channel, "move", notation="b1-b4")
    shown = private(await world.cara.click(world.board(game), label="More…"))
    assert "Row b4 to f3." in (shown.attachments[0].description or "")
    await world.prepared(at("standard w W=d2,d3,Gd4,d5,Gb5 B=Ge8"))
    assert "Row d2 to d5." in (await open_desk(world, 2)).alt
    two = await world.prepared(at("basic w W=b5,c5,d5,e5,e2,e3,e4 B=b2,d7,h2"))
    desk = await open_desk(world, two)
    assert [label[:1] for label in desk.answers[:2]] == ["A", "B"]
    assert "Rows A " in desk.alt


async def test_keep_and_take_say_what_they_do(world: World) -> None:
    await world.prepared(at("standard w W=d2,d3,Gd4,Gb5 B=Ge8"))
    desk = await open_desk(world)
    await desk.press("d1")
    await desk.press("→ d2 · row: 3 or 5 back")
    assert desk.answers == ["Leave d5 on the board", "Take d5"]
    assert "Leave d5 on the board: **3 back to you**. Take d5: **5 back to you**." in desk.text
    await desk.press("Take d5")
    assert "Gd5" in desk.text.splitlines()[-2]


async def test_a_piece_of_the_opponent_is_left_not_kept(world: World) -> None:
    await world.prepared(at("standard w W=d2,d3,d4,Gb5 B=Gd6,Ge8"))
    desk = await open_desk(world)
    await desk.press("d1")
    await desk.press("→ d2 · row: 4 back, 0 or 2 captured")
    assert desk.answers == ["Leave d6 on the board", "Take d6"]
    assert "Take your opponent's GIPF-piece **d6** off, too?" in desk.text
    assert "Leave d6 on the board: **4 back to you**. Take d6: **4 back to you**, 2 captured." in desk.text


@pytest.mark.parametrize("dot", ["c1", "C1", " c1 "])
async def test_a_bare_dot_with_two_pushes_opens_the_desk_there(world: World, dot: str) -> None:
    await world.begin("basic")
    desk = await typed(world, dot)
    assert desk_texts.bare_dot_text("c1") in desk.text
    assert desk.answers == ["→ c2", "→ d2", "Back"]
    assert (await world.game()).turn_number == 0


async def test_a_bare_dot_with_one_push_is_played(world: World) -> None:
    await world.begin("basic")
    assert await world.confirmed((await typed(world, "a1")).text) == "a1-c3"


async def test_a_reader_of_julio974_means_one_push_by_a_dot(world: World) -> None:
    await world.ann.slash(world.channel, "gipf-me settings", notation="julio974")
    await world.begin("basic")
    assert await world.confirmed((await typed(world, "c1")).text) == "c2"


async def test_a_bare_dot_marked_as_julio974_is_played(world: World) -> None:
    await world.begin("basic")
    assert await world.confirmed((await typed(world, "c1*")).text) == "d2"


async def test_a_bare_dot_of_a_gipf_piece_opens_the_desk_there(world: World) -> None:
    await world.begin("tournament")
    desk = await typed(world, "Gc1")
    assert desk.answers == ["→ c2", "→ d2", "Back"]
    await desk.press("→ d2")
    assert await world.confirmed(desk.text) == "Gd2"


async def test_a_study_asks_about_a_bare_dot_too(world: World) -> None:
    desk = await imported(world, "1. e1-e3", rules="basic")
    await desk.press(study_texts.TRY_TURN_LABEL)
    await fill(desk, study_texts.TYPE_TURN_LABEL, "c7")
    assert desk.message.note == desk_texts.bare_dot_text("c7")
    assert desk.answers[0].startswith("→ c")


async def test_a_typed_turn_to_confirm_is_not_drawn_as_played(world: World) -> None:
    await world.ann.slash(world.channel, "gipf-me settings", confirm_typed=True)
    await world.begin()
    desk = await typed(world, "e1-e3")
    assert "You typed **e1-e3**. Play it?" in desk.text
    assert "e1 chosen. Possible pushes: e1-e3." in desk.alt
    assert "pushed" not in desk.alt
    await desk.press("Play it")
    assert await world.confirmed(desk.text) == "e1-e3"


async def test_a_desk_has_at_most_forty_components(world: World) -> None:
    """Every dot, the pushes of one, More, and the way back to the list."""
    await world.begin("basic")
    desk = Desk(world.ann, await world.ann.slash(world.channel, "gipf games"))
    await desk.press("Move #a1")
    await desk.press("c1")
    assert len(desk.dots) == 24
    assert desk.message.size <= 40


@pytest.mark.parametrize(
    "position",
    [
        positions.GIPF_ROW,
        positions.GIPF_CROSSING,
        positions.OFFER,
        positions.ONLY_AN_OFFER,
        start(OVERBOARD),
        parse_position("standard+Z3 w W=Gb5,Ze4,e2,e3,e5 B=Ge8,d5 reserve=12-15 captured=0-0 left=Z2-Z3"),
        parse_position("standard+P3 w W=Gb5,Pd4,f3 B=Gd5,Ge8,h2 reserve=2-13 captured=12-0 left=P0-P0"),
    ],
)
def test_nobody_is_you_on_the_desk_of_somebody_elses_turn(position: Position) -> None:
    shown = [*screens(game_at(position), other_reader("Ann", "Bob", "Guess Ann's turn"))]
    assert all(screen.picture.caption.startswith("Guess Ann's turn · ") for screen in shown)
    said = [text for screen in shown for text in (screen.text, *(b.label for row in screen.rows for b in row))]
    assert [text for text in said if re.search(r"\byou", text, re.IGNORECASE)] == []
    assert any("Ann" in text for text in said)
