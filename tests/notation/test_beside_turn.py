"""What the text of a typed turn says besides the turn."""

import pytest

from gipfbot.notation import read_record, typed_warnings

WARNED = [
    # the text, the number of the turn, the mover's reserve after it (None: the turn is not complete), what is told
    ("e2", 1, 11, []),
    ("1. e2! (11) $1", 1, 11, []),
    ("1... d7", 2, 11, []),
    ("> `e1 - e3` +/-", 1, 11, []),
    ("xb2,b3,b4,b5 ; c2", 9, 3, []),
    ("e2 (5)", 1, 11, ["White has 11 in reserve after this turn, not 5."]),
    ("g7-b4 (16)", 8, 9, ["Black has 9 in reserve after this turn, not 16."]),
    ("e2 (5", 1, 11, ["White has 11 in reserve after this turn, not 5."]),
    ("e2 (5)", 1, None, []),
    ("3. e2", 1, 11, ["The text says move 3, but this is move 1."]),
    ("(3) e2", 5, 11, []),
    ("17… d7", 4, 11, ["The text says move 17, but this is move 2."]),
    ("i1*X", 1, 11, ["i1* has a star too many: i1 has only one direction."]),
    ("e2 (or d2)", 1, 11, ["“(or d2)” was skipped."]),
    ("e2 {good}", 1, 11, ["The comment “good” was not kept."]),
    ("e2 {open", 1, 11, [
        "The comment “{open” is not closed. It was read to the end of its line.",
        "The comment “open” was not kept.",
    ]),
    ("2. e2 (5) (or d2)", 1, 11, [
        "The text says move 2, but this is move 1.",
        "White has 11 in reserve after this turn, not 5.",
        "“(or d2)” was skipped.",
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "turn_number", "reserve", "told"), WARNED)
def test_what_does_not_change_a_typed_turn_is_told(
    text: str, turn_number: int, reserve: int | None, told: list[str]
) -> None:
    assert list(typed_warnings(text, turn_number, reserve)) == told


def test_a_record_warns_of_the_same() -> None:
    record = read_record("1. c2 (5) (or d2) i1* {good} (9) c6", "basic")
    assert record.warnings == (
        "“(or d2)” was skipped.",
        "1. White has 11 in reserve after this turn, not 5.",
        "1… i1* has a star too many: i1 has only one direction.",
        "1… Black has 11 in reserve after this turn, not 9.",
    )


def test_a_number_in_brackets_begins_a_record() -> None:
    assert read_record("(1) c2 d2", "basic").warnings == ()
    assert read_record("(2) c2 d2", "basic").warnings == ("Move number 2 where 1 was expected: is a turn missing?",)
