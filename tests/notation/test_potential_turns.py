"""Turns with potentials in both notations: what is written is read back, and bad turns say the rule."""

from itertools import islice
from random import Random

import pytest

from gipfbot.notation import (
    JULIO974,
    OFFICIAL,
    IllegalTurn,
    Notation,
    NotationError,
    OpenTurn,
    completions,
    parse_turn,
    read_turn_part,
    turn_text,
)
from gipfbot.rules import Position, play, turns
from tests.rules.generate_loaded import LOADED, built, reached
from tests.rules.loaded import at
from tests.support.effort import amount

MOST_TURNS = 300


def end_of(position: Position, text: str, notation: Notation = OFFICIAL) -> Position:
    """Return the position after a written turn."""
    for action in parse_turn(position, text, notation):
        position = play(position, action)
    return position


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("notation", [OFFICIAL, JULIO974], ids=["official", "julio974"])
def test_every_turn_is_read_from_its_text(notation: Notation) -> None:
    compared = 0
    for seed in range(amount(test=60, long=1_500)):
        position = (reached, built)[seed % 2](LOADED[seed // 2 % len(LOADED)], Random(seed))
        found = list(islice(turns(position), MOST_TURNS + 1))
        if len(found) > MOST_TURNS:
            continue
        for turn, end in found[:: amount(test=7, long=1)]:
            text = turn_text(position, turn.actions, notation)
            assert end_of(position, text, notation) == end, (position, text)
            assert turn_text(position, parse_turn(position, text, notation), notation) == text
            compared += 1
    assert compared > 200


USES = at("standard+Z6P6 w W=Gb5,Zc3,c4,Pe3 B=c5,Ge4,Pf3,Ge8 left=Z3P1-Z6P5")
WRITTEN = {
    "Zc3>c6": "Zc3>c6",
    "zc3 > c6": "Zc3>c6",
    "Pe3>e4+1": "Pe3>e4+1",
    "Pe3>e4+2": "Pe3>e4+2",
    "pe3>f3": "Pe3>f3",
    "Zd1-d2": "Zd2",
    "Pd2": "Pd2",
    "za5-b5": None,
}


@pytest.mark.parametrize(("text", "canonical"), [(a, b) for a, b in WRITTEN.items() if b])
@pytest.mark.parametrize("notation", [OFFICIAL, JULIO974], ids=["official", "julio974"])
def test_a_use_and_a_loaded_piece_are_written_alike(text: str, canonical: str, notation: Notation) -> None:
    if "-" in text and notation is JULIO974:
        text = "Zd1"
    assert turn_text(USES, parse_turn(USES, text, notation), notation) == canonical
    assert read_turn_part(USES, (), text, notation)


def test_removal_lists_name_the_top_with_its_letter() -> None:
    row = at("standard+Z3P3 w W=Gb5,e2,ze3,Ze4,pe5[P] B=Gh2,pe6[P]")
    assert turn_text(row, parse_turn(row, "xe2,ze3,pe5,pe6*;d2")) == "xe2,ze3,pe5,pe6*;d2"
    assert turn_text(row, parse_turn(row, "xe2,Ze3,ze4,Pe5,pe6;d2")) == "xe2,ze3,Ze4,pe5,pe6*;d2"


def test_a_freed_piece_stands_in_a_later_list() -> None:
    row = at("tournament+P6 w W=Ge2,Ge3,Ge4,Ge5,e7 B=Gh2,pe6[P]")
    assert turn_text(row, parse_turn(row, "xpe6*,e7;xPe6;d2")) == "xpe6*,e7;xPe6;d2"
    with pytest.raises(NotationError):
        parse_turn(row, "xpe6*,e7,Pe6;d2")


def test_a_use_that_does_not_say_how_many_is_open() -> None:
    with pytest.raises(OpenTurn) as fault:
        parse_turn(USES, "Pe3>e4")
    assert fault.value.choices == ("Pe3>e4+1", "Pe3>e4+2")
    one = at("standard+P3 w W=Gd2,Pd3 B=Gd4,Ge8 captured=14-0")
    assert turn_text(one, parse_turn(one, "Pd3>d4")) == "Pd3>d4+1"


POOR = at("standard+P3 w W=Gd2,Pd3 B=Gd4,Ge8 captured=14-0")
NONE = at("standard+P3 w W=Gd2,Pd3,Pc3 B=Gd4,Ge8,Pc4 captured=14-0")
BAD = [
    (USES, "Zc3>c7", "Expected the spot|c7"),
    (USES, "Zc3>c4", "cannot go to c4: it can go to c6"),
    (USES, "Pe3>c4", "cannot go to c4"),
    (USES, "Zc4>c6", "no piece with a ZÈRTZ-potential on c4"),
    (USES, "Pe3>f3+1", "Nothing is put down on f3"),
    (USES, "Pe3>e4+3", "\\+1 or \\+2"),
    (USES, "Zc3>", "the spot that the potential jumps to"),
    (USES, "c3>c6", "Expected"),
    (POOR, "Pd3>d4+2", "can put \\+1 on d4"),
    (NONE, "Pd3>d4+1", "no piece in reserve"),
    (at("standard+Z3 w W=Gb5,d3 B=Ge8"), "Zd2", "cannot come in"),
    (at("standard+Z3 w W=Gb5,d3 B=Ge8"), "Pd2", "PÜNCT-potentials are not part of Standard with 3 ZÈRTZ"),
    (at("tournament+Z3 w W= B= left=Z3-Z3 opening=wb"), "Zd2", "must bring one in"),
]


@pytest.mark.parametrize(("position", "text", "reason"), BAD, ids=[text for _, text, _ in BAD])
def test_a_bad_turn_says_the_rule(position: Position, text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason) as fault:
        parse_turn(position, text)
    if isinstance(fault.value, IllegalTurn):
        assert fault.value.rule in str(fault.value)


def test_a_record_in_julio974_must_name_the_loss_of_r7_4() -> None:
    row = at("tournament+Z3 w W=Ge2,Ge3,Ze4,Ge5 B=Gh5")
    with pytest.raises(OpenTurn):
        parse_turn(row, "X;d2", JULIO974)
    assert turn_text(row, parse_turn(row, "Xe4;d2", JULIO974)) == "xZe4;d2"


def test_uses_are_offered_while_typing() -> None:
    assert [one.text for one in completions(USES, (), "Zc3", 5)] == ["Zc3>c6"]
    assert {one.text for one in completions(USES, (), "pe3>e4", 5)} == {"Pe3>e4+1", "Pe3>e4+2"}
    assert {one.text for one in completions(USES, (), "Zc", 60)} >= {"Zc3>c6", "Zc2"}
