"""Julio974's notation (notation.md section 2, the article in seeds/003), read and written."""

import pytest

from gipfbot.notation import (
    JULIO974,
    IllegalTurn,
    OpenTurn,
    ParseError,
    parse_turn,
    played_text,
    read_turn_part,
    turn_text,
)
from gipfbot.notation.interpret import TurnReading
from gipfbot.notation.reading import read_remaining_turn
from gipfbot.rules import PASS, Action, Position, Push
from gipfbot.rules.geometry import ENTRIES, LINES
from tests.notation.helpers import along, at, game, standing
from tests.notation.positions import (
    APART,
    COLUMN,
    CROSSING,
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

OFFERS = "tournament w W=Gb5,Gc5,Gd5,Ge5,Ge4,Ge3,Ge2,h5 B=Gh2"
WON = "standard w W=e2,e3,e4,e5,Gb5 B=h2"
RISING = "standard w W=b2,c3,Gd4,Gh5 B=Gf5,Gb5"
THREE = "standard w W=Ge5,e4,e3,e2,d5,c5,b5,b2,c3,d4,Gh5 B=Gh2"
HOLDS_MORE = "standard w W=Ge5,Ge4,e3,e2,d5,c5,b5,Gh5 B=Gh2"
LONG_ROWS = "standard w W=Gd2,d3,d4,d5,d6,e3,f3,g3,h3,Gb5 B=Gb2"
THEIRS_TOO = "standard w W=Ge3,e4,e5,Gb5 B=h2,h3,h4,h5,Gb2"
BESIDE_AN_OFFER = "tournament w W=Ge5,e4,e3,e2,d5,c5,b5,Gh2,Gh3,Gh4,Gh5 B=Gb2 step=after"
# The three boards of the article, built from its description.
PLAIN = "basic w W=c2,d3,e4 B=b4"
ENEMY = "standard w W=c2,Gd3,e4,Gb5 B=Gg4,Gb2"
CROSS = "standard w W=f2,f3,e4,Ge5,Gg3,g4,h2,h4 B=f4,Gb2"

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
    (HOLDS_MORE, "Xe4e5;c2", "Xe4e5;c2", "xe2,e3,Ge4,Ge5;c2"),
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
    (OFFERS, "X5e5;c2", "X5e5;c2", "xGe5;c2"),
    (OFFERS, "Xe5;c2", "X5e5;c2", "xGe5;c2"),
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
    (CROSS, "f1X5g3e5", "f1Xe5g3", "f1-f5;xGe5,f4,Gg3,h2"),
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
    ("^a6", "(a6 is not on the board)"),
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
    ("e1X^i2", "a GIPF-piece taken such as c4 (i2 is a dot)"),
    ("e1X^e9", "a GIPF-piece taken such as c4 (e9 is a dot)"),
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
    (KEEPER, "e2X (15)", "reserve_after", "R4.3"),
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
        (OFFERS, "c2", "c2"),
    ]
    for line, typed, official in kept:
        assert turn_text(at(line), parse_turn(at(line), typed, JULIO974)) == official


# ── Parts of a turn, in play ──

PARTS = [
    # position, played part, typed text, what is added, the same as actions, whether the turn is then complete
    (SETUP, "", "e1", "e1", "e1-e3", True),
    (COLUMN, "", "e2", "e2X", "e2;xe2,e3,e4,e5", True),
    # GIPF-pieces that are not written are asked, even after a bare X
    (KEEPER, "", "e2", "e2X", "e2", False),
    (KEEPER, "", "e2X", "e2X", "e2", False),
    (KEEPER, "", "e2X (3)", "e2X", "e2", False),
    (FAQ_9, "", "c2", "", "", False),
    # spots, or a row's code, decide their row
    (KEEPER, "", "e2Xe", "e2X", "e2;xe2,e4,e5", True),
    (KEEPER, "", "e2Xe3", "e2Xe3", "e2;xe2,Ge3,e4,e5", True),
    (APART, "", "XbXg;h3", "h3", "xb2,b3,b5;xg2,g3,g5;h3", True),
    (APART, "", "Xb4;h3", "Xb4", "xb2,b3,Gb4,b5", False),
    (APART, "", "Xb;h3", "X", "xb2,b3,b5", False),
    (SHARED, "", "XdXc*;b5", "Xc*;b5", "xd3,d4,d5;xe3,f3,g3;b5", True),
    (SHARED, "", "Xd;b5", "Xd", "xd3,d4,d5", False),
    (CROSS, "", "f1Xg3", "f1Xg3", "f1-f5;xf4,Gg3,h2", True),
    (LAST_GIPF, "", "Xe6", "Xe6", "xe2,e3,e4,e5,Ge6*", True),
    # of crossing rows the player is asked which goes
    (CROSS, "", "f1", "f1X", "f1-f5", False),
    (CROSSING, "", "X;b2", "", "", False),
    (CROSSING, "", "X5", "X5", "xb5,c5,d5,e5", False),
    (CROSSING, "", "X5;b2", "X5;b2", "xb5,c5,d5,e5;b2", True),
    (THREE, "", "Xe5;c2", "", "", False),
    # of an offer only the written pieces are taken
    (OFFER, "", "c2", "c2X", "c2", True),
    (OFFER, "", "c2Xe", "c2X", "c2", True),
    (OFFER, "", "c2Xe3", "c2Xe3", "c2;xGe3", True),
    (OFFER, "", "Xe2", "Xe2", "xGe2", False),
    (OFFER, "", "Xe", "", "", False),
    (NO_RESERVE, "", "Xe;c2", "", "", False),
    (NO_RESERVE, "", "Xe2;c2", "Xe2;c2", "xGe2;c2", True),
    # the remaining part
    (KEEPER, "e2", "Xe", "X", "xe2,e4,e5", True),
    (KEEPER, "e2", "Xe3", "Xe3", "xe2,Ge3,e4,e5", True),
    (KEEPER, "e2", "X", "", "", False),
    (CROSSING, "X5", "b2", "b2", "b2", True),
    (APART, "Xb4", "Xg;h3", "h3", "xg2,g3,g5;h3", True),
    (APART, "Xb", "Xg4;h3", "Xg4;h3", "xg2,g3,Gg4,g5;h3", True),
    (OFFERS, "X5b5", "Xe5;c2", "Xe5;c2", "xGe5;c2", True),
    (f"{OFFER} step=after", "", "Xe3", "Xe3", "xGe3", True),
    # a whole turn that begins with the played part
    (KEEPER, "e2", "e2X", "", "", False),
    (KEEPER, "e2", "e1Xe", "X", "xe2,e4,e5", True),
    (KEEPER, "e2", "d1*Xe", "X", "xe2,e4,e5", True),
    (KEEPER, "e2", "e2Xe3", "Xe3", "xe2,Ge3,e4,e5", True),
    (CROSSING, "X5", "X5;b2", "b2", "b2", True),
    (CROSSING, "X5", "X;b2", "b2", "b2", True),
    (SHARED, "Xdd2", "X;a5", "b5", "b5", True),
    (APART, "Xb4", "Xb4Xg;h3", "h3", "xg2,g3,g5;h3", True),
    (APART, "Xb4", "XgXb4;h3", "h3", "xg2,g3,g5;h3", True),
    (APART, "Xb", "XbXg4;h3", "Xg4;h3", "xg2,g3,Gg4,g5;h3", True),
    (OFFERS, "X5b5", "X5b5;c2", "c2X", "c2", True),
]


def played(position: Position, done: str) -> tuple[Action, ...]:
    """Return the actions that a text decides in play, without those that end the turn."""
    actions = read_turn_part(position, (), done, JULIO974) if done else ()
    return tuple(action for action in actions if action is not PASS)


@pytest.mark.parametrize(("line", "done", "typed", "written", "official", "complete"), PARTS)
def test_a_typed_part_adds_what_it_decides(
    line: str, done: str, typed: str, written: str, official: str, complete: bool
) -> None:
    start = at(line)
    begun = played(start, done)
    now = along(start, begun)
    actions = read_turn_part(start, begun, typed, JULIO974)
    assert (turn_text(now, actions, JULIO974), played_text(now, actions)) == (written, official)
    assert (along(now, actions).mover is not start.mover) == complete


REFUSED = [
    # position, played part, typed text, reason code
    (KEEPER, "e2", "b2X", "done"),
    (KEEPER, "e2", "b2Xe3", "done"),
    (APART, "Xb4", "Xb;h3", "done"),
    (APART, "Xb4", "Xbb4Xbb4;h3", "empty"),
    (APART, "Xb", "Xb4;h3", "outside"),
    (CROSSING, "X5", "Xe;b2", "no_row"),
]


@pytest.mark.parametrize(("line", "done", "typed", "code"), REFUSED)
def test_a_text_that_contradicts_the_played_part_is_refused(line: str, done: str, typed: str, code: str) -> None:
    start = at(line)
    with pytest.raises(IllegalTurn) as caught:
        read_turn_part(start, played(start, done), typed, JULIO974)
    assert caught.value.code == code


@pytest.mark.parametrize("rules", ["standard", "tournament"])
def test_every_part_of_a_played_turn_can_be_typed(rules: str) -> None:
    """After any part of a turn, its rest and its whole text complete it. Pieces that are not named stay."""
    cuts = 0
    for seed in range(12):
        for start, actions in game(rules, seed):
            end, whole = along(start, actions), turn_text(start, actions, JULIO974)
            for cut in range(len(actions)) if len(actions) > 1 else ():
                done, rest = actions[:cut], actions[cut:]
                now = along(start, done)
                for text in filter(None, (whole, turn_text(now, rest, JULIO974))):
                    reading = TurnReading(JULIO974, text, keep=True)
                    assert along(now, read_remaining_turn(reading, start, done, JULIO974.read(text))) == end, (
                        whole,
                        cut,
                        text,
                    )
                    cuts += 1
    assert cuts > 200


OTHERWISE = [
    # position, played part, the rest of the turn, its canonical text, which removes in another way
    (
        "tournament w W=Gb2,Ge8,Gf3,Gf4,Gf5,Gf6,Gf7,Gg6,Gh5 B=d5,Gd6,g2,Gg5,h3 step=after",
        "xGe8,Gg6",
        "xGf3,Gf7",
        "Xe8f7g6Xf3",
    ),
    (
        "tournament w W=Gc4,Gd4,Ge2,Ge4,Ge5,Gf2,Gf3,Gg2,Gh2 B=Gb3,Gb5,Gd3,Ge6,g6",
        "xGc4,Gd4,Ge4,Gg2",
        "h1-h3",
        "Xc4d4e4Xg2;h1",
    ),
    (
        "tournament w W=Gb4,Gc4,Gc5,Gd4,Gd6,Ge4,Ge7,Gf3,Gf7 B=Gb2,d5,f2,h2,Gh3",
        "xGb4,Gc4,Gd4,Gf3;c6",
        "xGc5,Gd6,Gf7",
        "X3*b4Xc4d4f3;c6Xc5d6f7",
    ),
]


@pytest.mark.parametrize(("line", "done", "rest", "typed"), OTHERWISE)
def test_a_whole_turn_may_follow_other_equal_removals(line: str, done: str, rest: str, typed: str) -> None:
    start = at(line)
    begun = along(start, played(start, done))
    end = along(begun, read_turn_part(start, played(start, done), typed, JULIO974))
    assert standing(end) == standing(along(begun, parse_turn(begun, rest)))
    assert end.mover is not start.mover
