"""Official notation (notation.md section 1), read and written."""

import pytest

from gipfbot.notation import (
    IllegalTurn,
    OpenTurn,
    ParseError,
    parse_turn,
    played_text,
    read_turn_part,
    removal_text,
    turn_text,
)
from gipfbot.notation.removal_steps import only_way, open_ways
from gipfbot.rules import PASS, legal, turns
from tests.notation.helpers import along, at, crowded, game, standing
from tests.notation.positions import (
    COLUMN,
    CROSSING,
    EMPTY,
    FAQ_9,
    FULL,
    KEEPER,
    LAST_GIPF,
    OFFER,
    SETUP,
    SHARED,
    STANDING,
    TWO,
)
from tests.support.effort import amount

CAPTURE = "basic w W=e3,e4,e5 B=e6,b2"
HALF = "tournament w W=d2,d3,d4,d5,d6,Ge3,Gf3,Gg3,Gh3 B=Gb2"
ENDING = "tournament w W=Gd3,Gd4,Gd5,Gd6,Ge3,Gf3,Gg3,Gh3 B=d2,d7,Gb2 captured=2-0"
ENDED = "tournament w W=Gd3,Ge4,Gf4,Gg4,Gc3,Gc4,Gc5,Gc6 B=c2,h4,Gh2 captured=2-0"
PASSES = "tournament w W=b5,c5,d5,e2,e3,e4,e5,Gh5 B=Gf2,Gf3,Gf4,Gf5 step=after"

TURNS = [
    # position, typed text, official long text, official short text
    # a vacant first spot: only the spot is written, whatever the dot
    (SETUP, "c2", "c2", "c2"),
    (SETUP, "c1-c2", "c2", "c2"),
    (SETUP, "b1-c2", "c2", "c2"),
    (EMPTY, "Ge8", "Ge8", "Ge8"),
    (EMPTY, "Ge9-e8", "Ge8", "Ge8"),
    # an occupied first spot: dot, hyphen, the spot that the furthest piece moves to
    (SETUP, "e1-e3", "e1-e3", "e1-e3"),
    (SETUP, "d1-f2", "d1-f2", "d1-f2"),
    ("basic w W=c2,e4 B=d3", "b1-f4", "b1-f4", "b1-f4"),
    ("tournament w W=Ge8 B=Gf7 opening=wb", "Ge9-e7", "Ge9-e7", "Ge9-e7"),
    # removals after the push; * for captured pieces, G for GIPF-pieces taken; those left are not written
    (COLUMN, "e2;xe2,e3,e4,e5", "e2;xe2,e3,e4,e5", "e2;x"),
    (CAPTURE, "e2;xe2,e3,e4,e5,e6*", "e2;xe2,e3,e4,e5,e6*", "e2;x"),
    (CAPTURE, "e2;xe2,e3,e4,e5,e6", "e2;xe2,e3,e4,e5,e6*", "e2;x"),
    (KEEPER, "e2;xe2,Ge3,e4,e5", "e2;xe2,Ge3,e4,e5", "e2;xe2,Ge3,e4,e5"),
    (KEEPER, "e2;xe2,e4,e5", "e2;xe2,e4,e5", "e2;xe2,e4,e5"),
    # removals before the push
    (STANDING, "xe2,e3,e4,e5;b2", "xe2,e3,e4,e5;b2", "x;b2"),
    # no push if the removals end the game (R6.2)
    (LAST_GIPF, "xe2,e3,e4,e5,Ge6*", "xe2,e3,e4,e5,Ge6*", "xe2,e3,e4,e5,Ge6*"),
    # a list is read in any order, and written from the line's left end, a vertical one from its lower end
    (COLUMN, "e2;xe5,e3,e4,e2", "e2;xe2,e3,e4,e5", "e2;x"),
    ("basic w W=e6,e7,e8 B=", "e9-e5;xe8,e7,e6,e5", "e9-e5;xe5,e6,e7,e8", "e9-e5;x"),
    ("basic w W=b5,c5,d5 B=", "a5-e5;xe5,d5,c5,b5", "a5-e5;xb5,c5,d5,e5", "a5-e5;x"),
    ("basic w W=g3,f4,e5 B=", "h2;xh2,g3,f4,e5", "h2;xe5,f4,g3,h2", "h2;x"),
    ("basic w W=d2,e3,f3 B=", "c1-g3;xg3,f3,e3,d2", "c1-g3;xd2,e3,f3,g3", "c1-g3;x"),
    # a bare x, or no removal, if all ways lead to the same board
    (COLUMN, "e2;x", "e2;xe2,e3,e4,e5", "e2;x"),
    (COLUMN, "e2", "e2;xe2,e3,e4,e5", "e2;x"),
    (STANDING, "x;b2", "xe2,e3,e4,e5;b2", "x;b2"),
    (STANDING, "b2", "xe2,e3,e4,e5;b2", "x;b2"),
    # one list per row, the text that sorts first by code point is written; one list for both is read, in any order
    (TWO, "b5", "xd2,d3,d4,d5,d6;xe3,f3,g3,h3;b5", "x;b5"),
    (TWO, "xd2,e3,f3,g3,h3;xd3,d4,d5,d6;b5", "xd2,d3,d4,d5,d6;xe3,f3,g3,h3;b5", "x;b5"),
    (TWO, "xe3,f3,g3,h3;xd2,d3,d4,d5,d6;b5", "xd2,d3,d4,d5,d6;xe3,f3,g3,h3;b5", "x;b5"),
    (TWO, "xh3,d2,d3,d4,d5,e3,f3,g3,d6;b5", "xd2,d3,d4,d5,d6;xe3,f3,g3,h3;b5", "x;b5"),
    (TWO, "xd2,d3,d4,d5,d6;x;b5", "xd2,d3,d4,d5,d6;xe3,f3,g3,h3;b5", "x;b5"),
    (TWO, "xd2,e3,f3,g3,h3;b5", "xd2,d3,d4,d5,d6;xe3,f3,g3,h3;b5", "x;b5"),
    # if two lists share a GIPF-piece, either may name it
    (SHARED, "xd3,d4,d5;xGd2,e3,f3,g3;b5", "xd3,d4,d5;xGd2,e3,f3,g3;b5", "xd3,d4,d5;xGd2,e3,f3,g3;b5"),
    (SHARED, "xe3,f3,g3;xGd2,d3,d4,d5;b5", "xd3,d4,d5;xGd2,e3,f3,g3;b5", "xd3,d4,d5;xGd2,e3,f3,g3;b5"),
    (SHARED, "xGd2,d3,d4,d5,e3,f3,g3;b5", "xd3,d4,d5;xGd2,e3,f3,g3;b5", "xd3,d4,d5;xGd2,e3,f3,g3;b5"),
    # a GIPF-piece taken with the first row breaks the other, which then stays
    (SHARED, "xGd2,d3,d4,d5;b5", "xGd2,d3,d4,d5;b5", "xGd2,d3,d4,d5;b5"),
    (SHARED, "xd3,d4,d5,e3,f3,g3;b5", "xd3,d4,d5;xe3,f3,g3;b5", "xd3,d4,d5;xe3,f3,g3;b5"),
    # an offer (R4.7) stays if it is not named, and a bare x takes nothing of it
    (OFFER, "c2", "c2", "c2"),
    (OFFER, "x;c2", "c2", "c2"),
    (OFFER, "c2;x", "c2", "c2"),
    (OFFER, "xGe2;c2", "xGe2;c2", "xGe2;c2"),
    (OFFER, "c2;xGe3,Ge5", "c2;xGe3,Ge5", "c2;xGe3,Ge5"),
    (f"{OFFER} step=after", "xGe3", "xGe3", "xGe3"),
    (f"{OFFER} captured=8-0", "c2", "c2", "c2"),
    # equal ways in which a row is dealt with or only broken
    (HALF, "xd2;xd3,d4,d5,d6;b5", "xd2,d3,d4,d5,d6;b5", "xd2,d3,d4,d5,d6;b5"),
    # the same spots, but one way leaves the reserve empty with nothing to take, which ends the game (R6.1)
    (ENDING, "xd2*;xd7*", "xd2*;xd7*", "xd2*;xd7*"),
    (ENDING, "xd2,d7;xGe3;b5", "xd2*,Ge3;xd7*;b5", "xd2*,Ge3;xd7*;b5"),
    (ENDED, "xc2*;xh4*", "xc2*;xh4*", "xc2*;xh4*"),
    (ENDED, "xc2,h4;xGc3;b5", "xc2*,Gc3;xh4*;b5", "xc2*,Gc3;xh4*;b5"),
    # the reserve of the mover afterwards
    (COLUMN, "e2 (15)", "e2;xe2,e3,e4,e5", "e2;x"),
    (CAPTURE, "e2;x(15)", "e2;xe2,e3,e4,e5,e6*", "e2;x"),
    # blanks, an en dash and the case are forgiven
    (SETUP, " E1 – E3 ", "e1-e3", "e1-e3"),
    (COLUMN, "e2 ;\tX e2, E3 ,e4,e5", "e2;xe2,e3,e4,e5", "e2;x"),
    (EMPTY, "gg2", "Gg2", "Gg2"),
    (EMPTY, "G g 2", "Gg2", "Gg2"),
    ("basic w W= B=", "g2", "g2", "g2"),
    ("standard w W=Gg3,Gg4,Gg5,g6,Gb5 B=Gb2", "xgg3,g6;b3", "xGg3,g6;b3", "xGg3,g6;b3"),
]


@pytest.mark.parametrize(("line", "typed", "long", "short"), TURNS)
def test_a_turn_is_read_and_written_canonically(line: str, typed: str, long: str, short: str) -> None:
    """A typed text means one turn, which has one long and one short text. Both are read back."""
    position = at(line)
    actions = parse_turn(position, typed)
    assert turn_text(position, actions) == long
    assert turn_text(position, actions, long=False) == short
    for text in (long, short):
        assert along(position, parse_turn(position, text)) == along(position, actions)


def test_the_reserve_is_written_on_request() -> None:
    position = at(CAPTURE)
    actions = parse_turn(position, "e2")
    assert turn_text(position, actions, reserve=True) == "e2;xe2,e3,e4,e5,e6* (15)"
    assert turn_text(position, actions, long=False, reserve=True) == "e2;x (15)"
    assert parse_turn(position, "e2;x (15)") == actions


SAID_PLAINLY = (
    "e9 is only the dot.",
    "e9 is a dot on the edge.",
    "There is no a6 on the board.",
    "Put “;” before what comes off",
)
UNREADABLE = [
    # a text with a ^ in front of the fault, and what was expected there
    ("   ^", "a push such as e2"),
    ("^hello", "a push such as e2"),
    ("e9^", "- and a spot"),
    ("e1 - ^e9", "the last spot that the push fills"),
    ("e1-^", "the last spot"),
    ("^a6", "a push such as e2"),
    ("^e0", "a push such as e2"),
    ("e2 ^e3", "the end of the turn"),
    ("e2;^", "a removal such as"),
    ("e2;^e3", "a turn has one push"),
    ("e2;xe2,^", "a spot such as c2"),
    ("e2;xe2,^e9", "a spot such as c2"),
    ("e2;x^,e3", "a spot such as c2"),
    ("xe2,e3,^e2;e2", "each spot once (e2 is named twice)"),
    ("e2;xe2,e3;xe4,^e2", "each spot once (e2 is named twice)"),
    ("e2 ^xe2,e3,e4,e5", "the end of the turn"),
    ("e2 ^) (5)", "the end of the turn"),
    ("e2 ^(5) b2", "the end of the turn"),
    ("^e٢", "a push such as e2"),
    ("^😀", "a push such as e2"),
    ("e2;^😀", "a removal such as"),
    ("^İ e2", "a push such as e2"),
    ("e2^\x00", "the end of the turn"),
]


@pytest.mark.parametrize(("marked", "expected"), UNREADABLE)
def test_the_error_shows_where_a_text_is_unreadable(marked: str, expected: str) -> None:
    """The error says what was expected, and its caret stands under the first fault."""
    with pytest.raises(ParseError) as caught:
        parse_turn(at(SETUP), marked.replace("^", ""))
    assert expected in caught.value.expected
    assert (caught.value.at, caught.value.code) == (marked.index("^"), "unreadable")
    assert str(caught.value).startswith(("Expected ", *SAID_PLAINLY))


def test_a_spot_may_be_removed_before_and_after_the_push() -> None:
    """A spot is named once in the lists of one step. The push can fill it again."""
    position = at("basic w W=e2,e3,e4,e5,f2,g2,h2 B=d7")
    text = "xe2,e3,e4,e5;e2;xe2,f2,g2,h2"
    assert turn_text(position, parse_turn(position, text)) == text


ILLEGAL = [
    # position, typed text, reason code, rule, caret, sentence
    (SETUP, "e2", "occupied", "R3.2", 0, "push from d1 with d1-f2 or from e1 with e1-e3 or from f1 with f1-d2."),
    ("standard w W=Gd2,Ge2,e3 B=Gf2", "e2", "occupied", "R3.2", 0, "e2 is occupied: push from d1 with d1-g2 or"),
    (SETUP, "e1-e4", "furthest", "R3.2", 0, "and the last piece in its way on e3: write e1-e3."),
    (SETUP, "c1-c3", "vacant", "R3.2", 0, "c2 is vacant, so the piece from c1 stops there: write c2."),
    (SETUP, "a1-e8", "no_line", "R1.4", 0, "No line leads from a1 to e8: from a1, write a1-c3."),
    (SETUP, "e5", "inside", "R3.2", 0, "e5 is not next to a dot: a piece comes in from a dot."),
    ("basic w W=e2,e4,e6,e8 B=e3,e5,e7", "e1-e8", "closed", "R3.3", 0, "is full, so nothing can be pushed"),
    (FULL, "e2", "closed", "R3.3", 0, "e2 is occupied and every line through it from a dot is closed."),
    (FULL, "e1-c3", "no_line", "R1.4", 0, "No line leads from e1 to c3: every line from e1 is closed."),
    (SETUP, "Gc2", "no_gipf", "R2", 0, "In Standard no GIPF-pieces are brought in: leave the G out."),
    (EMPTY, "e2", "gipf_first", "R5.1", 0, "on the board yet and must bring one in: write G before the spot."),
    ("tournament w W=Ge2,b2 B=Gh2 opening=b", "Gc2", "opening_over", "R5.2", 0, "may bring in no more"),
    ("tournament w W=Ge8 B=Gh2 captured=15-0 opening=wb", "Gc2", "reserve", "R5.3", 0, "costs 2"),
    (SETUP, "xc2;c2", "no_row", "R4.1", 1, "White has no row on the board: there is nothing to remove."),
    (SETUP, "b6-b4;xb2", "no_row", "R3.4", 7, "White has no row after this push."),
    (SETUP, "c2;x", "no_row", "R3.4", 3, "White has no row after this push."),
    (COLUMN, "e2;xe2,e3,e4,e5,e6", "empty", "R4.1", 16, "e6 is empty: there is nothing to remove."),
    (COLUMN, "e2;xe2,e3,Ge4,e5", "not_gipf", "R4.4", 10, "e4 holds a basic piece: leave the G out."),
    (KEEPER, "e2;xe2,e3,e4,e5", "gipf", "R4.4", 7, "write Ge3 to take it, or leave it out to keep it."),
    (COLUMN, "e2;xe2,e3*,e4,e5", "own", "R4.3", 7, "e3 is White's own and returns to the reserve: leave the * out."),
    (COLUMN, "e2;xe2,e3,e4,e5,b2*", "outside", "R4.2", 16, "b2 lies in no row of White's."),
    (COLUMN, "e2;xe2,e3,e4", "must", "R4.3", 3, "The row on line e takes e5 with it."),
    (SHARED, "xGd2,d3,d4,d5,e3,f3;b5", "together", "R4.5", 0, "in one step; one way is xGd2,d3,d4,d5."),
    (SHARED, "xd3,d4,d5,e3,f3;b5", "together", "R4.5", 0, "in one step; one way is xd3,d4,d5."),
    (TWO, "xe3,f3,g3,h3;x;b5", "must", "R4.3", 0, "The row on line c* takes d2 with it."),
    (PASSES, "xe2,e3,e4,e5,Gf4*", "together", "R4.5", 0, "one way is xe2,e3,e4,e5."),
    (ENDED, "xc2;xh4;b5", "ended", "R6.1", None, "ends the game: leave the push out."),
    (COLUMN, "e2;xe2,e3;xe4,e5", "split", "R4.6", 3, "in one list: write xe2,e3,e4,e5."),
    (LAST_GIPF, "xe2,e3,e4,e5,Ge6*;b2", "ended", "R6.2", None, "ends the game: leave the push out."),
    (FAQ_9, "xb2,b3,g2,g3,g4;c2", "must", "R4.3", 0, "The row on line b takes b4 with it."),
    (f"{OFFER} step=after", "c2", "done", "R3.5", None, "You have pushed. Do e2, e3"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "typed", "code", "rule", "place", "sentence"), ILLEGAL)
def test_an_illegal_turn_is_refused_with_its_rule(
    line: str, typed: str, code: str, rule: str, place: int | None, sentence: str
) -> None:
    """The error has a code for programs, the number of the rule, and a sentence that helps the player."""
    with pytest.raises(IllegalTurn) as caught:
        parse_turn(at(line), typed)
    assert (caught.value.code, caught.value.rule, caught.value.at) == (code, rule, place)
    assert sentence in str(caught.value)
    assert str(caught.value).endswith(f"({rule})")


OPEN = [
    # position, typed text, the choices, whether there are more
    (KEEPER, "e2", ["e2;xe2,Ge3,e4,e5", "e2;xe2,e4,e5"], False),
    (KEEPER, "e2;x", ["e2;xe2,Ge3,e4,e5", "e2;xe2,e4,e5"], False),
    (CROSSING, "b2", ["xb5,c5,d5,e5;b2", "xe2,e3,e4,e5;b2"], False),
    (CROSSING, "x", ["xb5,c5,d5,e5", "xe2,e3,e4,e5"], False),
    (CROSSING, "x;e1-e5", ["xb5,c5,d5,e5;e1-e5;xe2,e3,e4,e5"], False),
    (ENDED, "xc2,h4;b5", ["xc2*,Gc4,Gc6;xh4*;b5"], True),
    (STANDING, "x", ["xe2,e3,e4,e5;b2", "xe2,e3,e4,e5;b3"], True),
    (
        f"{SHARED} step=after",
        "x",
        ["xGd2,d3,d4,d5", "xGd2,e3,f3,g3", "xd3,d4,d5;xGd2,e3,f3,g3", "xd3,d4,d5;xe3,f3,g3"],
        False,
    ),
    (f"{SHARED} step=after", "xd3,d4,d5", ["xd3,d4,d5;xGd2,e3,f3,g3", "xd3,d4,d5;xe3,f3,g3"], False),
    ("tournament w W=Ge2,Ge3,Ge4,Ge5,b2 B=Gh2 captured=9-0", "c2", ["xGe3,Ge5;c2"], True),
    (
        FAQ_9,
        "c2",
        ["xb2,b3,b4,Gb5;xg2,g3,g4;c2", "xb2,b3,b4;xg2,g3,g4,Gg5;c2", "xb2,b3,b4;xg2,g3,g4;c2"],
        False,
    ),
    (FAQ_9, "x;c2 (13)", ["xb2,b3,b4;xg2,g3,g4;c2"], False),
]


@pytest.mark.parametrize(("line", "typed", "choices", "more"), OPEN)
def test_an_open_turn_is_refused_with_its_choices(line: str, typed: str, choices: list[str], more: bool) -> None:
    """The choices begin with the text and can be played, or need a push after them. A long list is cut."""
    with pytest.raises(OpenTurn) as caught:
        parse_turn(at(line), typed)
    assert caught.value.code == "open"
    assert {*choices} <= {*caught.value.choices} if more else choices == [*caught.value.choices]
    assert str(caught.value).endswith(", …") == more
    assert len(str(caught.value)) < 500


NO_CHOICE = [
    # position, typed text, sentence
    (CROSSING, "a1-b5", "No line leads from a1 to b5"),
    (FAQ_9, "e5", "e5 is not next to a dot"),
    (FAQ_9, "x;e5", "e5 is not next to a dot"),
    (FAQ_9, "Gc2", "In Standard no GIPF-pieces are brought in"),
    (FAQ_9, "e9-e8", "From e9, the new piece stops on the first spot, and the last piece in its way on e7"),
    (FAQ_9, "c2;xd4", "White has no row after this push."),
]


@pytest.mark.parametrize(("line", "typed", "sentence"), NO_CHOICE)
def test_an_impossible_push_is_refused_before_any_choice(line: str, typed: str, sentence: str) -> None:
    """The push is named as the fault, even if a row has to be chosen first or a removal ends the game."""
    with pytest.raises(IllegalTurn) as caught:
        parse_turn(at(line), typed)
    assert sentence in str(caught.value)


FAR = [
    # position, typed text, the choices: the first ways do not allow the text
    (
        "tournament b W=Gb5,Gh4 B=d2,Gd4,d5,Ge5,f2,f3,Gf4,f5,Gg3,g4,Gh2 captured=14-2 opening=w",
        "i1-f4;xGg3,h2;xf2,f3,f5",
        ["xd5,Gf4;i1-f4;xGg3,h2;xf2,f3,f5"],
    ),
    (
        "tournament w W=Gb2,Gb3,b4,Gb5,Gc6,d4,d7,e8,Gf6,f7 B=c2,Ge6,g5 captured=2-14",
        "b5;xb4,b5",
        ["xGb5,Gc6,d7,e8;b5;xb4,b5", "xGb5,d7,e8;b5;xb4,b5"],
    ),
]


@pytest.mark.parametrize(("line", "typed", "choices"), FAR)
def test_every_way_to_remove_is_tried(line: str, typed: str, choices: list[str]) -> None:
    with pytest.raises(OpenTurn) as caught:
        parse_turn(at(line), typed)
    assert [*caught.value.choices] == choices
    for choice in choices:
        assert parse_turn(at(line), choice)


def test_a_cut_list_of_choices_ends_with_dots() -> None:
    line = "tournament w W=Gb2,Gb3,b4,Gb5,Gc6,d4,d7,e8,Gf6,f7 B=c2,Ge6,g5 captured=2-14"
    with pytest.raises(OpenTurn, match=r"Write one of: .*;b6-b4, …$"):
        parse_turn(at(line), "b6-b4")


def test_after_too_many_vain_ways_beginnings_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gipfbot.notation.turns.WAYS_TRIED", 2)
    with pytest.raises(OpenTurn, match=r"Begin with one of: x.*, …$"):
        parse_turn(at(FAR[0][0]), FAR[0][1])


def test_choices_that_are_not_whole_turns_are_beginnings() -> None:
    for line, typed, words in ((CROSSING, "x", "Begin with"), (CROSSING, "b2", "Write"), (STANDING, "x", "Write")):
        with pytest.raises(OpenTurn, match=f"open. {words} one of: x"):
            parse_turn(at(line), typed)


def test_a_piece_left_in_a_step_stays() -> None:
    position = at("tournament w W=Gb2,Gb3,Gb4,Gb5,Gg2 B=Ge8")
    dealt = along(position, read_turn_part(position, (), "xGb3"))
    assert dealt.dealt
    bare = position._replace(dealt=dealt.dealt)
    for typed in ("xGb2;c2", "x;c2"):
        with pytest.raises(IllegalTurn, match=r"(kept|taken) .*\(R4\.6\)$"):
            parse_turn(bare, typed)


@pytest.mark.parametrize("rules", ["basic", "standard", "tournament"])
def test_the_turns_of_games_are_read_as_they_were_written(rules: str) -> None:
    """`parse_turn` reads what `turn_text` writes. Equal ways to play a turn have the same text."""
    for seed in range(amount(test=4, long=12)):
        for position, actions in game(rules, seed):
            end = along(position, actions)
            for long in (True, False):
                text = turn_text(position, actions, long=long, reserve=True)
                read = parse_turn(position, text)
                assert along(position, read) == end, text
                assert turn_text(position, read, long=long, reserve=True) == text


def test_the_canonical_text_is_that_of_the_engine() -> None:
    """For every end of a crowded step, `turn_text` writes the way that `turns` chooses."""
    for seed in range(amount(test=8, long=25)):
        position = crowded(seed)._replace(pushed=False)
        texts = set()
        for number, (turn, after) in enumerate(turns(position, removal_text)):
            if number == 40:
                break
            text = turn_text(position, turn.actions)
            assert text == played_text(position, turn.actions)
            assert along(position, parse_turn(position, text)) == after
            texts.add(text)
        assert len(texts) == min(number + 1, 40), "two turns have one text"


def test_equal_boards_with_other_open_lines_differ() -> None:
    """Within a step the lines dealt with belong to the position, and so to its text."""
    position = at(HALF)
    actions = read_turn_part(position, (), "xd2;xd3,d4,d5,d6")
    assert turn_text(position, actions) == "xd2;xd3,d4,d5,d6"
    assert turn_text(position, read_turn_part(position, (), "xd2,d3,d4,d5,d6")) == "xd2,d3,d4,d5,d6"


def test_ways_to_one_board_are_one_choice() -> None:
    """A row of GIPF-pieces may be dealt with, or become an offer when another row is removed."""
    position = at(HALF)
    ways = [*open_ways(position)]
    assert len({standing(way.end) for way in ways}) == len(ways) == 16
    assert only_way(position) is None


def test_an_unfinished_turn_is_written_as_far_as_it_goes() -> None:
    position = at(SHARED)
    first = legal(position)[0]
    assert turn_text(position, [first]) == played_text(position, [first]) == "xGd2,d3,d4,d5"
    assert turn_text(position, [first], long=False) == "xGd2,d3,d4,d5"
    assert turn_text(position, []) == played_text(position, [PASS]) == ""
