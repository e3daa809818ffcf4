"""Turns in words: the push as pressed, and the notation last."""

import pytest

from gipfbot.notation import parse_position, parse_turn, turn_text
from gipfbot.rules import BASIC, TOURNAMENT, Action, Position, start
from gipfbot.rules.actions import PASS, Remove
from gipfbot.rules.rulesets import OVERBOARD
from gipfbot.ui.kit.turn_words import needs_notation, planned_turn, pressed_with_notation, spoken_turn, told_turn
from tests.support.games import E1

TAKES = parse_position("standard w W=b2,b3,Gb4,Ge2 B=Ge8,Gh2 reserve=12-14 captured=0-0")
BEGINS_WITH_ROW = parse_position("standard w W=Gd2,d3,d4,d5,Ge2 B=Ge8,Gh2 reserve=11-14 captured=0-0")


@pytest.mark.parametrize(
    ("turn", "said", "written"),
    [
        ("e1-e3", "**e1 → e2** (also written `e1-e3`)", "e1 → e2"),
        ("c2", "**b1 → c2** (also written `c2`)", "b1 → c2"),
    ],
)
def test_a_push_is_named_as_pressed_and_its_notation_comes_last(turn: str, said: str, written: str) -> None:
    actions = parse_turn(start(BASIC), turn)
    assert pressed_with_notation(actions, turn) == said
    assert spoken_turn(actions) == written


def test_a_removal_is_in_words_in_a_sentence() -> None:
    assert spoken_turn(parse_turn(TAKES, "b1-b5;xb2,b3,b4")) == "b1 → b2 and removed a row"


@pytest.mark.parametrize(
    ("turn", "newcomer", "said"),
    [
        ("c2", True, "b1 → c2"),
        ("b1-b5;xb2,b3,b4", False, "b1-b5;xb2,b3,b4"),
        ("b1-b5;xb2,b3,b4", True, "b1 → b2"),
    ],
)
def test_a_newcomer_reads_no_notation(turn: str, newcomer: bool, said: str) -> None:
    actions = parse_turn(TAKES, turn)
    assert told_turn(actions, turn, newcomer=newcomer) == said


@pytest.mark.parametrize(("turn", "said"), [("c2", "**b1 → c2**"), ("b1-b5;xb2,b3,b4", "**b1 → b2** (b2 b3 b4 off)")])
def test_without_its_notation_a_turn_says_what_it_removes(turn: str, said: str) -> None:
    assert pressed_with_notation(parse_turn(TAKES, turn), "") == said


@pytest.mark.parametrize(
    ("position", "turn", "said"),
    [
        (TAKES, "c2", "play b1 → c2"),
        (TAKES, "b1-b5;xb2,b3,b4", "play b1 → b2 and remove b2 b3 b4"),
        (BEGINS_WITH_ROW, "xGd2,d3,d4,d5;c2", "remove d2 d3 d4 d5 and play b1 → c2"),
    ],
)
def test_a_plan_says_what_is_pushed_and_removed(position: Position, turn: str, said: str) -> None:
    assert planned_turn(parse_turn(position, turn)) == said


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ((Remove(0, 0),), "remove nothing"),
        ((PASS,), "pass"),
        ((E1, PASS), "play e1 → e2"),
        ((E1, Remove(0, 0), PASS), "play e1 → e2 and remove nothing"),
        ((Remove(0, 1), E1, Remove(0, 1)), "remove b2, play e1 → e2 and remove b2"),
    ],
)
def test_a_plan_names_each_part_of_a_decision(actions: tuple[Action, ...], said: str) -> None:
    assert planned_turn(actions) == said


def test_the_kind_of_piece_is_named_unless_basic() -> None:
    assert spoken_turn(parse_turn(start(TOURNAMENT), "Ge2")) == "d1 → e2 with a GIPF-piece"


def test_a_potential_names_its_piece_and_both_spots() -> None:
    position = parse_position("standard+Z3 w W=Gb5,Ze3 B=Ge4,Gf7 reserve=15-14 captured=0-0 left=Z2-Z3")
    assert spoken_turn(parse_turn(position, "Ze3>e5")) == "ZÈRTZ e3 → e5"


def test_a_turn_of_the_same_words_is_said_once() -> None:
    position = start(OVERBOARD)
    actions = parse_turn(position, "f1-f2")
    assert turn_text(position, actions) == "f1-f2"
    assert not needs_notation(actions, "f1-f2")
