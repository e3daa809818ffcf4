from dataclasses import replace
from itertools import chain
from textwrap import dedent
from unicodedata import east_asian_width

import pytest

from gipfbot.notation import parse_action_code
from gipfbot.rules.changes import events
from gipfbot.rules.engine import play
from gipfbot.rules.geometry import POINTS
from gipfbot.rules.pieces import Colour, Kind, Piece
from gipfbot.rules.position import start
from gipfbot.rules.rulesets import STANDARD
from render import Ghost, Marks, Picture, ResultCard, text_board
from render.words import CAPTURED, CELL
from tests.render.golden import PICTURES, PLAYERS
from tests.render.names import ODD
from tests.rules.loaded import at

HEIGHTS = (5, 6, 7, 8, 9, 8, 7, 6, 5)  # of the columns, in points (R1.1)


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in dedent(text).strip("\n").splitlines()]


def board(picture: Picture) -> list[str]:
    """Return the seventeen lines of the board below the sentences."""
    shown = text_board(picture).splitlines()
    return shown[shown.index("") + 1 :][:17]


def test_a_turn_is_drawn_in_letters() -> None:
    """White is at the bottom, and columns run from left to right. GW is White's GIPF-piece (R1.1, R2.1)."""
    assert text_board(PICTURES["removed"]) == "\n".join(
        lines(
            """
            White wins, Black: no GIPF-piece left.
            White pushed d1 → e2.
            Removed GIPF-piece e5; basic pieces e2 e3
            e4.
            Captured GIPF-piece e6.
            White, Ann: GIPF-piece d4; basic piece f3;
            14 in reserve, 2 captured.
            Black, Bob: basic pieces f2 f5; 14 in
            reserve, 1 captured.

                             e9
                         d8      f8
                     c7      .       g7
                 b6      .       .       h6
             a5      .       .       .       i5
                 .       .       .       .
             a4      .       *       .       i4
                 .       .       B       .
             a3      .       x       .       i3
                 .       GW      .       .
             a2      .       x       .       i2
                 .       .       W       .
             a1      .       x       .       i1
                 b1      .      [B]      h1
                     c1     [x]      g1
                        [d1]     f1
                             e1

            [ ] the last push, x returned, * captured
            """
        )
    )


def test_potentials_and_stacks_are_drawn_in_letters() -> None:
    """A used potential has a small letter, and a number says how many pieces lie under a piece."""
    line = "standard+Z3P3 w W=Gb5,Zc3,zd3,Pe6,f2[G] B=c2,d5,pe5[P],Gf4[GG],Ge8"
    before = at(line)
    use = parse_action_code("Pe6>e5")
    shown = Picture(play(before, use), PLAYERS, marks=Marks.of_turn(events(before, use, play(before, use))))
    assert lines("\n".join(board(shown))) == lines(
        """
                        e9
                    d8      f8
                c7      GB      g7
            b6      .       .       h6
        a5      .       .       .       i5
            GW      .       .       .
        a4      .      [W]      .       i4
            .       B       .       .
        a3      .     [pW+2]    .       i3
            .       .      GB+2     .
        a2      ZW      .       .       i2
            .       zW      .       .
        a1      B       .       .       i1
            b1      .      W+1      h1
                c1      .       g1
                    d1      f1
                        e1
        """
    )
    assert text_board(shown).splitlines()[-2:] == ["[ ] the last use, Z loaded, z used, p", "used, +1 on one piece"]


def test_without_marks_there_is_no_legend() -> None:
    assert text_board(Picture(start(STANDARD), PLAYERS)).splitlines()[-1].strip() == "e1"


def test_the_sentences_say_what_is_asked() -> None:
    assert text_board(PICTURES["rows"]).splitlines()[1:3] == ["Rows A e2 to e6, B b5 to h2.", "Numbered: 1 e2, 2 g3."]
    assert "a3 chosen. Possible pushes: Gb4, Gb3." in text_board(PICTURES["choices"])


@pytest.mark.parametrize("flipped", [False, True])
def test_every_point_has_its_place_from_both_sides(flipped: bool) -> None:
    empty = Picture(start(STANDARD)._replace(owned=(0, 0), gipf=0), PLAYERS, flipped=flipped)
    for point in POINTS:
        gone = Marks(ghosts=(Ghost(point, Piece(Colour.WHITE, Kind.BASIC), captured=True),))
        ((down, line),) = ((n, line) for n, line in enumerate(board(replace(empty, marks=gone))) if CAPTURED in line)
        column = "abcdefghi".index(point[0])
        up = 2 * int(point[1]) - 1 - HEIGHTS[column]  # half steps from the middle of the column
        assert line.index(CAPTURED) // CELL == (8 - column if flipped else column)
        assert down == 8 + (up if flipped else -up)


def test_all_kinds_of_pieces_have_different_letters() -> None:
    words = {*chain.from_iterable(line.split() for line in board(PICTURES["push"]))}
    assert {"W", "B", "GW", "GB", ".", "[W]", "[b6]"} <= words


def test_the_board_of_a_result_says_how_long_it_took() -> None:
    shown = text_board(ResultCard(PICTURES["removed"], 21)).splitlines()
    assert shown[:2] == ["White wins, Black: no GIPF-piece left.", "It took 11 turns."]
    assert shown[2:] == text_board(PICTURES["removed"]).splitlines()[1:]


@pytest.mark.parametrize("odd", [*ODD.values(), "```", "`" * 40], ids=[*ODD, "fence", "ticks"])
def test_odd_names_stay_within_42_columns_and_end_no_block(odd: str) -> None:
    shown = text_board(Picture(start(STANDARD), (odd, odd)))
    assert "`" not in shown
    assert "\x1b" not in shown
    for line in shown.split("\n"):
        assert sum(1 + (east_asian_width(sign) in "WF") for sign in line) <= 42
