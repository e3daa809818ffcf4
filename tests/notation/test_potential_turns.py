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
from gipfbot.notation.conditional_text import split_conditional
from gipfbot.notation.suggest import suggest_turns
from gipfbot.notation.typed_turns import bare_dot_pushes
from gipfbot.rules import Position, play, turns
from tests.rules.generate_loaded import LOADED, built, reached
from tests.rules.loaded import POOR, at
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


BESIDE = at("standard+Z3P3 w W=Gb5,Ge2,Zc3,Pe3 B=Ge4,Gb2,c4,c5,Pf3,h5 left=Z1P1-Z1P1")
SENTENCES = [
    (BESIDE, "Z99", "Expected a spot or dot behind Z, such as Zc2"),
    (BESIDE, "Zc3", "Say where the ZÈRTZ-potential on c3 jumps to: write Zc3>c6"),
    (BESIDE, "Zc3>c4", "A ZÈRTZ-potential jumps in a straight line over pieces to the first vacant spot"),
    (BESIDE, "Pe3>d3", "A PÜNCT-potential jumps onto an adjacent PÜNCT or GIPF-piece of the opponent"),
    (POOR, "Pd3>d4+2", "White has 1 in reserve and can put \\+1 on d4"),
    (NONE, "Pd3>d4+1", "White has no piece in reserve to put on the GIPF-piece"),
    (at("standard+Z3 w W=Gb5,d3 B=Ge8"), "Zd2", "or has already brought in a basic piece. Leave the Z out"),
]


@pytest.mark.parametrize(("position", "text", "sentence"), SENTENCES, ids=[text for _, text, _ in SENTENCES])
def test_bad_input_says_the_rule_in_words(position: Position, text: str, sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence):
        parse_turn(position, text)


MEANT = [
    ("Zc3>c4", "Zc3>c6"),
    ("zc3-c6", "Zc3>c6"),
    ("c3>c6", "Zc3>c6"),
    ("Zc3>", "Zc3>c6"),
    ("Pc3>c6", "Zc3>c6"),
    ("Zb3>c6", "Zc3>c6"),
    ("Pe3>e4+3", "Pe3>e4+1"),
    ("Pe3>f4", "Pe3>f3"),
    ("Zc9", "Zc6"),
]


@pytest.mark.parametrize(("typed", "meant"), MEANT)
def test_a_slip_in_a_use_is_understood(typed: str, meant: str) -> None:
    """The turn that is meant is among the first two suggestions."""
    assert meant in suggest_turns(BESIDE, (), typed)[:2]


def test_plain_slips_do_not_suggest_uses() -> None:
    for typed in ("e3", "c2-c4", "g1-g9"):
        assert not any(">" in text for text in suggest_turns(BESIDE, (), typed)[:1])


def test_a_short_list_of_completions_shows_uses_too() -> None:
    assert {"Zc3>c6", "Pe3>f3"} <= {found.text for found in completions(BESIDE, (), "", 12)}


def test_a_completion_counts_only_what_is_removed() -> None:
    """A used potential adds a piece, and one on a stack replaces one."""
    (found,) = completions(BESIDE, (), "Pe3>f3", 3)
    assert (found.returned, found.captured) == (0, 0)


@pytest.mark.parametrize(
    ("line", "turns"),
    [
        ("e2 > g3 Zc3>c6 Pc3>c4+1", ["e2", "g3", "Zc3>c6", "Pc3>c4+1"]),
        ("if Zc3>c6 then Pe4>e3+2, if e2->g3", ["Zc3>c6", "Pe4>e3+2", "e2", "g3"]),
        ("1. pc3>c4 Ge2>g3", ["pc3>c4", "Ge2", "g3"]),
        ("Zc3>c6;xc2,Zd3,e4 → Za1 c3", ["Zc3>c6;xc2,Zd3,e4", "Za1", "c3"]),
    ],
)
def test_conditional_lines_know_uses(line: str, turns: list[str]) -> None:
    assert split_conditional(line) == turns


@pytest.mark.parametrize("letter", ["", "Z", "P"])
def test_a_bare_dot_of_a_loaded_piece_is_asked_about(letter: str) -> None:
    pushes = bare_dot_pushes(BESIDE, f"{letter}g1", OFFICIAL)
    assert [str(push.kind) for push in pushes] == [letter, letter]
