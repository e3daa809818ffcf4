"""Section 1: the board."""

from collections import Counter

import pytest

from gipfbot.rules import BASIC, STANDARD, TOURNAMENT, Ruleset, start
from gipfbot.rules.geometry import CENTRE, DOTS, EDGE, ENTRIES, ENTRIES_BY_DOT, LINE, LINES, POINTS, SPOTS, axial
from tests.rules.helpers import SYMMETRIES, counts, image
from tests.rules.naive import NAIVE_LINES

THE_SPOTS = """
    b2 b3 b4 b5
    c2 c3 c4 c5 c6
    d2 d3 d4 d5 d6 d7
    e2 e3 e4 e5 e6 e7 e8
    f2 f3 f4 f5 f6 f7
    g2 g3 g4 g5 g6
    h2 h3 h4 h5
""".split()
THE_DOTS = "a1 a2 a3 a4 a5 b1 b6 c1 c7 d1 d8 e1 e9 f1 f8 g1 g7 h1 h6 i1 i2 i3 i4 i5".split()


def test_r1_1_columns_and_their_heights() -> None:
    """Columns a..i hold 5 6 7 8 9 8 7 6 5 points, 61 in all, numbered upwards from 1; the centre is e5."""
    heights = Counter(point[0] for point in POINTS)
    assert [heights[column] for column in "abcdefghi"] == [5, 6, 7, 8, 9, 8, 7, 6, 5]
    assert sorted(POINTS) == sorted(f"{column}{n}" for column in heights for n in range(1, heights[column] + 1))
    assert CENTRE == "e5"


def test_r1_2_dots_and_spots() -> None:
    """24 dots surround 37 spots."""
    assert (len(DOTS), len(SPOTS)) == (24, 37)
    assert sorted(DOTS) == THE_DOTS
    assert sorted(SPOTS) == sorted(THE_SPOTS)


@pytest.mark.parametrize(
    ("point", "x", "y"),
    [("a1", 0, 0), ("a5", 0, 4), ("e1", 4, 0), ("e5", 4, 4), ("e9", 4, 8), ("f1", 5, 1), ("f8", 5, 8),
     ("h2", 7, 4), ("i1", 8, 4), ("i5", 8, 8), ("b5", 1, 4), ("d8", 3, 7)],
)  # fmt: skip
def test_r1_3_axial_form(point: str, x: int, y: int) -> None:
    """A point's axial form is its column and number - 1 + max(0, x - 4)."""
    assert axial(point) == (x, y)


@pytest.mark.parametrize("point", ["a0", "a6", "b7", "e10", "i6", "j1", "A1", "e-1"])
def test_r1_3_no_other_points(point: str) -> None:
    """A name that is not on the board is refused."""
    with pytest.raises(ValueError, match="is not a point of the board"):
        axial(point)


def test_r1_3_spots_by_their_axial_form() -> None:
    """A point is a spot iff 1 <= x, y <= 7 and |x - y| <= 3."""
    for point in POINTS:
        x, y = axial(point)
        assert (point in SPOTS) == (1 <= x <= 7 and 1 <= y <= 7 and abs(x - y) <= 3)


def test_r1_4_lines() -> None:
    """The 21 lines are 7 in each of 3 directions with 4 5 6 7 6 5 4 spots and a dot at both ends."""
    drawn = {(line.dots[0], *line.spots, line.dots[1]) for line in LINES}
    assert len(LINES) == 21
    assert {min(line, line[::-1]) for line in drawn} == {min(line, line[::-1]) for line in NAIVE_LINES}
    assert Counter(len(line.spots) for line in LINES) == {4: 6, 5: 6, 6: 6, 7: 3}
    assert [line.number for line in LINES] == list(range(21))
    assert Counter((line.shift, len(line.spots)) for line in LINES) == {
        (shift, length): 1 if length == 7 else 2 for shift in {line.shift for line in LINES} for length in (4, 5, 6, 7)
    }


def test_r1_4_entries() -> None:
    """There are 42 entries; a1 a5 e1 e9 i1 i5 have one direction, the other 18 dots two."""
    ends = {path[:2] for line in NAIVE_LINES for path in (line, line[::-1])}
    assert {(entry.dot, entry.spot) for entry in ENTRIES} == ends
    assert len(ENTRIES) == len(ends) == 42
    assert {dot for dot in DOTS if len(ENTRIES_BY_DOT[dot]) == 1} == {"a1", "a5", "e1", "e9", "i1", "i5"}
    assert {len(ENTRIES_BY_DOT[dot]) for dot in DOTS} == {1, 2}


def test_r1_5_twelve_symmetries() -> None:
    """The 6 rotations and their mirrors are 12 maps that send dots to dots, spots to spots and lines to lines."""
    lines = {frozenset(line) for line in NAIVE_LINES}
    assert len({tuple(symmetry.items()) for symmetry in SYMMETRIES}) == 12
    for symmetry in SYMMETRIES:
        assert {symmetry[dot] for dot in DOTS} == set(DOTS)
        assert {symmetry[spot] for spot in SPOTS} == set(SPOTS)
        assert {frozenset(symmetry[point] for point in line) for line in lines} == lines


@pytest.mark.parametrize("rules", [BASIC, STANDARD, TOURNAMENT])
def test_r1_5_counts_of_images(rules: Ruleset) -> None:
    """The counts of section 9 are the same for all images of the start."""
    assert {counts(image(start(rules), symmetry), 2) for symmetry in SYMMETRIES} == {counts(start(rules), 2)}


def test_the_edge_goes_once_around_the_board() -> None:
    """Each dot is one step from the next, and the last from the first."""
    assert sorted(EDGE) == sorted(DOTS)
    assert EDGE[:6] == ("a1", "a2", "a3", "a4", "a5", "b6")
    for here, there in zip(EDGE, (*EDGE[1:], EDGE[0]), strict=True):
        (x, y), (to_x, to_y) = axial(here), axial(there)
        assert (to_x - x, to_y - y) in {(1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (-1, -1)}


def test_r1_3_the_direction_of_an_entry_leads_from_its_dot_to_its_spot() -> None:
    steps = {"N": (0, 1), "NE": (1, 1), "SE": (1, 0), "S": (0, -1), "SW": (-1, -1), "NW": (-1, 0)}
    for entry in ENTRIES:
        (x, y), (dx, dy) = axial(entry.dot), steps[entry.direction]
        assert axial(entry.spot) == (x + dx, y + dy)


def test_r1_4_the_line_from_a1_has_two_codes() -> None:
    assert LINE["a*"] is LINE["1*"]
    assert LINE["1*"].dots[0] == "a1"
