"""Records as people write them: the forms of notation.md sections 2 and 5. No odd sign loses more than what follows."""

import pytest

from gipfbot.notation import (
    NOTATIONS,
    ImpossiblePosition,
    ParseError,
    Record,
    read_record,
    record_text,
    turn_text,
)
from gipfbot.notation.errors import excerpt
from gipfbot.notation.records import _result_warnings
from gipfbot.rules import TOURNAMENT, Colour

ROW = "basic w W=b2,b3,b4 B=c3,e2 reserve=12-13 captured=0-0"  # b5 makes a row
BLACK = "standard b W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=12-12 captured=0-0"


def turns(record: Record) -> list[str]:
    return [turn_text(step.before, step.actions) for step in record.turns]


FORMS = [
    # a text and its turns
    ("1. c2 d2 2. e1 e3 c6", ["c2", "d2", "e1-e3", "c6"]),
    ("1. e1e3 e9e7", ["e1-e3", "e9-e7"]),
    ("1) c2 d2\n2) e1-e3", ["c2", "d2", "e1-e3"]),
    ("1 c2 d2\n2 e1-e3", ["c2", "d2", "e1-e3"]),
    ("1. c2 1... d2 2. e1-e3 2… c6", ["c2", "d2", "e1-e3", "c6"]),
    ("1. c2 1. ... d2", ["c2", "d2"]),
    ("1. c2 ... d2 2. e1-e3 …c6", ["c2", "d2", "e1-e3", "c6"]),
    ("> 1. c2 d2\n> 2. e1-e3", ["c2", "d2", "e1-e3"]),
    ("```\n1. c2 d2\n2. e1-e3\n```", ["c2", "d2", "e1-e3"]),
    ("```text\n1. c2 d2```", ["c2", "d2"]),
    ("1. c2!!! d2 $1 2. e1-e3?!?! $12", ["c2", "d2", "e1-e3"]),
    ("1. c2 +/\u2212 d2 \u2213", ["c2", "d2"]),
    ("1. c2 (d2 e2 (f2)) d2", ["c2", "d2"]),
    ("1. c2(d2) d2(11) e1-e3 ( 10 )", ["c2", "d2", "e1-e3"]),
    ("1. c2 (d2 e2\nd2", ["c2", "d2"]),
    ("1. c2 {never closed\nd2 {good} e1-e3", ["c2", "d2", "e1-e3"]),
    ("1. c2 [9] d2", ["c2", "d2"]),
    ("1. c2 ; good; d2\nd2", ["c2", "d2"]),
    ("1. c2;good\nd2", ["c2", "d2"]),
    ("1. c2 ; x marks the spot\nd2", ["c2", "d2"]),
    ("\u200b1. c2\u200b d2\ufeff 2. e1\u2212e3\u2060", ["c2", "d2", "e1-e3"]),
    ("1. c2 d2 White wins", ["c2", "d2"]),
    # signs between turns; the designer's page advises a slash
    ("1. c2 / d2\n2. e1-e3/c6", ["c2", "d2", "e1-e3", "c6"]),
    ("| 1 | c2 | d2 |\n| 2 | e1-e3 | c6 |", ["c2", "d2", "e1-e3", "c6"]),
    ("1. c2, d2, 2. e1-e3 ,c6", ["c2", "d2", "e1-e3", "c6"]),
    ("1. c2 - d2 2. e1 - e3 \u2014 c6", ["c2", "d2", "e1-e3", "c6"]),
    ("- c2\n- d2.\n- e1 -> e3", ["c2", "d2", "e1-e3"]),
    ("1. c2 +/- d2 1/2-1/2", ["c2", "d2"]),
]


@pytest.mark.parametrize(("text", "found"), FORMS)
def test_a_record_is_read_in_every_form(text: str, found: list[str]) -> None:
    record = read_record(text, "basic")
    assert (turns(record), record.broken) == (found, None)


@pytest.mark.parametrize(
    ("written", "result"),
    [
        *[("1:0", "1-0"), ("1-0.", "1-0"), ("0 : 1", "0-1"), ("0\u22121", "0-1")],
        *[("White wins", "1-0"), ("black resigns.", "1-0"), ("Black won", "0-1"), ("WHITE RESIGNS", "0-1")],
        *[("White lost", "0-1"), ("black loses", "1-0"), ("White gave up.", "0-1"), ("Black timed out", "1-0")],
        *[("1-0!", "1-0"), ("0-1,", "0-1"), ("**1-0**", "1-0"), ("*0-1*", "0-1"), ("Result: 1-0", "1-0")],
        *[("1/2", "1/2-1/2"), ("\u00bd", "1/2-1/2"), ("\u00bd-\u00bd", "1/2-1/2"), ("draw", "1/2-1/2")],
        *[("resigns", "0-1"), ("Resigned.", "0-1"), ("resign", "0-1"), ("*", None), ("void", "void")],
    ],
)
def test_a_result_is_read_in_every_form(written: str, result: str | None) -> None:
    assert read_record(f"1. c2 d2 {written}", "basic").result == result
    assert read_record(f'[Result "{written}"] 1. c2 d2', "basic").result == result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("1. c2 d2 2. e1-e3 resigns", "1-0"),
        ("1. c2 d2 2. resigns", "0-1"),
        ("1. c2 d2 resigns 1-0", "1-0"),
        ('[Result "1-0"]\n1. c2 d2 resigns', "1-0"),
        ('[Result "*"]\n1. c2 d2 2. e1-e3 resigns', "1-0"),
        ("Black-White\n1. c2 d2 2. e1-e3 resigns", "1-0"),
        ("1. c2 d2 2. ... resigns", "1-0"),
    ],
)
def test_who_resigns_is_the_player_to_move_unless_the_record_says(text: str, result: str) -> None:
    record = read_record(text, "basic")
    assert (record.result, record.broken) == (result, None)


@pytest.mark.parametrize("words", ["White lost on time", "White resigns in a lost position"])
def test_words_behind_a_result_are_left_out(words: str) -> None:
    record = read_record(f"1. c2 d2 {words}", "basic")
    assert (record.result, record.broken) == ("0-1", None)
    assert record.warnings == ("The text after the result 0-1 was ignored.",)


@pytest.mark.parametrize("remark", ["White lost a piece", "draw offered", "resigns soon?", "Black gave up one"])
def test_remark_without_brackets_is_no_result(remark: str) -> None:
    """What follows it would be left out."""
    record = read_record(f"1. c2 d2 {remark} 2. e1-e3", "basic")
    assert record.broken
    assert (record.broken.turn_number, record.result) == (3, None)


def test_resigning_after_the_end_changes_no_result() -> None:
    """The rules say who has won."""
    lost = "basic w W=b2,b3,b4,c3 B=e2 reserve=11-0 captured=0-14"
    record = read_record(f'[Position "{lost}"]\n1. h5 resigns')
    assert (turns(record), record.result) == (["h5"], "1-0")


def test_results_in_words_follow_the_heading() -> None:
    """Under Black-White, Black moves first and is our White."""
    assert read_record("Basic Black-White\n1. c2 d2 Black wins").result == "1-0"


@pytest.mark.parametrize("text", ["1. b5\n;xb2,b3,b4,b5\n1... f2 0-1", "1. b5 {good} ; xb2,b3,\nb4,b5 f2 0-1"])
def test_a_line_that_begins_with_a_removal_continues_the_turn(text: str) -> None:
    """Nothing behind it is lost either."""
    record = read_record(f'[Position "{ROW}"]\n{text}')
    assert (turns(record), record.result) == (["b5;xb2,b3,b4,b5", "f2"], "0-1")


def test_a_removal_before_the_push_may_end_its_line() -> None:
    line = "basic w W=b2,b3,b4,b5 B=c3,e2 reserve=11-13 captured=0-0"
    for text in ("xb2,b3,b4,b5\n; c2 f2", "xb2,b3,b4,b5;\nc2 f2"):
        assert turns(read_record(f'[Position "{line}"]\n{text}')) == ["xb2,b3,b4,b5;c2", "f2"]


@pytest.mark.parametrize("text", ["1. c2 d2 2. -- c6", "c2 d2\n-\nc6", "1. c2 d2 2. e1-", "1. c2 d2 2. - 3. c6"])
def test_a_hyphen_for_a_turn_is_not_dropped(text: str) -> None:
    """The next turn would be played by the other player."""
    record = read_record(text, "basic")
    assert (turns(record), record.broken is None) == (["c2", "d2"], False)


@pytest.mark.parametrize("text", ["1. c2 d2; 2. e1-e3 c6", "1. c2 d2 ; c2\n", "1. c2 d2 ;c1*"])
def test_a_turn_behind_a_semicolon_is_a_comment_with_a_warning(text: str) -> None:
    record = read_record(text, "basic")
    said = text.partition(";")[2].strip()
    assert (turns(record), record.broken) == (["c2", "d2"], None)
    assert record.warnings == (f"“{excerpt(said, length=12)}” follows a semicolon and was read as a comment.",)


def test_a_comment_behind_a_semicolon_gives_no_warning() -> None:
    assert read_record("1. c2 d2 ; c2 was better\n; a good move: e1-e3\n;c6x", "basic").warnings == ()


def test_dots_behind_a_number_are_checked_against_the_player() -> None:
    record = read_record("1. c2 d2 2... e1-e3", "basic")
    assert record.broken
    assert (turns(record), record.broken.code) == (["c2", "d2"], "side")
    assert "2... says that Black is to move, but it is White's turn." in str(record.broken)
    assert read_record("1. c2 d2 ... e1-e3", "basic").broken


def test_a_wrong_number_or_reserve_is_a_warning() -> None:
    record = read_record("1. c2 (5) d2 3. e1-e3 f2 5. c6", "basic")
    assert not record.broken
    assert record.warnings == (
        "1. White has 11 in reserve after this turn, not 5.",
        "Move number 3 where 2 was expected: is a turn missing?",
    )


def test_many_wrong_reserves_are_counted() -> None:
    """One of the published records has the same reserve behind every turn."""
    three = "1. c2 (5) d2 (5) 2. e1-e3 (5)"
    told = read_record(three, "basic").warnings
    assert [warning.partition(" ")[0] for warning in told] == ["1.", "1…", "2."]
    assert read_record(f"{three} f2 (11)", "basic").warnings == (*told, "1 more turn has a wrong reserve.")
    assert read_record(f"{three} f2 (11) 3. c6 (5)", "basic").warnings == (*told, "2 more turns have a wrong reserve.")


# ── Start positions ──


def test_a_header_sets_the_start_position_and_is_written_again() -> None:
    """Black may be the first to move. Each text is read again as the same record."""
    record = read_record(f'[Position "{BLACK}"]\n1... d7 2. e1-e3 c6')
    assert (turns(record), record.broken, record.warnings) == (["d7", "e1-e3", "c6"], None, ())
    assert [step.turn_number for step in record.turns] == [2, 3, 4]
    assert record.begin.mover is Colour.BLACK
    for notation in NOTATIONS.values():
        text = record_text(record, notation)
        assert f'[Position "{BLACK}"]' in text
        assert "\n1... d7\n2. " in text
        again = read_record(text)
        assert (again.turns[-1].after, again.start_position) == (record.end, record.begin)
        assert record_text(again, notation) == text


def test_numbers_may_go_on_from_a_position() -> None:
    assert read_record(f'[Position "{BLACK}"]\n17... d7 18. e1-e3').warnings == ()
    assert read_record(f'[Position "{BLACK}"]\n17... d7 19. e1-e3').warnings


def test_the_rule_set_of_a_position_counts() -> None:
    line = "tournament b W=Ge8 B= reserve=16-18 captured=0-0 opening=wb"
    record = read_record(f'[Rules "Basic"]\n[Position "{line}"]\nGd7')
    assert (record.rules, record.broken) == (TOURNAMENT, None)
    assert record.warnings == ("The position in the record is Tournament, not Basic; it is played as Tournament.",)


def test_a_bare_position_line_is_a_record() -> None:
    record = read_record(f"\n{ROW}\n")
    assert (record.turns, record.rules.name, record.begin.mover) == ((), "basic", Colour.WHITE)


def test_a_wrong_position_is_refused() -> None:
    with pytest.raises(ImpossiblePosition):
        read_record(f'[Position "{ROW.replace("12-13", "3-13")}"] b5')
    with pytest.raises(ParseError, match=r"in place of \[FEN\]"):
        read_record('[FEN "8/8"] 1. c2')


# ── Repetition ──


def test_a_void_game_needs_a_third_repetition() -> None:
    """A third repetition is a warning, too, and ends nothing (R6.6)."""
    record = read_record("1. c2 d2 void", "basic")
    assert record.warnings == ("The record says void, but no position stood three times (R6.3).",)
    there, back = record.turns
    back = back._replace(after=there.before)
    repeated = record._replace(turns=(there, back, there, back._replace(turn_number=4), there))
    again = ["After 2… a position stands for the third time: the game is void by R6.3."]
    assert [*_result_warnings(repeated)] == again
    assert [*_result_warnings(repeated._replace(result=None))] == again
    assert not [*_result_warnings(repeated._replace(turns=repeated.turns[:3], result=None))]
