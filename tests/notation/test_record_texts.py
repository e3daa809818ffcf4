"""Records written as text, and read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from gipfbot.notation import (
    JULIO974,
    NOTATIONS,
    OFFICIAL,
    Notation,
    Record,
    RecordedTurn,
    SheetTurn,
    parse_turn,
    read_record,
    read_sheet,
    record_text,
    turn_text,
)
from gipfbot.notation import record_texts as room
from gipfbot.rules import BASIC, PRESETS, TOURNAMENT
from tests.notation.helpers import along, at, game
from tests.support.effort import amount, examples
from tests.support.paths import RECORDS

MARKS = ("", "!", "?", "", "!!", "??", "!?", "?!")
HEADERS = (("Event", "Club"), ("White", "ann"), ("Black", "bob"), ("Time", "3 days"), ("Elo", "1500"))


def recorded(rules: str, seed: int) -> Record:
    """Return a random game that seeks rows, with marks and comments here and there."""
    steps = tuple(
        RecordedTurn(
            number, "", actions, before, along(before, actions), MARKS[number % 8], ("so", "and so")[: number % 5 % 3]
        )
        for number, (before, actions) in enumerate(game(rules, seed), 1)
    )
    end = steps[-1].after.result
    return Record(PRESETS[rules], steps, OFFICIAL, HEADERS, end.score if end else None, ("before",))


def told(record: Record) -> tuple[object, ...]:
    """Return what a record says, independent of its notation and of the order of removals within a step."""
    turns = tuple((step.turn_number, step.before, step.after, step.mark, step.comments) for step in record.turns)
    return record.rules, turns, record.headers, record.result, record.comments, record.broken


# ── There and back ──


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("seed", range(amount(test=3, long=8)))
def test_a_written_record_is_read_as_the_same(rules: str, seed: int, notation: Notation) -> None:
    """Writing it again gives the same text, even after a change to the other notation and back."""
    record = recorded(rules, seed)
    for reserve in (False, True):
        text = record_text(record, notation, reserve=reserve)
        again = read_record(text)
        assert told(again) == told(record)
        assert again.warnings == ()
        assert record_text(again, notation, reserve=reserve) == text
    for other in NOTATIONS.values():
        assert record_text(read_record(record_text(again, other)), notation) == record_text(record, notation)


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
def test_a_record_shows_its_notation(notation: Notation) -> None:
    """A whole game is read in its own notation: sooner or later it has a sign that only Julio974's has."""
    assert read_record(record_text(recorded("standard", 1), notation)).notation is notation


@pytest.mark.parametrize("rules", PRESETS)
def test_a_game_without_turns_can_be_written(rules: str) -> None:
    record = Record(PRESETS[rules], (), headers=(("White", "ann"),))
    assert told(read_record(record_text(record))) == told(record)


def test_a_record_without_line_breaks_is_the_same() -> None:
    text = record_text(recorded("tournament", 3), reserve=True)
    assert told(read_record(" ".join(text.split()))) == told(read_record(text))


LETTERS = some.text(some.sampled_from('ab ;"\\[]{}()\n\t1.!*-\x00\x85\u2028\u3000“”é'), max_size=30)


@examples(test=30, long=100)
@given(some.lists(some.tuples(LETTERS, LETTERS), max_size=4), some.lists(LETTERS, max_size=3), LETTERS)
def test_no_header_or_comment_can_break_a_record(
    headers: list[tuple[str, str]], before: list[str], behind: str
) -> None:
    """Characters that a record cannot hold are replaced. After that the text does not change any more."""
    turns = read_record("1. c2 d2", "basic").turns
    turns = (turns[0]._replace(comments=(behind,)), turns[1])
    text = record_text(Record(BASIC, turns, OFFICIAL, tuple(headers), "void", tuple(before)))
    again = read_record(text)
    assert [step.after for step in again.turns] == [step.after for step in turns]
    assert len(again.headers) == len(headers)
    assert again.result == "void"
    assert record_text(again) == text


# ── How it looks ──


def test_a_record_looks_like_this() -> None:
    record = read_record('[Black "bob"] [Elo "1"] [Time "none"] {one} 1. Ge8! Gd8* {two} 2. Ge9 0-1', "tournament")
    assert record_text(record) == (
        '[Black "bob"]\n[Elo "1"]\n[Rules "Tournament"]\n[Time "none"]\n[Result "0-1"]\n'
        "\n{one}\n1. Ge8! Gd8-f7 {two}\n2. Ge9-e7 0-1\n"
    )
    assert record_text(record, JULIO974, reserve=True).endswith("\n1. Ge8 (16)! Gd8* (16) {two}\n2. Ge9 (14) 0-1\n")


def test_a_game_without_a_result_ends_with_a_star() -> None:
    assert record_text(Record(TOURNAMENT, ())) == '[Rules "Tournament"]\n[Result "*"]\n\n*\n'


def test_a_broken_record_is_written_up_to_its_fault() -> None:
    """It is written as an unfinished game, because its real end is not known."""
    text = record_text(read_record("Basic 1. c2 d2 2. nonsense 1-0"))
    assert text == '[Rules "Basic"]\n[Result "*"]\n\n1. c2 d2 *\n'


def test_no_line_of_turns_is_longer_than_80_characters() -> None:
    """Comments are broken at blanks, and long turns after their semicolons. A header stays on one line."""
    record = recorded("tournament", 74)
    wordy = record.turns[3]._replace(comments=("so-and-so and so " * 40,))
    text = record_text(record._replace(turns=(*record.turns[:3], wordy, *record.turns[4:]), headers=(("A", "x" * 99),)))
    lines = text.splitlines()
    assert max(map(len, lines[3:])) <= 80
    assert len(lines[0]) > 100
    assert read_record(record_text(record._replace(comments=("y" * 99,)))).comments == ("y" * 99,)
    assert read_record(text).turns[3].comments == (("so-and-so and so " * 40).strip(),)


def test_a_turn_broken_over_lines_is_one_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is broken after its semicolons, where a blank does not separate turns."""
    monkeypatch.setattr(room, "LINE_WIDTH", 60)
    white, black = "b2,b3,b4,b5,d3,d4,d5,d6,Ge2,f3,f4,f5,f6,h2,h3,h4,h5", "Gd2,Gd7,Ge8,Gf2,Gf7"
    before = at(f"tournament w W={white} B={black}")
    actions = parse_turn(before, "xb2,b3,b4,b5;xGd2*,d3,d4,d5,d6,Gd7*;xGf2*,f3,f4,f5,f6,Gf7*;xh2,h3,h4,h5;d8-f7")
    turn = turn_text(before, actions, reserve=True)
    text = record_text(
        Record(TOURNAMENT, (RecordedTurn(1, "", actions, before, along(before, actions), "!"),)), reserve=True
    )
    assert len(turn) > 80
    assert max(map(len, text.splitlines())) <= 60
    assert read_sheet(text).turns == (SheetTurn(turn.replace(" ", ""), "!", number="1."),)


KEPT = [
    ("White", 'Ann "the fox" O\'Neill', 'Ann "the fox" O\'Neill'),
    ("White", "back\\slash \\\" ]", "back\\slash \\\" ]"),
    ("White", "[x] {y} ; 1. e2", "[x] {y} ; 1. e2"),
    ("White", "two\n lines\tand  blanks ", "two lines and blanks"),
    ("White", "bell \x07 half \ud83d", "bell \ufffd half \ufffd"),
    ("White", "", ""),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value", "kept"), KEPT)
def test_headers_are_read_as_written(key: str, value: str, kept: str) -> None:
    record = Record(TOURNAMENT, (), headers=((key, value),))
    assert read_record(record_text(record)).headers == ((key, kept),)


def test_a_header_key_has_only_letters_and_digits() -> None:
    record = Record(TOURNAMENT, (), headers=(('Who "is"]', "x"), ("", "y"), ("événement", "z")))
    assert [key for key, _ in read_record(record_text(record)).headers] == ["Who__is__", "_", "événement"]


def test_braces_in_comments_become_round_brackets() -> None:
    record = Record(TOURNAMENT, (), comments=("a {b} c}", " ", "; [d]\n1. e2"))
    assert read_record(record_text(record)).comments == ("a (b) c)", "; [d] 1. e2")


@pytest.mark.parametrize("file", sorted(path.name for path in RECORDS.glob("*.turns")))
def test_stored_games_are_read_from_both_notations(file: str) -> None:
    record = read_record((RECORDS / file).read_text(encoding="utf-8"))
    for notation in NOTATIONS.values():
        assert told(read_record(record_text(record, notation))) == told(record)
