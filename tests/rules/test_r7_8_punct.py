"""R7.8, the PÜNCT-potential: each point of its page (seeds/004) by its number; its last heading is called special."""

import pytest

from gipfbot.rules import Colour, Kind, Position, Reason, Result
from tests.rules.helpers import black, white
from tests.rules.loaded import FREES_OWN, FREES_OWN_GIPF, at, kinds, others, then, uses


def stack(position: Position, spot: str) -> str:
    """Return the kinds on a spot from top to bottom; a basic piece is a point."""
    piece = position.pieces()[spot]
    return "".join(one.kind or "." for one in (piece, *piece.under))


def test_punct_1_it_neutralises_a_punct() -> None:
    used = then(at("basic+P3 w W=Pd3 B=Pd4"), "Pd3>d4")
    assert (white(used), black(used)) == ("d3,pd4", "")
    assert stack(used, "d4") == "pP"
    assert uses(used) == set()


def test_punct_1_it_neutralises_or_converts_a_gipf_piece() -> None:
    position = at("standard+P3 w W=Gb5,Pd3 B=Gd4,Ge8")
    assert uses(position) == {"Pd3>d4+1", "Pd3>d4+2"}


@pytest.mark.parametrize("target", ["b2", "e8"])
def test_punct_2_it_jumps_only_onto_an_adjacent_spot(target: str) -> None:
    assert uses(at(f"standard+P3 w W=Gb5,Pd3 B=G{target},Gh2")) == set()


def test_punct_2_it_jumps_in_all_six_directions() -> None:
    around = at("standard+P6 w W=Gb5,Pe5 B=Ge6,Ge4,Gf5,Pd5,Pd4,Pf4")
    assert {use[3:6] for use in uses(around)} == {">e6", ">e4", ">f5", ">d5", ">d4", ">f4"}


@pytest.mark.parametrize("piece", ["d4", "Zd4", "zd4", "d4[G]"])
def test_punct_2_it_never_jumps_onto_other_pieces(piece: str) -> None:
    assert uses(at(f"standard+Z3P3 w W=Gb5,Pd3 B={piece},Gh2")) == set()


def test_punct_2_it_never_jumps_onto_own_pieces_or_a_vacancy() -> None:
    assert uses(at("standard+P3 w W=Gd4,Pd3,Pc3,Pe3 B=Gh2")) == set()


def test_punct_2_it_needs_no_reserve_for_a_punct() -> None:
    position = at("standard+P3 w W=Gb5,Pd3 B=Pd4,Gh2 captured=15-0")
    assert position.reserve[0] == 0
    assert uses(position) == {"Pd3>d4"}


def test_punct_3_a_removed_top_frees_the_punct_below() -> None:
    row = at("standard+P3 w W=Gb5,e2,e3,pe4[P],e5 B=Gh2")
    freed = then(row, "e: e2 e3 e4 e5")
    assert black(freed) == "Pe4,Gh2"
    assert freed.reserve[0] == row.reserve[0] + 3


def test_punct_3_a_freed_punct_can_be_used_again() -> None:
    row = at("standard+P3 w W=Gb5,e2,e3,pe4[P],e5,Gd4 B=Gh2")
    freed = then(row, "e: e2 e3 e4 e5", "b1-b2")
    assert uses(freed) == {"Pe4>d4+1", "Pe4>d4+2"}


def test_punct_4_puncts_stack_in_alternating_colours() -> None:
    position = at("basic+P3 b W=pd4[P] B=Pd5,b2")
    higher = then(position, "Pd5>d4")
    assert stack(higher, "d4") == "ppP"
    assert black(higher) == "b2,pd4,d5"


def test_punct_4_only_the_highest_potential_is_removed() -> None:
    row = at("basic+P3 w W=d2,d3,pd4[pP],d5 B=b2")
    left = then(row, "d: d2 d3 d4 d5")
    assert stack(left, "d4") == "pP"
    assert black(left) == "b2,pd4"


def test_punct_5_the_potential_leaves_the_game_and_pieces_are_put_down() -> None:
    position = at("standard+P3 w W=Gb5,Pd3 B=Gd4,Ge8 left=P2-P3")
    one, two = then(position, "Pd3>d4+1"), then(position, "Pd3>d4+2")
    assert (stack(one, "d4"), stack(two, "d4")) == (".G", "GG")
    assert (one.reserve[0], two.reserve[0]) == (position.reserve[0] - 1, position.reserve[0] - 2)
    assert one.left == two.left == position.left
    assert one.pieces()["d3"].kind is Kind.BASIC


def test_punct_5_each_player_puts_down_pieces_of_their_own_reserve() -> None:
    position = at("standard+P3 b W=Gd4,Gb5 B=Pd3,Ge8")
    put = then(position, "Pd3>d4+2")
    assert put.reserve == (position.reserve[0], position.reserve[1] - 2)


def test_punct_1_a_stack_made_by_a_use_is_that_of_the_position_line() -> None:
    """Positions are compared to find a repetition (R6.3)."""
    assert then(at("basic+P3 w W=Pd3 B=Pd4"), "Pd3>d4") == at("basic+P3 b W=d3,pd4[P] B=")


def test_punct_5_1_a_covered_gipf_piece_does_not_count_until_released() -> None:
    covered = at("standard+P3 w W=Gb5,e2,e3,e4[G],e5 B=h2")
    released = then(covered, "e: e2 e3 e4 e5")
    assert black(released) == "Ge4,h2"
    assert released.result is None


def test_punct_5_2_a_new_gipf_piece_can_be_converted_again() -> None:
    again = then(at("standard+P3 b W=Gb5,Gd4[G] B=Gh2,Pd5"), "Pd5>d4+2")
    assert stack(again, "d4") == "GGG"
    assert black(again) == "Gd4,d5,Gh2"


def test_punct_6_a_gipf_piece_on_a_stack_is_left_or_taken_whole() -> None:
    row = at("standard+P3 w W=Gb5,e2,e3,Ge4[G],e5 B=Gh2")
    assert others(row) == {"e: e2 e3 e5", "e: e2 e3 e4 e5"}
    taken = then(row, "e: e2 e3 e4 e5")
    assert taken.reserve[0] == row.reserve[0] + 5
    assert black(taken) == "Ge4,Gh2"


def test_punct_6_the_opponent_removes_it_whole_too() -> None:
    row = at("standard+P3 b W=Gb5,Ge6[G] B=Gh2,e2,e3,e4,e5")
    taken = then(row, "e: e2 e3 e4 e5 e6")
    assert taken.captured == (2, 0)
    assert black(taken) == "Ge6,Gh2"


def test_punct_7_a_row_left_by_the_opponent_is_removed_first() -> None:
    row = at("standard+P3 w W=Gb5,e2,e3,e4,e5,Pd3 B=Gd4,Gh2")
    assert kinds(row) == uses(row) == set()


FREES_OTHER = "standard+P6 w W=Gb5,e2,e3,e4,pe5[P] B=Ge8,f4,g3,d5"


def test_punct_7_a_freed_own_punct_makes_a_row_that_goes_too() -> None:
    freed = then(at(FREES_OWN), "e: e2 e3 e4 e5 e6")
    assert freed.mover is Colour.WHITE
    assert others(freed) == {"6: e6 f5 g4 h3", "6: f5 g4 h3"}
    assert kinds(freed) == set()


def test_punct_7_a_freed_own_gipf_piece_makes_a_row_that_goes_too() -> None:
    freed = then(at(FREES_OWN_GIPF), "e: e2 e3 e4 e5 e6")
    assert len(others(freed)) == 2
    assert kinds(freed) == set()


def test_punct_7_a_row_freed_for_the_opponent_waits_for_their_turn() -> None:
    freed = then(at(FREES_OTHER), "e: e2 e3 e4 e5")
    assert kinds(freed) == {""}
    assert "e5" in black(freed)
    waits = then(freed, "b1-b2")
    assert len(others(waits)) == 2
    assert kinds(waits) == set()


def test_punct_7_the_mover_may_break_the_row_they_freed() -> None:
    freed = then(at("standard+P6 w W=Gb5,e2,e3,e4,pe5[P],g2 B=Ge8,f4,g3,d5"), "e: e2 e3 e4 e5")
    assert len(others(then(freed, "b1-b2"))) == 2
    assert others(then(freed, "g1-g2")) == set()


def test_punct_7_after_the_act_rows_are_removed_again() -> None:
    made = then(at("standard+P3 w W=Gb5,e2,e3,e4,Pd5 B=Gh2,Ge5"), "Pd5>e5+1")
    assert others(made) == {"e: e2 e3 e4 e5"}
    done = then(made, "e: e2 e3 e4 e5")
    assert black(done) == "Ge5,Gh2"
    assert done.mover is Colour.BLACK


def test_punct_7_after_the_act_a_freed_piece_makes_a_row_that_goes_too() -> None:
    made = then(at("standard+P6 w W=Gb5,e3,e4,e5,f5,g4,h3 B=Gh2,pe6[P]"), "e1-e2", "e: e2 e3 e4 e5 e6")
    assert made.mover is Colour.WHITE
    assert len(others(made)) == 2


def test_punct_7_after_the_act_a_row_freed_for_the_opponent_is_theirs_to_remove() -> None:
    passed = then(at("standard+P6 w W=Gb5,e3,e4,pe5[P] B=Ge8,f4,g3,d5"), "e1-e2", "e: e2 e3 e4 e5")
    assert passed.mover is Colour.BLACK
    assert len(others(passed)) == 2
    assert kinds(passed) == set()


def test_punct_7_a_line_is_open_again_for_a_freed_piece() -> None:
    row = at("tournament+P6 w W=Ge2,Ge3,Ge4,Ge5,e7 B=Gh2,pe6[P]")
    again = then(row, "e: e6 e7")
    assert again.dealt == 0
    assert all(text.startswith("e:") for text in others(again))
    assert kinds(again) == set()
    assert kinds(then(again, "e: e6")) == {""}


def test_punct_7_a_used_potential_in_a_removed_row_never_stays() -> None:
    row = at("standard+P6 w W=Gb5,e2,e3,e4,Ge5 B=Gh2,pe6[P]")
    assert all("e6" in text for text in others(row))


def test_punct_special_it_needs_a_piece_in_reserve_for_a_gipf_piece() -> None:
    assert uses(at("standard+P3 w W=Gd2,Pd3,Pc3 B=Gd4,Ge8,Pc4 captured=14-0")) == {"Pc3>c4"}
    one = at("standard+P3 w W=Gd2,Pd3 B=Gd4,Ge8 captured=14-0")
    assert uses(one) == {"Pd3>d4+1"}


def test_punct_special_covering_the_last_gipf_piece_wins() -> None:
    position = at("standard+P3 w W=Gb5,Pd3 B=Gd4,h2")
    for use in ("Pd3>d4+1", "Pd3>d4+2"):
        assert then(position, use).result == Result(Colour.WHITE, Reason.GIPF)


def test_punct_special_no_win_if_the_covering_piece_must_go_again() -> None:
    position = at("standard+P3 w W=Gb5,e2,e3,e4,Pd5 B=h2,Ge5")
    made = then(position, "Pd5>e5+1")
    assert made.result is None
    done = then(made, "e: e2 e3 e4 e5")
    assert done.result is None
    assert done.mover is Colour.BLACK


def test_punct_special_a_new_gipf_piece_left_in_its_row_wins() -> None:
    made = then(at("standard+P3 w W=Gb5,e2,e3,e4,Pd5 B=h2,Ge5"), "Pd5>e5+2")
    assert made.result is None
    assert then(made, "e: e2 e3 e4").result == Result(Colour.WHITE, Reason.GIPF)
    assert then(made, "e: e2 e3 e4 e5").result is None


def test_punct_special_no_punct_jumps_onto_the_covering_basic_piece() -> None:
    put = then(at("standard+P3 w W=Gb5,Pd3 B=Gd4,Ge8,Pe4"), "Pd3>d4+1")
    assert uses(put) == set()


def test_punct_special_a_player_without_a_gipf_piece_may_act_before_the_test() -> None:
    row = at("standard+P3 w W=Ge2,e3,e4,e5,Pd3 B=Gd4,Gh2")
    without = then(row, "e: e2 e3 e4 e5")
    assert without.result is None
    assert then(without, "Pd3>d4+2").result is None
    assert then(without, "Pd3>d4+1").result == Result(Colour.BLACK, Reason.GIPF)
    assert then(without, "b1-b2").result == Result(Colour.BLACK, Reason.GIPF)


def test_punct_special_a_stack_is_pushed_and_jumped_over_as_one_piece() -> None:
    pushed = then(at("standard+P3 w W=Gb5,Ge2[G] B=Gh2"), "e1-e2")
    assert stack(pushed, "e3") == "GG"
    assert "Zd3>d5" in uses(at("standard+Z3P3 w W=Gb5,Zd3,d4[G] B=Gh2"))


def test_r4_6_a_freed_piece_opens_no_row_that_it_is_not_in() -> None:
    """White has kept the GIPF-pieces on line b. The piece freed on e6 makes a row on another line."""
    kept = at("tournament+P6 w W=Gb2,Gb3,Gb4,Gb5,e2,e3,e4,e5,f5,g4,h3 B=Gh2,pe6[P] dealt=b")
    freed = then(kept, "e: e2 e3 e4 e5 e6")
    assert others(freed)
    assert all("h3" in text for text in others(freed))
