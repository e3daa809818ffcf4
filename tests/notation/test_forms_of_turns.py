"""Turns as people write them: the forms of notation.md section 2, read in play and in records alike."""

import unicodedata

import pytest

from gipfbot.notation import (
    JULIO974,
    NOTATIONS,
    OFFICIAL,
    IllegalTurn,
    ParseError,
    completions,
    parse_turn,
    read_turn_part,
    turn_text,
)
from gipfbot.notation.normalise import HIDDEN, WrittenPush, fold_signs
from gipfbot.rules import Colour
from tests.notation.helpers import at

OPENING = at("basic w W=b2,b3,b4 B=c3,e2")  # b5 makes a row

FORMS = [
    # a text and the turn that it means
    ("e1-e3", "e1-e3"),
    ("e1 - e3", "e1-e3"),
    ("e1 e3", "e1-e3"),
    ("e1e3", "e1-e3"),
    ("E1E3", "e1-e3"),
    ("e1—e3", "e1-e3"),
    ("e1\u2212e3", "e1-e3"),
    ("e1\u2011e3", "e1-e3"),
    ("1. e1-e3", "e1-e3"),
    ("1) e1-e3", "e1-e3"),
    ("1 e1-e3", "e1-e3"),
    ("12.e1-e3", "e1-e3"),
    ("e1-e3!!!", "e1-e3"),
    ("e1-e3 ?!", "e1-e3"),
    ("e1-e3 $1 $14", "e1-e3"),
    ("e1-e3 +/-", "e1-e3"),
    ("e1-e3 ∓", "e1-e3"),
    ("e1-e3 {a (good) one}", "e1-e3"),
    ("{first} e1-e3 {never closed", "e1-e3"),
    ("e1-e3 (or c2 (or d2))", "e1-e3"),
    ("e1-e3 (or c2", "e1-e3"),
    ("e1-e3 ( 11 )", "e1-e3"),
    ("e1-e3! (11) (good)", "e1-e3"),
    ("\u200be1\u200d-e3\u202c\ufeff", "e1-e3"),
    ("`e1-e3`", "e1-e3"),
    ("```\ne1-e3\n```", "e1-e3"),
    ("```text\ne1-e3```", "e1-e3"),
    ("> e1-e3", "e1-e3"),
    ("> > 1. e1-e3", "e1-e3"),
    ("b5;xb2,b3,b4,b5", "b5;xb2,b3,b4,b5"),
    ("b5 ; × b2, b3 , b4 ,b5", "b5;xb2,b3,b4,b5"),
    ("b6b5", "b5;xb2,b3,b4,b5"),
]


@pytest.mark.parametrize(("text", "turn"), FORMS)
def test_a_typed_turn_is_read_in_every_form(text: str, turn: str) -> None:
    assert turn_text(OPENING, parse_turn(OPENING, text)) == turn
    assert turn_text(OPENING, read_turn_part(OPENING, (), text)) == turn


@pytest.mark.parametrize("text", ["1. e1!", "`e1`", "1) e1* {a star too many?}", "> e1 (11)", "e1 \u2217 ?", "e1\\*"])
def test_the_same_forms_are_read_in_julio974(text: str) -> None:
    position = at("basic w W=d2 B=f2,e2")
    meant = "e1-e3" if "*" not in fold_signs(text) else None
    if meant:
        assert turn_text(position, parse_turn(position, text, JULIO974)) == meant
    else:
        act = JULIO974.read(text).push
        assert isinstance(act, WrittenPush)
        assert (act.dot, act.star) == ("e1", True)


@pytest.mark.parametrize("number", ["1...", "1…", "1 ...", "1. ...", "12....", "1.…", "...", "…"])
def test_dots_behind_the_number_say_that_black_is_to_move(number: str) -> None:
    """It is an error that names the mismatch, also inside a turn."""
    black = OPENING._replace(mover=Colour.BLACK)
    for notation in NOTATIONS.values():
        assert turn_text(black, parse_turn(black, f"{number} d7", notation)) == "d7"
        with pytest.raises(IllegalTurn, match="Black is to move, but it is White's turn") as caught:
            parse_turn(OPENING, f"{number} d7", notation)
        assert caught.value.code == "side"
    with pytest.raises(IllegalTurn, match="Black is to move, but it is White's turn"):
        read_turn_part(OPENING, (), f"{number} d7")


def test_a_fault_is_marked_in_the_text_as_typed() -> None:
    with pytest.raises(ParseError) as caught:
        OFFICIAL.read("1. {why} e1\u2212e3;y!")
    assert caught.value.caret == "1. {why} e1\u2212e3;y!\n" + " " * 15 + "^"


def test_a_completion_fits_the_typed_forms() -> None:
    for typed in ("1. e1e", "e1\u2212e", "> e1 – e3!"):
        assert [found.text for found in completions(OPENING, (), typed, 5)] == ["e1-e3"]


def test_all_dashes_and_unseen_characters_are_known() -> None:
    """Those of newer planes only if people can type them."""
    for code in range(0x80, 0x11000):
        kind = unicodedata.category(chr(code))
        if kind == "Pd":
            assert fold_signs(chr(code)) == "-", hex(code)
        if code in {0xAD, *range(0x2000, 0x2070), 0xFEFF} and kind == "Cf":
            assert fold_signs(chr(code)) == HIDDEN, hex(code)
