"""Records: their notation, their rule set, their result, and where they break."""

import re

import pytest
from hypothesis import given, strategies as some

from gipfbot.notation import (
    JULIO974,
    NOTATIONS,
    OFFICIAL,
    BrokenRecord,
    Notation,
    OpenTurn,
    ParseError,
    Record,
    RecordedTurn,
    SheetTurn,
    parse_turn,
    position_text,
    read_record,
    read_sheet,
    record_text,
    records as room,
    repairs,
    turn_number_text,
    turn_text,
)
from gipfbot.notation.repairs import Repair
from gipfbot.rules import BASIC, PRESETS, STANDARD, TOURNAMENT, start
from tests.notation.golden import example_record
from tests.notation.helpers import along, at, game
from tests.support.effort import amount, examples
from tests.support.paths import GAMES, RECORDS

LOST = RECORDS / "standard-228.turns"  # White wins by the rules

MARKS = ("", "!", "?", "", "!!", "??", "!?", "?!")
HEADERS = (("Event", "Club"), ("White", "ann"), ("Black", "bob"), ("Time", "3 days"), ("Elo", "1500"))


def text_of(file: str) -> str:
    return (RECORDS / file).read_text(encoding="utf-8")


def turns(record: Record, notation: Notation = OFFICIAL) -> list[str]:
    return [turn_text(step.before, step.actions, notation) for step in record.turns]


def broken(record: Record) -> BrokenRecord:
    assert record.broken
    return record.broken


# ── Turns ──


def test_a_record_is_played_turn_by_turn() -> None:
    record = read_record('[White "ann"]\n{so} 1. c2! d2 {yes} 2. e1 – e3', "basic")
    assert (record.rules, record.notation, record.broken, record.result) == (BASIC, OFFICIAL, None, None)
    assert (record.headers, record.comments) == ((("White", "ann"),), ("so",))
    told = [(step.turn_number, step.text, step.mark, step.comments) for step in record.turns]
    assert told == [(1, "c2", "!", ()), (2, "d2", "", ("yes",)), (3, "e1-e3", "", ())]
    position = record.turns[0].before
    for step in record.turns:
        assert step.before == position
        position = along(position, step.actions)
        assert step.after == position
    assert record.end == position


def test_a_record_may_hold_no_turn() -> None:
    """A game that has just begun has only headers."""
    record = read_record('[White "ann"] [Rules "basic"]')
    assert (record.turns, record.rules, record.broken) == ((), BASIC, None)
    assert position_text(record.end).startswith("basic w ")
    assert read_record("void").result == "void"


@pytest.mark.parametrize("text", ["; nothing", "{nothing}\n\n", "Basic "])
def test_a_text_without_turns_is_no_record(text: str) -> None:
    with pytest.raises(ParseError, match=r"^Expected a turn such as 1\. e2, but the text ends\.$") as caught:
        read_record(text)
    assert caught.value.caret == f"{text.strip()}\n{' ' * len(text.strip())}^"


@pytest.mark.parametrize("text", ["", " \n ", "\ufeff", "\ufeff\r\n"])
def test_an_empty_text_is_no_record(text: str) -> None:
    """The error has no place to point at."""
    with pytest.raises(ParseError, match=r"^The text is empty: expected a turn such as 1\. e2\.$") as caught:
        read_record(text)
    assert (caught.value.at, caught.value.caret) == (None, "")


@pytest.mark.parametrize(
    ("text", "rules", "found", "warnings"),
    [
        ("c2", None, STANDARD, ("No rule set named: played as Standard.",)),
        ("Basic c2", None, BASIC, ()),
        ("Basic c2", "basic", BASIC, ()),
        ("Basic c2", "standard", STANDARD, ("The record says Basic; it is played as Standard, as you chose.",)),
        ('[Rules "Standard"] Ge8', "tournament", TOURNAMENT,
         ("The record says Standard; it is played as Tournament, as you chose.",)),
        ("Ge8", "tournament", TOURNAMENT, ()),
    ],
)  # fmt: skip
def test_the_rule_set_is_the_given_one_or_the_texts(
    text: str, rules: str | None, found: object, warnings: tuple[str, ...]
) -> None:
    """The default is Standard. There is a warning if the rule set is not that of the text."""
    record = read_record(text, rules)
    assert (record.rules, record.warnings) == (found, warnings)


@pytest.mark.parametrize(
    "text", ["1. Ge8 Gd8-f7 2. Ge9-e7", "1. Ge8 Gd8* 2. Ge9", "ge8 gd8-f7", '[White "ann"] Gd2', "1. Ge8 2. nonsense"]
)
def test_a_first_gipf_piece_makes_a_record_tournament(text: str) -> None:
    """No other rule set allows it. A warning still says that the text names no rule set."""
    record, named = read_record(text), read_record(f"Tournament {text}")
    assert record.warnings[0] == "No rule set named: played as Tournament, since it begins with a GIPF-piece."
    assert record.turns
    assert (record.rules, record.turns, str(record.broken)) == (named.rules, named.turns, str(named.broken))


@pytest.mark.parametrize(
    ("text", "rules"),
    [("Ge8", "standard"), ("Standard Ge8", None), ("Ge8", "basic"), ("c2 Gd2", None), ("e5", None)],
)
def test_no_other_fault_makes_a_record_tournament(text: str, rules: str | None) -> None:
    """A rule set that the text names is kept. In Tournament the first turn must bring in a GIPF-piece (R5.1)."""
    record = read_record(text, rules)
    assert record.rules is not TOURNAMENT
    assert record.broken


# ── In which notation ──


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("1. c2 d2", OFFICIAL),  # the same in both notations
        ("1. c2 d2 2. e1-e3", OFFICIAL),
        ("1. c2 d2 2. e1", JULIO974),
        ("1. c2 d2 2. e1*", JULIO974),
        ("1. c2 nonsense", OFFICIAL),
        ("1. c2 d2 2. e1 f1 3. nonsense", JULIO974),
        ("1. c2 d2 2. e1-e9", OFFICIAL),  # illegal in one, unreadable in the other
        ("1. c2 d2 2. e1X", JULIO974),
        ("1. c2 d2 2. e1*y", JULIO974),  # unreadable in both, but later in one of them
    ],
)
def test_a_record_is_in_the_notation_that_gets_further(text: str, notation: Notation) -> None:
    assert read_record(text, "basic").notation is notation


@pytest.mark.parametrize(("turn", "notation"), [("x;c6", OFFICIAL), ("X;c6", JULIO974), ("c6", OFFICIAL)])
def test_the_case_of_letters_decides_between_equal_notations(turn: str, notation: Notation) -> None:
    """A row of GIPF-pieces stays whole (R4.7). Both notations read all these turns with the same meaning."""
    record = read_record(f"Tournament Gb2 Gh2 Gb3 Gh3 Gb4 Gh4 Gb5 Ge2 {turn}")
    assert (record.broken, record.notation) == (None, notation)
    assert turns(record)[-1] == "c6"


# ── The article's game ──


def test_the_article_as_printed_breaks_at_its_second_slip() -> None:
    """The first slip, a needless star, is a warning. The second is an error with similar turns and its cause (R3.4)."""
    record = read_record(text_of("article-printed.gipf"))
    fault = broken(record)
    assert (record.notation, record.rules, len(record.turns)) == (JULIO974, TOURNAMENT, 36)
    assert record.warnings == ("16… i1* has a star too many: i1 has only one direction.",)
    assert (fault.turn_number, fault.text, fault.code) == (37, "h6*Xc4", "no_row")
    assert str(fault).startswith("19. h6*Xc4 (White): White has no row after this push. (R3.4) ")
    assert "h6*" in fault.similar
    assert all(read_sheet(text).turns for text in fault.similar)
    assert str(fault).endswith("If you replace 18. h6 with h6*, the rest can be read.")


def test_the_article_mended_is_the_example_game() -> None:
    """It leads to the same position as in official notation, and each record is written as the other."""
    mended, example = read_record(text_of("article-mended.gipf")), read_record(text_of("example.turns"))
    assert (mended.broken, mended.warnings, mended.notation) == (None, (), JULIO974)
    assert (example.broken, example.warnings, example.notation) == (None, (), OFFICIAL)
    assert position_text(mended.end) == (
        "tournament b W=b5,c6,Gd5,d6,e2,e3,e5,g3,Gg5 B=b4,Gc4,c5,d2,e7,e8,Gf4,g2,h2 reserve=5-1 captured=2-6"
    )
    assert [step.after for step in mended.turns] == [step.after for step in example.turns]
    assert turns(mended) == [step.text for step in example.turns]
    assert turns(example, JULIO974) == [step.text.replace("g1*Xf6", "g1*Xff6") for step in mended.turns]
    assert mended.result == example.result == "1-0"


# ── Where it breaks ──


def test_a_record_stops_at_the_first_bad_turn() -> None:
    """The turns before it are kept. The sentence names the move, the side, the text and the reason."""
    record = read_record("1. c2 d2 2. e1-e3 e1-e3 3. c2 1-0", "basic")
    fault = broken(record)
    assert [step.text for step in record.turns] == ["c2", "d2", "e1-e3"]
    assert (fault.turn_number, fault.code, fault.text) == (4, "furthest", "e1-e3")
    assert str(fault).startswith(
        "2… e1-e3 (Black): From e1, the new piece stops on the first spot, and the last piece in its way on e4: "
        "write e1-e4. (R3.2) "
        "Legal turns like it: e1-e4"
    )
    assert 1 <= len(fault.similar) <= 3


@pytest.mark.parametrize("text", ["1. c2 e5 1-0", '[Result "0-1"] 1. c2 e5', "1. c2 e5 ½–½"])
def test_a_broken_record_has_no_result(text: str) -> None:
    """The game is not decided after the turns that are kept."""
    record = read_record(text, "basic")
    assert (record.result, record.warnings, len(record.turns)) == (None, (), 1)


def test_a_long_bad_turn_is_quoted_in_part() -> None:
    fault = broken(read_record("nonsense" * 1000))
    assert str(fault).startswith("1. nonsensenonsense")
    assert len(str(fault)) < 300


def test_a_turn_after_the_end_breaks_a_record() -> None:
    record = read_record(f"{LOST.read_text(encoding='utf-8')} c2")
    fault = broken(record)
    assert (fault.code, fault.similar, fault.turn_number) == ("over", (), len(record.turns) + 1)
    assert record.end.result
    assert "The game is over" in str(fault)


def test_choices_of_an_open_turn_are_shown_once() -> None:
    """An open turn is shown with its choices, but without similar turns."""
    game = (GAMES / "tournament-21.txt").read_text(encoding="utf-8")
    fault = broken(read_record(re.sub(r"(7\. [^;]*);.*", r"\1", game, flags=re.DOTALL)))
    assert isinstance(fault.fault, OpenTurn)
    assert (fault.turn_number, fault.similar) == (13, ())
    assert all(choice in str(fault) for choice in fault.fault.choices)


def test_two_meanings_break_a_record() -> None:
    """A turn that two notations read differently is shown with both readings. The turns before it are kept."""
    one, other = (
        room._replay_sheet(start(BASIC), read_sheet(text).turns, OFFICIAL) for text in ("d2 c2 d7", "d2 c6 d7")
    )
    reading = room._choose_reading([one, other])
    assert [step.text for step in reading.steps] == ["d2"]
    assert str(reading.fault) == "That can be read in two ways. Write one of: c2, c6"
    assert room._choose_reading([one, other._replace(exact=False)]) is one
    assert room._choose_reading([one._replace(exact=False), other]) is other
    assert room._choose_reading([one._replace(exact=False), other._replace(exact=False)]).fault is not None
    assert room._choose_reading([one, one._replace(notation=JULIO974)]).notation is OFFICIAL


# ── Results ──


def test_the_rules_give_a_missing_result() -> None:
    record = read_record(LOST.read_text(encoding="utf-8"))
    assert (record.result, record.warnings) == ("1-0", ())


@pytest.mark.parametrize(
    ("result", "warnings"),
    [
        ("1-0", ()),
        ("*", ()),
        ("0-1", ("The record says 0-1, but by the rules the result is 1-0.",)),
        ("void", ("The record says void, but by the rules the result is 1-0.",)),
    ],
)
def test_a_result_against_the_rules_is_a_warning(result: str, warnings: tuple[str, ...]) -> None:
    record = read_record(f"{LOST.read_text(encoding='utf-8')} {result}")
    assert record.warnings == warnings
    assert record.result == (result if warnings else "1-0")


def test_a_game_may_end_by_resignation_or_on_time() -> None:
    """Only a draw is impossible."""
    assert read_record("c2 0-1", "basic").warnings == ()
    drawn = read_record("c2 ½–½", "basic")
    assert (drawn.result, drawn.warnings) == ("1/2-1/2", ("½–½ is impossible: GIPF has no draws (R6.3).",))


def test_turns_have_numbers() -> None:
    assert [turn_number_text(number) for number in (1, 2, 37, 38)] == ["1.", "1…", "19.", "19…"]


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


def repair(text: str) -> Repair | None:
    broken = read_record(text).broken
    assert broken
    assert ("If you replace" in str(broken)) == (broken.repair is not None)
    return broken.repair


SLIPS = [
    (OFFICIAL, 35, "h6-h5", "h6-f6"),  # the wrong direction: that player's next turn shows it
    (JULIO974, 35, "h6", "h6*"),
    (OFFICIAL, 27, "f3", "f2"),  # the record breaks at once, and the later turns show what was meant
    (JULIO974, 27, "f3", "f2"),
    (OFFICIAL, 3, "e9-e7", "Ge9-e7"),
    (OFFICIAL, 19, "h6-c4;xc6*,d6,f5,g5", "h6-c4;xc6*,d6,f5,g4"),
]


@pytest.mark.parametrize(("notation", "number", "slip", "right"), SLIPS)
def test_the_only_change_that_fits_all_turns_is_found(notation: Notation, number: int, slip: str, right: str) -> None:
    assert repair(example_record(notation, {number: slip})) == Repair(number, slip, right)


def test_a_change_is_found_beside_reserves() -> None:
    """The reserve is no part of the difference."""
    text = example_record(slips={27: "f3 (11)"}).replace("e9-e7\n", "e9-e7 (16)\n")
    assert repair(text) == Repair(27, "f3(11)", "f2")


def test_two_slips_are_not_repaired() -> None:
    assert repair(example_record(slips={35: "h6-h5", 41: "nonsense"})) is None


def test_several_possible_changes_give_no_repair() -> None:
    """c2 is occupied. d2, e2, f2 and other spots would all fit."""
    assert repair("Basic c2 c2 c6") is None


def test_a_slip_in_the_last_turn_is_not_repaired() -> None:
    """Any legal turn would fit there."""
    assert repair(example_record(slips={41: "c7-c5"})) is None


def test_only_a_few_turns_back_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repairs, "BACK", 1)
    assert repair(example_record(slips={35: "h6-h5"})) is None
    monkeypatch.setattr(repairs, "BACK", 2)
    assert repair(example_record(slips={35: "h6-h5"})) is not None


def test_the_search_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that would have to play too many turns finds nothing."""
    monkeypatch.setattr(repairs, "REPLAYED", 5)
    assert repair(example_record(slips={35: "h6-h5"})) is None
    for turns in range(1, 9):
        monkeypatch.setattr(repairs, "REPLAYED", turns)
        assert repair("Basic c2 c2 c6") is None


APART = [
    ("h6", "h6*", 1),
    ("Gd8-f7", "d8-f7", 1),
    ("h6-h5", "h6-f6", 4),
    ("f2", "f3", 2),
    ("xc2,d3", "xc2;d3", 1),
    ("c2", "c2", 0),
    ("", "e2", 4),
    ("a1-c3", "i5-g3", 5),
    ("e2" * 50, "e2" * 50 + "*", 1),
    ("e2" * 9000, "f2", 5),
]


@pytest.mark.parametrize(("text", "other", "cost"), APART)
def test_a_wrong_character_costs_less_than_a_wrong_name(text: str, other: str, cost: int) -> None:
    """A cost of 5 or more is too far away."""
    assert min(repairs._change_cost(text, other, repairs.FARTHEST), 5) == cost
    assert min(repairs._change_cost(other, text, repairs.FARTHEST), 5) == cost


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
def test_a_whole_record_needs_no_repair(notation: Notation) -> None:
    assert read_record(example_record(notation)).broken is None
