"""Sheets of turns, as far as the tools read them."""

from contextlib import suppress
from itertools import islice
from time import perf_counter

import pytest

from gipfbot.notation import BrokenRecord, ParseError, read_sheet, replay
from gipfbot.rules import BASIC, STANDARD, start

SHEETS = [
    # file, its turns
    ("1. c2 d2\n2. e1-e3", ["c2", "d2", "e1-e3"]),
    ("c2\nd2\n\n e1-e3 \n", ["c2", "d2", "e1-e3"]),
    ("1.c2 d2 2... e1-e3", ["c2", "d2", "e1-e3"]),
    ("c2 e1 – e3 ; xc2 , d3 (5) f2", ["c2", "e1–e3;xc2,d3(5)", "f2"]),
    ("c2 {a {good} d2 {one\nover lines} e1-e3", ["c2", "d2", "e1-e3"]),
    ('; c2\n[Event "c2"]\n  ; d2\nc2', ["c2"]),
    ("1. c2 1… d2 16… e1-e3 2...f2", ["c2", "d2", "e1-e3", "f2"]),
    ('; a { sign\n[Event "{"]\nc2 {a\n; b} d2', ["c2", "d2"]),
    ("1. c2 d2 1-0", ["c2", "d2"]),
    ("", []),
]


@pytest.mark.parametrize(("file", "turns"), SHEETS)
def test_turns_are_taken_from_a_file(file: str, turns: list[str]) -> None:
    """Numbers, comments, headers and the result are passed over; blanks separate turns, except next to signs."""
    assert [*read_sheet(file).turns] == turns


HEADS = [
    ("; A game. Rules: tournament. By nobody.\nc2", "tournament", None),
    ('[Rules "Basic"]\nc2 1–0', "basic", "1-0"),
    ("; By the rules of chess\nc2 0-1", None, "0-1"),
    ("c2 void", None, "void"),
    ("c2 ½–½", None, "½-½"),
    ("[Event \"the rules\"]\n[Rules \"standard\"]\nc2 *", "standard", "*"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "rules", "result"), HEADS)
def test_rule_set_and_result_are_taken_from_a_file(file: str, rules: str | None, result: str | None) -> None:
    sheet = read_sheet(file)
    assert (sheet.rules, sheet.result) == (rules, result)


UNREADABLE = [
    ("c2 {never closed, d2", "I expected } behind the comment “{never close…” where the text ends."),
    ('[Rules "Foo"]\nc2', 'I expected a rule set (basic, standard, tournament) where “Foo"]” stands.'),
    ("; rules: chess\nc2", "I expected a rule set (basic, standard, tournament) where “chess” stands."),
]


@pytest.mark.parametrize(("file", "sentence"), UNREADABLE)
def test_what_cannot_be_passed_over_is_told(file: str, sentence: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_sheet(file)
    assert str(caught.value) == sentence


def test_a_replay_stops_at_the_first_bad_turn() -> None:
    """It says which turn of which side it is, and why; what was good is kept."""
    steps = replay(start(BASIC), ("c2", "d2", "e1-e3", "e1-e3", "c2"))
    assert [step.text for step in islice(steps, 3)] == ["c2", "d2", "e1-e3"]
    with pytest.raises(BrokenRecord) as caught:
        next(steps)
    assert caught.value.number == 4
    assert str(caught.value).startswith("2… e1-e3 (Black): e2 is occupied and that push moves pieces to another spot")
    assert caught.value.code == "furthest"


def test_a_long_bad_turn_is_not_repeated_whole() -> None:
    with pytest.raises(BrokenRecord) as caught:
        list(replay(start(STANDARD), ("nonsense" * 1000,)))
    assert str(caught.value).startswith("1. nonsensenonsense")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("sign", ["{", "}", "[", "]", ";", " ", "\n", "1.", "-", "(", "x", "1-0 ", "[]", "{}", "\t\n"])
def test_a_full_file_of_anything_is_read_at_once(sign: str) -> None:
    began = perf_counter()
    for text in (sign * (64 * 1024 // len(sign)), f"c2 {sign * (64 * 1024 // len(sign))} d2"):
        with suppress(ParseError):
            read_sheet(text)
    assert perf_counter() - began < 1
