"""Section 3: a turn."""

import pytest

from gipfbot.rules import STANDARD, legal, play, start
from tests.rules.helpers import BLACK, WHITE, action, after, black, board, choices, pushes, white


def test_r3_1_own_rows_go_before_the_push() -> None:
    """The mover first removes a row that stands at the start of their turn. Then the same player pushes."""
    position = board("basic w", "W=e2,e3,e4,e5", "B=b2")
    assert choices(position) == {"e: e2 e3 e4 e5"}
    assert pushes(position) == set()
    position = after(position, "e: e2 e3 e4 e5")
    assert (position.mover, position.pushed, white(position)) == (WHITE, False, "")
    assert len(pushes(position)) == 42
    assert after(position, "e1-e2").mover is BLACK


def test_r3_1_rows_of_the_opponent_are_not_the_movers() -> None:
    """The mover does nothing about a row of the opponent."""
    position = board("basic w", "W=b2", "B=e2,e3,e4,e5")
    assert choices(position) == set()
    assert len(pushes(position)) == 42


PUSHED = [
    # white, black, push; what then stands
    ("W=", "B=b2", "e1-e2", "e2", "b2"),  # onto a vacancy: nothing moves
    ("W=e2", "B=", "e1-e2", "e2,e3", ""),  # one piece moves
    ("W=e2", "B=e3", "e1-e2", "e2,e3", "e4"),  # an unbroken block moves, whatever its colours
    ("W=e2", "B=e3,e5", "e1-e2", "e2,e3", "e4,e5"),  # as far as the first vacancy
    ("W=e2,e4", "B=e5", "e1-e2", "e2,e3,e4", "e5"),  # what stands behind the vacancy stays
    ("W=Ge2", "B=Ge3", "e1-e2", "e2,Ge3", "Ge4"),  # GIPF-pieces are pushed like any other
    ("W=e8", "B=e7", "e9-e8", "e7,e8", "e6"),  # S
    ("W=b2", "B=c2", "a2-b2", "b2,c2", "d2"),  # SE
    ("W=e2", "B=d2", "f1-e2", "d2,e2", "c2"),  # NW
    ("W=b2", "B=Gc3", "a1-b2", "b2,c3", "Gd4"),  # NE
    ("W=e8,e5", "B=e7,Ge4", "e9-e8", "e5,e7,e8", "Ge4,e6"),  # the same downwards
    ("W=h2,d5", "B=g3,Gb5", "i1-h2", "d5,g3,h2", "Gb5,f4"),
    ("W=h5", "B=Gg5,f5", "i5-h5", "g5,h5", "e5,Gf5"),  # SW
    ("W=e5,e4", "B=d5,f5,d4,f4", "e1-e2", "e2,e4,e5", "d4,d5,f4,f5"),  # no passing, no neighbours
]


@pytest.mark.parametrize(("of_white", "of_black", "push", "then_white", "then_black"), PUSHED)
def test_r3_2_push(of_white: str, of_black: str, push: str, then_white: str, then_black: str) -> None:
    """A piece comes from the reserve and the unbroken block in front moves one step to the first vacancy."""
    before = board("tournament w", of_white, of_black)
    position = after(before, push)
    assert (white(position), black(position)) == (then_white, then_black)
    assert (position.reserve[WHITE], position.reserve[BLACK]) == (before.reserve[WHITE] - 1, before.reserve[BLACK])
    assert (position.mover, position.pushed, position.captured) == (BLACK, False, (0, 0))


def test_r3_2_both_dots_of_a_vacancy_are_listed() -> None:
    """A first spot can be entered from every dot next to it, even if it is vacant."""
    position = start(STANDARD)
    assert {"a2-b3", "a3-b3"} <= pushes(position)
    assert play(position, action("a2-b3")) == play(position, action("a3-b3"))


def test_r3_3_a_full_line_is_closed_from_both_ends() -> None:
    """No piece is pushed onto the far dot. All other lines stay open, even those that cross the closed line."""
    position = board("basic w", "W=b2,b3,b5", "B=b4")
    assert {"b1-b2", "b6-b5"}.isdisjoint(pushes(position))
    assert len(pushes(position)) == 40


@pytest.mark.parametrize(
    ("code", "of_white", "of_black", "closed"),
    [
        ("e", "W=e2,e4,e6,e8", "B=e3,e5,e7", {"e1-e2", "e9-e8"}),
        ("5", "W=b5,d5,f4,h2", "B=c5,e5,g3", {"a5-b5", "i1-h2"}),
        ("1*", "W=b2,d4,f5,h5", "B=c3,e5,g5", {"a1-b2", "i5-h5"}),
        ("h", "W=h2,h4", "B=h3,h5", {"h1-h2", "h6-h5"}),
        ("8", "W=e8,g6", "B=f7,h5", {"d8-e8", "i4-h5"}),
        ("d*", "W=e2,g2", "B=f2,h2", {"d1-e2", "i2-h2"}),
    ],
)
def test_r3_3_closed_lines_of_every_direction(code: str, of_white: str, of_black: str, closed: set[str]) -> None:
    """A full line is closed, whatever its length and direction. With one vacancy it is open from both ends."""
    assert closed.isdisjoint(pushes(board("basic w", of_white, of_black))), code
    assert closed <= pushes(board("basic w", of_white, of_black[: of_black.rindex(",")]))


def test_r3_3_the_last_vacancy_may_be_filled() -> None:
    """A push may fill the last vacancy at the far end of a line."""
    position = after(board("basic w", "W=b2,b3", "B=b4"), "b1-b2")
    assert (white(position), black(position)) == ("b2,b3,b4", "b5")


def test_r3_4_own_rows_go_after_the_push() -> None:
    """The mover removes a row that their push has made. Then the turn passes by itself."""
    position = after(board("basic w", "W=e2,e3,e4", "B=b2"), "e1-e2")
    assert (position.mover, position.pushed) == (WHITE, True)
    assert (choices(position), pushes(position)) == ({"e: e2 e3 e4 e5"}, set())
    position = after(position, "e: e2 e3 e4 e5")
    assert (position.mover, position.pushed, position.dealt) == (BLACK, False, 0)
    assert position.reserve[WHITE] == 15


def test_r3_4_rows_of_the_opponent_stay() -> None:
    """The turn passes with the opponent's row on the board. They remove it at the start of their turn."""
    position = after(board("basic w", "W=b2", "B=b3,c4,d4,e4"), "b1-b2")
    assert (position.mover, position.pushed) == (BLACK, False)
    assert choices(position) == {"4: b4 c4 d4 e4"}
    assert pushes(position) == set()


def test_r3_4_the_player_who_caused_it_goes_first() -> None:
    """One push makes a row of each colour. The mover removes theirs first, then the opponent theirs."""
    position = after(board("basic w", "W=b2,c2,d2", "B=b3,c3,d3,e2"), "e1-e2")
    assert (position.mover, choices(position)) == (WHITE, {"2: b2 c2 d2 e2"})
    position = after(position, "2: b2 c2 d2 e2")
    assert (position.mover, choices(position)) == (BLACK, {"3: b3 c3 d3 e3"})


def test_r3_4_the_mover_can_break_the_opponents_row() -> None:
    """The spots that the mover clears are missing from the opponent's row."""
    position = after(board("basic w", "W=e2,e3,e4", "B=c6,d6,e5,f5"), "e1-e2")
    assert choices(position) == {"e: e2 e3 e4 e5 e6"}
    position = after(position, "e: e2 e3 e4 e5 e6")
    assert (position.mover, black(position), position.captured) == (BLACK, "c6,d6,f5", (0, 1))
    assert choices(position) == set()


def test_r3_4_the_same_for_black() -> None:
    """Nothing depends on the colour of the mover."""
    position = after(board("basic b", "W=c6,d6,e5,f5", "B=e2,e3,e4"), "e1-e2", "e: e2 e3 e4 e5 e6")
    assert (position.mover, white(position), position.captured) == (WHITE, "c6,d6,f5", (1, 0))
    assert position.reserve == (11, 15)


def test_r3_5_playing_does_not_change_a_position() -> None:
    """An action returns a new position and leaves the position before it as it was."""
    position = start(STANDARD)
    kept = tuple(position)
    for push in legal(position):
        play(position, push)
    assert tuple(position) == kept
