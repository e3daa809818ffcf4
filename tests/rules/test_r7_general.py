"""R7.1 to R7.6: how potentials come in, are left in rows, and end the game."""

import pytest

from gipfbot.rules import Colour, Reason, Result, ruleset_named, start
from gipfbot.rules.geometry import SPOTS, axial
from tests.rules.helpers import white
from tests.rules.loaded import at, kinds, others, then, uses

KINDS = ("G", *"zzzzzz", *[""] * 18)


@pytest.mark.parametrize(("name", "says"), [("basic+Z2", "3 to 6"), ("basic+P7", "3 to 6"), ("basic+Z99", "not 99")])
def test_r7_1_three_to_six_of_a_kind_are_agreed(name: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        ruleset_named(name)
    assert start(ruleset_named("basic+Z3P6")).left == ((3, 6), (3, 6))


def test_r7_2_a_loaded_piece_costs_a_piece_and_a_potential() -> None:
    after = then(start(ruleset_named("standard+Z3P4")), "Zd1-d2", "Pd8-d7")
    assert after.reserve == (11, 11)
    assert after.left == ((2, 4), (3, 3))
    assert (after.pieces()["d2"].kind, after.pieces()["d7"].kind) == ("Z", "P")


def test_r7_2_no_potential_enters_when_none_is_left() -> None:
    assert kinds(at("standard+Z3P3 w W=Gb5 B=Ge8 left=Z0P1-Z0P0")) == {"", "P"}
    assert kinds(at("standard+Z3P3 b W=Gb5 B=Ge8 left=Z0P1-Z0P0")) == {""}


def test_r7_2_gipf_pieces_come_first_and_a_loaded_piece_ends_them() -> None:
    begin = start(ruleset_named("tournament+Z3"))
    assert kinds(begin) == {"G"}
    second = then(begin, "Gd1-d2", "Gd8-d7")
    assert kinds(second) == {"G", "Z", ""}
    loaded = then(second, "Zf1-f2", "Gc7-c6")
    assert kinds(loaded) == {"Z", ""}
    assert loaded.opening == (False, True)


def test_r7_2_each_player_begins_with_a_gipf_piece() -> None:
    """Black, too, when White's stands already."""
    assert kinds(then(start(ruleset_named("tournament+Z3")), "Gd1-d2")) == {"G"}


def test_r4_6_no_line_is_dealt_with_when_the_next_turn_begins() -> None:
    """Black's push moves c5 to b5. White's row on line b, the first of all lines, is open."""
    row = then(at("standard+Z3 b W=Gh5,b2,b3,b4,c5,e5,g3 B=Gh4,d5,f4,h2"), "i1-h2")
    assert others(row) == {"b: b2 b3 b4 b5"}


def test_r4_6_a_line_is_dealt_with_once() -> None:
    """White has kept all GIPF-pieces of the row on line e. It is not asked about again before the push."""
    kept = then(at("tournament+Z3 w W=Ge2,Ge3,Ge4,Ge5 B=Gh5,e6"), "e: e6")
    assert others(kept) == set()
    assert kinds(kept)


def test_r7_2_a_plain_basic_piece_ends_gipf_and_loaded_pieces() -> None:
    plain = then(start(ruleset_named("tournament+Z3P3")), "Gd1-d2", "Gd8-d7", "f1-f2", "Pc7-c6")
    assert kinds(plain) == {""}
    assert plain.left == ((0, 0), (3, 2))


def test_r7_2_uses_and_what_they_put_down_end_nothing() -> None:
    jumped = then(at("standard+Z3 w W=Gb5,Zd3,d4 B=Ge8 left=Z1-Z3"), "Zd3>d5")
    assert jumped.left == ((1,), (3,))
    put = then(at("standard+P3 w W=Gb5,Pd3 B=Gd4,Ge8 left=P1-P3"), "Pd3>d4+1")
    assert put.left == ((1,), (3,))


def test_r7_3_a_use_is_the_turn_and_works_once() -> None:
    used = then(at("standard+Z3 w W=Gb5,Zd3,d4 B=Ge8"), "Zd3>d5")
    assert used.mover is Colour.BLACK
    assert white(used) == "Gb5,d3,d4,zd5"
    assert uses(used._replace(mover=Colour.WHITE)) == set()


def test_r7_3_a_use_out_of_an_own_row_makes_it_due() -> None:
    kept = at("tournament+Z3 w W=Ge2,Ge3,Ge4,Ge5,Ze6,Ge7,d6 B=Gh5 dealt=e")
    used = then(kept, "Ze6>c6")
    assert used.pushed
    assert all("e6" in text for text in others(used))


def test_r7_4_a_loaded_piece_in_a_row_may_be_left() -> None:
    row = at("standard+Z3 w W=Gb5,e2,e3,Ze4,e5 B=Gh5")
    assert others(row) == {"e: e2 e3 e5", "e: e2 e3 e4 e5"}
    assert then(row, "e: e2 e3 e4 e5").reserve[0] == row.reserve[0] + 4


def test_r7_4_a_captured_loaded_piece_loses_its_potential() -> None:
    row = at("standard+Z3 w W=Gb5,e2,e3,e4,e5 B=Gh5,Ze6")
    taken = then(row, "e: e2 e3 e4 e5 e6")
    assert taken.captured == (0, 1)
    assert taken.left == row.left


def test_r7_4_a_row_of_gipf_and_loaded_pieces_must_lose_one() -> None:
    row = at("tournament+Z3 w W=Ge2,Ge3,Ze4,Ge5 B=Gh5")
    assert "e: e4" in others(row)
    assert "e: e2" in others(row)
    assert len(others(row)) == 15
    assert uses(row) == kinds(row) == set()


def test_r7_4_the_extension_is_no_loss_of_the_row() -> None:
    row = at("tournament+Z3 w W=Ge2,Ge3,Ze4,Ge5 B=Gh5,e6")
    assert "e: e6" not in others(row)
    assert all("e6" in text for text in others(row))
    assert len(others(row)) == 15


def test_r7_4_a_basic_piece_in_the_row_is_loss_enough() -> None:
    assert "e: e3" in others(at("tournament+Z3 w W=Ge2,e3,Ze4,Ge5 B=Gh5"))


def test_r7_4_what_another_row_took_is_no_loss_of_this_one() -> None:
    crossing = at("tournament+Z3 w W=Ge2,Ge3,Ze4,Ge5,Ge6,d2,c2,b2 B=Gh5")
    still_four = then(crossing, "2: b2 c2 d2 e2")
    assert len(others(still_four)) == 15
    assert "e: e3" in others(still_four)
    shorter = at("tournament+Z3 w W=Ge2,Ge3,Ze4,Ge5,d2,c2,b2 B=Gh5")
    assert others(then(shorter, "2: b2 c2 d2 e2")) == set()


def test_r7_4_a_loaded_piece_only_in_the_extension_leaves_an_offer() -> None:
    row = at("tournament+Z3 w W=Ge2,Ge3,Ge4,Ge5 B=Gh5,Ze6")
    assert kinds(row)
    assert "e: e6" in others(row)


def test_r7_5_a_used_potential_is_a_piece_of_a_row_and_must_go() -> None:
    row = at("standard+Z3 w W=Gb5,e2,ze3,Ge4,e5 B=Gh5,ze6")
    assert others(row) == {"e: e2 e3 e5 e6", "e: e2 e3 e4 e5 e6"}
    gone = then(row, "e: e2 e3 e5 e6")
    assert gone.reserve[0] == row.reserve[0] + 2
    assert gone.captured == (0, 0)


def test_r7_5_a_row_with_only_a_used_potential_is_due() -> None:
    row = at("tournament+Z3 w W=Ge2,Ge3,ze4,Ge5 B=Gh5")
    assert all("e4" in text for text in others(row))
    assert kinds(row) == set()


def test_r7_6_an_empty_reserve_loses_when_no_potential_can_be_used() -> None:
    before = at("standard+Z3 w W=Gb5,d2 B=Ge8,Zc2 captured=0-15")
    lost = then(before, "d8-d7")
    assert lost.result is None
    stuck = then(at("standard+Z3 w W=Gb5 B=Ge8,Zc2 captured=0-15"), "f1-f2")
    assert stuck.result == Result(Colour.WHITE, Reason.RESERVE)


def test_r7_6_play_goes_on_with_an_empty_reserve_while_a_potential_can_be_used() -> None:
    only = then(at("standard+Z3 w W=Gb5,d2 B=Ge8,Zc2 captured=0-15"), "d8-d7")
    assert kinds(only) == set()
    assert uses(only) == {"Zc2>e2"}


def test_r7_6_a_player_with_a_reserve_but_no_vacancy_loses() -> None:
    side = {Colour.WHITE: list[str](), Colour.BLACK: list[str]()}
    for spot in SPOTS:
        x, y = axial(spot)
        side[Colour((x + 2 * y) // 2 % 2)].append(spot)
    side[Colour.BLACK if "e2" in side[Colour.BLACK] else Colour.WHITE].remove("e2")
    whites, blacks = (
        ",".join(f"{kind}{spot}" for kind, spot in zip(KINDS, spots, strict=False)) for spots in side.values()
    )
    full = then(at(f"standard+Z6 b W={whites} B={blacks}"), "e1-e2")
    assert full.reserve[Colour.WHITE] > 0
    assert full.result == Result(Colour.BLACK, Reason.RESERVE)
