"""R7.7, the ZÈRTZ-potential: each point of its page (seeds/001) by its number."""

from gipfbot.rules import Colour, Reason, Result
from tests.rules.helpers import black, white
from tests.rules.loaded import at, kinds, others, then, uses


def test_zertz_1_a_jump_is_the_turn_instead_of_a_push() -> None:
    position = at("standard+Z3 w W=Gb5,Zd3,d4 B=Ge8")
    assert "Zd3>d5" in uses(position)
    assert kinds(position) == {""}
    jumped = then(position, "Zd3>d5")
    assert jumped.mover is Colour.BLACK
    assert jumped.reserve == position.reserve


def test_zertz_1_it_needs_no_special_spot_and_no_moment() -> None:
    brought = then(at("standard+Z3 w W=Gb5,e3 B=Ge8 left=Z3-Z3"), "Ze1-e2", "f1-f2")
    assert {"Ze2>e4", "Ze2>g2"} == uses(brought)


def test_zertz_2_it_jumps_over_one_piece_at_least() -> None:
    assert uses(at("standard+Z3 w W=Gb5,Ze5 B=Ge8")) == set()
    assert uses(at("standard+Z3 w W=Gb5,Ze5,e6 B=Gh2")) == {"Ze5>e7"}


def test_zertz_2_it_jumps_over_several_pieces_in_line() -> None:
    assert uses(at("standard+Z3 w W=Gb5,Ze3,e4,e5 B=Gh2,e6")) == {"Ze3>e7"}
    assert uses(at("standard+Z3 w W=Gh5,Zb2,c3,d4 B=Gh2")) == {"Zb2>e5"}


def test_zertz_2_it_jumps_in_all_six_directions() -> None:
    around = at("standard+Z3 w W=Gb2,Ze5,e6,e4,f5 B=Gh2,d5,d4,f4")
    assert uses(around) == {"Ze5>e7", "Ze5>e3", "Ze5>g5", "Ze5>c5", "Ze5>c3", "Ze5>g3"}


def test_zertz_2_it_stops_on_the_first_vacancy_and_passes_none() -> None:
    assert uses(at("standard+Z3 w W=Gb5,Ze3,e4,e6 B=Gh2")) == {"Ze3>e5"}
    assert uses(at("standard+Z3 w W=Gb5,Ze3,e5 B=Gh2")) == set()


def test_zertz_2_it_jumps_over_pieces_of_any_kind_and_colour() -> None:
    line = at("standard+Z6P6 w W=Gh5,Ze2,e3,Ge4 B=Gh2,Ze5,ze6,Pe7")
    assert uses(line) == {"Ze2>e8"}
    assert uses(at("standard+Z6P6 w W=Gh5,Ze2 B=Gh2,pe3[P]")) == {"Ze2>e4"}


def test_zertz_2_it_never_jumps_onto_a_dot() -> None:
    assert uses(at("standard+Z3 w W=Gb5,Ze7,e8 B=Gh2")) == set()
    assert uses(at("standard+Z3 w W=Gh5,Zb4,b5 B=Gh2")) == set()


def test_zertz_2_the_jumped_pieces_stay() -> None:
    jumped = then(at("standard+Z3 w W=Gb5,Ze3,e4 B=Ge5,Gh2"), "Ze3>e6")
    assert (white(jumped), black(jumped)) == ("Gb5,e3,e4,ze6", "Ge5,Gh2")


def test_zertz_3_a_jump_makes_rows_like_a_push() -> None:
    position = at("standard+Z3 w W=Gb5,Ze3,e4,d6,f5,g4 B=Gh2,e5,c6")
    made = then(position, "Ze3>e6")
    assert made.pushed
    (removal,) = others(made)
    done = then(made, removal)
    assert done.captured == (0, 1)
    assert done.reserve[0] == position.reserve[0] + 3
    assert "e6" not in done.pieces()


def test_zertz_4_a_used_potential_has_no_power() -> None:
    used = then(at("standard+Z3 w W=Gb5,Zd3,d4 B=Ge8"), "Zd3>d5")
    assert uses(used._replace(mover=Colour.WHITE)) == set()


def test_zertz_4_a_used_potential_may_not_be_left_whoever_takes_it() -> None:
    own = at("tournament+Z3 w W=Gb5,Ge2,Ge3,Ge4,ze5 B=Gh2")
    assert all("e5" in text for text in others(own))
    other = at("standard+Z3 w W=Gb5,Ge2,Ge3,e4,e5 B=Gh2,ze6")
    assert all("e6" in text for text in others(other))


def test_zertz_4_a_used_potential_leaves_the_game() -> None:
    other = at("standard+Z3 w W=Gb5,Ge2,Ge3,e4,e5 B=Gh2,ze6")
    gone = then(other, "e: e4 e5 e6")
    assert gone.captured == other.captured
    assert gone.reserve == (other.reserve[0] + 2, other.reserve[1])
    assert gone.left == other.left


def test_zertz_5_with_an_empty_reserve_the_potentials_play_on() -> None:
    position = at("standard+Z3 w W=Gb5,Zd3,d4,Zb2 B=Ge8 captured=13-0")
    assert position.reserve[0] == 0
    assert kinds(position) == set()
    assert uses(position) == {"Zd3>d5"}


def test_zertz_5_without_a_use_an_empty_reserve_loses() -> None:
    position = at("standard+Z3 b W=Gb5,Ze2 B=Ge8 captured=15-0")
    assert then(position, "h1-h2").result == Result(Colour.BLACK, Reason.RESERVE)
    assert then(position, "f1-f2").result is None
