"""Refusals of typed turns: explained in the notation of the text, with turns in the reader's notation."""

from random import Random

import pytest

from gipfbot.notation import (
    JULIO974,
    NOTATIONS,
    OFFICIAL,
    IllegalTurn,
    Notation,
    NotationError,
    OpenTurn,
    ParseError,
    parse_turn,
    read_turn_part,
    turn_text,
)
from gipfbot.notation.refusals import FAULTS_OF_THE_BOARD
from gipfbot.rules import open_rows
from gipfbot.rules.geometry import ENTRIES
from tests.notation.helpers import along, at, crowded
from tests.notation.positions import (
    APART,
    COLUMN,
    CROSSING,
    EMPTY,
    FAQ_9,
    FULL,
    KEEPER,
    LAST_GIPF,
    OFFER,
    SETUP,
    THEIRS,
)
from tests.support.effort import amount

TWO_WAYS = "tournament w W=g2,Gg3,g4,g5,Gf4,Ge5,Gh2 B=Gb2"


def refusal(line: str, typed: str, reader: Notation, done: str = "") -> NotationError:
    """Return the error of a text typed after a part of a turn, for a reader of this notation."""
    position = at(line)
    with pytest.raises(NotationError) as caught:
        read_turn_part(position, parse_turn(position, done)[:1] if done else (), typed, reader)
    return caught.value


# ── In Julio974's notation ──

ILLEGAL = [
    # position, typed text, caret, sentence
    (SETUP, "e2", 0, "e2 is occupied: push from d1 with d1* or from e1 with e1 or from f1 with f1*. (R3.2)"),
    (SETUP, "e5", 0, "e5 is not next to a dot: a piece comes in from a dot. (R3.2)"),
    (SETUP, "Ge1", 0, "In Standard no GIPF-pieces are brought in: leave the G out. (R2)"),
    (EMPTY, "e9", 0, "White has no GIPF-piece on the board yet and must bring one in: write G before the spot. (R5.1)"),
    (FULL, "e1", 0, "The line from e1 through e2 is full, so nothing can be pushed into it. (R3.3)"),
    (FULL, "e2", 0, "e2 is occupied and every line through it from a dot is closed. (R3.3)"),
    (SETUP, "c2X", 2, "White has no row after this push. (R3.4)"),
    (THEIRS, "b3Xe", 2, "White has no row after this push. (R3.4)"),
    (SETUP, "X;c2", 0, "White has no row on the board: there is nothing to remove. (R4.1)"),
    (COLUMN, "e2X5", 2, "White has no row on line 5. (R4.1)"),
    (KEEPER, "e2XGe3", 2, "White has no row on line g: after an X a GIPF-piece is written without G. (R4.1)"),
    (
        COLUMN,
        "e2Xe2",
        3,
        "e2 holds a basic piece, which goes anyway: after an X write only GIPF-pieces. (R4.4)",
    ),
    (SETUP, "c2Xb5", 3, "White has no row after this push. (R3.4)"),
    (COLUMN, "e2XGe6", 4, "e6 is empty: there is nothing to remove. (R4.1)"),
    (COLUMN, "e2Xe6", 3, "e6 is empty: there is nothing to remove. (R4.1)"),
    (KEEPER, "e2Xb5", 3, "b5 is in no row of White's. (R4.2)"),
    (APART, "Xbg4;h3", 2, "g4 is not in the row on line b. (R4.2)"),
    (APART, "Xb4g4;h3", 0, "b4 and g4 lie in different rows: write an X in front of each. (R4.5)"),
    (APART, "XbXb;h3", 2, "White has taken the row on line b already. (R4.6)"),
    (LAST_GIPF, "Xe6;b3", None, "The removal before the push ends the game: leave the push out. (R6.2)"),
    (
        f"{OFFER} step=after",
        "c2Xe3",
        None,
        "You have pushed. Do e2, e3, e4, e5 stay on the board, or come off, too? (R3.5)",
    ),
]


@pytest.mark.parametrize(("line", "typed", "place", "sentence"), ILLEGAL)
def test_a_julio974_turn_is_refused_in_its_own_terms(line: str, typed: str, place: int | None, sentence: str) -> None:
    """Records and players who read that notation get the same sentence."""
    with pytest.raises(IllegalTurn) as caught:
        parse_turn(at(line), typed, JULIO974)
    assert (str(caught.value), caught.value.at) == (sentence, place)
    assert str(refusal(line, typed, JULIO974)) == sentence


# ── Each reader of a turn ──

SHOWN = [
    # position, played part, typed text, sentence for a reader of official notation, for a reader of Julio974's
    (SETUP, "", "e2", "from d1 with d1-f2 or from e1 with e1-e3", "from d1 with d1* or from e1 with e1 or"),
    (SETUP, "", "e1-e4", "the last piece in its way on e3: write e1-e3.", "the last piece in its way on e3: write e1."),
    (SETUP, "", "a1-e8", "from a1, write a1-c3.", "from a1, write a1."),
    (KEEPER, "e2;xe2,e4,e5", "b2", "You have pushed e2. Does e3", "You have pushed e2X. Does e3"),
]


@pytest.mark.parametrize(("line", "done", "typed", "official", "julio974"), SHOWN)
def test_turns_are_shown_in_the_readers_notation(
    line: str, done: str, typed: str, official: str, julio974: str
) -> None:
    """The notation of the text makes no difference."""
    assert official in str(refusal(line, typed, OFFICIAL, done))
    assert julio974 in str(refusal(line, typed, JULIO974, done))


NEAR = [
    # position, played part, typed text, similar turns in official notation, in Julio974's
    (SETUP, "", "e1.e3", ("e1-e3",), ("e1",)),
    (COLUMN, "", "e2;xe2,e3,e4", ("e2;xe2,e3,e4,e5",), ("e2X",)),
    (KEEPER, "", "e2Xe2e3", ("e2;xe2,Ge3,e4,e5", "e2;xe2,e4,e5"), ("e2Xe3", "e2X")),
    (KEEPER, "e2;xe2,e4,e5", "e2;xe3,e4", ("e2;xe2,Ge3,e4,e5", "e2;xe2,e4,e5"), ("e2Xe3", "e2X")),
]


@pytest.mark.parametrize("reader", NOTATIONS.values(), ids=NOTATIONS)
@pytest.mark.parametrize("typed", ["a3-e4", "d1-f5", "g1-b2", "g1-g5"])
def test_the_turns_named_in_the_sentence_come_first(typed: str, reader: Notation) -> None:
    error = refusal(SETUP, typed, reader)
    *_, named = str(error).removesuffix(". (R1.4)").removesuffix(". (R3.2)").partition("write ")
    assert [*error.near[: named.count(" or ") + 1]] == named.split(" or ")


@pytest.mark.parametrize(("line", "done", "typed", "official", "julio974"), NEAR)
def test_a_refusal_names_similar_turns(
    line: str, done: str, typed: str, official: tuple[str, ...], julio974: tuple[str, ...]
) -> None:
    assert refusal(line, typed, OFFICIAL, done).near == official
    assert refusal(line, typed, JULIO974, done).near == julio974


UNREADABLE = [
    # a typed text with a ^ in front of the fault, and what was expected there
    ("^e2-e4", "a dot in front of the -"),
    ("e1^,e4", "- and a spot"),
    ("e1^.e4", "X for a row"),
    ("e1-e3^*", "the end of the turn"),
    ("e2^,xe2,e3", "the end of the turn"),
    ("e1*^y", "X for a row"),
    ("e1X^i2", "a GIPF-piece taken such as c4"),
]


@pytest.mark.parametrize("reader", NOTATIONS.values(), ids=NOTATIONS)
@pytest.mark.parametrize(("marked", "expected"), UNREADABLE)
def test_an_unreadable_text_is_explained_in_its_notation(marked: str, expected: str, reader: Notation) -> None:
    """Hyphens and commas mean official notation. Otherwise the notation that reads further counts."""
    error = refusal(SETUP, marked.replace("^", ""), reader)
    if marked == "e1^.e4" and reader is OFFICIAL:
        expected = "- and a spot"
    assert isinstance(error, ParseError)
    assert error.expected.startswith(expected)
    assert error.at == marked.index("^")


@pytest.mark.parametrize(("typed", "notation", "example"), [("e2-e9", OFFICIAL, "e1-e4"), ("Ge2*", JULIO974, "g1*")])
def test_a_push_from_a_spot_is_explained(typed: str, notation: Notation, example: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_turn(at(SETUP), typed, notation)
    assert str(caught.value) == f"e2 is inside the board. A push begins at a dot on the edge, as in {example}."
    assert caught.value.at == typed.index("e2")


# ── Two meanings ──


@pytest.mark.parametrize(("reader", "first"), [(OFFICIAL, 0), (JULIO974, 1)])
def test_a_text_with_two_meanings_names_both(reader: Notation, first: int) -> None:
    """The text means a GIPF-piece on g3, or row g with g3. Each choice has one meaning."""
    error, position = refusal(TWO_WAYS, "xgg3;c6", reader), at(TWO_WAYS)
    assert isinstance(error, OpenTurn)
    both = [*zip(error.choices, error.readings, strict=True)]
    assert both[first] == ("xGg3;c6", "official")
    assert both[1 - first] == ("XgXg3;c6", "Julio974")
    taken = [turn_text(position, read_turn_part(position, (), choice, reader)) for choice, _ in both]
    assert taken[first] == "xGg3;c6"
    assert taken[1 - first] == "xg2,Gg3,g4,g5;c6"
    assert error.near == ()


def test_a_refusal_within_a_turn_changes_nothing() -> None:
    position = at(KEEPER)
    done = parse_turn(position, "e2;xe2,e4,e5")[:1]
    near = refusal(KEEPER, "xe2,e3,e4", OFFICIAL, "e2;xe2,e4,e5").near
    for text in near:
        whole = (*done, *read_turn_part(position, done, text))
        assert turn_text(position, whole) == text
        assert along(position, whole).mover is not position.mover


# ── The first reason ──

FULL_BUT_ROW = "standard w W=e2,e3,e4,Ge5,Gb5 B=Gh3"
FIRST = [
    # position, typed text, sentence
    (FULL_BUT_ROW, "h3", "White's row e2–e5 comes off first. h3 is occupied: push from"),
    (FULL_BUT_ROW, "i2-h3", "White's row e2–e5 comes off first. From i2, the new piece stops on the first spot"),
    (FAQ_9, "e8", "White's rows b2–b5 and g2–g5 come off first. e8 is occupied: push from"),
    # which pieces the push would move depends on what goes
    (
        "tournament w W=Gb2,Gb4,Gc5,Gd6,Ge6,Ge7,Gf5,Gg4,Gh3 B=c6,d2,Gd5,d7,Gf3,g2,Gh5 captured=0-0",
        "c7-d7",
        "White's row d6–h3 comes off first: write what goes, then the push.",
    ),
]


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
@pytest.mark.parametrize(("line", "typed", "sentence"), FIRST)
def test_r3_1_a_row_that_comes_off_first_is_named_first(
    line: str, typed: str, sentence: str, notation: Notation
) -> None:
    with pytest.raises(IllegalTurn) as caught:
        read_turn_part(at(line), (), typed, notation)
    assert (str(caught.value).startswith(sentence), caught.value.rule) == (True, "R3.1"), str(caught.value)


@pytest.mark.usefixtures("untraced")
def test_no_other_reason_comes_before_a_row() -> None:
    """Whatever push is typed while a row is due, the spots in its way are not the first reason."""
    said = list[str]()
    for seed in range(amount(test=40, long=2_000)):
        position, rng = crowded(seed), Random(seed)
        if position.pushed or not any(row.due for row in open_rows(position)):
            continue
        for entry in rng.sample(ENTRIES, 4):
            for text in (entry.spot, f"{entry.dot}-{entry.spot}"):
                try:
                    read_turn_part(position, (), text)
                except NotationError as fault:
                    said += [f"{seed} {text}: {fault}"] * (fault.code in FAULTS_OF_THE_BOARD)
    assert len(said) >= 5
    assert [one for one in said if ": White's row" not in one] == []


BEGUN = [
    # position, played part, typed text, sentence
    (KEEPER, "e2", "b5", "You have pushed e2. Does e3 stay on the board, or come off, too?"),
    (KEEPER, "e2", "hello", "Does e3 stay on the board, or come off, too?"),
    (KEEPER, "e2", "b", "Does e3 stay on the board, or come off, too?"),
    (f"{OFFER} step=after", "", "zz9", "Do e2, e3, e4, e5 stay on the board, or come off, too?"),
    (CROSSING, "xb5,c5,d5,e5", "hello", "Write the push."),
    (CROSSING, "xb5,c5,d5,e5", "xe2,e3,e4,e5;b2", "You have played xb5,c5,d5,e5. Write the push."),
]


@pytest.mark.parametrize(("line", "done", "typed", "sentence"), BEGUN)
def test_within_a_turn_the_error_says_what_is_open(line: str, done: str, typed: str, sentence: str) -> None:
    begun = read_turn_part(at(line), (), done) if done else ()
    with pytest.raises(NotationError) as caught:
        read_turn_part(at(line), begun, typed)
    assert str(caught.value).removesuffix(" (R3.5)") == sentence
