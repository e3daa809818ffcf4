"""Sheets: the text of a record split into headers, turns and comments, before the turns are read."""

from contextlib import suppress

import pytest
from hypothesis import given, strategies as some

from gipfbot.notation import LARGEST_RECORD, MOST_TURNS, ParseError, SheetTurn, decode_record, read_sheet
from tests.support.effort import examples


def turns(text: str) -> list[str]:
    return [entry.text for entry in read_sheet(text).turns]


TURNS = [
    # a text and its turns
    ("1. c2 d2\n2. e1-e3", ["c2", "d2", "e1-e3"]),
    ("c2\nd2\n\n e1-e3 \n", ["c2", "d2", "e1-e3"]),
    ("c2 d2 e1-e3", ["c2", "d2", "e1-e3"]),
    ("1.c2 d2 2. e1-e3 2... f2", ["c2", "d2", "e1-e3", "f2"]),
    ("1. c2 1… d2 2.e1-e3 2...f2", ["c2", "d2", "e1-e3", "f2"]),
    ("c2 e1 – e3 ; xc2 , d3 (5) f2", ["c2", "e1-e3;xc2,d3(5)", "f2"]),
    ("xe7,e8 ;\n c7-\ne7 f2", ["xe7,e8;c7-e7", "f2"]),
    ("b6*X c7* XGc4;e2 g1*Xf6 (7)", ["b6*X", "c7*", "XGc4;e2", "g1*Xf6(7)"]),
    ("\ufeffc2\r\nd2\r; aside\re1-e3", ["c2", "d2", "e1-e3"]),
    ("c2 {a {good} d2 {one\nover lines} e1-e3", ["c2", "d2", "e1-e3"]),
    ("g1-c3 {good} ;xc2 {too} , d3 d2", ["g1-c3;xc2,d3", "d2"]),
    ('; c2\n[Event "c2"]\n  ; d2\nc2', ["c2"]),
    ('; a { sign\n[Event "{"]\nc2 {a\n; b} d2', ["c2", "d2"]),
    ("c2! d2 ?! e1-e3 +/- f2= e2+- ± b3 -+ c6 1-0", ["c2", "d2", "e1-e3", "f2", "e2", "b3", "c6"]),
    ("c2 +/– d2 –+ e1-e3-/+ f2", ["c2", "d2", "e1-e3", "f2"]),
    ("Pc3>c4+1 Zc3>c6 Pc3>c4+2!", ["Pc3>c4+1", "Zc3>c6", "Pc3>c4+2"]),
    ("Tournament White-Black\n1. c2 d2", ["c2", "d2"]),
    ("basic black – white c2 d2", ["c2", "d2"]),
    ("1. c2 - 2. d2", ["c2", "-", "d2"]),
    ("c2 nonsense 12 }d2 0-1st voided", ["c2", "nonsense", "}d2", "0-1st", "voided"]),
    ("", []),
]


@pytest.mark.parametrize(("text", "found"), TURNS)
def test_turns_are_found_among_everything_else(text: str, found: list[str]) -> None:
    """Blanks and line ends separate turns, except next to signs. An impossible turn counts as a turn here."""
    assert turns(text) == found


EVALUATIONS = "+/- -/+ +- -+ +/= =/+ += =+ = ± ∓ ∞ ⩲ ⩱ +/– –+"


@pytest.mark.parametrize("sign", EVALUATIONS.split())
def test_evaluation_marks_are_left_out(sign: str) -> None:
    """They stand after a turn with or without a blank, or after its mark."""
    entries = SheetTurn("c2", "!"), SheetTurn("d2"), SheetTurn("e1-e3")
    assert read_sheet(f"c2! {sign} d2{sign} e1-e3 {sign}").turns == entries


def test_marks_and_comments_are_kept_with_their_turn() -> None:
    sheet = read_sheet(
        "; before\n{and  before}\n1. c2!? {first} d2 ?? 2. {second\n third} e1-e3 ; xc2 !\n; last\n{} 1-0 {after}"
    )
    assert sheet.comments == ("before", "and before")
    assert sheet.turns == (
        SheetTurn("c2", "!?", ("first",), "1."),
        SheetTurn("d2", "??", ("second third",)),
        SheetTurn("e1-e3;xc2", "!", ("last", "after"), "2."),
    )


def test_comments_lose_braces_and_control_characters() -> None:
    """Braces in a comment after `;` become round brackets. Control characters become visible ones."""
    assert read_sheet("; a {b} \x00c\td\nc2").comments == ("a (b) \ufffdc d",)


def test_headers_are_kept_in_their_order() -> None:
    """This includes unknown headers. A backslash escapes quotes and backslashes. Curly quotes are read, too."""
    text = '[white "Ann \\"A\\" \\\\ [x] {y}"] [Black “Bob”]\n[ Elo  "1\n 2" ][Date ""] c2'
    headers = ("White", 'Ann "A" \\ [x] {y}'), ("Black", "Bob"), ("Elo", "1 2"), ("Date", "")
    assert read_sheet(text).headers == headers
    assert turns(text) == ["c2"]


RULES = [
    ("; A game. Rules: tournament. By nobody.\nc2", "tournament"),
    ('[Rules "Basic"]\nc2', "basic"),
    ("Tournament\nc2", "tournament"),
    ("{Rules: basic} c2", "basic"),
    ("; By the rules of chess\nc2", None),
    ("c2 {rules: chess}", None),
    ('[Event "the rules: chess"]\n; rules: tournament\nBASIC [Rules "standard"]\nc2', "standard"),
    ("; rules: chess\nBasic White-Black c2", "basic"),
    ("c2", None),
]


@pytest.mark.parametrize(("text", "rules"), RULES)
def test_the_rule_set_is_found_in_several_places(text: str, rules: str | None) -> None:
    """A header goes before a heading, and a heading before a comment above the first turn."""
    assert read_sheet(text).rules == rules


@pytest.mark.parametrize(
    "text", ["Short-cut White-Black c2", '[Rules "Short-cut"] c2', "; Rules: short-cut\nc2", "shortcut c2"]
)
def test_short_cut_is_standard_with_a_warning(text: str) -> None:
    sheet = read_sheet(text)
    assert (sheet.rules, sheet.warnings) == ("standard", ("“Short-cut” is read as Standard.",))


@pytest.mark.parametrize(
    "text", ['[White "ann"] [Black "bob"]\nBlack-White\nc2', 'black white [White "ann"][Black "bob"] c2']
)
def test_the_player_who_begins_is_white(text: str) -> None:
    """If Black is in the first column, the names change places, because White always begins (R2)."""
    sheet = read_sheet(text)
    assert dict(sheet.headers) == {"White": "bob", "Black": "ann"}
    assert sheet.warnings == ("“Black-White”: Black moves first and is called White here.",)
    assert (
        dict(
            read_sheet(text.lower().replace("black-white", "white-black").replace("black white", "white black")).headers
        )["White"]
        == "ann"
    )


RESULTS = [
    ("c2 1-0", "1-0"),
    ("c2 0–1", "0-1"),
    ("c2 1 – 0", "1-0"),
    ("c2 VOID", "void"),
    ("c2 ½–½", "1/2-1/2"),
    ("c2 1/2-1/2", "1/2-1/2"),
    ("c2 *", None),
    ("c2", None),
    ('[Result "0-1"]\nc2', "0-1"),
    ('[Result "Ann won"]\nc2', None),
    ('[Result "*"]\nc2 1-0', "1-0"),
    ("1-0\nc2", "1-0"),
    ("Black wins c2 *", None),
    ('1-0 [White "ann"] c2 1-0', "1-0"),
]


@pytest.mark.parametrize(("text", "result"), RESULTS)
def test_the_result_stands_at_the_end_or_before_the_turns(text: str, result: str | None) -> None:
    assert read_sheet(text).result == result
    assert turns(text) == ["c2"]


WARNINGS = [
    ('[Result "1-0"]\nc2 0-1', ["The result is 1-0 in the header, but 0-1 at the end of the text."]),
    ('[Result "1-0"]\nc2 *', ["The result is 1-0 in the header, but * at the end of the text."]),
    ('[Result "1–0"]\nc2 1-0', []),
    ("c2 {d2 e2", ["The comment “{d2 e2” is not closed. It was read to the end of its line."]),
    ("c2 [Event]\nd2", ["“[Event]” was skipped."]),
    ("c2 [9] d2", ["“[9]” was skipped."]),
    ("! c2", ["“!” was skipped."]),
    ("c2! ? d2!!!!!!", []),
    ("c2 (or d2) d2", ["“(or d2)” was skipped."]),
    ("c2 (or (d2\ne2", ["“(or (d2” was skipped."]),
    ("1. c2 1… d2 02. e2", []),
    ("1. c2 1-0 {and so on} [Event \"x\"] 1. c2 d2",
     ["A second game begins after the first one. Only the first was read."]),
    ("c2 1-0 good game", ["The text after the result 1-0 was ignored."]),
    ("c2 1-0 1. c2 d2", ["A second game begins after the first one. Only the first was read."]),
    ("1-0 1. c2 d2", []),
    ("1-0 1. c2 d2 0-1", ["The result is 1-0 in the header, but 0-1 at the end of the text."]),
    ('[Event "x"] 1-0 [Event "y"] 1. c2', ["A second game begins after the first one. Only the first was read."]),
    ('c2 d2 [White "ann"] c2', ["A second game begins after the first one. Only the first was read."]),
]  # fmt: skip


@pytest.mark.parametrize("bullet", ["*", "\\*", "  *", "-", "•", "> *"])
@pytest.mark.parametrize("items", [["1. c2 d2", "2. xc2,d2; e2 f2"], ["c2", "d2", "xc2,d2; e2", "f2"], ["Gc2", "Gd2"]])
def test_turns_may_stand_in_a_list(bullet: str, items: list[str]) -> None:
    sheet = read_sheet("\n".join(f"{bullet} {item}" for item in items) + "\n*")
    assert (sheet.turns, sheet.warnings) == (read_sheet("\n".join(items)).turns, ())


@pytest.mark.parametrize(("text", "warnings"), WARNINGS)
def test_doubtful_text_gives_a_warning(text: str, warnings: list[str]) -> None:
    assert list(read_sheet(text).warnings) == warnings


ONE_LINE = """
; A game between friends. Rules: tournament.
; Annotated by both.
[White "ann"]
{with {comments}
1. Ge8 Gd8-f7
2. g1-c3 ;xc2 {good}
e2 1-0
"""


def test_a_sheet_without_line_breaks_is_the_same() -> None:
    assert read_sheet(" ".join(ONE_LINE.split())) == read_sheet(ONE_LINE)
    assert len(read_sheet(ONE_LINE).comments) == 3
    assert turns("c2 e1-e3 ;xc2 d2") == ["c2", "e1-e3;xc2", "d2"]
    assert turns("1. e1-e3 ;xc2 1... d2 2. c2 1-0") == ["e1-e3;xc2", "d2", "c2"]


UNREADABLE = [
    ('[FEN "x"] c2', "a header [Position] in place of [FEN]", '[FEN "x"] c2'),
    ('[Rules "Foo"]\nc2', "a rule set (basic, standard, tournament, overboard)", "Foo"),
    ("[Rules “ Foo” ] c2", "a rule set (basic, standard, tournament, overboard)", "Foo"),
    ("; Rules: chess. A game.\nc2", "a rule set (basic, standard, tournament, overboard)", "chess"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "there"), UNREADABLE)
def test_a_fault_in_a_sheet_is_an_error(text: str, expected: str, there: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_sheet(text)
    assert str(caught.value) == f"Expected {expected}, but found “{there}”."
    line, caret = caught.value.caret.split("\n")
    assert line[len(caret) - 1 :].startswith(there.rstrip("…"))


def test_a_text_has_at_most_64_kib() -> None:
    """The size counts in bytes, as the text would be stored."""
    assert read_sheet("{" + "x" * (LARGEST_RECORD - 2) + "}").comments
    assert read_sheet("\ufeff{" + "é" * ((LARGEST_RECORD - 5) // 2) + "}").comments
    for text in (
        "{" + "x" * (LARGEST_RECORD - 1) + "}",
        "{" + "é" * (LARGEST_RECORD // 2 - 1) + "}\n",
        "\ud800" * (LARGEST_RECORD + 1),
    ):
        with pytest.raises(ParseError, match="Expected a text of at most 64 KiB, but found “"):
            read_sheet(text)


def test_a_text_has_at_most_2000_turns() -> None:
    assert len(turns("c2 " * MOST_TURNS)) == MOST_TURNS == 2000
    with pytest.raises(ParseError, match="Expected no more than 2,000 turns, but found “e2”"):
        read_sheet("c2\n" * MOST_TURNS + "e2")


SIGNS = [
    *("{", "}", "[", "]", ";", " ", "\n", "1.", "-", "(", "x", "1-0 ", "[]", "{}", "\t\n", "!", "+", "=", "½", ";\n"),
    *('[a "', "\\", " ;", " 1.", "a-", "- ", "1 ", "white ", "{a}b;", '[a "b"]', "rules ", ";rules:", "c2! "),
]


@pytest.mark.parametrize("sign", SIGNS)
def test_a_text_of_full_size_is_answered_at_once(sign: str) -> None:
    """If the time grew with the square of the length, this would take minutes."""
    for text in (
        sign * (LARGEST_RECORD // len(sign.encode())),
        f"c2 {sign * ((LARGEST_RECORD - 6) // len(sign.encode()))} d2",
    ):
        with suppress(ParseError):
            read_sheet(text)


OTHERS = (
    '"',
    "“",
    "…",
    "\ufeff",
    "\r",
    "\x00",
    "\ud800",
    "void",
    "Basic",
    "Black-White",
    '[Rules "Basic"]',
    "c2",
    "e1-e3;xc2",
)
TOKENS = some.sampled_from([*SIGNS, *OTHERS])


@examples(test=50, long=200)
@given(some.one_of(some.text(max_size=60), some.lists(TOKENS, max_size=30).map("".join)))
def test_any_text_is_read_or_refused(text: str) -> None:
    """No turn contains a separator of turns."""
    with suppress(ParseError):
        found = read_sheet(text).turns
        assert all(entry.text and not set(entry.text) & set(" \n{[!?") for entry in found)


# ── The text of a file ──


ENCODED = [
    ("UTF-8", "Zoë ½–½".encode()),
    ("UTF-8 with a mark", b"\xef\xbb\xbf" + "Zoë ½–½".encode()),
    ("Windows-1252", "Zoë ½–½".encode("cp1252")),
    ("UTF-16 with a mark", "Zoë ½–½".encode("utf-16")),
    ("UTF-16, the high byte first, with a mark", b"\xfe\xff" + "Zoë ½–½".encode("utf-16-be")),
    ("UTF-16", "Zoë ½–½".encode("utf-16-le")),
    ("UTF-16, the high byte first", "Zoë ½–½".encode("utf-16-be")),
]


@pytest.mark.parametrize("data", [data for _, data in ENCODED], ids=[name for name, _ in ENCODED])
def test_a_file_is_read_in_old_encodings(data: bytes) -> None:
    assert decode_record(data) == "Zoë ½–½"


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
@pytest.mark.parametrize("zeros", [1, 2, 125])
def test_a_file_may_be_filled_up_with_zeros(encoding: str, zeros: int) -> None:
    assert decode_record("1. a1-c3 g3 {Zoë}".encode(encoding) + bytes(zeros)) == "1. a1-c3 g3 {Zoë}"


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n\x00\x00", b"\xff\x01", b"\xff\xfe1", b"1\x00.", b"\x81", b"PK\x03\x04\xff"]
)
def test_a_file_that_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(UnicodeError):
        decode_record(data)


def test_utf_8_comes_first() -> None:
    """A text that is UTF-8 keeps all its signs, even those that an old encoding does not have."""
    assert decode_record("1. e2 \x01ü".encode()) == "1. e2 \x01ü"
