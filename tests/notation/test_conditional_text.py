"""Conditional lines as text: where one turn ends and the next begins, and what each turn does."""

import pytest

from gipfbot.notation import (
    JULIO974,
    NOTATIONS,
    OFFICIAL,
    BrokenRecord,
    Notation,
    OpenTurn,
    ParseError,
    parse_conditional_turn,
    split_conditional,
    turn_text,
)
from tests.notation.helpers import at, game
from tests.notation.positions import KEEPER


@pytest.mark.parametrize(
    "text",
    """a2, b2, e1, c2|a2,b2,e1,c2|a2; b2; e1; c2|a2 → b2 → e1 → c2|a2->b2->e1->c2|a2=>b2 ==> e1 --> c2|a2/b2/e1/c2
    |a2\nb2\ne1\nc2|1 a2 b2 2 e1 c2|1) a2 b2 2) e1 c2|1. a2, b2; 2. e1, c2|(1) a2 b2 (2) e1 c2|a2: b2; e1: c2
    |If a2 then b2, if e1 then c2|if a2, then b2; IF e1 — c2|a2,then b2→if e1/then c2
    |if they play a2, you play b2, if they play e1, you play c2|a2 --> b2 – e1 -> c2""".split("|"),
)
def test_turns_of_a_line_may_be_separated_in_many_ways(text: str) -> None:
    assert split_conditional(text) == ["a2", "b2", "e1", "c2"]


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("E1 - e3, e9 b3", ["E1-e3", "e9", "b3"]),
        ("Ge1 – e3 e9--e7", ["Ge1-e3", "e9-e7"]),
        ("c2 - g2 – e1 - e9", ["c2", "g2", "e1", "e9"]),
        ("h4 xd2, d3, d4, d5, Gd6*", ["h4", "xd2,d3,d4,d5,Gd6*"]),
        ("xb2,b3; e1-e3 ; xc2, h3*; h3", ["xb2,b3;e1-e3;xc2,h3*", "h3"]),
        ("xb2,b3; e1 - e3 ; xc2, h3*; h3", ["xb2,b3;e1-e3;xc2,h3*", "h3"]),
        ("h4, xd2,d3; Ge1-e3, 2. g2", ["h4", "xd2,d3;Ge1-e3", "g2"]),
        ("X;e1*;XbGc4 c2", ["X;e1*;XbGc4", "c2"]),
        ("XD2, GE3*, e1-e3 e9", ["XD2,GE3*", "e1-e3", "e9"]),
        ("e1-e2-e3e4 b2", ["e1-e2-e3e4", "b2"]),
        ("c2 (11) g3! ( 10 ) 2... d2 {good} (or e2) b3 (9", ["c2 (11)", "g3 (10)", "2... d2", "b3 (9)"]),
        ("(1) c2 (11) g3 (2) d2 (10", ["c2", "g3", "d2 (10)"]),
        ("c2! $1ne1-e3", ["c2", "e1-e3"]),
        ("x; x; e2; x; x; b2", ["x;x;e2;x;x", "b2"]),
    ],
)
def test_the_parts_of_a_turn_stay_together(text: str, turns: list[str]) -> None:
    assert split_conditional(text) == turns


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("if e1-e3 then h4;xd2,d3, if e2 then xb2;g3", ["e1-e3", "h4;xd2,d3", "e2", "xb2;g3"]),
        ("1. e1 xd2,d3, 2. e2 c2", ["e1", "xd2,d3", "e2", "c2"]),
        ("e1 c2; 2. x;e2 g2", ["e1", "c2", "x;e2", "g2"]),
        ("e1 - if e3 then e2", ["e1", "e3", "e2"]),
    ],
)
def test_a_number_or_an_if_begins_a_turn(text: str, turns: list[str]) -> None:
    assert split_conditional(text) == turns


@pytest.mark.parametrize(
    ("text", "turns"), [("", []), ("12.", []), ("if then", []), ("1.2 12345", ["12345"]), (" c2 e1- ", ["c2", "e1-"])]
)
def test_a_text_without_turns_gives_none(text: str, turns: list[str]) -> None:
    """A push without an end is kept as a turn. It is refused when it is read."""
    assert split_conditional(text) == turns


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
@pytest.mark.parametrize("rules", ["basic", "standard", "tournament"])
def test_a_written_line_is_read_back(rules: str, notation: Notation) -> None:
    """The lines are whole games that seek rows, written as people read them."""
    for seed in range(4):
        texts = [turn_text(*turn, notation) for turn in game(rules, seed)]
        pairs = [f"if {turn} then {answer}" for turn, answer in zip(texts[::2], texts[1::2], strict=False)]
        assert split_conditional(", ".join(pairs)) == texts[: 2 * len(pairs)]
        assert split_conditional(" ".join(texts)) == texts


@pytest.mark.parametrize("text", ["e2;xe2,e4,e5", "e1-e2;xe2,e4,e5", "e1Xe"])
def test_a_turn_is_read_in_either_notation(text: str) -> None:
    actions = parse_conditional_turn(at(KEEPER), text, 1)
    assert turn_text(at(KEEPER), actions) == "e2;xe2,e4,e5"
    assert actions == parse_conditional_turn(at(KEEPER), text, 1, JULIO974)


def test_the_error_names_an_unreadable_turn_and_its_place() -> None:
    with pytest.raises(BrokenRecord) as broken:
        parse_conditional_turn(at(KEEPER), "e1-moo", 12)
    assert (broken.value.turn_number, broken.value.caret) == (12, "e1-moo\n   ^")
    assert isinstance(broken.value.fault, ParseError)
    assert str(broken.value).startswith("6… e1-moo (White): Expected")


def test_a_long_list_of_choices_is_cut() -> None:
    with pytest.raises(BrokenRecord) as broken:
        parse_conditional_turn(at("tournament w W=Gb2,Gb3,Gb4,b5,Ge2,Ge3,e4,e5 B=Gh2"), "x", 1)
    assert isinstance(broken.value.fault, OpenTurn)
    assert len(broken.value.fault.choices) == 6
    assert str(broken.value).endswith("…")


def test_similar_turns_are_shown_in_the_readers_notation() -> None:
    for notation, near in ((OFFICIAL, "e1-e3"), (JULIO974, "e1")):
        with pytest.raises(BrokenRecord) as broken:
            parse_conditional_turn(at("basic w W=e2,b2 B=h2"), "e1-e2", 1, notation)
        assert near in broken.value.similar


@pytest.mark.parametrize("text", ["e2", "e1-e2", "e1"])
def test_an_open_turn_is_refused_with_whole_turns(text: str) -> None:
    """The choices are the same however the push is written."""
    with pytest.raises(BrokenRecord) as broken:
        parse_conditional_turn(at(KEEPER), text, 1)
    assert isinstance(broken.value.fault, OpenTurn)
    assert not str(broken.value).endswith("…")
    assert broken.value.fault.choices == ("e2;xe2,e4,e5", "e2;xe2,Ge3,e4,e5")


@pytest.mark.parametrize("text", ["f8-f7", "f7"])
def test_offered_choices_start_from_the_dot_that_was_typed(text: str) -> None:
    """A push from d8 makes the same row and ends on f7, too. It is not offered."""
    with pytest.raises(BrokenRecord) as broken:
        parse_conditional_turn(at("standard w W=f4,f5,Gf6,e8 B=Gb2"), text, 1)
    assert isinstance(broken.value.fault, OpenTurn)
    assert broken.value.fault.choices == ("f7;xf4,f5,f7", "f7;xf4,f5,Gf6,f7")


ROW_FIRST = at("standard w W=c2,Gc3,c4,c5,g5,h5 B=Gb2,c6,d7,e2,Ge8,f7 reserve=10-9 captured=1-1")


@pytest.mark.parametrize(
    ("notation", "text", "choice"),
    [
        (OFFICIAL, "e1-e3", "xc2,c4,c5,c6*;e1-e3"),
        (OFFICIAL, "b3", "xc2,c4,c5,c6*;b3"),  # not b1-b3
        (OFFICIAL, "e1", "Xc;e1"),
        (JULIO974, "e1", "Xc;e1"),
    ],
)
def test_offered_choices_go_on_with_the_push_that_was_typed(notation: Notation, text: str, choice: str) -> None:
    """It is open what comes off before it, and no other push is offered."""
    with pytest.raises(BrokenRecord) as broken:
        parse_conditional_turn(ROW_FIRST, text, 1, notation)
    assert isinstance(broken.value.fault, OpenTurn)
    assert broken.value.fault.choices == (choice,)


@pytest.mark.parametrize(
    ("line", "text", "near"),
    [
        (
            "standard w W=b2,Gb4,c6,d2,Ge2,Gh5 B=Gb3,b5,Ge8,g2,h2,Gh3 reserve=9-9 captured=0-0",
            "a2-c2;xb2,c2d,2,Ge2",
            ("a2Xe2", "a2X2"),
        ),
        (
            "standard w W=c2,Gc3,c4,c5,g5,h5 B=Gb2,c6,d7,e2,Ge8,f7 reserve=10-9 captured=1-1",
            "xc2,c4,c5,c4*;e1-e3",
            ("Xc;e1",),
        ),
    ],
)
def test_similar_turns_leave_nothing_open(line: str, text: str, near: tuple[str, ...]) -> None:
    """A record in Julio974's notation may write `a2X`; a line has to say which pieces come off."""
    with pytest.raises(BrokenRecord) as broken:
        parse_conditional_turn(at(line), text, 1, JULIO974)
    assert broken.value.similar == broken.value.fault.near == near
    for turn in near:
        assert parse_conditional_turn(at(line), turn, 1, JULIO974)
