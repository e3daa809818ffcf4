"""Every kind of question, with the point of the sources that it comes from."""

from random import Random

import pytest

from gipfbot.rules import Position
from gipfbot.rules.pending import Asked, question
from tests.rules.boards_of_overboard import built_table, seek_rows
from tests.rules.generate import walk
from tests.rules.generate_loaded import LOADED, built, reached
from tests.rules.loaded import at

SOURCES = {
    Asked.PUSH: "R3.2, R7.2",
    Asked.USE: "seeds/001 point 1, seeds/004 point 2, R7.3",
    Asked.TARGET: "seeds/001 point 2, seeds/004 point 2",
    Asked.PUT: "seeds/004 point 5",
    Asked.ROW: "R4.3, seeds/004 point 7",
    Asked.ORDER: "R4.5, seeds/004 point 7",
    Asked.TAKE: "R4.4, seeds/004 point 6, R7.4",
    Asked.LOSS: "R7.4",
    Asked.OFFER: "R4.7",
    Asked.ENDS: "seeds/002 on removing pieces after a row, R8.3",
    Asked.GIVE_UP: "seeds/002 on removing own GIPF-pieces, R8.3, R8.4",
    Asked.PASS: "R8.5",
}
OF_OVERBOARD = {Asked.ENDS, Asked.GIVE_UP, Asked.PASS}


def test_every_kind_of_question_has_its_source() -> None:
    assert {*SOURCES} == {*Asked}
    assert all(SOURCES.values())


@pytest.mark.usefixtures("untraced")
def test_every_kind_of_question_is_asked_and_none_asks_nothing() -> None:
    met = set[Asked]()
    for seed in range(120):
        asked = question((reached, built)[seed % 2](LOADED[seed % len(LOADED)], Random(seed)))
        if asked:
            assert asked.asks
            met |= asked.asks
        if met >= {*Asked} - OF_OVERBOARD:
            break
    assert met == {*Asked} - OF_OVERBOARD


def test_overboard_asks_its_own_questions_and_no_others() -> None:
    met = set[Asked]()
    for seed in range(60):
        rng = Random(seed)
        for position, _, _ in walk(built_table(rng), rng, seek_rows, 40):
            asked = question(position)
            assert asked
            assert asked.asks
            assert asked.by is position.decider
            met |= asked.asks
    assert met == OF_OVERBOARD | {Asked.PUSH, Asked.ROW, Asked.ORDER}


USES = at("standard+Z3P3 w W=Gb5,Zc3,c4,Pe3 B=Ge4,Pf3,Gd3")


def test_a_use_is_asked_with_its_targets_and_numbers() -> None:
    asked = question(USES)
    assert asked
    zertz, punct = asked.uses
    assert (zertz.kind, zertz.spot, zertz.targets) == ("Z", "c3", ("c5", "f2"))
    assert {target: punct.numbers(target) for target in punct.targets} == {"d3": (1, 2), "e4": (1, 2), "f3": (0,)}
    assert {Asked.PUSH, Asked.USE, Asked.TARGET, Asked.PUT} <= asked.asks


@pytest.mark.parametrize(
    ("line", "forced"),
    [
        ("standard+P3 w W=Gb5,e2,e3,e4,pe5[P] B=Gh2", True),
        ("standard+P3 w W=Gb5,e2,e3,e4,pe5[P],h2,h3,h4,h5 B=Gb2", False),
        ("standard+P3 w W=Gb5,e2,e3,e4,e5,h2,h3,h4,h5 B=Gb2", True),
    ],
)
def test_the_order_is_asked_where_a_piece_can_be_freed(line: str, forced: bool) -> None:
    asked = question(at(line))
    assert asked
    assert (asked.forced is not None) is forced
    assert (Asked.ORDER in asked.asks) is not forced


def test_a_loss_is_asked_with_its_spots() -> None:
    asked = question(at("tournament+Z3 w W=Ge2,Ge3,Ze4,Ge5 B=Gh5,e6"))
    assert asked
    (row,) = asked.rows
    assert row.loss == ("e2", "e3", "e4", "e5")
    assert row.removal(["e6"]) is None
    assert row.removal(["e6", "e4"]) is not None


def test_without_potentials_no_use_is_asked() -> None:
    plain: Position = at("standard+Z3 w W=Gb5 B=Gb2")
    asked = question(plain)
    assert asked
    assert asked.asks == {Asked.PUSH}
