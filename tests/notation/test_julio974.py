"""Julio974's notation (notation.md section 2, the article in seeds/003), read and written."""

import pytest

from gipfbot.notation import (
    JULIO974,
    IllegalTurn,
    OpenTurn,
    ParseError,
    parse_turn,
    turn_text,
)
from gipfbot.notation.turns import TurnReading, read_remaining_turn
from gipfbot.rules import Push
from gipfbot.rules.geometry import ENTRIES, LINES
from tests.notation.helpers import along, at
from tests.notation.positions import (
    APART,
    COLUMN,
    CROSS,
    CROSSING,
    CROSSING_OFFERS,
    EMPTY,
    FAQ_9,
    KEEPER,
    LAST_GIPF,
    NO_RESERVE,
    OFFER,
    SETUP,
    SHARED,
    STANDING,
    THEIRS,
    THREE,
    TWO,
)

# ── A push ──

WAYS = """
    a1 b2 --   a2 b2 b3   a3 b3 b4   a4 b4 b5   a5 b5 --
    b1 b2 c2   c1 c2 d2   d1 d2 e2   e1 e2 --   f1 f2 e2   g1 g2 f2   h1 h2 g2
    i1 h2 --   i2 h2 h3   i3 h3 h4   i4 h4 h5   i5 h5 --
    b6 b5 c6   c7 c6 d7   d8 d7 e8   e9 e8 --   f8 f7 e8   g7 g6 f7   h6 h5 g6
    """.split()
NAMES = [
    # the name of an entry, its dot, the first spot
    (f"{dot}{star}", dot, spot)
    for dot, *spots in zip(WAYS[::3], WAYS[1::3], WAYS[2::3], strict=True)
    for star, spot in zip(("", "*"), spots, strict=True)
    if spot != "--"
]


@pytest.mark.parametrize(("name", "dot", "spot"), NAMES)
def test_every_entry_has_one_name(name: str, dot: str, spot: str) -> None:
    """The name is written if the first spot is occupied. If it is vacant, the name is read and the spot is written."""
    occupied, vacant = at(f"basic w W= B={spot}"), at("basic w W= B=")
    (push,) = parse_turn(occupied, name, JULIO974)
    assert isinstance(push, Push)
    assert (push.dot, push.spot) == (dot, spot)
    assert turn_text(occupied, (push,), JULIO974) == name
    read = parse_turn(vacant, name, JULIO974)
    assert turn_text(vacant, read, JULIO974) == spot
    assert along(vacant, read) == along(vacant, (push,))


def test_all_42_entries_are_named() -> None:
    assert len({name for name, _, _ in NAMES}) == len(NAMES) == 42
    assert {(dot, spot) for _, dot, spot in NAMES} == {(entry.dot, entry.spot) for entry in ENTRIES}


@pytest.mark.parametrize("dot", "a1 a5 e1 e9 i1 i5".split())
def test_a_needless_star_is_ignored_with_a_warning(dot: str) -> None:
    """The article's own game has such a star: 16… i1*."""
    warning = f"{dot}* has a star too many: {dot} has only one direction."
    assert JULIO974.read(f"{dot}*").warnings == (warning,)
    assert JULIO974.read(dot).warnings == JULIO974.read("b1*").warnings == ()
    spot = next(spot for _, other, spot in NAMES if other == dot)
    position = at(f"basic w W= B={spot}")
    assert turn_text(position, parse_turn(position, f"{dot}*", JULIO974), JULIO974) == dot


# ── Turns ──

WON = "standard w W=e2,e3,e4,e5,Gb5 B=h2"
RISING = "standard w W=b2,c3,Gd4,Gh5 B=Gf5,Gb5"
HOLDS_MORE = "standard w W=Ge5,Ge4,e3,e2,d5,c5,b5,Gh5 B=Gh2"
LONG_ROWS = "standard w W=Gd2,d3,d4,d5,d6,e3,f3,g3,h3,Gb5 B=Gb2"
THEIRS_TOO = "standard w W=Ge3,e4,e5,Gb5 B=h2,h3,h4,h5,Gb2"
BESIDE_AN_OFFER = "tournament w W=Ge5,e4,e3,e2,d5,c5,b5,Gh2,Gh3,Gh4,Gh5 B=Gb2 step=after"
# Two of the three boards of the article, built from its description; the third is CROSS.
PLAIN = "basic w W=c2,d3,e4 B=b4"
ENEMY = "standard w W=c2,Gd3,e4,Gb5 B=Gg4,Gb2"

TURNS = [
    # position, typed text, written text, official text
    # a vacant first spot: the spot; otherwise the dot
    (SETUP, "c2", "c2", "c2"),
    (SETUP, "c1", "c2", "c2"),
    (SETUP, "b1*", "c2", "c2"),
    (EMPTY, "Ge8", "Ge8", "Ge8"),
    (EMPTY, "Ge9", "Ge8", "Ge8"),
    (SETUP, "e1", "e1", "e1-e3"),
    (SETUP, "d1*", "d1*", "d1-f2"),
    (SETUP, "f1*", "f1*", "f1-d2"),
    ("tournament w W=Ge8 B=Gf7 opening=wb", "Gf8*", "Gf8*", "Gf8-d7"),
    # X: a row stands after this push; without an X the row is removed all the same
    (COLUMN, "e2", "e2X", "e2;xe2,e3,e4,e5"),
    (COLUMN, "e2X", "e2X", "e2;xe2,e3,e4,e5"),
    (COLUMN, "e1XX", "e2X", "e2;xe2,e3,e4,e5"),
    (THEIRS, "b3", "b3X", "b3"),
    (THEIRS, "b3X", "b3X", "b3"),
    (THEIRS, "d1X", "d1X", "d1-d3"),
    (THEIRS, "d1*", "e2X", "e2"),
    # X is written behind every push after which a row of either colour stands, even an offer
    (OFFER, "c2", "c2X", "c2"),
    # spots are the GIPF-pieces taken, of either colour; those not named stay
    (KEEPER, "e2", "e2X", "e2;xe2,e4,e5"),
    (KEEPER, "e2Xe3", "e2Xe3", "e2;xe2,Ge3,e4,e5"),
    (RISING, "a1", "a1X", "a1-e5;xb2,c3,d4"),
    (RISING, "a1Xe5f5", "a1Xe5f5", "a1-e5;xb2,c3,d4,Ge5,Gf5*"),
    (RISING, "a1Xf5e5", "a1Xe5f5", "a1-e5;xb2,c3,d4,Ge5,Gf5*"),
    # several X are in the order of removal; of equal ways the text that sorts first is written
    (APART, "Xb4;h3", "Xb4;h3", "xb2,b3,Gb4,b5;xg2,g3,g5;h3"),
    (APART, "Xg4;h3", "Xg4;h3", "xb2,b3,b5;xg2,g3,Gg4,g5;h3"),
    (APART, "Xb4Xg4;h3", "Xb4Xg4;h3", "xb2,b3,Gb4,b5;xg2,g3,Gg4,g5;h3"),
    (APART, "XXg4XXb4X;h3", "Xb4Xg4;h3", "xb2,b3,Gb4,b5;xg2,g3,Gg4,g5;h3"),
    (APART, "XgXb;h3", "h3", "xb2,b3,b5;xg2,g3,g5;h3"),
    # a row's code says which of crossing rows goes: the one that stays is broken
    (CROSSING, "X5;b2", "X5;b2", "xb5,c5,d5,e5;b2"),
    (CROSSING, "Xe;b2", "Xe;b2", "xe2,e3,e4,e5;b2"),
    (THREE, "Xe;c2", "X1*X5;c2", "xb2,c3,d4;xb5,c5,d5;xe2,e3,e4;c2"),
    (THREE, "Xee5;c2", "Xee5;c2", "xe2,e3,e4,Ge5;c2"),
    (THREE, "Xa*e5;c2", "X1*e5;c2", "xb2,c3,d4,Ge5;c2"),
    (THREE, "X5e5;c2", "X5e5;c2", "xb5,c5,d5,Ge5;c2"),
    (THREE, "XeX5e5;c2", "X5Xee5;c2", "xb5,c5,d5;xe2,e3,e4,Ge5;c2"),
    (THREE, "XeX5Xe5;c2", "X1*X5Xe5;c2", "xb2,c3,d4;xb5,c5,d5;xe2,e3,e4,Ge5;c2"),
    (HOLDS_MORE, "Xe4e5;c2", "Xee4e5;c2", "xe2,e3,Ge4,Ge5;c2"),
    (HOLDS_MORE, "Xe4X5;c2", "X5Xe4;c2", "xb5,c5,d5;xe2,e3,Ge4;c2"),
    (SHARED, "Xd;b5", "Xc*;b5", "xd3,d4,d5;xe3,f3,g3;b5"),
    (SHARED, "Xdd2;b5", "Xdd2;b5", "xGd2,d3,d4,d5;b5"),
    (SHARED, "XdXd2;b5", "Xc*Xd2;b5", "xd3,d4,d5;xGd2,e3,f3,g3;b5"),
    (LONG_ROWS, "Xd2Xd;b3", "Xc*Xd2;b3", "xGd2,d3,d4,d5,d6;xe3,f3,g3,h3;b3"),
    (LONG_ROWS, "Xd2Xc*;b3", "Xc*Xd2;b3", "xGd2,d3,d4,d5,d6;xe3,f3,g3,h3;b3"),
    (LONG_ROWS, "Xd2;b3", "Xc*Xd2;b3", "xGd2,d3,d4,d5,d6;xe3,f3,g3,h3;b3"),
    (TWO, "b5", "Xc*;b5", "xd2,d3,d4,d5,d6;xe3,f3,g3,h3;b5"),
    (CROSSING, "X5;e1", "X5;e1X", "xb5,c5,d5,e5;e1-e5;xe2,e3,e4,e5"),
    # a group in front that need not be written
    (STANDING, "X;b2", "b2", "xe2,e3,e4,e5;b2"),
    (STANDING, "Xe;b2", "b2", "xe2,e3,e4,e5;b2"),
    (STANDING, "b2", "b2", "xe2,e3,e4,e5;b2"),
    # a turn that R3.1 ends is a group alone
    (LAST_GIPF, "Xe6", "Xe6", "xe2,e3,e4,e5,Ge6*"),
    (LAST_GIPF, "Xee6", "Xe6", "xe2,e3,e4,e5,Ge6*"),
    (WON, "X", "X", "xe2,e3,e4,e5"),
    (WON, "Xe", "X", "xe2,e3,e4,e5"),
    # pieces of an offer are taken only if a spot is named
    (OFFER, "c2Xe3e5", "c2Xe3e5", "c2;xGe3,Ge5"),
    (OFFER, "c2Xe", "c2X", "c2"),
    (OFFER, "Xe2;c2", "Xe2;c2", "xGe2;c2"),
    (OFFER, "X;c2", "c2X", "c2"),
    (NO_RESERVE, "Xe2;c2", "Xe2;c2", "xGe2;c2"),
    # a spot on two rows: the code says which of them goes
    (CROSSING_OFFERS, "X5e5;c2", "X5e5;c2", "xGe5;c2"),
    (CROSSING_OFFERS, "Xe5;c2", "X5e5;c2", "xGe5;c2"),
    # blanks, case and other differences that are forgiven
    (CROSSING, " x 5 ; E 1 x ", "X5;e1X", "xb5,c5,d5,e5;e1-e5;xe2,e3,e4,e5"),
    (KEEPER, "E2 xE3", "e2Xe3", "e2;xe2,Ge3,e4,e5"),
    (EMPTY, "gg2", "Gg2", "Gg2"),
    (KEEPER, "e2X (14)", "e2X", "e2;xe2,e4,e5"),
    # the article's examples
    (PLAIN, "b1*", "b1*X", "b1-f4;xc2,d3,e4,f4"),
    (PLAIN, "b1*X", "b1*X", "b1-f4;xc2,d3,e4,f4"),
    (ENEMY, "b1*X", "b1*X", "b1-f4;xc2,d3,f4"),
    (ENEMY, "b1*Xg4", "b1*Xg4", "b1-f4;xc2,d3,f4,Gg4*"),
    (CROSS, "f1X5", "f1X5", "f1-f5;xf4,h2"),
    (CROSS, "f1Xb*", "f1Xb*", "f1-f5;xe4,f4,g4,h4"),
    (CROSS, "f1X5g3e5", "f1X5e5g3", "f1-f5;xGe5,f4,Gg3,h2"),
]


@pytest.mark.parametrize(("line", "typed", "written", "official"), TURNS)
def test_a_turn_is_read_and_written_canonically(line: str, typed: str, written: str, official: str) -> None:
    """A typed text means one turn. Its written text is read back, and official notation writes the same turn."""
    position = at(line)
    actions = parse_turn(position, typed, JULIO974)
    assert turn_text(position, actions, JULIO974) == turn_text(position, actions, JULIO974, long=False) == written
    assert turn_text(position, actions) == official
    assert along(position, parse_turn(position, written, JULIO974)) == along(position, actions)


# ── Texts that cannot be read ──

UNREADABLE = [
    # a text with a ^ in front of the fault, and what was expected there
    (" ^", "a push such as e2 or g1*"),
    ("^hello", "a push such as e2 or g1*"),
    ("^a6", "a push such as e2 or g1*"),
    ("^G", "a push such as e2 or g1*"),
    ("^e2*", "a dot in front of the *"),
    ("e1^-e4", "X for a row or * (a dot's second direction), or the end of the turn"),
    ("e1 ^e4", "X for a row or * (a dot's second direction), or the end of the turn"),
    ("e1*^*", "X for a row, or the end of the turn"),
    ("e2^;xe2", "X for a row, or the end of the turn"),
    ("e2X^;", "a GIPF-piece taken such as c4"),
    ("e2XX5^;e3", "a GIPF-piece taken such as c4, or the end of the turn"),
    ("X;^", "a push such as e2 or g1*"),
    ("^;e2", "a push such as e2 or g1*"),
    ("X;^X", "a push such as e2 or g1*"),
    ("e1X^i2", "a GIPF-piece taken such as c4"),
    ("e1X^e9", "a GIPF-piece taken such as c4"),
    ("e1Xe5^e5", "each piece once (e5 is named twice)"),
    ("e1Xee5^e5", "each piece once (e5 is named twice)"),
    ("e1Xe5^,e4", "a GIPF-piece taken such as c4"),
    ("e1Xe5^*", "a GIPF-piece taken such as c4"),
    # texts that are no row's code
    ("e1X^a", "a GIPF-piece taken such as c4"),
    ("e1X^i", "a GIPF-piece taken such as c4"),
    ("e1X^1", "a GIPF-piece taken such as c4"),
    ("e1X^9", "a GIPF-piece taken such as c4"),
    ("e1X^5*", "a GIPF-piece taken such as c4"),
    ("e1X^e*", "a GIPF-piece taken such as c4"),
    ("e1X^*", "a GIPF-piece taken such as c4"),
    ("e1X5^5", "a GIPF-piece taken such as c4"),
    ("e1Xb^c", "a GIPF-piece taken such as c4"),
    ("e1X^b²", "a GIPF-piece taken such as c4"),
    ("e1X^😀", "a GIPF-piece taken such as c4"),
]


@pytest.mark.parametrize(("marked", "expected"), UNREADABLE)
def test_the_error_shows_where_a_text_is_unreadable(marked: str, expected: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_turn(at(SETUP), marked.replace("^", ""), JULIO974)
    assert expected in caught.value.expected
    assert (caught.value.at, caught.value.code) == (marked.index("^"), "unreadable")


def test_every_row_has_a_code() -> None:
    """A digit is a falling row, a letter a vertical one, and either with a star a rising one. `a*` is `1*`."""
    codes = {*"bcdefgh", *"2345678", "1*", "2*", "3*", "4*", "b*", "c*", "d*"}
    assert {line.code for line in LINES} == codes
    for code in codes:
        (group,) = JULIO974.read(f"e2X{code}").after
        assert (group.row, group.pieces) == (code, ())
        (group,) = JULIO974.read(f"e2x{code.upper()}c4").after
        assert (group.row, [piece.spot for piece in group.pieces]) == (code, ["c4"])
    assert JULIO974.read("e2Xa*").after[0].row == "1*"


def test_a_letter_with_a_digit_is_a_spot() -> None:
    groups = JULIO974.read("e2Xb2Xbb2X2b2X2*b2").after
    assert [(group.row, *(piece.spot for piece in group.pieces)) for group in groups] == [
        (None, "b2"),
        ("b", "b2"),
        ("2", "b2"),
        ("2*", "b2"),
    ]


# ── Turns that are not legal ──

ILLEGAL = [
    # position, typed text, reason code, rule
    (SETUP, "e2", "occupied", "R3.2"),
    (SETUP, "e5", "inside", "R3.2"),
    (SETUP, "Gc2", "no_gipf", "R2"),
    (EMPTY, "e2", "gipf_first", "R5.1"),
    ("basic w W=e2,e4,e6,e8 B=e3,e5,e7", "e1", "closed", "R3.3"),
    # an X although no row stands, or more than a bare X although only the opponent's row stands
    (SETUP, "c2X", "no_row", "R3.4"),
    (SETUP, "X;c2", "no_row", "R4.1"),
    (THEIRS, "b3Xe3", "no_row", "R3.4"),
    (THEIRS, "b3Xe", "no_row", "R3.4"),
    (THEIRS, "b3XXe", "no_row", "R3.4"),
    (THEIRS, "X;b3", "no_row", "R4.1"),
    # no such row, or no such piece in it
    (COLUMN, "e2X5", "no_row", "R4.1"),
    (CROSSING, "X5Xe;b2", "no_row", "R4.1"),
    (CROSS, "f1Xg3Xe5", "no_row", "R4.1"),
    (LAST_GIPF, "Xe6Xe", "no_row", "R4.1"),
    (THEIRS_TOO, "e2XeXh", "no_row", "R4.1"),
    (COLUMN, "e2Xe3", "not_gipf", "R4.4"),
    (CROSS, "f1X5h4", "not_gipf", "R4.4"),
    (COLUMN, "e2Xe6", "empty", "R4.1"),
    (APART, "Xb4Xb4;h3", "empty", "R4.1"),
    (KEEPER, "e2Xb5", "outside", "R4.2"),
    (KEEPER, "e2Xh2", "outside", "R4.2"),
    (APART, "Xbg4;h3", "outside", "R4.2"),
    (APART, "Xb4g4;h3", "together", "R4.5"),
    (APART, "XbXb;h3", "dealt", "R4.6"),
    (SHARED, "XdXd;b5", "dealt", "R4.6"),
    # the removal ends the game
    (LAST_GIPF, "Xe6;b3", "ended", "R6.2"),
    (FAQ_9, "Xbb5Xgg5;c2", "ended", "R6.2"),
    (f"{OFFER} step=after", "c2Xe3", "done", "R3.5"),
]


@pytest.mark.parametrize(("line", "typed", "code", "rule"), ILLEGAL)
def test_an_illegal_turn_is_refused_with_its_rule(line: str, typed: str, code: str, rule: str) -> None:
    with pytest.raises(IllegalTurn) as caught:
        parse_turn(at(line), typed, JULIO974)
    assert (caught.value.code, caught.value.rule) == (code, rule), str(caught.value)
    assert str(caught.value).endswith(f"({rule})")
    assert "Black" not in str(caught.value), "White is to move in all of these"


def test_other_pushes_are_shown_in_this_notation() -> None:
    with pytest.raises(IllegalTurn, match="push from d1 with d1\\* or from e1 with e1 or from f1 with f1\\*"):
        parse_turn(at(SETUP), "e2", JULIO974)


# ── Turns that leave something open ──

OPEN = [
    # position, typed text, the choices, whether there are more
    (CROSS, "f1", ["f1X5", "f1Xb*"], False),
    (CROSS, "f1X", ["f1X5", "f1Xb*"], False),
    (CROSSING, "b2", ["X5;b2", "Xe;b2"], False),
    (CROSSING, "X;b2", ["X5;b2", "Xe;b2"], False),
    (CROSSING, "X", ["X5", "Xe"], False),
    (THREE, "Xe5;c2", ["X1*e5;c2", "X5e5;c2", "Xee5;c2"], False),
    (SHARED, "Xd2;b5", ["Xc*d2;b5", "Xdd2;b5"], False),
    (BESIDE_AN_OFFER, "Xe5", ["X5e5", "Xee5"], False),
    (NO_RESERVE, "c2", ["Xe2;c2"], True),
    (NO_RESERVE, "Xe;c2", ["Xe2;c2"], True),
    (STANDING, "X", ["b2", "b3"], True),
]


@pytest.mark.parametrize(("line", "typed", "choices", "more"), OPEN)
def test_only_a_choice_between_crossing_rows_is_open(line: str, typed: str, choices: list[str], more: bool) -> None:
    """This is so in a record. Each choice begins with the text, and can be played or begins a turn."""
    position = at(line)
    with pytest.raises(OpenTurn) as caught:
        parse_turn(position, typed, JULIO974)
    assert str(caught.value).endswith(", …") == more
    assert choices == [*caught.value.choices] or (more and len(caught.value.choices) == 6)
    for choice in caught.value.choices:
        written = JULIO974.read(choice)
        assert read_remaining_turn(TurnReading(JULIO974, choice, keep=True), position, (), written), choice


def test_choices_cover_rows_before_and_after_the_push() -> None:
    """Each text decides the crossing rows before the push and those that the push makes."""
    position = at("standard w W=Gd2,d4,d5,c3,e3,f2,h2,h3,h4,h5,e4,f4,g4 B=Gb2")
    with pytest.raises(OpenTurn) as caught:
        parse_turn(position, "d1Xd3", JULIO974)
    assert caught.value.choices == ("Xb*;d1X3d3", "Xb*;d1Xdd3", "Xh;d1X3d3", "Xh;d1Xb*d3", "Xh;d1Xdd3")
    assert all(parse_turn(position, choice, JULIO974) for choice in caught.value.choices)


def test_gipf_pieces_not_written_stay_in_a_record() -> None:
    """This includes the GIPF-pieces of a row that is chosen, and those that rows share."""
    kept = [
        (KEEPER, "e2", "e2;xe2,e4,e5"),
        (FAQ_9, "c2", "xb2,b3,b4;xg2,g3,g4;c2"),
        (SHARED, "b5", "xd3,d4,d5;xe3,f3,g3;b5"),
        (THREE, "c2", "xb2,c3,d4;xb5,c5,d5;xe2,e3,e4;c2"),
        (CROSSING_OFFERS, "c2", "c2"),
    ]
    for line, typed, official in kept:
        assert turn_text(at(line), parse_turn(at(line), typed, JULIO974)) == official
