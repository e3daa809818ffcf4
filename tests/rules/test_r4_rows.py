"""Section 4: rows and what leaves the board."""

from itertools import combinations

import pytest

from tests.rules.helpers import BLACK, WHITE, after, black, board, choices, pushes, white


def subsets(code: str, must: str, may: str, least: int = 0) -> set[str]:
    """Return the removals on a line that take all of `must` and any of `may`, at least so many of these."""
    loose = may.split()
    return {
        f"{code}: {' '.join(sorted([*must.split(), *some]))}"
        for number in range(least, len(loose) + 1)
        for some in combinations(loose, number)
    }


ROWS = [
    # white, black; what White, to move, has to remove
    ("W=e2,e3,e4", "B=", set()),  # three
    ("W=e2,e3,e4,e5", "B=", {"e: e2 e3 e4 e5"}),
    ("W=b5,c5,d5,e5", "B=", {"5: b5 c5 d5 e5"}),  # falling
    ("W=e5,f4,g3,h2", "B=", {"5: e5 f4 g3 h2"}),
    ("W=b2,c3,d4,e5", "B=", {"1*: b2 c3 d4 e5"}),  # rising
    ("W=e5,f5,g5,h5", "B=", {"1*: e5 f5 g5 h5"}),
    ("W=b2,b3,b4,b5", "B=", {"b: b2 b3 b4 b5"}),  # at the rim
    ("W=e2,f2,g2,h2", "B=", {"d*: e2 f2 g2 h2"}),
    ("W=e8,f7,g6,h5", "B=", {"8: e8 f7 g6 h5"}),
    ("W=e2,e3,e4,e6", "B=", set()),  # a vacancy between
    ("W=e2,e3,e5,e6", "B=e4", set()),  # another colour between
    ("W=e2,e3,e4,e6,e7,e8", "B=e5", set()),
    ("W=e2,e3,f3,f4,g3", "B=", set()),  # not on one line
    ("W=", "B=e2,e3,e4,e5", set()),  # not the mover's colour
    ("W=e2,e3,e4,e5,e6", "B=", {"e: e2 e3 e4 e5 e6"}),  # more than 4
    ("W=e2,e3,e4,e5,e6,e7,e8", "B=", {"e: e2 e3 e4 e5 e6 e7 e8"}),
]


@pytest.mark.parametrize(("of_white", "of_black", "expected"), ROWS)
def test_r4_1_a_row(of_white: str, of_black: str, expected: set[str]) -> None:
    """A row is at least 4 adjacent spots of one line holding pieces of one colour."""
    assert choices(board("basic w", of_white, of_black)) == expected


def test_r4_1_any_kind_counts_as_one() -> None:
    """A GIPF-piece counts as one piece in a row: two of them and a basic piece are no row."""
    assert choices(board("standard w", "W=Ge2,Ge3,e4", "B=Gb2")) == set()
    assert choices(board("standard w", "W=Ge2,e3,e4,e5", "B=Gb2")) == {"e: e3 e4 e5", "e: e2 e3 e4 e5"}


EXTENSIONS = [
    ("W=e3,e4,e5,e6", "B=e2", "e: e2 e3 e4 e5 e6"),  # one end
    ("W=e3,e4,e5,e6", "B=e2,e7", "e: e2 e3 e4 e5 e6 e7"),  # both ends
    ("W=e2,e3,e4,e5,e8", "B=e6,e7", "e: e2 e3 e4 e5 e6 e7 e8"),  # whatever colour, through a change of colour
    ("W=e2,e3,e4,e5,e7", "B=e6", "e: e2 e3 e4 e5 e6 e7"),
    ("W=e2,e3,e4,e5,e7", "B=", "e: e2 e3 e4 e5"),  # a vacancy ends it
    ("W=e2,e3,e4,e5,e8", "B=e7", "e: e2 e3 e4 e5"),
    ("W=e2,e3,e4,e5,e8", "B=e6", "e: e2 e3 e4 e5 e6"),
    ("W=e2,e3,e4,e5", "B=d2,d3,d4,f2,f3,f4", "e: e2 e3 e4 e5"),  # neighbours are not in it
    ("W=c5,d5,e5,f4", "B=b5,g3,h2", "5: b5 c5 d5 e5 f4 g3 h2"),
    ("W=c3,d4,e5,f5", "B=b2,h5", "1*: b2 c3 d4 e5 f5"),
]


@pytest.mark.parametrize(("of_white", "of_black", "expected"), EXTENSIONS)
def test_r4_2_extension(of_white: str, of_black: str, expected: str) -> None:
    """A row takes along every further piece of its unbroken stretch, whatever its colour."""
    assert choices(board("basic w", of_white, of_black)) == {expected}


def test_r4_3_own_pieces_return_and_others_are_captured() -> None:
    """Own pieces go back to the reserve. The opponent's pieces are captured and never return."""
    position = after(board("basic w", "W=e2,e3,e4,e5,e8", "B=e6,e7,b2"), "e: e2 e3 e4 e5 e6 e7 e8")
    assert (position.reserve, position.captured) == ((15, 12), (0, 2))
    assert (white(position), black(position)) == ("", "b2")


def test_r4_3_the_owner_removes_the_row_whoever_made_it() -> None:
    """Black removes a row that White has made of Black's pieces. White's extension is captured."""
    position = after(board("basic w", "W=b2,f3", "B=b3,c4,d4,e4"), "b1-b2")
    assert (position.mover, choices(position)) == (BLACK, {"4: b4 c4 d4 e4 f3"})
    position = after(position, "4: b4 c4 d4 e4 f3")
    assert (position.reserve, position.captured) == ((12, 15), (1, 0))


def test_r4_4_each_gipf_piece_may_stay_or_go() -> None:
    """The remover decides about every GIPF-piece of the stretch, of either colour. Basic pieces must go."""
    position = board("standard w", "W=Ge3,e4,Ge5,e6,Gb5", "B=Ge2,e7,Gh2")
    assert choices(position) == subsets("e", "e4 e6 e7", "e2 e3 e5")


GIPF_TAKEN = [
    # removal; reserves, captured
    ("e: e4 e6 e7", (12, 13), (0, 1)),
    ("e: e3 e4 e6 e7", (14, 13), (0, 1)),  # an own GIPF-piece: 2 more in reserve
    ("e: e2 e4 e6 e7", (12, 13), (0, 3)),  # an opponent's: 2 more captured
    ("e: e2 e3 e4 e5 e6 e7", (16, 13), (0, 3)),
]


@pytest.mark.parametrize(("removal", "reserve", "captured"), GIPF_TAKEN)
def test_r4_4_a_gipf_piece_counts_as_two(removal: str, reserve: tuple[int, int], captured: tuple[int, int]) -> None:
    """A GIPF-piece that is taken counts as two pieces, in the reserve or captured."""
    position = after(board("standard w", "W=Ge3,e4,Ge5,e6,Gb5", "B=Ge2,e7,Gh2"), removal)
    assert (position.reserve, position.captured) == (reserve, captured)


def test_r4_5_the_first_of_crossing_rows_breaks_the_second() -> None:
    """Two rows share a basic piece. The mover chooses one, and the other is no longer a row."""
    position = board("basic w", "W=e2,e3,e4,e5,b5,c5,d5", "B=")
    assert choices(position) == {"e: e2 e3 e4 e5", "5: b5 c5 d5 e5"}
    upright = after(position, "e: e2 e3 e4 e5")
    assert (white(upright), choices(upright), len(pushes(upright))) == ("b5,c5,d5", set(), 42)
    falling = after(position, "5: b5 c5 d5 e5")
    assert (white(falling), choices(falling), len(pushes(falling))) == ("e2,e3,e4", set(), 42)


def test_r4_5_the_first_row_shortens_the_others_extension() -> None:
    """Two rows share a piece of their extensions. A vacancy there ends the second stretch."""
    position = board("basic w", "W=b4,c4,d4,e4,f4,f5,f6,f7", "B=f3,g2,f2")
    assert choices(position) == {"4: b4 c4 d4 e4 f3 g2", "f: f2 f3 f4 f5 f6 f7"}
    assert choices(after(position, "4: b4 c4 d4 e4 f3 g2")) == {"f: f4 f5 f6 f7"}
    assert choices(after(position, "f: f2 f3 f4 f5 f6 f7")) == {"4: b4 c4 d4 e4"}


def test_r4_5_a_long_row_survives_losing_its_end() -> None:
    """A row of 5 that loses a shared piece at its end is still a row."""
    position = after(board("basic w", "W=e2,e3,e4,e5,e6,c6,d6,f5", "B="), "6: c6 d6 e6 f5")
    assert choices(position) == {"e: e2 e3 e4 e5"}


def test_r4_5_a_shared_gipf_piece_can_keep_both_rows() -> None:
    """A GIPF-piece left on the shared spot keeps the second row, which must be removed too."""
    position = board("standard w", "W=e2,e3,e4,Ge5,b5,c5,d5", "B=Gb2")
    kept = after(position, "e: e2 e3 e4")
    assert (choices(kept), pushes(kept)) == ({"5: b5 c5 d5", "5: b5 c5 d5 e5"}, set())
    assert choices(after(position, "e: e2 e3 e4 e5")) == set()


def test_r4_5_rows_that_share_nothing_are_all_removed() -> None:
    """Rows that do not meet may be removed in either order, with the same board at the end."""
    position = board("basic w", "W=b2,b3,b4,b5,g2,g3,g4,g5", "B=")
    rows = {"b: b2 b3 b4 b5", "g: g2 g3 g4 g5"}
    assert choices(position) == rows
    ends = [after(position, first, second) for first in rows for second in rows - {first}]
    assert choices(after(position, "b: b2 b3 b4 b5")) == {"g: g2 g3 g4 g5"}
    assert ends[0] == ends[1]
    assert (white(ends[0]), ends[0].reserve[WHITE]) == ("", 15)


def test_r4_5_rows_are_found_again_after_each_removal() -> None:
    """The middle one of three rows breaks both others."""
    three = board("basic w", "W=e2,e3,e4,e5,b2,c2,d2,b5,c5,d5", "B=")
    assert choices(three) == {"e: e2 e3 e4 e5", "2: b2 c2 d2 e2", "5: b5 c5 d5 e5"}
    assert choices(after(three, "e: e2 e3 e4 e5")) == set()
    assert choices(after(three, "2: b2 c2 d2 e2")) == {"5: b5 c5 d5 e5"}
    assert white(after(three, "2: b2 c2 d2 e2", "5: b5 c5 d5 e5")) == "e3,e4"


def test_r4_6_each_line_is_asked_once_per_step() -> None:
    """A row of which enough was left to be a row is not asked again in the same step."""
    position = after(board("tournament w", "W=Ge2,Ge3,Ge4,Ge5,e6", "B=Gb2"), "e: e6")
    assert (white(position), choices(position), len(pushes(position))) == ("Ge2,Ge3,Ge4,Ge5", set(), 42)


def test_r4_6_the_next_step_asks_again() -> None:
    """After the push a new removal step begins, in which the line is open again."""
    position = after(board("tournament w", "W=Ge2,Ge3,Ge4,Ge5,e6", "B=Gb2"), "e: e6", "h6-h5")
    assert (position.mover, position.pushed, position.dealt) == (WHITE, True, 0)
    assert choices(position) == subsets("e", "", "e2 e3 e4 e5", least=1) | {"pass"}


def test_r4_6_a_gipf_piece_left_stays_in_the_step() -> None:
    """GIPF-pieces can be taken only from the stretch of a line that was not yet dealt with."""
    position = board("standard w", "W=b2,b3,b4,Gb5,g2,g3,g4,Gg5", "B=Ge8")
    position = after(position, "b: b2 b3 b4")
    assert choices(position) == {"g: g2 g3 g4", "g: g2 g3 g4 g5"}
    position = after(position, "g: g2 g3 g4")
    assert (white(position), choices(position), position.mover) == ("Gb5,Gg5", set(), WHITE)


def test_r4_6_another_stretch_may_take_a_piece_left() -> None:
    """A GIPF-piece left in one stretch may be taken with another line, as part of its extension."""
    position = board("standard w", "W=e3,e4,e5,e6,b2,c2,d2,Ge2,Gh5", "B=Gb5")
    assert choices(position) == subsets("e", "e3 e4 e5 e6", "e2") | subsets("2", "b2 c2 d2", "e2")
    position = after(position, "e: e3 e4 e5 e6")
    assert choices(position) == subsets("2", "b2 c2 d2", "e2")


FOUR = "W=Ge2,Ge3,Ge4,Ge5,Gh5"
FOUR_WAYS = subsets("e", "", "e2 e3 e4 e5", least=1)


def test_r4_7_an_offer_may_stay_whole_before_the_push() -> None:
    """The owner of a stretch of GIPF-pieces may take some of them or simply push."""
    position = board("tournament w", FOUR, "B=Gb2")
    assert choices(position) == FOUR_WAYS
    assert len(pushes(position)) == 42


def test_r4_7_an_offer_may_be_taken_after_the_push() -> None:
    """After the push the owner is asked again, and may pass."""
    position = after(board("tournament w", FOUR, "B=Gb2"), "b6-b5")
    assert (choices(position), pushes(position)) == (FOUR_WAYS | {"pass"}, set())
    assert after(position, "pass").mover is BLACK
    taken = after(position, "e: e2")
    assert (taken.mover, white(taken), taken.reserve[WHITE]) == (BLACK, "b5,Ge3,Ge4,Ge5,Gh5", 9)


def test_r4_7_an_offer_may_be_taken_before_and_after() -> None:
    """From a row of 5 the owner takes one before the push and one after it."""
    position = board("tournament w", "W=Ge2,Ge3,Ge4,Ge5,Ge6", "B=Gb2")
    position = after(position, "e: e6")
    assert choices(position) == set()
    position = after(position, "b6-b5")
    assert choices(position) == FOUR_WAYS | {"pass"}
    assert white(after(position, "e: e2")) == "b5,Ge3,Ge4,Ge5"


def test_r4_7_its_owner_is_asked_each_turn() -> None:
    """While the row stands, its owner is asked in each of their turns. The opponent is never asked."""
    position = after(board("tournament w", FOUR, "B=Gb2"), "b6-b5", "pass")
    assert (position.mover, choices(position)) == (BLACK, set())
    position = after(position, "h1-h2")
    assert (position.mover, choices(position), len(pushes(position))) == (WHITE, FOUR_WAYS, 42)


def test_r4_7_an_offer_made_by_the_push() -> None:
    """If a push makes a row of four GIPF-pieces, the row is offered at once."""
    position = after(board("tournament w", "W=Ge2,Ge3,Ge4", "B=Gb2", opening="w"), "Ge1-e2")
    assert choices(position) == FOUR_WAYS | {"pass"}


def test_r4_7_an_offer_includes_the_opponents_gipf_pieces() -> None:
    """The owner of the row may take the opponent's GIPF-pieces of its stretch, even without their own."""
    position = board("tournament w", "W=Ge2,Ge3,Ge4,Ge5", "B=Ge6,Gb2")
    assert choices(position) == subsets("e", "", "e2 e3 e4 e5 e6", least=1)
    position = after(position, "e: e6")
    assert (position.captured, position.reserve, choices(position)) == ((0, 2), (10, 14), set())


@pytest.mark.parametrize(("of_white", "of_black"), [(f"{FOUR},e6", "B=Gb2"), (FOUR, "B=e6,Gb2")])
def test_r4_7_a_basic_piece_in_the_extension_must_go(of_white: str, of_black: str) -> None:
    """A row is due if there is a basic piece of either colour in its stretch."""
    position = board("tournament w", of_white, of_black)
    assert choices(position) == subsets("e", "e6", "e2 e3 e4 e5")
    assert pushes(position) == set()


def test_r4_7_an_offer_may_break_a_due_row() -> None:
    """R4.5 holds for offers too: one may come first, even if it breaks a due row."""
    position = board("tournament w", "W=Ge2,Ge3,Ge4,Ge5,b5,c5,d5", "B=Gb2")
    assert choices(position) == FOUR_WAYS | subsets("5", "b5 c5 d5", "e5")
    broken = after(position, "e: e5")
    assert (white(broken), choices(broken), len(pushes(broken))) == ("b5,c5,d5,Ge2,Ge3,Ge4", set(), 42)


def test_r4_7_an_offer_stays_open_beside_due_rows() -> None:
    """The offer still stands after the due row is gone. A push leaves it."""
    position = board("tournament w", "W=Ge2,Ge3,Ge4,Ge5,b5,c5,d5", "B=Gb2")
    position = after(position, "5: b5 c5 d5")
    assert (choices(position), len(pushes(position))) == (FOUR_WAYS, 42)
    broken = after(board("tournament w", "W=Ge2,Ge3,Ge4,Ge5,b5,c5,d5", "B=Gb2"), "5: b5 c5 d5 e5")
    assert choices(broken) == set()


def test_r4_7_a_due_row_stays_due_after_an_offer() -> None:
    """If the due row survives the offer, it must still be removed. The offer is closed."""
    position = board("tournament w", "W=Ge2,Ge3,Ge4,Ge5,b5,c5,d5", "B=Gb2")
    position = after(position, "e: e2")
    assert (choices(position), pushes(position)) == (subsets("5", "b5 c5 d5", "e5"), set())


def test_r4_7_no_pass_while_a_row_is_due() -> None:
    """After the push an offer cannot be left before the due row is gone."""
    due = after(board("tournament w", "W=Gd3,Gd4,Gd5,Gd6,g2,g3,g4", "B=Gb5"), "g1-g2")
    offers = subsets("d", "", "d3 d4 d5 d6", least=1)
    assert choices(due) == offers | {"g: g2 g3 g4 g5"}
    assert choices(after(due, "g: g2 g3 g4 g5")) == offers | {"pass"}


@pytest.mark.parametrize("head", ["basic w", "standard w", "tournament w"])
def test_r4_8_removal_is_compulsory(head: str) -> None:
    """While a row is due, neither a push nor a pass is legal, before the push and after it."""
    kind = "" if head.startswith("basic") else "G"
    standing = board(head, f"W=e2,e3,e4,e5,{kind}h5", f"B={kind}b2")
    made = after(board(head, f"W=e2,e3,e4,{kind}h5", f"B={kind}b2"), "e1-e2")
    for position in (standing, made):
        assert (choices(position), pushes(position)) == ({"e: e2 e3 e4 e5"}, set())
