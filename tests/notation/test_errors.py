"""Errors (notation.md section 6): one of three kinds, quickly, with a short sentence and a place."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from gipfbot.notation import (
    IllegalTurn,
    ImpossiblePosition,
    NotationError,
    OpenTurn,
    ParseError,
    parse_action_code,
    parse_position,
    parse_turn,
    position_text,
    read_turn_part,
)
from gipfbot.rules import Position, legal
from tests.notation.helpers import at, crowded, game
from tests.support.effort import amount, examples

BUILT = 5  # of the positions are built for this; the others are crowded
KINDS = (ParseError, IllegalTurn, OpenTurn)
POSITIONS = [
    at("standard w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2"),
    at("tournament b W=Ge8 B= opening=wb"),
    at("basic w W=b5,c5,d5,e2,e3,e4,e5 B=h2"),
    at("tournament w W=Ge2,Ge3,Ge4,Ge5,b2 B=Gh2,Ge6,e7 captured=9-0"),
    at("standard w W=Gd2,d3,d4,d5,e3,f3,g3,Gh5 B=Gb2 step=after"),
    *(crowded(seed) for seed in range(12)),
]
PLAYED = [turn for rules in ("basic", "standard", "tournament") for turn in game(rules, 3)]

LIKE_TURNS = st.text(
    st.sampled_from([*"abcdefghigx123456789x;,-–*() G", "\N{ARABIC-INDIC DIGIT ONE}", "😀", "é", "İ"]), max_size=60
)
SPOTS = st.sampled_from("b2 c3 d4 e5 e2 e3 Ge4 f5* g2 Gh3 e9 a1 i5 x".split())
LIKE_LISTS = st.lists(st.lists(SPOTS, max_size=5).map(",".join), max_size=4).map(lambda parts: ";x".join(["", *parts]))
TYPED = st.one_of(st.text(max_size=80), LIKE_TURNS, LIKE_LISTS.map(lambda text: text[1:] or "x"))


def answered(what: Any, *given: Any) -> NotationError | None:
    """Call a reader; return its error, which must be one of the three kinds with a short sentence, or None."""
    try:
        what(*given)
    except KINDS as caught:
        error: NotationError = caught
    else:
        return None
    assert 0 < len(str(error)) < 1000
    assert len(error.caret) < 200
    assert str(error).isprintable()
    assert error.code.isidentifier()
    assert error.at is None or 0 <= error.at <= len(error.text)
    return error


@examples(test=100, long=400)
@given(st.sampled_from(POSITIONS), TYPED)
def test_any_text_is_a_turn_or_an_error(position: Position, text: str) -> None:
    answered(parse_turn, position, text)
    answered(read_turn_part, position, (), text)


@examples(test=40, long=150)
@given(st.sampled_from(PLAYED), TYPED)
def test_any_text_continues_a_draft_or_is_an_error(turn: Any, text: str) -> None:
    position, actions = turn
    answered(read_turn_part, position, actions[:-1], text)


@examples(test=60, long=300)
@given(st.data())
def test_any_text_is_a_position_or_an_error(data: st.DataObject) -> None:
    """The texts are arbitrary, or position lines with a part cut out, doubled or replaced."""
    line = position_text(data.draw(st.sampled_from(POSITIONS)))
    first, last = sorted(data.draw(st.tuples(*[st.integers(0, len(line))] * 2)))
    middle = data.draw(st.one_of(st.text(max_size=12), st.just(line[first:last] * 2)))
    answered(parse_position, data.draw(st.sampled_from([middle, line[:first] + middle + line[last:]])))


@given(st.one_of(st.text(max_size=20), st.text(st.sampled_from("Gabci1289x:*-"), max_size=12)))
def test_any_text_is_a_code_or_an_error(text: str) -> None:
    answered(parse_action_code, text)


SPOT_NAMES = [f"{column}{number}" for column in "bcdefgh" for number in range(2, 6)]
LONG = {
    "spots": "x" + ",".join((SPOT_NAMES * 60)[:1330]),
    "rows": ";".join(["x"] * 2000),
    "lists": "x" + ";x".join((SPOT_NAMES * 60)[:1000]),
    "blanks": "e2" + " " * 3998,
    "letters": "g" * 4000,
    "brackets": "e2" + "(" * 3998,
    "digits": "e2 (" + "9" * 3995 + ")",
    "emoji": "😀" * 4000,
    "control": "\x00\x1b\u202e\n" * 1000,
    "commas": "x" + "," * 3999,
    "words": "standard w " + "W=c2 " * 800,
    "pieces": "standard w W=" + ",".join(["c2"] * 1300) + " B= reserve=1-1 captured=0-0",
    "lines": "standard w W= B= reserve=18-18 captured=0-0 dealt=" + "e," * 1900 + "e",
    "dash": "a1-" * 1333,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_text_of_4000_characters_is_answered(text: str) -> None:
    """It is answered in every position. If the time grew with the square of the length, this would not end."""
    for position in POSITIONS[: BUILT + amount(test=2, long=12)]:
        answered(parse_turn, position, text)
        answered(read_turn_part, position, (), text)
    answered(parse_position, text)


def test_the_three_kinds_are_value_errors_of_one_class() -> None:
    assert all(issubclass(kind, NotationError) for kind in KINDS)
    assert issubclass(NotationError, ValueError)
    assert issubclass(ImpossiblePosition, IllegalTurn)


CARETS = [
    # text, what is shown
    ("e2;e3", "e2;e3\n   ^"),
    ("e2\n;e3", "e2\N{REPLACEMENT CHARACTER};e3\n    ^"),
    ("hello " * 100, f"{('hello ' * 100)[:40]}…\n^"),
    (f"e2;x{'c2,d2,e2,f2,' * 50}", f"{('e2;x' + 'c2,d2,e2,f2,' * 50)[:40]}…\n{' ' * 16}^"),
    (f"{' ' * 300}e2;e3{' ' * 300}", f"…{' ' * 17}e2;e3{' ' * 18}…\n{' ' * 21}^"),
]


@pytest.mark.parametrize(("text", "shown"), CARETS)
def test_the_caret_stands_under_the_place(text: str, shown: str) -> None:
    """Of a long text only the part around the place is shown. Control characters do not move the caret."""
    error = answered(parse_turn, POSITIONS[0], text)
    assert error
    assert error.caret == shown


def test_without_a_place_the_text_is_shown_alone() -> None:
    error = answered(parse_turn, at("basic w W=e3,e4,e5 B=b2"), "2... e2")
    assert error
    assert (error.at, error.caret) == (None, "2... e2")


def test_an_error_quotes_only_a_little_text() -> None:
    error = answered(parse_turn, POSITIONS[0], "nonsense" * 500)
    assert str(error) == "Expected a push such as e2 or e1-e4, but found “nonsensenons…”."
    assert str(answered(parse_turn, POSITIONS[0], "")) == "The text is empty: expected a push such as e2 or e1-e4."


def test_crowded_removal_steps_are_answered() -> None:
    """However many ways a step has, a text is read, left open or refused."""
    seeds = amount(test=30, long=100)
    texts = ("x", "e2", "x;e1-e5", "i3-h3", "xe5", "xGe5", "xGd4")
    for seed in range(seeds):
        for text in texts:
            answered(parse_turn, crowded(seed), text)
    assert max(len(legal(crowded(seed))) for seed in range(seeds)) > 80


def test_one_way_to_finish_a_turn_is_no_choice() -> None:
    one, several = OpenTurn(["x;e2"], "x"), OpenTurn(["x;e2", "x;b3"], "x")
    assert str(one) == "That turn is not finished. Write: x;e2"
    assert str(several) == "That leaves a choice open. Write one of: x;e2, x;b3"
    assert str(OpenTurn(["x;e2"], "x", more=True)).startswith("That leaves a choice open.")
